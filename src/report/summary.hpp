// What a profile amounts to: the figures that the terminal, the page, `tine check` and `tine predict` show. Computed once,
// by `summarise`, from a profile that the reader has let through. Times are nanoseconds.
#pragma once

#include "report/place.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tine::report {

/// A quantity of which only bounds are known.
struct interval {
  double low = 0, high = 0;
};

/// Work and span of something, and what follows from them.
struct extent {
  std::uint64_t work = 0;
  std::uint64_t span_low = 0, span_high = 0;
  std::uint64_t burdened_span = 0;
  std::uint64_t outside = 0;  ///< of all these: time in which no root ran, so that nothing of it is ever stolen

  /// Work over span: how many workers can be kept busy on average. An interval, because the span is one. 1 if there is no
  /// work.
  interval parallelism() const;
  /// Work over burdened span.
  double burdened_parallelism() const;
};

/// What can be said of the speed-up on some number of workers, compared with one.
struct band {
  double low = 1, high = 1;
};

/// The speed-up of `e` on `workers` workers.
///
/// high: min(P, work / span), the work law and the span law.
/// low:  work / (outside + w / P + 1.7 · (1 − 1/P) · b), where w and b are work and burdened span without the time outside of
///       roots; which a work-stealing scheduler is expected to reach if every strand of the span is stolen. With the factor
///       1.7 this is Cilkview's estimate (He, Leiserson, Leiserson 2010, §4); that (1 − 1/P) is in it shows from the tables
///       it prints. It can be below 1: with too little parallelism, the burden may cost more than the workers bring.
band speed_up(const extent& e, unsigned workers);

/// What profiling may add to the work, as a share of it, before nothing is said of grain: beyond that, the error of the prediction is
/// too large a part of what is left.
inline constexpr double most_profiling_share = 0.25;

/// Work per fork without what profiling has added. Where that is more than `most_profiling_share`, it is not subtracted, and what is
/// left is no more than a bound.
struct grain {
  double nanoseconds = 0;
  bool is_bound = false;  ///< it is at most that
};
grain grain_of(std::uint64_t work, std::uint64_t forks, double profiling);

/// The share of the process's time outside of roots beyond which that is said to bound the speed-up.
inline constexpr double most_outside = 0.2;

/// A site of the profile, with what its paths and the dag say of it.
struct site_row {
  std::uint32_t site = trace::nothing;  ///< index into the profile's
  std::uint64_t work = 0;      ///< of strands below its instances; an instance within another one is not added again
  std::uint64_t own_work = 0;  ///< of strands below its instances, and below no other site there
  double work_share = 0;       ///< of `work` in the work of all roots
  std::uint64_t forks = 0;     ///< logical forks below its instances and themselves; a loop of n counts n − 1
  std::optional<grain> work_per_fork;  ///< nothing if forks were not counted by path
  std::optional<double> span_share;    ///< of the critical path, spent below its instances; nothing if there is no dag
};

/// A piece of the critical path: a leaf of the dag, or what a node has beyond its children.
struct step {
  std::uint32_t node = trace::nothing;
  std::uint32_t site = trace::nothing;  ///< of the nearest node around it that has one, itself included
  std::uint64_t begin = 0;              ///< along the path
  std::uint64_t length = 0;
};

/// The longest chain of strands through the dag, one root's after the other's on the heaviest chain of roots. It is as long as the
/// upper bound of the span of all roots.
struct critical_path {
  std::vector<step> steps;             ///< in the order of execution; none is empty
  std::uint64_t length = 0;            ///< of all of them
  std::vector<std::uint64_t> by_site;  ///< for each site of the profile: how much of it is spent below its instances
  std::vector<bool> goes_through;      ///< for each node of the profile
  std::vector<std::uint64_t>
      tree_begins;  ///< for each tree of the dag: the earliest time at which it can begin, with unlimited workers
};

/// What forking and profiling cost, predicted from counts and the cost of one, which `tine calibrate` measures.
struct cost {
  double forking = 0;                   ///< forks × fork_cost
  double profiling = 0;                 ///< forks × profiled_fork_cost + loops × profiled_loop_cost
  double forking_share = 0;             ///< of the work of all roots, without what profiling added to it
  bool forking_share_is_bound = false;  ///< what profiling added is not known well enough: the share is at least that
  double profiling_share = 0;           ///< of the work of all roots
  /// Why nothing can be judged by this profile, and what to run instead: it cost more than `most_profiling_share`. Else empty.
  std::string doubt;
};

/// A function in which the program was while no root ran.
struct sampled_function {
  place where;             ///< in it, that with most samples
  std::string label;       ///< "read_input (input.cpp:12)"
  std::uint64_t time = 0;  ///< processor time, as many samples as there are
  double share = 0;        ///< of what was sampled
};

/// The samples outside of roots: processor time of the thread that loaded tine, and of the threads that called into a pool.
struct sampled_time {
  bool is_known = false;  ///< it was sampled
  std::string problem;    ///< why it could not be sampled, or not all of it; empty if it could
  std::uint64_t all = 0, unlocated = 0;
  std::vector<sampled_function> functions;  ///< by descending time
};

/// All of it.
struct summary {
  std::uint64_t forks = 0, loops = 0, iterations = 0;  ///< of all roots
  std::uint64_t offered = 0, taken = 0;                ///< of all sites; only known if there are some

  /// All roots, and nothing else. The span is that of the heaviest chain of roots each of which began after the one before
  /// had ended: roots that ran at the same time did not wait for each other.
  extent roots;
  /// The process: as `roots`, with the time in which no root ran added to work and span as a serial piece.
  extent process;
  std::uint64_t outside = 0;  ///< time in which no root ran
  sampled_time sampled;       ///< where that was spent
  std::uint64_t serial = 0;   ///< that, and what in roots no other strand of the root can run beside
  double serial_share = 0;    ///< of it in the work of the process
  /// Why the time outside of roots bounds what more workers can bring, and in which function most of it is; empty if it is no more than
  /// `most_outside` of the process's time.
  std::string serial_bound;

  std::vector<site_row> sites;            ///< those of the profile, by descending work
  std::vector<place> places;              ///< where each site of the profile is; as many as it has sites
  std::optional<critical_path> critical;  ///< if there is a dag
  trace::run run;                         ///< as in the profile
  cost costs;

  const place& place_of(std::uint32_t site) const { return places[site]; }
};

/// As in "coroutine fork".
const char* name_of(trace::construct kind);

/// Computes it. `places` come from `resolve_sites`, and `sampled` from
/// `resolve_samples`; what is missing of them becomes the bare address. Linear in the size of
/// the profile, but for sorting; sums that exceed 64 bits stop at the largest value.
summary summarise(const trace::profile& p, std::vector<place> places = {}, std::vector<place> sampled = {});

}  // namespace tine::report
