// The contents of the reports: the figures of a summary as plain data, described once. `tine report --json`, the data
// of the page and the page's TypeScript types follow from the descriptions in description.hpp.
#pragma once

#include "report/summary.hpp"
#include "trace/field.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tine::report {

/// A call site.
struct site_view {
  std::string name;            ///< the function without its arguments, or the module and the offset in it
  std::string place;           ///< "fib.cpp:12"; empty if not known
  frame at;                    ///< the function that forks or loops
  std::vector<frame> callers;  ///< the callers of `at` that are known and not skipped
  std::vector<frame> chain;    ///< all frames that were inlined there, and recorded callers; innermost first
  trace::site counted;
  std::uint64_t work = 0;   ///< of everything below it
  double share = 0;         ///< of the work of all roots
  std::uint64_t forks = 0;  ///< logical forks below it and of itself; a loop of n counts n - 1
  std::optional<double>
      work_per_fork;  ///< without the time that profiling added; nothing if forks were not counted by path
  std::optional<bool> work_per_fork_is_bound;  ///< the work per fork is at most that: profiling added too much of it
  std::optional<double> span_share;            ///< of the critical path, spent below it; nothing if there is no dag
  std::optional<std::int64_t> bytes;           ///< held below it at the worst moment; nothing if space was not measured
};

/// A function that the program executed while no root ran.
struct function_view {
  std::string name;
  std::string place;  ///< "input.cpp:12"; empty if not known
  frame at;
  std::vector<frame> callers;
  std::uint64_t time = 0;  ///< processor time
  double share = 0;        ///< of all samples
};

/// The time in which no root ran, and where it was spent.
struct outside_view {
  std::uint64_t wall = 0;
  std::string problem;                     ///< why it could not be sampled, or not all of it; empty if it could
  std::optional<std::uint64_t> sampled;    ///< processor time; nothing if it was not sampled
  std::optional<std::uint64_t> unlocated;  ///< the part of `sampled` without a place
  std::optional<std::vector<function_view>> functions;  ///< by descending time
};

/// The figures of the run as a whole.
struct totals_view {
  trace::run run;
  extent roots;                                        ///< all calls into a pool, and nothing else
  extent process;                                      ///< with the time in which no root ran, as one serial piece
  std::uint64_t calls = 0, threw = 0, unfinished = 0;  ///< roots; those that ended by an exception, or had not ended
  std::uint64_t serial = 0;  ///< time outside of roots, and the work in roots that no other strand can run beside
  double serial_share = 0;   ///< of the work of the process
  outside_view outside;
  std::uint64_t forks = 0, loops = 0, iterations = 0;
  cost costs;
  std::optional<std::uint64_t> promoted, stolen;  ///< of all sites; nothing if sites were not counted
  std::string serial_bound;  ///< how the time outside of roots bounds the speed-up; empty if it hardly does
};

/// Further columns of the points and nodes.
struct point_view {
  double grain = 0;       ///< work per fork, without the time that profiling added
  bool is_bound = false;  ///< the work per fork is at most that
};
struct node_view {
  bool critical = false;  ///< the critical path goes through the node
};

/// Bounds on the speed-up, an entry for each number of workers.
struct band_view {
  std::vector<double> low, high;
};
struct prediction_view {
  std::vector<std::uint32_t> workers;
  band_view roots, process;
};

/// A figure of an analysis: a field of the one row that the profile has for it.
struct figure_view {
  std::string name;
  trace::unit of = trace::unit::none;
};

/// An analysis of the table `trace::analyses`.
struct analysis_view {
  std::string name;
  std::string command;  ///< the value of TINE_PROFILE that measures it
  bool is_measured = false;
  bool is_check = false;              ///< it looks for errors, and is shown only if it was measured
  std::string section, title, about;  ///< of the page; empty if the analysis has no section
  std::vector<figure_view> figures;   ///< empty if the profile has no table with one row under the analysis's name
};

totals_view view_of_totals(const trace::profile& p, const summary& s);
site_view view_of_site(const trace::profile& p, const summary& s, const site_row& row);
prediction_view view_of_prediction(const summary& s);
std::vector<point_view> views_of_points(const trace::profile& p);
std::vector<node_view> views_of_nodes(const trace::profile& p, const summary& s);
std::vector<analysis_view> views_of_analyses(const trace::profile& p);

}  // namespace tine::report
