// The events of a strand with a single vertex. Most strands have only one, so the vertex's own members and the clock
// are inlined here. src/augment/region.cpp does the same for several levels, with one indirect call for each level and
// step.
#pragma once

#include <tine/detail/augment/continued_fork.hpp>
#include <tine/detail/augment/kind.hpp>
#include <tine/detail/augment/strand_clock.hpp>
#include <tine/detail/augment/vertex_node.hpp>

#include <cstdint>
#include <new>

namespace tine::detail {

/// No event may be inlined into user code: see strand_time.
template <vertex V>
struct single_observer {
  using table = vertex_behind_table<V>;

  static constexpr std::uint32_t left = storage_head_bytes;
  static constexpr std::uint32_t right = left + sizeof(vertex_node) + table::bytes;

  TINE_ALWAYS_INLINE static base::ticks now() noexcept {
    if constexpr (table::is_timed) return strand_time();
    return 0;
  }
  /// Makes a vertex node that equals `parent` in everything but its vertex.
  TINE_ALWAYS_INLINE static vertex_node& node_like(const vertex_node& parent, void* storage,
                                                   std::uint32_t offset) noexcept {
    return *::new (static_cast<void*>(node_at(storage, offset)))
        vertex_node{{parent.events}, parent.outer, base::object_at<storage_head>(storage)};
  }

  TINE_NOINLINE static sched::observer& fork(sched::observer& at, void* storage, sched::site where) noexcept {
    vertex_node& parent = static_cast<vertex_node&>(at);
    ::new (storage) storage_head{&parent, where};
    vertex_node& l = node_like(parent, storage, left);
    vertex_node& r = node_like(parent, storage, right);
    table::fork(parent.vertex(), l.vertex(), r.vertex(), now(), where);
    return l;
  }
  TINE_NOINLINE static sched::observer& first_done(void* storage) noexcept {
    vertex_node& r = *node_at(storage, right);
    table::first_done(node_at(storage, left)->vertex(), r.vertex(), now());
    return r;
  }
  TINE_NOINLINE static sched::observer& join(void* storage, sched::branch_end how, bool here) noexcept {
    vertex_node& parent = parent_of(storage);
    void* r = node_at(storage, right)->vertex();
    const base::ticks t = now();
    if (here) table::stop(r, t);
    table::join(parent.vertex(), node_at(storage, left)->vertex(), r, t, how);
    return parent;
  }

  /// Only an unsplit loop is so short that its events are worth inlining.
  TINE_NOINLINE static sched::observer& open_loop(sched::observer& at, void* storage, sched::loop_form form,
                                                  std::uint64_t n, sched::site where) noexcept {
    vertex_node& parent = static_cast<vertex_node&>(at);
    if (form != sched::loop_form::unsplit) return parent.of().of_several->open_loop(at, storage, form, n, where);
    ::new (storage) storage_head{&parent, where};
    vertex_node& subrange = node_like(parent, storage, left);
    const base::ticks t = now();
    table::stop(parent.vertex(), t);
    table::subrange(parent.vertex(), subrange.vertex(), n, t, where);
    return subrange;
  }
  TINE_NOINLINE static sched::observer& close_loop(void* storage, sched::loop_form form,
                                                   std::uint64_t iterations) noexcept {
    vertex_node& parent = parent_of(storage);
    if (form != sched::loop_form::unsplit) return parent.of().of_several->close_loop(storage, form, iterations);
    void* subrange = node_at(storage, left)->vertex();
    const base::ticks t = now();
    if (iterations != 0) table::chunk(subrange, iterations, t);
    table::stop(subrange, t);
    table::join_loop(parent.vertex(), subrange, t);
    return parent;
  }

  static constexpr const sched::fork_steps* find_nested_forks() noexcept {
    if constexpr (continues_in_branches<V>) {
      return &continued_fork<V>::steps;
    } else {
      return nullptr;
    }
  }

  static constexpr single_hooks events{
      &fork, &first_done, &join, &open_loop, &close_loop, only_counts_short_loops<V>, find_nested_forks()};
  static_assert(sched::short_loops_at == sizeof(vertex_node), "a vertex that counts them begins with them");
};

}  // namespace tine::detail
