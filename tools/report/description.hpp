// The descriptions of the reports' contents: their names in JSON and in the page's data.
#pragma once

#include "report/columns.hpp"
#include "report/job.hpp"
#include "report/view.hpp"
#include "trace/description.hpp"

#include <string_view>
#include <tuple>

namespace tine::trace {

template <>
inline constexpr std::string_view names_of<unit>[] = {"none",   "nanoseconds", "bytes", "share",
                                                      "factor", "address",     "flags"};

template <>
struct description<report::interval> {
  static constexpr std::string_view name = "Interval";
  static constexpr std::tuple fields{
      field<&report::interval::low>{"low"},
      field<&report::interval::high>{"high"},
  };
};

template <>
struct description<report::span_bounds> {
  static constexpr std::string_view name = "SpanBounds";
  static constexpr std::tuple fields{
      field<&report::span_bounds::low>{"low"},
      field<&report::span_bounds::high>{"high"},
  };
};

template <>
struct description<report::extent> {
  static constexpr std::string_view name = "Extent";
  static constexpr std::tuple fields{
      field<&report::extent::work>{"work", unit::nanoseconds},
      field<&report::extent::span>{"span", unit::nanoseconds},
      field<&report::extent::burdened_span>{"burdened_span", unit::nanoseconds},
      field<&report::extent::parallelism>{"parallelism", unit::factor},
      field<&report::extent::burdened_parallelism>{"burdened_parallelism", unit::factor},
  };
};

template <>
struct description<report::cost> {
  static constexpr std::string_view name = "Cost";
  static constexpr std::tuple fields{
      field<&report::cost::forking>{"forking", unit::nanoseconds},
      field<&report::cost::forking_share>{"forking_share", unit::share},
      field<&report::cost::forking_share_is_bound>{"forking_share_is_bound"},
      field<&report::cost::profiling>{"profiling", unit::nanoseconds},
      field<&report::cost::profiling_share>{"profiling_share", unit::share},
      field<&report::cost::doubt>{.name = "doubt", .may_be_unknown = true},
  };
};

template <>
struct description<report::frame> {
  static constexpr std::string_view name = "Frame";
  static constexpr std::tuple fields{
      field<&report::frame::function>{"function"},
      field<&report::frame::file>{"file"},
      field<&report::frame::line>{"line"},
  };
};

template <>
struct description<report::site_view> {
  using view = report::site_view;
  static constexpr std::string_view name = "Site";
  static constexpr std::tuple fields{
      field<&view::name>{.name = "name", .in_output = output::page},
      field<&view::place>{.name = "place", .in_output = output::page},
      field<&view::at, &report::frame::function>{.name = "function", .in_output = output::json},
      field<&view::at, &report::frame::file>{.name = "file", .in_output = output::json},
      field<&view::at, &report::frame::line>{.name = "line", .in_output = output::json},
      field<&view::callers>{.name = "callers", .in_output = output::json},
      field<&view::chain>{.name = "chain", .in_output = output::page},
      field<&view::counted, &site::kind>{"kind"},
      field<&view::counted, &site::count>{"count"},
      field<&view::work>{"work", unit::nanoseconds},
      field<&view::share>{"share", unit::share},
      field<&view::forks>{"forks"},
      field<&view::counted, &site::iterations>{"iterations"},
      field<&view::counted, &site::promoted>{"promoted"},
      field<&view::counted, &site::stolen>{"stolen"},
      field<&view::work_per_fork>{.name = "work_per_fork", .of = unit::nanoseconds, .may_be_unknown = true},
      field<&view::work_per_fork_is_bound>{.name = "work_per_fork_is_bound", .may_be_unknown = true},
      field<&view::span_share>{.name = "span_share", .of = unit::share, .may_be_unknown = true},
      field<&view::bytes>{.name = "bytes", .of = unit::bytes, .may_be_unknown = true},
  };
};

template <>
struct description<report::function_view> {
  using view = report::function_view;
  static constexpr std::string_view name = "SampledFunction";
  static constexpr std::tuple fields{
      field<&view::name>{"name"},
      field<&view::place>{.name = "place", .in_output = output::page},
      field<&view::at, &report::frame::function>{.name = "function", .in_output = output::json},
      field<&view::at, &report::frame::file>{.name = "file", .in_output = output::json},
      field<&view::at, &report::frame::line>{.name = "line", .in_output = output::json},
      field<&view::callers>{.name = "callers", .in_output = output::json},
      field<&view::time>{"time", unit::nanoseconds},
      field<&view::share>{"share", unit::share},
  };
};

template <>
struct description<report::outside_view> {
  using view = report::outside_view;
  static constexpr std::string_view name = "Outside";
  static constexpr std::tuple fields{
      field<&view::wall>{"wall", unit::nanoseconds},
      field<&view::problem>{.name = "problem", .may_be_unknown = true},
      field<&view::sampled>{.name = "sampled", .of = unit::nanoseconds, .may_be_unknown = true},
      field<&view::unlocated>{.name = "unlocated", .of = unit::nanoseconds, .may_be_unknown = true},
      field<&view::functions>{.name = "functions", .may_be_unknown = true},
  };
};

template <>
struct description<report::totals_view> {
  using view = report::totals_view;
  static constexpr std::string_view name = "Totals";
  static constexpr std::tuple fields{
      field<&view::run, &run::command>{.name = "command", .in_output = output::json},
      field<&view::run, &run::machine>{.name = "machine", .in_output = output::json},
      field<&view::run, &run::workers>{.name = "workers", .in_output = output::json},
      field<&view::run, &run::wall>{.name = "wall", .of = unit::nanoseconds, .in_output = output::json},
      field<&view::roots>{"roots"},
      field<&view::process>{"process"},
      field<&view::run, &run::ended>{.name = "ended", .in_output = output::json},
      field<&view::run, &run::signal>{.name = "signal", .in_output = output::json},
      field<&view::calls>{"calls"},
      field<&view::threw>{"threw"},
      field<&view::unfinished>{"unfinished_roots"},
      field<&view::run, &run::threshold>{.name = "threshold", .of = unit::nanoseconds, .in_output = output::json},
      field<&view::serial>{"serial", unit::nanoseconds},
      field<&view::serial_share>{"serial_share", unit::share},
      field<&view::outside>{"outside"},
      field<&view::forks>{"forks"},
      field<&view::loops>{"loops"},
      field<&view::iterations>{"iterations"},
      field<&view::costs>{"cost"},
      field<&view::promoted>{.name = "promoted", .may_be_unknown = true},
      field<&view::stolen>{.name = "stolen", .may_be_unknown = true},
      field<&view::serial_bound>{.name = "serial_bound", .may_be_unknown = true},
  };
};

template <>
struct description<report::point_view> {
  static constexpr std::string_view name = "PointFigures";
  static constexpr std::tuple fields{
      field<&report::point_view::grain>{"grain", unit::nanoseconds},
      field<&report::point_view::is_bound>{"is_bound"},
  };
};

template <>
struct description<report::node_view> {
  static constexpr std::string_view name = "NodeFigures";
  static constexpr std::tuple fields{field<&report::node_view::critical>{"critical"}};
};

template <>
struct description<report::band_view> {
  static constexpr std::string_view name = "Band";
  static constexpr std::tuple fields{
      field<&report::band_view::low>{"low"},
      field<&report::band_view::high>{"high"},
  };
};

template <>
struct description<report::prediction_view> {
  static constexpr std::string_view name = "Prediction";
  static constexpr std::tuple fields{
      field<&report::prediction_view::workers>{"workers"},
      field<&report::prediction_view::roots>{"roots"},
      field<&report::prediction_view::process>{"process"},
  };
};

template <>
struct description<report::simulation_view> {
  static constexpr std::string_view name = "Simulation";
  static constexpr std::tuple fields{
      field<&report::simulation_view::workers>{"workers"},
      field<&report::simulation_view::speed_up>{"speed_up"},
      field<&report::simulation_view::low>{"low"},
      field<&report::simulation_view::high>{"high"},
      field<&report::simulation_view::utilisation>{"utilisation"},
      field<&report::simulation_view::is_calibrated>{"is_calibrated"},
  };
};

template <>
struct description<report::figure_view> {
  static constexpr std::string_view name = "Figure";
  static constexpr std::tuple fields{
      field<&report::figure_view::name>{"name"},
      field<&report::figure_view::of>{"unit"},
  };
};

template <>
struct description<report::analysis_view> {
  using view = report::analysis_view;
  static constexpr std::string_view name = "Analysis";
  static constexpr std::tuple fields{
      field<&view::name>{"name"},         field<&view::command>{"command"}, field<&view::is_measured>{"is_measured"},
      field<&view::is_check>{"is_check"}, field<&view::section>{"section"}, field<&view::title>{"title"},
      field<&view::about>{"about"},       field<&view::figures>{"figures"},
  };
};

template <>
inline constexpr std::string_view names_of<report::parting_kind>[] = {"unknown", "fork", "coroutine fork", "loop",
                                                                      "roots"};

template <>
struct description<report::path_step> {
  using step = report::path_step;
  static constexpr std::string_view name = "PathStep";
  static constexpr std::tuple fields{
      field<&step::text>{"text"},
      field<&step::is_root>{.name = "is_root", .in_output = output::json},
      field<&step::kind>{.name = "kind", .in_output = output::json},
      field<&step::branch>{.name = "branch", .in_output = output::json},
      field<&step::is_cut>{"is_cut"},
      field<&step::where, &report::place::at>{.name = "at", .in_output = output::json},
  };
};

template <>
struct description<report::race_path> {
  static constexpr std::string_view name = "RacePath";
  static constexpr std::tuple fields{
      field<&report::race_path::left_out>{"left_out"},
      field<&report::race_path::steps>{"steps"},
  };
};

template <>
struct description<report::race_access> {
  using access = report::race_access;
  static constexpr std::string_view name = "RaceAccess";
  static constexpr std::tuple fields{
      field<&access::kinds>{"kinds"},
      field<&access::name>{.name = "name", .in_output = output::page},
      field<&access::line>{.name = "place", .in_output = output::page},
      field<&access::where, &report::place::at>{.name = "at", .in_output = output::json},
      field<&access::where, &report::place::chain>{"chain"},
      field<&access::path>{"path"},
  };
};

template <>
struct description<report::race_memory> {
  using memory = report::race_memory;
  static constexpr std::string_view name = "RaceMemory";
  static constexpr std::tuple fields{
      field<&memory::text>{"text"},
      field<&memory::kind>{.name = "kind", .in_output = output::json},
      field<&memory::global, &report::variable::name>{
          .name = "variable", .may_be_unknown = true, .in_output = output::json},
      field<&memory::offset>{.name = "offset", .of = unit::bytes, .in_output = output::json},
      field<&memory::block_bytes>{.name = "block_bytes", .of = unit::bytes, .in_output = output::json},
      field<&memory::allocated>{.name = "allocated_at", .may_be_unknown = true, .in_output = output::json},
  };
};

template <>
struct description<report::race_parting> {
  using parting = report::race_parting;
  static constexpr std::string_view name = "RaceParting";
  static constexpr std::tuple fields{
      field<&parting::text>{"text"},
      field<&parting::kind>{"kind"},
      field<&parting::earlier>{.name = "earlier", .may_be_unknown = true, .in_output = output::json},
      field<&parting::later>{.name = "later", .may_be_unknown = true, .in_output = output::json},
      field<&parting::where, &report::place::at>{.name = "at", .in_output = output::json},
  };
};

template <>
struct description<report::found_race> {
  using race = report::found_race;
  static constexpr std::string_view name = "FoundRace";
  static constexpr std::tuple fields{
      field<&race::earlier>{"earlier"},         field<&race::later>{"later"},     field<&race::memory>{"memory"},
      field<&race::more_memory>{"more_memory"}, field<&race::parting>{"parting"}, field<&race::common>{"common"},
      field<&race::is_complete>{"is_complete"}, field<&race::count>{"count"},     field<&race::pairs>{"pairs"},
      field<&race::is_locked>{"is_locked"},
  };
};

template <>
struct description<report::race_summary> {
  static constexpr std::string_view name = "RaceSummary";
  static constexpr std::tuple fields{
      field<&report::race_summary::suppressed>{"suppressed"},
      field<&report::race_summary::races>{"list"},
  };
};

template <>
struct description<report::site_column> {
  static constexpr std::string_view name = "SiteColumn";
  static constexpr std::tuple fields{
      field<&report::site_column::key>{"key"},
      field<&report::site_column::title>{"title"},
      field<&report::site_column::about>{"about"},
      field<&report::site_column::of>{"unit"},
  };
};

template <>
struct description<report::stretch> {
  static constexpr std::string_view name = "Stretch";
  static constexpr std::tuple fields{
      field<&report::stretch::begin>{"begin", unit::nanoseconds},
      field<&report::stretch::wall>{"wall", unit::nanoseconds},
  };
};

template <>
inline constexpr std::string_view names_of<report::shown_period::kind>[] = {
    "running", "in the kernel", "getting work", "no token", "waiting", "no work", "outside", "mixed"};

template <>
struct description<report::shown_period> {
  using period = report::shown_period;
  static constexpr std::string_view name = "Period";
  static constexpr std::tuple fields{
      field<&period::worker>{"worker", unit::none, "timeline_workers"},
      field<&period::is>{"is"},
      field<&period::begin>{"begin", unit::nanoseconds},
      field<&period::end>{"end", unit::nanoseconds},
      field<&period::site>{"site", unit::none, "timeline_sites"},
  };
};

template <>
struct description<report::flow> {
  static constexpr std::string_view name = "Flow";
  static constexpr std::tuple fields{
      field<&report::flow::from>{"from", unit::none, "timeline_workers"},
      field<&report::flow::to>{"to", unit::none, "timeline_workers"},
      field<&report::flow::promoted>{"promoted", unit::nanoseconds},
      field<&report::flow::stolen>{"stolen", unit::nanoseconds},
  };
};

template <>
struct description<report::worker_view> {
  static constexpr std::string_view name = "TimelineWorkerView";
  static constexpr std::tuple fields{
      field<&report::worker_view::name>{"name"},
      field<&report::worker_view::times>{"times", unit::nanoseconds},
  };
};

template <>
struct description<report::rank_view> {
  using view = report::rank_view;
  static constexpr std::string_view name = "Rank";
  static constexpr std::tuple fields{
      field<&view::counted, &rank_totals::rank>{"rank"},
      field<&view::file>{"file"},
      field<&view::life, &report::stretch::begin>{"begin", unit::nanoseconds},
      field<&view::life, &report::stretch::wall>{"wall", unit::nanoseconds},
      field<&view::work>{"work", unit::nanoseconds},
      field<&view::work_share>{"work_share", unit::share},
      field<&view::counted, &rank_totals::in_calls>{"in_calls", unit::nanoseconds},
      field<&view::counted, &rank_totals::without_work>{"without_work", unit::nanoseconds},
      field<&view::without_work_share>{"without_work_share", unit::share},
      field<&view::counted, &rank_totals::steals>{"steals"},
      field<&view::counted, &rank_totals::requests>{"requests"},
      field<&view::counted, &rank_totals::given>{"given"},
      field<&view::counted, &rank_totals::messages>{"messages"},
      field<&view::counted, &rank_totals::bytes>{"bytes", unit::bytes},
      field<&view::roots>{"roots"},
      field<&view::idle_periods>{"idle_periods"},
  };
};

template <>
struct description<report::job> {
  static constexpr std::string_view name = "Job";
  static constexpr std::tuple fields{
      field<&report::job::ranks>{"ranks"},
      field<&report::job::missing>{"missing"},
      field<&report::job::wall>{"wall", unit::nanoseconds},
      field<&report::job::roots>{"roots"},
      field<&report::job::process>{"process"},
      field<&report::job::by_rank>{"by_rank"},
  };
};

}  // namespace tine::trace

namespace tine::report {

/// Returns true if every column shows a field of a site, and every column that an analysis names exists.
constexpr bool columns_have_fields() {
  for (const site_column& column : site_columns) {
    if (!trace::has_field<site_view>(column.key)) return false;
  }
  for (const trace::analysis_entry& entry : trace::analyses) {
    for (const std::string_view& key : entry.columns) {
      bool is_known = key.empty();
      for (const site_column& column : site_columns) is_known = is_known || column.key == key;
      if (!is_known) return false;
    }
  }
  return true;
}
static_assert(columns_have_fields(), "a column of the table of call sites has no field");

}  // namespace tine::report
