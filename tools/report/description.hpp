// The types of the reports' contents, which description.cpp describes, and the names of enumerations' values. All of it is constant data.
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
inline constexpr std::string_view names_of<report::parting_kind>[] = {"unknown", "fork", "coroutine fork", "loop",
                                                                      "roots"};
template <>
inline constexpr std::string_view names_of<report::shown_period::kind>[] = {
    "running", "in the kernel", "getting work", "no token", "waiting", "no work", "outside", "mixed"};

extern template struct described<report::interval>;
extern template struct described<report::span_bounds>;
extern template struct described<report::extent>;
extern template struct described<report::cost>;
extern template struct described<report::frame>;
extern template struct described<report::site_view>;
extern template struct described<report::function_view>;
extern template struct described<report::outside_view>;
extern template struct described<report::totals_view>;
extern template struct described<report::point_view>;
extern template struct described<report::node_view>;
extern template struct described<report::band_view>;
extern template struct described<report::prediction_view>;
extern template struct described<report::simulation_view>;
extern template struct described<report::figure_view>;
extern template struct described<report::analysis_view>;
extern template struct described<report::path_step>;
extern template struct described<report::race_path>;
extern template struct described<report::race_access>;
extern template struct described<report::race_memory>;
extern template struct described<report::race_parting>;
extern template struct described<report::found_race>;
extern template struct described<report::race_summary>;
extern template struct described<report::site_column>;
extern template struct described<report::stretch>;
extern template struct described<report::shown_period>;
extern template struct described<report::flow>;
extern template struct described<report::worker_view>;
extern template struct described<report::rank_view>;
extern template struct described<report::job>;

}  // namespace tine::trace
