// The descriptions of the reports' contents: their names in JSON and in the page's data.
#include "report/description.hpp"

#include <string_view>

namespace tine::trace {

template <>
struct description<report::interval> : fields_of<report::interval> {
  static constexpr std::string_view name = "Interval";
  static constexpr field fields[]{
      member<&report::interval::low>({"low"}),
      member<&report::interval::high>({"high"}),
  };
};

template <>
struct description<report::span_bounds> : fields_of<report::span_bounds> {
  static constexpr std::string_view name = "SpanBounds";
  static constexpr field fields[]{
      member<&report::span_bounds::low>({"low"}),
      member<&report::span_bounds::high>({"high"}),
  };
};

template <>
struct description<report::extent> : fields_of<report::extent> {
  static constexpr std::string_view name = "Extent";
  static constexpr field fields[]{
      member<&report::extent::work>({"work", unit::nanoseconds}),
      member<&report::extent::span>({"span", unit::nanoseconds}),
      member<&report::extent::burdened_span>({"burdened_span", unit::nanoseconds}),
      member<&report::extent::parallelism>({"parallelism", unit::factor}),
      member<&report::extent::burdened_parallelism>({"burdened_parallelism", unit::factor}),
  };
};

template <>
struct description<report::cost> : fields_of<report::cost> {
  static constexpr std::string_view name = "Cost";
  static constexpr field fields[]{
      member<&report::cost::forking>({"forking", unit::nanoseconds}),
      member<&report::cost::forking_share>({"forking_share", unit::share}),
      member<&report::cost::forking_share_is_bound>({"forking_share_is_bound"}),
      member<&report::cost::profiling>({"profiling", unit::nanoseconds}),
      member<&report::cost::profiling_share>({"profiling_share", unit::share}),
      member<&report::cost::doubt>({.name = "doubt", .may_be_unknown = true}),
  };
};

template <>
struct description<report::frame> : fields_of<report::frame> {
  static constexpr std::string_view name = "Frame";
  static constexpr field fields[]{
      member<&report::frame::function>({"function"}),
      member<&report::frame::file>({"file"}),
      member<&report::frame::line>({"line"}),
  };
};

template <>
struct description<report::site_view> : fields_of<report::site_view> {
  using view = report::site_view;
  static constexpr std::string_view name = "Site";
  static constexpr field fields[]{
      member<&view::name>({.name = "name", .in_output = output::page}),
      member<&view::place>({.name = "place", .in_output = output::page}),
      member<&view::at, &report::frame::function>({.name = "function", .in_output = output::json}),
      member<&view::at, &report::frame::file>({.name = "file", .in_output = output::json}),
      member<&view::at, &report::frame::line>({.name = "line", .in_output = output::json}),
      member<&view::callers>({.name = "callers", .in_output = output::json}),
      member<&view::chain>({.name = "chain", .in_output = output::page}),
      member<&view::counted, &site::kind>({"kind"}),
      member<&view::counted, &site::count>({"count"}),
      member<&view::work>({"work", unit::nanoseconds}),
      member<&view::share>({"share", unit::share}),
      member<&view::forks>({"forks"}),
      member<&view::counted, &site::iterations>({"iterations"}),
      member<&view::counted, &site::promoted>({"promoted"}),
      member<&view::counted, &site::stolen>({"stolen"}),
      member<&view::work_per_fork>({.name = "work_per_fork", .of = unit::nanoseconds, .may_be_unknown = true}),
      member<&view::work_per_fork_is_bound>({.name = "work_per_fork_is_bound", .may_be_unknown = true}),
      member<&view::span_share>({.name = "span_share", .of = unit::share, .may_be_unknown = true}),
      member<&view::bytes>({.name = "bytes", .of = unit::bytes, .may_be_unknown = true}),
  };
};

template <>
struct description<report::function_view> : fields_of<report::function_view> {
  using view = report::function_view;
  static constexpr std::string_view name = "SampledFunction";
  static constexpr field fields[]{
      member<&view::name>({"name"}),
      member<&view::place>({.name = "place", .in_output = output::page}),
      member<&view::at, &report::frame::function>({.name = "function", .in_output = output::json}),
      member<&view::at, &report::frame::file>({.name = "file", .in_output = output::json}),
      member<&view::at, &report::frame::line>({.name = "line", .in_output = output::json}),
      member<&view::callers>({.name = "callers", .in_output = output::json}),
      member<&view::time>({"time", unit::nanoseconds}),
      member<&view::share>({"share", unit::share}),
  };
};

template <>
struct description<report::outside_view> : fields_of<report::outside_view> {
  using view = report::outside_view;
  static constexpr std::string_view name = "Outside";
  static constexpr field fields[]{
      member<&view::wall>({"wall", unit::nanoseconds}),
      member<&view::problem>({.name = "problem", .may_be_unknown = true}),
      member<&view::sampled>({.name = "sampled", .of = unit::nanoseconds, .may_be_unknown = true}),
      member<&view::unlocated>({.name = "unlocated", .of = unit::nanoseconds, .may_be_unknown = true}),
      member<&view::functions>({.name = "functions", .may_be_unknown = true}),
  };
};

template <>
struct description<report::totals_view> : fields_of<report::totals_view> {
  using view = report::totals_view;
  static constexpr std::string_view name = "Totals";
  static constexpr field fields[]{
      member<&view::run, &run::command>({.name = "command", .in_output = output::json}),
      member<&view::run, &run::machine>({.name = "machine", .in_output = output::json}),
      member<&view::run, &run::workers>({.name = "workers", .in_output = output::json}),
      member<&view::run, &run::wall>({.name = "wall", .of = unit::nanoseconds, .in_output = output::json}),
      member<&view::roots>({"roots"}),
      member<&view::process>({"process"}),
      member<&view::run, &run::ended>({.name = "ended", .in_output = output::json}),
      member<&view::run, &run::signal>({.name = "signal", .in_output = output::json}),
      member<&view::calls>({"calls"}),
      member<&view::threw>({"threw"}),
      member<&view::unfinished>({"unfinished_roots"}),
      member<&view::run, &run::threshold>({.name = "threshold", .of = unit::nanoseconds, .in_output = output::json}),
      member<&view::serial>({"serial", unit::nanoseconds}),
      member<&view::serial_share>({"serial_share", unit::share}),
      member<&view::outside>({"outside"}),
      member<&view::forks>({"forks"}),
      member<&view::loops>({"loops"}),
      member<&view::iterations>({"iterations"}),
      member<&view::costs>({"cost"}),
      member<&view::promoted>({.name = "promoted", .may_be_unknown = true}),
      member<&view::stolen>({.name = "stolen", .may_be_unknown = true}),
      member<&view::serial_bound>({.name = "serial_bound", .may_be_unknown = true}),
  };
};

template <>
struct description<report::point_view> : fields_of<report::point_view> {
  static constexpr std::string_view name = "PointFigures";
  static constexpr field fields[]{
      member<&report::point_view::grain>({"grain", unit::nanoseconds}),
      member<&report::point_view::is_bound>({"is_bound"}),
  };
};

template <>
struct description<report::node_view> : fields_of<report::node_view> {
  static constexpr std::string_view name = "NodeFigures";
  static constexpr field fields[]{member<&report::node_view::critical>({"critical"})};
};

template <>
struct description<report::band_view> : fields_of<report::band_view> {
  static constexpr std::string_view name = "Band";
  static constexpr field fields[]{
      member<&report::band_view::low>({"low"}),
      member<&report::band_view::high>({"high"}),
  };
};

template <>
struct description<report::prediction_view> : fields_of<report::prediction_view> {
  static constexpr std::string_view name = "Prediction";
  static constexpr field fields[]{
      member<&report::prediction_view::workers>({"workers"}),
      member<&report::prediction_view::roots>({"roots"}),
      member<&report::prediction_view::process>({"process"}),
  };
};

template <>
struct description<report::simulation_view> : fields_of<report::simulation_view> {
  static constexpr std::string_view name = "Simulation";
  static constexpr field fields[]{
      member<&report::simulation_view::workers>({"workers"}),
      member<&report::simulation_view::speed_up>({"speed_up"}),
      member<&report::simulation_view::low>({"low"}),
      member<&report::simulation_view::high>({"high"}),
      member<&report::simulation_view::utilisation>({"utilisation"}),
      member<&report::simulation_view::is_calibrated>({"is_calibrated"}),
  };
};

template <>
struct description<report::figure_view> : fields_of<report::figure_view> {
  static constexpr std::string_view name = "Figure";
  static constexpr field fields[]{
      member<&report::figure_view::name>({"name"}),
      member<&report::figure_view::of>({"unit"}),
  };
};

template <>
struct description<report::analysis_view> : fields_of<report::analysis_view> {
  using view = report::analysis_view;
  static constexpr std::string_view name = "Analysis";
  static constexpr field fields[]{
      member<&view::name>({"name"}),
      member<&view::command>({"command"}),
      member<&view::is_measured>({"is_measured"}),
      member<&view::is_check>({"is_check"}),
      member<&view::section>({"section"}),
      member<&view::title>({"title"}),
      member<&view::about>({"about"}),
      member<&view::figures>({"figures"}),
  };
};

template <>
struct description<report::path_step> : fields_of<report::path_step> {
  using step = report::path_step;
  static constexpr std::string_view name = "PathStep";
  static constexpr field fields[]{
      member<&step::text>({"text"}),
      member<&step::is_root>({.name = "is_root", .in_output = output::json}),
      member<&step::kind>({.name = "kind", .in_output = output::json}),
      member<&step::branch>({.name = "branch", .in_output = output::json}),
      member<&step::is_cut>({"is_cut"}),
      member<&step::where, &report::place::at>({.name = "at", .in_output = output::json}),
  };
};

template <>
struct description<report::race_path> : fields_of<report::race_path> {
  static constexpr std::string_view name = "RacePath";
  static constexpr field fields[]{
      member<&report::race_path::left_out>({"left_out"}),
      member<&report::race_path::steps>({"steps"}),
  };
};

template <>
struct description<report::race_access> : fields_of<report::race_access> {
  using access = report::race_access;
  static constexpr std::string_view name = "RaceAccess";
  static constexpr field fields[]{
      member<&access::kinds>({"kinds"}),
      member<&access::name>({.name = "name", .in_output = output::page}),
      member<&access::line>({.name = "place", .in_output = output::page}),
      member<&access::where, &report::place::at>({.name = "at", .in_output = output::json}),
      member<&access::where, &report::place::chain>({"chain"}),
      member<&access::path>({"path"}),
  };
};

template <>
struct description<report::race_memory> : fields_of<report::race_memory> {
  using memory = report::race_memory;
  static constexpr std::string_view name = "RaceMemory";
  static constexpr field fields[]{
      member<&memory::text>({"text"}),
      member<&memory::kind>({.name = "kind", .in_output = output::json}),
      member<&memory::global, &report::variable::name>(
          {.name = "variable", .may_be_unknown = true, .in_output = output::json}),
      member<&memory::offset>({.name = "offset", .of = unit::bytes, .in_output = output::json}),
      member<&memory::block_bytes>({.name = "block_bytes", .of = unit::bytes, .in_output = output::json}),
      member<&memory::allocated>({.name = "allocated_at", .may_be_unknown = true, .in_output = output::json}),
  };
};

template <>
struct description<report::race_parting> : fields_of<report::race_parting> {
  using parting = report::race_parting;
  static constexpr std::string_view name = "RaceParting";
  static constexpr field fields[]{
      member<&parting::text>({"text"}),
      member<&parting::kind>({"kind"}),
      member<&parting::earlier>({.name = "earlier", .may_be_unknown = true, .in_output = output::json}),
      member<&parting::later>({.name = "later", .may_be_unknown = true, .in_output = output::json}),
      member<&parting::where, &report::place::at>({.name = "at", .in_output = output::json}),
  };
};

template <>
struct description<report::found_race> : fields_of<report::found_race> {
  using race = report::found_race;
  static constexpr std::string_view name = "FoundRace";
  static constexpr field fields[]{
      member<&race::earlier>({"earlier"}),
      member<&race::later>({"later"}),
      member<&race::memory>({"memory"}),
      member<&race::more_memory>({"more_memory"}),
      member<&race::parting>({"parting"}),
      member<&race::common>({"common"}),
      member<&race::is_complete>({"is_complete"}),
      member<&race::count>({"count"}),
      member<&race::pairs>({"pairs"}),
      member<&race::is_locked>({"is_locked"}),
      member<&race::ordered_at>({.name = "ordered_at", .may_be_unknown = true, .in_output = output::json}),
  };
};

template <>
struct description<report::race_summary> : fields_of<report::race_summary> {
  static constexpr std::string_view name = "RaceSummary";
  static constexpr field fields[]{
      member<&report::race_summary::suppressed>({"suppressed"}),
      member<&report::race_summary::races>({"list"}),
  };
};

template <>
struct description<report::site_column> : fields_of<report::site_column> {
  static constexpr std::string_view name = "SiteColumn";
  static constexpr field fields[]{
      member<&report::site_column::key>({"key"}),
      member<&report::site_column::title>({"title"}),
      member<&report::site_column::about>({"about"}),
      member<&report::site_column::of>({"unit"}),
  };
};

template <>
struct description<report::stretch> : fields_of<report::stretch> {
  static constexpr std::string_view name = "Stretch";
  static constexpr field fields[]{
      member<&report::stretch::begin>({"begin", unit::nanoseconds}),
      member<&report::stretch::wall>({"wall", unit::nanoseconds}),
  };
};

template <>
struct description<report::shown_period> : fields_of<report::shown_period> {
  using period = report::shown_period;
  static constexpr std::string_view name = "Period";
  static constexpr field fields[]{
      member<&period::worker>({"worker", unit::none, "timeline_workers"}),
      member<&period::is>({"is"}),
      member<&period::begin>({"begin", unit::nanoseconds}),
      member<&period::end>({"end", unit::nanoseconds}),
      member<&period::site>({"site", unit::none, "timeline_sites"}),
  };
};

template <>
struct description<report::flow> : fields_of<report::flow> {
  static constexpr std::string_view name = "Flow";
  static constexpr field fields[]{
      member<&report::flow::from>({"from", unit::none, "timeline_workers"}),
      member<&report::flow::to>({"to", unit::none, "timeline_workers"}),
      member<&report::flow::promoted>({"promoted", unit::nanoseconds}),
      member<&report::flow::stolen>({"stolen", unit::nanoseconds}),
  };
};

template <>
struct description<report::worker_view> : fields_of<report::worker_view> {
  static constexpr std::string_view name = "TimelineWorkerView";
  static constexpr field fields[]{
      member<&report::worker_view::name>({"name"}),
      member<&report::worker_view::times>({"times", unit::nanoseconds}),
  };
};

template <>
struct description<report::rank_view> : fields_of<report::rank_view> {
  using view = report::rank_view;
  static constexpr std::string_view name = "Rank";
  static constexpr field fields[]{
      member<&view::counted, &rank_totals::rank>({"rank"}),
      member<&view::file>({"file"}),
      member<&view::life, &report::stretch::begin>({"begin", unit::nanoseconds}),
      member<&view::life, &report::stretch::wall>({"wall", unit::nanoseconds}),
      member<&view::work>({"work", unit::nanoseconds}),
      member<&view::work_share>({"work_share", unit::share}),
      member<&view::counted, &rank_totals::in_calls>({"in_calls", unit::nanoseconds}),
      member<&view::counted, &rank_totals::without_work>({"without_work", unit::nanoseconds}),
      member<&view::without_work_share>({"without_work_share", unit::share}),
      member<&view::counted, &rank_totals::steals>({"steals"}),
      member<&view::counted, &rank_totals::requests>({"requests"}),
      member<&view::counted, &rank_totals::given>({"given"}),
      member<&view::counted, &rank_totals::messages>({"messages"}),
      member<&view::counted, &rank_totals::bytes>({"bytes", unit::bytes}),
      member<&view::roots>({"roots"}),
      member<&view::idle_periods>({"idle_periods"}),
  };
};

template <>
struct description<report::job> : fields_of<report::job> {
  static constexpr std::string_view name = "Job";
  static constexpr field fields[]{
      member<&report::job::ranks>({"ranks"}),
      member<&report::job::missing>({"missing"}),
      member<&report::job::wall>({"wall", unit::nanoseconds}),
      member<&report::job::roots>({"roots"}),
      member<&report::job::process>({"process"}),
      member<&report::job::by_rank>({"by_rank"}),
  };
};

template struct compiled_description<report::interval>;
template struct compiled_description<report::span_bounds>;
template struct compiled_description<report::extent>;
template struct compiled_description<report::cost>;
template struct compiled_description<report::frame>;
template struct compiled_description<report::site_view>;
template struct compiled_description<report::function_view>;
template struct compiled_description<report::outside_view>;
template struct compiled_description<report::totals_view>;
template struct compiled_description<report::point_view>;
template struct compiled_description<report::node_view>;
template struct compiled_description<report::band_view>;
template struct compiled_description<report::prediction_view>;
template struct compiled_description<report::simulation_view>;
template struct compiled_description<report::figure_view>;
template struct compiled_description<report::analysis_view>;
template struct compiled_description<report::path_step>;
template struct compiled_description<report::race_path>;
template struct compiled_description<report::race_access>;
template struct compiled_description<report::race_memory>;
template struct compiled_description<report::race_parting>;
template struct compiled_description<report::found_race>;
template struct compiled_description<report::race_summary>;
template struct compiled_description<report::site_column>;
template struct compiled_description<report::stretch>;
template struct compiled_description<report::shown_period>;
template struct compiled_description<report::flow>;
template struct compiled_description<report::worker_view>;
template struct compiled_description<report::rank_view>;
template struct compiled_description<report::job>;

}  // namespace tine::trace

namespace tine::report {

/// Returns true if every column of the table of call sites shows a field of a site.
constexpr bool columns_have_fields() {
  for (const site_column& column : site_columns) {
    bool is_field = false;
    for (const trace::field& f : trace::description<site_view>::fields) is_field = is_field || f.name == column.key;
    if (!is_field) return false;
  }
  return true;
}
static_assert(columns_have_fields(), "a column of the table of call sites has no field");

}  // namespace tine::report
