// team: the ranks of an MPI job, which share work.
#pragma once

#include <tine/detail/mpi/loop_call.hpp>
#include <tine/detail/mpi/reduce_call.hpp>
#include <tine/mpi/codec.hpp>
#include <tine/mpi/distribution.hpp>
#include <tine/mpi/environment.hpp>
#include <tine/mpi/error.hpp>
#include <tine/mpi/spawner.hpp>
#include <tine/mpi/team_counters.hpp>

#include <mpi.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine::mpi {

/// Options of a team. All ranks must give the same.
struct team_options {
  /// The communicator whose ranks are the team. The team uses a copy of it.
  MPI_Comm communicator = MPI_COMM_WORLD;
  /// Number of random ranks that an idle rank asks for work, one after the other, before it waits at its lifelines.
  unsigned random_tries = 2;
  /// Radix of the hypercube of lifelines, at least 2: of n ranks each has log n lifelines to this base, rounded up.
  unsigned radix = 2;
  /// Seeds the choice of random ranks.
  std::uint64_t seed = 0;
};

namespace detail {

class team_state;
/// Runs the call on this rank together with the other ranks, until all of its work has ended everywhere.
TINE_API void run_with_team(team_state& team, team_call& call);
/// Gives the ranges that each rank has run to all ranks.
TINE_API std::vector<std::vector<iteration_range>> gather_ranges(team_state& team,
                                                                 const std::vector<iteration_range>& own);

}  // namespace detail

/// The ranks of a communicator, with one pool each, that share work. Within a rank everything is an ordinary fork. A
/// rank without work asks others: first random ones, then its lifelines, which send work as soon as they have some. It
/// gets half of the tasks that wait in the oldest, so the largest, part of another rank's tree, or half of the longest
/// range of a loop.
///
/// All functions are *collective*: each rank calls the same ones in the same order. A call returns on all ranks when
/// all of its work has ended everywhere. It may be made by the thread of the environment, or by a strand while that
/// thread is a worker of the pool (`environment`); one at a time for each team. The pool must have
/// `resume_policy::same_thread`, the default.
///
/// If a function of the program throws, tasks that have not begun are dropped on all ranks, and every rank throws
/// `tine::mpi::team_error`.
///
///     tine::mpi::environment mpi{argc, argv};
///     tine::mpi::team team{mpi};
///     std::uint64_t nodes = team.reduce(roots, std::uint64_t{0}, [](const node& n, auto& to) {
///       for (int i = 0; i < n.children(); ++i) to.spawn(n.child(i));
///       return std::uint64_t{1};
///     }, std::plus<>{});
class team {
 public:
  /// Collective over the communicator. Throws std::invalid_argument for a radix below 2 or a pool with another
  /// resume_policy.
  TINE_API explicit team(environment& in, const team_options& o = {});
  /// Collective. No call of the team may be under way.
  TINE_API ~team();
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  /// Returns the rank of this process in the team.
  TINE_API int rank() const noexcept;
  /// Returns the number of ranks.
  TINE_API int size() const noexcept;
  /// Returns what the team has done on this rank. Must not be called during a call of the team.
  TINE_API team_counters counters() const noexcept;

  /// Runs `body(task, spawner)` for each task in `own_tasks` and for each task that these calls spawn (`spawner`), on
  /// any rank, and returns the combination of all results, on every rank. The tasks of all ranks count: most programs
  /// give them on rank 0 and none elsewhere.
  ///
  /// `Task`: can be copied as bytes, or has a `codec`. `R`: the type of `identity`, with the same condition; `body`
  /// returns one. `combine(R, R)` must be associative and commutative, with `identity` as its neutral element. `body`
  /// may fork; it must not refer to data of its rank that other ranks do not have. If tasks spawn others one after the
  /// other, each in the last place, the depth of the tree is not limited; otherwise a level takes about 600 bytes of
  /// the worker's stack.
  ///
  /// Throws `team_error`.
  template <std::ranges::input_range Tasks, class R, class Body, class Combine>
    requires std::invocable<Body&, std::ranges::range_value_t<Tasks>&, spawner<std::ranges::range_value_t<Tasks>>&> &&
             std::invocable<Combine&, R, R>
  R reduce(Tasks&& own_tasks, R identity, Body body, Combine combine) {
    using task_type = std::ranges::range_value_t<Tasks>;
    std::vector<task_type> own(std::ranges::begin(own_tasks), std::ranges::end(own_tasks));
    detail::reduce_call<task_type, R, Body, Combine> call{pool(), std::move(own), identity, body, combine};
    detail::run_with_team(*state_, call);
    return call.result();
  }

  /// Returns the combination, by `combine`, of `map(i)` for each `i` from `first` to `last`, on every rank. The
  /// iterations are divided equally between the ranks at first. All ranks must give the same bounds. Otherwise as
  /// `reduce`.
  template <std::integral Index, class R, class Map, class Combine>
    requires std::invocable<const Map&, Index> && std::invocable<const Combine&, R, R>
  R par_reduce(Index first, Index last, R identity, Map map, Combine combine) {
    return reduce_ranges(block(first, last), first, true, std::move(identity), map, combine, nullptr);
  }

  /// Calls `body(i)` for each `i` from `first` to `last`, once, on any rank. As `par_reduce` otherwise.
  template <std::integral Index, class Body>
    requires std::invocable<const Body&, Index>
  void for_each(Index first, Index last, Body body) {
    run_body(block(first, last), first, true, body, nullptr);
  }

  /// Returns the distribution of a loop by which each rank runs an equal part.
  template <std::integral Index>
  distribution block(Index first, Index last) const {
    return distribution::block(length(first, last), size());
  }

  /// `for_each(first, first + d.size(), body)`, where each rank begins with the iterations that `d` gives it. With
  /// `follow::strictly` it runs these and no others; with `follow::loosely` ranks without work take some from others.
  /// `d` is then the distribution of this loop: which rank has run which iterations. So a loop that is given the
  /// distribution of the loop before finds its data where that loop has left it.
  ///
  ///     auto d = team.block(0, n);
  ///     for (int step = 0; step < steps; ++step) team.for_each(d, 0, body, tine::mpi::follow::loosely);
  ///
  /// Throws std::invalid_argument, before anything runs, if `d` is for another number of ranks, and `team_error`.
  template <std::integral Index, class Body>
    requires std::invocable<const Body&, Index>
  void for_each(distribution& d, Index first, Body body, follow how) {
    run_body(d, first, how == follow::loosely, body, &d);
  }

  /// Combines the results of `map` as `par_reduce` does, by a distribution as `for_each` does.
  template <std::integral Index, class R, class Map, class Combine>
    requires std::invocable<const Map&, Index> && std::invocable<const Combine&, R, R>
  R par_reduce(distribution& d, Index first, R identity, Map map, Combine combine, follow how) {
    return reduce_ranges(d, first, how == follow::loosely, std::move(identity), map, combine, &d);
  }

 private:
  template <class Index>
  static std::uint64_t length(Index first, Index last) noexcept {
    return last > first ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) : 0;
  }

  template <class Index, class Body>
  void run_body(const distribution& by, Index first, bool may_give, Body& body, distribution* ran) {
    const auto map = [&body](Index i) -> unsigned char {
      body(i);
      return 0;
    };
    const auto combine = [](unsigned char, unsigned char) -> unsigned char { return 0; };
    reduce_ranges(by, first, may_give, static_cast<unsigned char>(0), map, combine, ran);
  }

  template <class Index, class R, class Map, class Combine>
  R reduce_ranges(const distribution& by, Index first, bool may_give, R identity, Map& map, Combine& combine,
                  distribution* ran) {
    by.check_ranks(size());
    detail::loop_call<Index, R, Map, Combine> call{pool(), by.ranges_of(rank()), may_give, first, identity, map,
                                                   combine};
    detail::run_with_team(*state_, call);
    if (ran != nullptr) *ran = distribution{detail::gather_ranges(*state_, call.ran())};
    return call.result();
  }

  TINE_API tine::pool& pool() const noexcept;

  struct state_deleter {
    TINE_API void operator()(detail::team_state* t) const noexcept;
  };
  std::unique_ptr<detail::team_state, state_deleter> state_;
};

}  // namespace tine::mpi
