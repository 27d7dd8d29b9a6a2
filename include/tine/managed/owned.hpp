// Forks and loops whose owners the program itself chooses: user-specified schedules.
#pragma once

#include <tine/managed/par.hpp>
#include <tine/managed/par_for.hpp>
#include <tine/managed/par_reduce.hpp>
#include <tine/sched/owners.hpp>

#include <span>
#include <utility>

namespace tine {
namespace detail {

/// A loop of one iteration is none to the runtime; so that goes as the second branch of a fork.
template <class Loop>
auto run_cut(std::span<const cut> cuts, std::uint64_t n, Loop loop) {
  const sched::wanted_cuts here{cuts, n};
  if (n != 1 || cuts.empty()) return value_of(loop);
  sched::want_owner(cuts.front().owner);
  return par([] {}, loop, [](void_result, result_of<Loop&>&& r) { return static_cast<result_of<Loop&>&&>(r); });
}

}  // namespace detail

/// `par(f, g)` and `par(f, g, combine)`, of which `g` is for that worker of the pool, by its number there; `tine::nobody`: for
/// nobody in particular. What follows the join goes on where the fork was.
///
///     tine::replay({}, tine::replay_mode::strict_unordered, [&] {
///       tine::par_on(1, [&] { sweep(left); }, [&] { sweep(right); });
///     });
///
/// Followed inside `tine::record` and `tine::replay`; everywhere else, and inside `tine::sequential`, it is a plain `par`. In a
/// replay, what the schedule says of this fork goes first. A number that the pool does not have is taken modulo its workers, so
/// programs may be written for more workers than there are. In `record` other forks may be stolen as ever; a strict
/// replay of the empty schedule runs nothing elsewhere but what the program sends there; in a relaxed one `g` may be stolen, too,
/// when its worker does not come to it.
///
/// A fork inside a *first* branch may only have an owner if the fork around it has one, as thieves take the oldest first
/// and a schedule says so (constrained stealing, §IV-B). Throws std::logic_error if that has none, and std::invalid_argument for a number below `tine::nobody`.
template <detail::branch F, detail::branch G>
auto par_on(int owner, F f, G g) {
  sched::want_owner(owner);
  return par(std::move(f), std::move(g));
}

template <detail::branch F, detail::branch G, class Combine>
  requires(!detail::branch<Combine>)
decltype(auto) par_on(int owner, F f, G g, Combine combine) {
  sched::want_owner(owner);
  return par(std::move(f), std::move(g), std::move(combine));
}

/// `par_for(lo, hi, body)` in pieces for those workers, by their begins; see `block` and `cyclic`. For iterators and ranges, too.
/// What follows goes on where the loop was. Otherwise as `par_on`. Throws std::invalid_argument, before anything runs, if
/// the cuts do not grow, or one begins behind the end of the loop.
template <class First, class Last, class Body>
void par_for_on(std::span<const cut> cuts, First lo, Last hi, Body body) {
  detail::run_cut(cuts, detail::distance(lo, hi), [&] { par_for(lo, hi, std::move(body)); });
}

template <detail::random_access_range Range, class Body>
void par_for_on(std::span<const cut> cuts, Range&& range, Body body) {
  par_for_on(cuts, std::begin(range), std::end(range), std::move(body));
}

/// `par_reduce(lo, hi, identity, map, combine)` in such pieces.
template <class First, class Last, class Identity, class Map, class Combine>
auto par_reduce_on(std::span<const cut> cuts, First lo, Last hi, Identity identity, Map map, Combine combine) {
  return detail::run_cut(cuts, detail::distance(lo, hi),
                         [&] { return par_reduce(lo, hi, std::move(identity), std::move(map), std::move(combine)); });
}

template <detail::random_access_range Range, class Identity, class Map, class Combine>
auto par_reduce_on(std::span<const cut> cuts, Range&& range, Identity identity, Map map, Combine combine) {
  return par_reduce_on(cuts, std::begin(range), std::end(range), std::move(identity), std::move(map),
                       std::move(combine));
}

}  // namespace tine
