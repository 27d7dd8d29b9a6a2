// The types of the reports' contents, which description.cpp describes, and the names of enumerations' values. All of it
// is constant data.
#pragma once

#include "report/columns.hpp"
#include "report/job.hpp"
#include "report/view.hpp"
#include "trace/description.hpp"

#include <string_view>

namespace tine::trace {

template <>
inline constexpr std::string_view names_of<unit>[] = {"none",   "nanoseconds", "bytes", "share",
                                                      "factor", "address",     "flags"};
template <>
inline constexpr std::string_view names_of<report::parting_kind>[] = {"unknown", "fork",  "coroutine fork",
                                                                      "loop",    "roots", "task"};
template <>
inline constexpr std::string_view names_of<report::shown_period::kind>[] = {
    "running", "in the kernel", "getting work", "no token", "waiting", "no work", "outside", "mixed"};

extern template struct compiled_description<report::interval>;
extern template struct compiled_description<report::span_bounds>;
extern template struct compiled_description<report::extent>;
extern template struct compiled_description<report::cost>;
extern template struct compiled_description<report::frame>;
extern template struct compiled_description<report::site_view>;
extern template struct compiled_description<report::function_view>;
extern template struct compiled_description<report::outside_view>;
extern template struct compiled_description<report::totals_view>;
extern template struct compiled_description<report::point_view>;
extern template struct compiled_description<report::node_view>;
extern template struct compiled_description<report::band_view>;
extern template struct compiled_description<report::prediction_view>;
extern template struct compiled_description<report::simulation_view>;
extern template struct compiled_description<report::figure_view>;
extern template struct compiled_description<report::analysis_view>;
extern template struct compiled_description<report::path_step>;
extern template struct compiled_description<report::race_path>;
extern template struct compiled_description<report::race_access>;
extern template struct compiled_description<report::race_memory>;
extern template struct compiled_description<report::race_parting>;
extern template struct compiled_description<report::found_race>;
extern template struct compiled_description<report::race_summary>;
extern template struct compiled_description<report::site_column>;
extern template struct compiled_description<report::stretch>;
extern template struct compiled_description<report::shown_period>;
extern template struct compiled_description<report::flow>;
extern template struct compiled_description<report::worker_view>;
extern template struct compiled_description<report::rank_view>;
extern template struct compiled_description<report::job>;

}  // namespace tine::trace
