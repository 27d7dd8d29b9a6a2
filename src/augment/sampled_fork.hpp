// The sampled analysis, for a vertex type that continues in the branches of its forks: a strand observes first
// branches, and skips a second branch if the first one was short. Each step runs on the strand that forks.
#pragma once

#include "augment/levels.hpp"
#include "sched/skipped_stretch.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/augment/continued_fork.hpp>
#include <tine/detail/augment/kind.hpp>
#include <tine/detail/augment/single_observer.hpp>
#include <tine/detail/augment/vertex_node.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/splitmix64.hpp>

#include <new>

namespace tine::detail {

/// Places in the program, by hashes. A place that shares its entry with another one may be found here without having
/// been added. That costs some time or makes an interval wider, and nothing else.
class noted_places {
 public:
  // relaxed, here and below: a hint
  void set(sched::site where, bool is_noted) noexcept { at(where).store(is_noted, base::relaxed); }
  bool has(sched::site where) noexcept { return at(where).load(base::relaxed); }

 private:
  base::atomic<bool>& at(sched::site where) noexcept { return entries_[where * base::splitmix64::step >> 56]; }
  base::atomic<bool> entries_[256]{};
};

/// `V` is work_span, or as it. `Clock` has the functions `now` and `rested` of sched::skip_hooks.
template <vertex V, class Clock>
struct sampled_fork : continued_fork<V> {
  using observed = continued_fork<V>;
  using table = vertex_behind_table<V>;
  using typename observed::storage;

  static_assert(sizeof(sched::skipped_stretch) <= sizeof(vertex_node) + table::bytes);

  static sched::branch_end first_done(void* fork) noexcept {
    const sched::branch_end how = observed::first_done(fork);
    const storage& s = observed::of(fork);
    if (how == sched::branch_end::stolen || !skips_after(s.of_vertex.first_work - s.of_vertex.work, s.where))
      return how;
    auto& second = *::new (static_cast<void*>(node_at(fork, observed::second_at))) sched::skipped_stretch;
    second.where = s.where;
    sched::begin_skipping(second);
    return how;
  }
  static void join(void* fork) noexcept {
    look_again(fork);
    observed::join(fork);
  }
  static void abandon(void* fork, bool in_second) noexcept {
    if (in_second) look_again(fork);
    observed::abandon(fork, in_second);
  }

  static constexpr sched::fork_steps steps{
      &observed::open,         &first_done,          &join, &observed::close, &abandon, &observed::record,
      &observed::begin_stolen, &observed::end_stolen};

 private:
  static inline constinit noted_places long_seconds;  ///< forks whose second branch took long after a short first one
  static inline constinit noted_places short_roots;   ///< roots the last of which was shorter than `longest`

  static V& vertex_of(sched::observer& at) noexcept { return table::at(static_cast<vertex_node&>(at).vertex()); }

  /// Observing a fork takes less than a hundredth of `longest` / 32, so it is worth it at places with long branches.
  static bool skips_after(base::ticks first, sched::site where) noexcept {
    return first < hooks.longest && (first < hooks.longest / 32 || !long_seconds.has(where));
  }

  /// Ends the skipped stretch, if there is one. It lies where a thief's node and vertex would, because the second
  /// branch runs on one strand only.
  static void look_again(void* fork) noexcept {
    if (sched::observer::current() != nullptr) return;
    sched::end_skipping(*base::object_at<sched::skipped_stretch>(node_at(fork, observed::second_at)));
  }

  static base::ticks look_away(sched::observer& at) noexcept {
    const base::ticks now = Clock::now();
    vertex_of(at).stop(now);
    return now;
  }
  static void look_back(sched::observer& at, const sched::skipped_stretch& over) noexcept {
    V& v = vertex_of(at);
    // relaxed: everything that was forked in the stretch has been joined
    v.skip(over.ran.load(base::relaxed), over.high.load(base::relaxed), over.forks.load(base::relaxed));
    v.start(Clock::now());
  }

  /// The node of a part of a stretch that is observed apart, with the vertex behind it.
  struct node_apart {
    vertex_node head;
    alignas(16) std::byte vertex[table::bytes];
  };
  static_assert(sizeof(node_apart) <= sizeof(sched::apart_memory));

  static void begin_apart(sched::apart_memory& memory, const sched::skipped_stretch& in) noexcept {
    static const level of = level_of(kind, nullptr);
    vertex_node& head = base::begin_object<node_apart>(memory.bytes)->head;
    place_node(head, of, nullptr, static_cast<const vertex_node&>(*in.by).in);
    V& v = *::new (head.vertex()) V;
    sched::begin_observing(head);
    v.start(Clock::rested());
  }
  static void end_apart(sched::apart_memory& memory, sched::skipped_stretch& in) noexcept {
    V& v = table::at(base::object_at<node_apart>(memory.bytes)->head.vertex());
    v.stop(Clock::now());
    sched::end_observing();
    in.add(v.work, v.span_high(), v.forks);
    v.~V();
  }
  static void found_long(const sched::skipped_stretch& s) noexcept { long_seconds.set(s.where, true); }
  /// A timer for each of many short roots would take longer than the roots.
  static bool may_be_long(const sched::observer& at) noexcept {
    const storage_head* const in = static_cast<const vertex_node&>(at).in;
    return in == nullptr || in->parent != nullptr || !short_roots.has(in->where);
  }

  static constexpr single_hooks events = [] {
    single_hooks h = single_observer<V>::events;
    h.nested_forks = &steps;
    return h;
  }();

 public:
  static void end_root(sched::site where, base::ticks work) noexcept { short_roots.set(where, work < hooks.longest); }

  static inline constinit sched::skip_hooks hooks{&look_away,     &look_back,  &begin_apart, &end_apart, &Clock::now,
                                                  &Clock::rested, &found_long, &may_be_long, 0};
  static constexpr vertex_kind kind = [] {
    vertex_kind k = table::table;
    k.single = &events;
    k.skips = &hooks;
    return k;
  }();
};

}  // namespace tine::detail
