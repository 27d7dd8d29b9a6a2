// Makes levels, by which several analyses follow one strand. Only the strand touches its nodes.
#pragma once

#include "augment/callers.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/augment/augment.hpp>

namespace tine::detail {

/// Returns a level for `kind` inside `outer`; without `outer`, the level is the outermost one.
level level_of(const vertex_kind& kind, const level* outer) noexcept;

/// Makes `n`, whose vertex lies behind it, a vertex node of level `l`. `outer`: the strand's node of the next outer
/// level. `in`: the construct in which the strand is, or null.
void place_node(vertex_node& n, const level& l, vertex_node* outer, const storage_head* in) noexcept;

inline sched::site site_around(const sched::observer& strand) noexcept {
  return static_cast<const vertex_node&>(strand).site_around();
}

template <auto Function>
struct in_scheduler_time;
template <class R, class... Args, R (*Function)(Args...) noexcept>
struct in_scheduler_time<Function> {
  static R call(Args... args) noexcept {
    const sched::scheduler_time here;
    return Function(args...);
  }
};

template <vertex V>
inline constexpr single_hooks allocating_single{
    [](sched::observer& at, void* storage, sched::site where) noexcept -> sched::observer& {
      const sched::scheduler_time here;
      return single_observer<V>::fork(at, storage, site_with_callers(where, site_around(at)));
    },
    &in_scheduler_time<&single_observer<V>::first_done>::call,
    &in_scheduler_time<&single_observer<V>::join>::call,
    [](sched::observer& at, void* storage, sched::loop_form form, std::uint64_t n,
       sched::site where) noexcept -> sched::observer& {
      const sched::scheduler_time here;
      // the events of several find the callers of all other loops
      if (form == sched::loop_form::unsplit) where = site_with_callers(where, site_around(at));
      return single_observer<V>::open_loop(at, storage, form, n, where);
    },
    &in_scheduler_time<&single_observer<V>::close_loop>::call,
    single_observer<V>::events.counts_short_loops,
    nullptr};

/// The table of a vertex type that allocates: each function runs in scheduler time.
template <vertex V>
inline constexpr vertex_kind allocating_kind = [] {
  using table = vertex_behind_table<V>;
  vertex_kind k = table::table;
  k.create = &in_scheduler_time<&table::create>::call;
  k.destroy = &in_scheduler_time<&table::destroy>::call;
  k.start = &in_scheduler_time<&table::start>::call;
  k.stop = &in_scheduler_time<&table::stop>::call;
  k.fork = &in_scheduler_time<&table::fork>::call;
  k.first_done = &in_scheduler_time<&table::first_done>::call;
  k.join = &in_scheduler_time<&table::join>::call;
  k.subrange = &in_scheduler_time<&table::subrange>::call;
  k.iteration = &in_scheduler_time<&table::iteration>::call;
  k.chunk = &in_scheduler_time<&table::chunk>::call;
  k.append = &in_scheduler_time<&table::append>::call;
  k.join_loop = &in_scheduler_time<&table::join_loop>::call;
  k.halve = &in_scheduler_time<&table::halve>::call;
  k.join_halves = &in_scheduler_time<&table::join_halves>::call;
  k.move_to_tree = &in_scheduler_time<&table::move_to_tree>::call;
  k.move_from_tree = &in_scheduler_time<&table::move_from_tree>::call;
  k.single = &allocating_single<V>;
  return k;
}();

}  // namespace tine::detail
