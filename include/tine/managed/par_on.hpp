// Forks and loops whose workers the program itself chooses: user-specified schedules. Any strand may call them.
#pragma once

#include <tine/managed/par.hpp>
#include <tine/managed/par_for.hpp>
#include <tine/managed/par_reduce.hpp>
#include <tine/sched/placement_hint.hpp>

#include <span>
#include <utility>

namespace tine {
namespace detail {

/// Runs `loop`, which has `n` iterations, by this partition. The runtime doesn't treat a loop of one iteration as a
/// loop, so such a loop runs as the second branch of a fork.
template <class Loop>
auto run_placed(std::span<const placed_subrange> partition, std::uint64_t n, Loop loop) {
  const sched::placement_hint here{partition, n};
  if (n != 1 || partition.empty()) return value_of(loop);
  sched::hint_worker(partition.front().worker);
  return par([] {}, loop, [](void_result, result_of<Loop&>&& r) { return static_cast<result_of<Loop&>&&>(r); });
}

}  // namespace detail

/// `par(f, g)` and `par(f, g, combine)`, with the second branch `g` assigned to the pool's worker number `worker`;
/// `tine::any_worker` assigns it to no worker in particular. After the join the strand continues where it forked.
///
///     tine::replay({}, tine::replay_mode::strict_unordered, [&] {
///       tine::par_on(1, [&] { sweep(left); }, [&] { sweep(right); });
///     });
///
/// `tine::record` and `tine::replay` follow the assignment. Everywhere else, and inside `tine::sequential`, this is a
/// plain `par`. In a replay, what the schedule says of this fork takes precedence. We take a number that the pool
/// doesn't have modulo its workers, so you may write programs for more workers than there are. In `record`, other forks
/// may be stolen as usual. A strict replay of the empty schedule runs elsewhere only what the program places there. In
/// a relaxed replay `g` may be stolen, too, if its worker doesn't come to it.
///
/// You may assign a fork inside a *first* branch to a worker only if the fork around it is assigned, too. The reason is
/// that thieves steal the oldest fork first, and so does a schedule (constrained stealing, §IV-B). Throws
/// std::logic_error if the fork around it isn't, and std::invalid_argument for a number below `tine::any_worker`.
template <detail::branch F, detail::branch G>
auto par_on(int worker, F f, G g) {
  sched::hint_worker(worker);
  return par(std::move(f), std::move(g));
}

template <detail::branch F, detail::branch G, class Combine>
  requires(!detail::branch<Combine>)
decltype(auto) par_on(int worker, F f, G g, Combine combine) {
  sched::hint_worker(worker);
  return par(std::move(f), std::move(g), std::move(combine));
}

/// `par_for(lo, hi, body)` in subranges that are assigned to workers: each element of `subranges` says where one
/// starts, and names its worker; see `block` and `cyclic`. Takes iterators and ranges, too. After the loop the strand
/// continues where it started the loop. Everything else is as in `par_on`. Throws std::invalid_argument, before
/// anything runs, if the starts of the subranges don't grow, or if a subrange starts behind the end of the loop.
template <class First, class Last, class Body>
void par_for_on(std::span<const placed_subrange> subranges, First lo, Last hi, Body body) {
  detail::run_placed(subranges, detail::distance(lo, hi), [&] { par_for(lo, hi, std::move(body)); });
}

template <detail::random_access_range Range, class Body>
void par_for_on(std::span<const placed_subrange> subranges, Range&& range, Body body) {
  par_for_on(subranges, std::begin(range), std::end(range), std::move(body));
}

/// `par_reduce(lo, hi, identity, map, combine)` in subranges that are assigned to workers, as in `par_for_on`.
template <class First, class Last, class Identity, class Map, class Combine>
auto par_reduce_on(std::span<const placed_subrange> subranges, First lo, Last hi, Identity identity, Map map,
                   Combine combine) {
  return detail::run_placed(subranges, detail::distance(lo, hi), [&] {
    return par_reduce(lo, hi, std::move(identity), std::move(map), std::move(combine));
  });
}

template <detail::random_access_range Range, class Identity, class Map, class Combine>
auto par_reduce_on(std::span<const placed_subrange> subranges, Range&& range, Identity identity, Map map,
                   Combine combine) {
  return par_reduce_on(subranges, std::begin(range), std::end(range), std::move(identity), std::move(map),
                       std::move(combine));
}

}  // namespace tine
