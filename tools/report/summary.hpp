// The summary of a profile: the figures that the terminal, the page, `tine check` and `tine predict` show. `summarise`
// computes it once, from a profile that the reader has accepted. Times are nanoseconds.
#pragma once

#include "report/place.hpp"
#include "report/races.hpp"
#include "report/simulation_view.hpp"
#include "report/timeline.hpp"
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

/// The bounds of a span.
struct span_bounds {
  std::uint64_t low = 0, high = 0;
};

/// Work and span of the roots or of the process, and the figures that follow from them.
struct extent {
  std::uint64_t work = 0;
  std::uint64_t span_low = 0, span_high = 0;
  std::uint64_t burdened_span = 0;
  std::uint64_t outside = 0;  ///< of all these: time in which no root ran, so that no part of it is ever stolen

  span_bounds span() const { return {span_low, span_high}; }
  /// Returns work over span: the number of workers that can be kept busy on average. It is an interval, because the
  /// span is an interval, and 1 if there is no work.
  interval parallelism() const;
  /// Returns work over burdened span.
  double burdened_parallelism() const;
};

/// Bounds on the speed-up on some number of workers, compared with one worker.
struct band {
  double low = 1, high = 1;
};

/// Returns bounds on the speed-up of `e` on `workers` workers.
///
/// high: min(P, work / span), the work law and the span law.
/// low: work / (outside + w / P + 1.7 · (1 − 1/P) · b), where w and b are work and burdened span without the time
///      outside of roots. We expect a work-stealing scheduler to reach it if every strand of the span is stolen. With
///      the factor 1.7 this is Cilkview's estimate (He, Leiserson, Leiserson 2010, §4); the printed tables show that
///      (1 − 1/P) is part of it. It can be below 1: with too little parallelism, the burden may cost more than the
///      workers gain.
band speed_up(const extent& e, unsigned workers);

/// The largest share of the work that profiling may add if the summary is to judge the grain. Beyond that, the error of
/// the prediction is too large a part of the rest.
inline constexpr double most_profiling_share = 0.25;

/// Work per fork without the time that profiling has added. If that time is more than `most_profiling_share`, it is not
/// subtracted, and the figure is only a bound.
struct grain {
  double nanoseconds = 0;
  bool is_bound = false;  ///< the work per fork is at most `nanoseconds`
};
grain grain_of(std::uint64_t work, std::uint64_t forks, double profiling);

/// The share of the process's time beyond which the summary says that the time outside of roots bounds the speed-up.
inline constexpr double most_outside = 0.2;

/// A site of the profile, with the figures that its paths and the dag give for it.
struct site_row {
  std::uint32_t site = trace::nothing;  ///< index into the profile's sites
  std::uint64_t work = 0;      ///< of strands below its instances; an instance within another one is not added again
  std::uint64_t own_work = 0;  ///< of strands below its instances, and below no other site there
  double work_share = 0;       ///< of `work` in the work of all roots
  std::uint64_t forks = 0;     ///< logical forks below and of its instances; a loop of n counts n − 1
  std::optional<grain> work_per_fork;  ///< nothing if forks were not counted by path
  std::optional<double> span_share;    ///< of the critical path, spent below its instances; nothing if there is no dag
};

/// A piece of the critical path: a leaf of the dag, or the part of a node's span beyond that of its children.
struct step {
  std::uint32_t node = trace::nothing;
  std::uint32_t site = trace::nothing;  ///< of the nearest node around it that has one, itself included
  std::uint64_t begin = 0;              ///< along the path
  std::uint64_t length = 0;
};

/// The longest chain of strands through the dag: those of the roots on the heaviest chain of roots, one root after the
/// other. It is as long as the upper bound of the span of all roots.
struct critical_path {
  std::vector<step> steps;             ///< in the order of execution; none is empty
  std::uint64_t length = 0;            ///< of all steps
  std::vector<std::uint64_t> by_site;  ///< for each site of the profile: the length that is spent below its instances
  std::vector<bool> goes_through;      ///< for each node of the profile: true if the path goes through it
  std::vector<std::uint64_t>
      tree_begins;  ///< for each tree of the dag: the earliest time at which it can begin, with unlimited workers
};

/// The costs of forking and profiling, predicted from counts and from the cost of one fork or loop, which `tine
/// calibrate` measures.
struct cost {
  double forking = 0;                   ///< forks × fork_cost
  double profiling = 0;                 ///< forks × profiled_fork_cost + loops × profiled_loop_cost
  double forking_share = 0;             ///< of the work of all roots, without the time that profiling added
  bool forking_share_is_bound = false;  ///< the share is at least that: the time that profiling added is not known well
  double profiling_share = 0;           ///< of the work of all roots
  /// Says why this profile allows no verdict, and what to run instead: it cost more than `most_profiling_share`.
  /// Otherwise empty.
  std::string doubt;
};

/// A function that the program executed while no root ran.
struct sampled_function {
  place where;             ///< the place in it that has most samples
  std::string label;       ///< "read_input (input.cpp:12)"
  std::uint64_t time = 0;  ///< processor time for which its samples stand
  double share = 0;        ///< of all samples
};

/// The samples outside of roots: processor time of the thread that loaded tine, and of the threads that called into a
/// pool.
struct sampled_time {
  bool is_known = false;  ///< true if the time was sampled
  std::string problem;    ///< why it could not be sampled, or not all of it; empty if it could
  std::uint64_t all = 0, unlocated = 0;
  std::vector<sampled_function> functions;  ///< by descending time
};

/// All figures of a profile.
struct summary {
  std::uint64_t forks = 0, loops = 0, iterations = 0;  ///< of all roots
  std::uint64_t promoted = 0, stolen = 0;              ///< of all sites; only known if there are some

  /// All roots, and nothing else. The span is that of the heaviest chain of roots in which each root began after the
  /// previous root had ended: roots that ran at the same time did not wait for each other.
  extent roots;
  /// The process: as `roots`, with the time in which no root ran added to work and span as a serial piece.
  extent process;
  std::uint64_t outside = 0;  ///< time in which no root ran
  sampled_time sampled;       ///< where `outside` was spent
  std::uint64_t serial = 0;   ///< `outside`, and the work in roots that no other strand of its root can run beside
  double serial_share = 0;    ///< of `serial` in the work of the process
  /// Says how the time outside of roots bounds the speed-up on more workers, and which function takes most of it; empty
  /// if it is no more than `most_outside` of the process's time.
  std::string serial_bound;

  std::vector<site_row> sites;            ///< those of the profile, by descending work
  std::vector<place> places;              ///< where each site of the profile is, one for each site
  std::optional<critical_path> critical;  ///< if there is a dag
  trace::run run;                         ///< as in the profile
  cost costs;
  race_summary races;                         ///< empty unless a caller of `find_races` has set it
  std::optional<report::timeline> timeline;   ///< nothing unless a caller of `timeline_of` has set it
  std::optional<simulation_view> simulation;  ///< for the page, if its writer has set it
  std::string answer;                         ///< what limits the program, in words; as `simulation`

  const place& place_of(std::uint32_t site) const { return places[site]; }
};

/// Computes the summary. `places` come from `resolve_sites`, and `sampled` from `resolve_samples`; a missing place
/// becomes the bare address. Linear in the size of the profile, except for sorting; sums that exceed 64 bits stop at
/// the largest value.
summary summarise(const trace::profile& p, std::vector<place> places = {}, std::vector<place> sampled = {});

}  // namespace tine::report
