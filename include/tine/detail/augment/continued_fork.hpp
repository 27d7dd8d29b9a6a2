// The steps of a managed fork on a strand with a single vertex that continues in the branches
// (tine/augment/vertex.hpp). There are no nodes to make for the branches, and the strand keeps its observer. Only a
// thief gets a node and a vertex. The strand that forks calls the steps, except for those of a thief.
#pragma once

#include <tine/detail/augment/kind.hpp>
#include <tine/detail/augment/strand_clock.hpp>
#include <tine/detail/augment/vertex_node.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/fork_steps.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/shadow_stack.hpp>

#include <cstdint>
#include <new>
#include <type_traits>

namespace tine::detail {

/// No step may be inlined into user code: see strand_time.
template <vertex V>
struct continued_fork {
  using table = vertex_behind_table<V>;
  using kept = typename V::open_fork;
  static_assert(std::is_trivially_copyable_v<kept> && std::is_trivially_destructible_v<kept>,
                "tine: what a vertex keeps of an open fork is trivial");

  /// The storage. A thief's node and vertex follow, where other forks have those of the second branch
  /// (vertex_node.hpp).
  struct storage : storage_head {
    sched::address at, end;  ///< of the whole fork, up to the end of the record
    sched::branch_end how;
    bool has_second;  ///< a thief has made a vertex for the second branch
    kept of_vertex;
  };
  static constexpr std::uint32_t second_at = storage_head_bytes + sizeof(vertex_node) + table::bytes;
  static constexpr std::uint32_t bytes = second_at + sizeof(vertex_node) + table::bytes;
  static_assert(sizeof(storage) <= second_at && bytes % 16 == 0);

  TINE_ALWAYS_INLINE static storage& of(void* fork) noexcept { return *base::object_at<storage>(fork); }
  TINE_ALWAYS_INLINE static V& vertex_of(const storage& s) noexcept { return table::at(s.parent->vertex()); }
  TINE_ALWAYS_INLINE static sched::address record_of(storage& s) noexcept { return base::bytes_of(s) + bytes; }
  TINE_ALWAYS_INLINE static base::ticks now() noexcept {
    if constexpr (table::is_timed) return strand_time();
    return 0;
  }
  static base::ticks time() noexcept { return table::is_timed ? strand_now() : 0; }

  TINE_NOINLINE static void* open(sched::address at, sched::site where, void* second,
                                  const sched::descriptor& kind) noexcept {
    const sched::address place = sched::storage_in(at);
    const sched::address record = place + bytes, end = record + kind.size;
    sched::check_observed_capacity(end);
    storage& s = *base::begin_object<storage>(place);
    vertex_node& node = *vertex_node::current();
    s.parent = &node;
    s.where = where;
    s.at = at;
    s.end = end;
    s.how = sched::branch_end::unpromoted;
    s.has_second = false;
    sched::reported_record_head::write(record, kind, {second, &steps, place});
    sched::write_storage_block(at, record);
    sched::push_observed(at, end);
    sched::serve_observed();
    return begin_first(s, table::at(node.vertex()));
  }

  TINE_NOINLINE static sched::branch_end first_done(void* fork) noexcept {
    storage& s = of(fork);
    const sched::address record = record_of(s);
    sched::pop_observed(record, s.end);
    if (sched::hot::is_promoted(record)) [[unlikely]]
      return retract(s);
    V& v = vertex_of(s);
    const base::ticks t = now();
    stop_vertex(v, t);
    v.continue_in_second(s.of_vertex);
    start_vertex(v, t);
    return sched::branch_end::unpromoted;
  }

  TINE_NOINLINE static void join(void* fork) noexcept {
    storage& s = of(fork);
    if (s.how != sched::branch_end::unpromoted) [[unlikely]]
      return join_promoted(s);
    V& v = vertex_of(s);
    const base::ticks t = now();
    stop_vertex(v, t);
    v.continue_after(s.of_vertex, sched::branch_end::unpromoted);
    start_vertex(v, t);
    close(fork);
  }

  static void close(void* fork) noexcept { sched::pop_storage_block(of(fork).at, record_of(of(fork))); }

  TINE_COLD static void abandon(void* fork, bool in_second) noexcept {
    if (in_second) return join(fork);
    storage& s = of(fork);
    const sched::address record = record_of(s);
    sched::pop_observed(record, s.end);
    stop_vertex(vertex_of(s), time());
    if (sched::hot::is_promoted(record)) {
      s.how = sched::branch_end::reclaimed;
      auto& head = *sched::reported_record_head::at(record);
      if (sched::discard(head) == sched::joined::stolen) {
        s.how = sched::branch_end::stolen;
        head.drop();
      }
    }
    join_other(s);
    close(fork);
  }

  static sched::task& record(void* fork) noexcept { return *sched::reported_record_head::at(record_of(of(fork))); }

  TINE_COLD static void begin_stolen(void* fork, sched::region_scope&) noexcept {
    storage& s = of(fork);
    vertex_node& node = *::new (static_cast<void*>(&second_of(s))) vertex_node{*s.parent};
    node.in = &s;
    ::new (node.vertex()) V();
    s.has_second = true;
    sched::instrumentation{node.events, nullptr}.begin_stolen(fork);
  }
  TINE_COLD static void end_stolen(void* fork, sched::region_scope&) noexcept {
    sched::instrumentation{second_of(of(fork)).events, nullptr}.end_stolen(fork);
  }

  static constexpr sched::fork_steps steps{&open,    &first_done, &join,         &close,
                                           &abandon, &record,     &begin_stolen, &end_stolen};

 private:
  static vertex_node& second_of(storage& s) noexcept { return *node_at(&s, second_at); }

  /// Reads the clock last, so that the time of the steps before belongs to the strand that forks.
  TINE_ALWAYS_INLINE static void* begin_first(storage& s, V& v) noexcept {
    const base::ticks t = now();
    stop_vertex(v, t);
    v.continue_in_first(s.of_vertex);
    start_vertex(v, t);
    return &s;
  }

  /// As `first_done`, for a record that was promoted.
  TINE_COLD static sched::branch_end retract(storage& s) noexcept {
    V& v = vertex_of(s);
    stop_vertex(v, time());
    s.how = sched::branch_end::stolen;
    if (sched::join(*sched::reported_record_head::at(record_of(s))) == sched::joined::stolen) return s.how;
    s.how = sched::branch_end::reclaimed;
    v.continue_in_second(s.of_vertex);
    start_vertex(v, table::is_timed ? strand_now_after_rest() : 0);
    return s.how;
  }

  TINE_COLD static void join_promoted(storage& s) noexcept {
    if (s.how == sched::branch_end::stolen) return join_other(s);
    V& v = vertex_of(s);
    const base::ticks t = time();
    stop_vertex(v, t);
    v.continue_after(s.of_vertex, s.how);
    start_vertex(v, t);
    close(&s);
  }

  /// Joins the second branch, which did not run on this strand. (A thief that is to stop doesn't start it.)
  static void join_other(storage& s) noexcept {
    V& v = vertex_of(s);
    if (!s.has_second) ::new (second_of(s).vertex()) V();
    V& second = table::at(second_of(s).vertex());
    v.continue_after(s.of_vertex, second, s.how);
    second.~V();
    start_vertex(v, time());
  }
};

}  // namespace tine::detail
