// The schema of a profile: each list of a profile is a table, and the rows of each table are described once. The
// writer, the reader, its checks, profile.proto, JSON and the page's data follow from this file. It is part of the
// runtime and of the tools. Constant data.
//
// A row may grow: append a field that `is_later`. Readers skip fields that they don't know, and leave fields that a row
// lacks at their defaults. A new table takes the next number. Any other change needs a new `format_version`.
#include "trace/description.hpp"

#include <string>
#include <vector>

namespace tine::trace {

template <>
struct description<run> : fields_of<run> {
  static constexpr std::string_view name = "Run";
  static constexpr field fields[]{
      member<&run::command>({"command"}),
      member<&run::version>({"version"}),
      member<&run::machine>({"machine"}),
      member<&run::analyses>({"measured", unit::flags}),
      member<&run::workers>({"workers"}),
      member<&run::ended>({"ended"}),
      member<&run::wall>({"wall", unit::nanoseconds}),
      member<&run::fork_burden>({"fork_burden", unit::nanoseconds}),
      member<&run::burden_is_measured>({"burden_is_measured"}),
      member<&run::fork_cost>({"fork_cost", unit::nanoseconds}),
      member<&run::profiled_fork_cost>({"profiled_fork_cost", unit::nanoseconds}),
      member<&run::profiled_loop_cost>({"profiled_loop_cost", unit::nanoseconds}),
      member<&run::threshold>({"threshold", unit::nanoseconds}),
      member<&run::signal>({"signal"}),
      member<&run::asked_threshold>({"asked_threshold", unit::nanoseconds}),
      member<&run::sampled>({"sampled"}),
      member<&run::sample_period>({"sample_period", unit::nanoseconds}),
      member<&run::samples>({"samples"}),
      member<&run::unlocated>({"unlocated"}),
  };
};

template <>
struct description<module> : fields_of<module> {
  static constexpr std::string_view name = "Module";
  static constexpr field fields[]{
      member<&module::path>({"path"}),
      member<&module::build_id>({"build_id"}),
      member<&module::begin>({"begin", unit::address}),
      member<&module::end>({"end", unit::address}),
      member<&module::bias>({"bias", unit::address}),
  };
};

template <>
struct description<site> : fields_of<site> {
  static constexpr std::string_view name = "Site";
  static constexpr field fields[]{
      member<&site::address>({"address", unit::address}),
      member<&site::kind>({"kind"}),
      member<&site::count>({"count"}),
      member<&site::iterations>({"iterations"}),
      member<&site::promoted>({"promoted"}),
      member<&site::stolen>({"stolen"}),
      member<&site::bytes>({"bytes", unit::bytes}),
  };
};

template <>
struct description<chain_address> : fields_of<chain_address> {
  static constexpr std::string_view name = "ChainAddress";
  static constexpr field fields[]{
      member<&chain_address::number>({"number"}),
      member<&chain_address::address>({"address", unit::address}),
  };
};

template <>
struct description<caller> : fields_of<caller> {
  static constexpr std::string_view name = "Caller";
  static constexpr field fields[]{
      member<&caller::site>({"site", unit::none, "sites"}),
      member<&caller::address>({"address", unit::address}),
  };
};

template <>
struct description<path> : fields_of<path> {
  static constexpr std::string_view name = "Path";
  static constexpr field fields[]{
      member<&path::parent>({"parent", unit::none, "paths"}),
      member<&path::site>({"site", unit::none, "sites"}),
      member<&path::work>({"work", unit::nanoseconds}),
      member<&path::count>({"count"}),
      member<&path::iterations>({"iterations"}),
      member<&path::phase>({.name = "phase", .rows = "phases", .is_later = true}),
  };
};

template <>
struct description<phase> : fields_of<phase> {
  static constexpr std::string_view name = "Phase";
  static constexpr field fields[]{
      member<&phase::name>({"name"}),
      member<&phase::parent>({.name = "parent", .rows = "phases", .is_later = true}),
      member<&phase::count>({.name = "count", .is_later = true}),
      member<&phase::outside>({.name = "outside", .of = unit::nanoseconds, .is_later = true}),
  };
};

template <>
struct description<root> : fields_of<root> {
  static constexpr std::string_view name = "Root";
  static constexpr field fields[]{
      member<&root::begin>({"begin", unit::nanoseconds}),
      member<&root::wall>({"wall", unit::nanoseconds}),
      member<&root::serial>({"serial", unit::nanoseconds}),
      member<&root::all, &totals::work>({"work", unit::nanoseconds}),
      member<&root::all, &totals::span_low>({"span_low", unit::nanoseconds}),
      member<&root::all, &totals::span_high>({"span_high", unit::nanoseconds}),
      member<&root::all, &totals::burdened_span>({"burdened_span", unit::nanoseconds}),
      member<&root::all, &totals::forks>({"forks"}),
      member<&root::all, &totals::loops>({"loops"}),
      member<&root::all, &totals::iterations>({"iterations"}),
      member<&root::threw>({"threw"}),
      member<&root::is_open>({"is_open"}),
      member<&root::count>({"count"}),
      member<&root::phase>({.name = "phase", .rows = "phases", .is_later = true}),
  };
};

template <>
struct description<point> : fields_of<point> {
  static constexpr std::string_view name = "Point";
  static constexpr field fields[]{
      member<&point::site>({"site", unit::none, "sites"}),
      member<&point::phase>({"phase", unit::none, "phases"}),
      member<&point::work>({"work", unit::nanoseconds}),
      member<&point::span>({"span", unit::nanoseconds}),
      member<&point::forks>({"forks"}),
      member<&point::profiling>({"profiling", unit::nanoseconds}),
  };
};

template <>
struct description<space_totals> : fields_of<space_totals> {
  static constexpr std::string_view name = "Space";
  static constexpr field fields[]{
      member<&space_totals::serial_peak>({"serial_peak", unit::bytes}),
      member<&space_totals::worst_peak>({"worst_peak", unit::bytes}),
      member<&space_totals::left>({"left", unit::bytes}),
      member<&space_totals::allocations>({"allocations"}),
      member<&space_totals::frees>({"frees"}),
      member<&space_totals::allocated>({"allocated", unit::bytes}),
  };
};

template <>
struct description<node> : fields_of<node> {
  static constexpr std::string_view name = "Node";
  static constexpr field fields[]{
      member<&node::is>({"is"}),
      member<&node::children>({"children"}),
      member<&node::site>({"site", unit::none, "sites"}),
      member<&node::work>({"work", unit::nanoseconds}),
      member<&node::span>({"span", unit::nanoseconds}),
      member<&node::forks>({"forks"}),
      member<&node::phase>({.name = "phase", .rows = "phases", .is_later = true}),
  };
};

template <>
struct description<sample> : fields_of<sample> {
  static constexpr std::string_view name = "Sample";
  static constexpr field fields[]{
      member<&sample::address>({"address", unit::address}),
      member<&sample::caller>({"caller", unit::address}),
      member<&sample::second_caller>({"second_caller", unit::address}),
      member<&sample::third_caller>({"third_caller", unit::address}),
      member<&sample::count>({"count"}),
  };
};

template <>
struct description<race_totals> : fields_of<race_totals> {
  static constexpr std::string_view name = "RaceTotals";
  static constexpr field fields[]{
      member<&race_totals::reads>({"reads"}),
      member<&race_totals::writes>({"writes"}),
      member<&race_totals::strands>({"strands"}),
      member<&race_totals::dropped>({"dropped"}),
      member<&race_totals::determinism>({"determinism"}),
      member<&race_totals::incomplete>({"incomplete"}),
      member<&race_totals::incomplete_at>({.name = "incomplete_at", .of = unit::address, .is_later = true}),
  };
};

template <>
struct description<race_step> : fields_of<race_step> {
  static constexpr std::string_view name = "RaceStep";
  static constexpr field fields[]{
      member<&race_step::parent>({"parent", unit::none, "race_steps"}),
      member<&race_step::address>({"address", unit::address}),
      member<&race_step::kind>({"kind"}),
      member<&race_step::branch>({"branch"}),
      member<&race_step::is_cut>({"is_cut"}),
  };
};

template <>
struct description<race> : fields_of<race> {
  static constexpr std::string_view name = "Race";
  static constexpr field fields[]{
      member<&race::earlier>({"earlier", unit::address}),
      member<&race::later>({"later", unit::address}),
      member<&race::earlier_kind>({"earlier_kind"}),
      member<&race::later_kind>({"later_kind"}),
      member<&race::earlier_step>({"earlier_step", unit::none, "race_steps"}),
      member<&race::later_step>({"later_step", unit::none, "race_steps"}),
      member<&race::address>({"address", unit::address}),
      member<&race::bytes>({"bytes", unit::bytes}),
      member<&race::memory>({"memory"}),
      member<&race::block>({"block", unit::address}),
      member<&race::block_bytes>({"block_bytes", unit::bytes}),
      member<&race::block_site>({"block_site", unit::address}),
      member<&race::count>({"count"}),
      member<&race::is_locked>({"is_locked"}),
      member<&race::ordered_at>({.name = "ordered_at", .of = unit::address, .is_later = true}),
  };
};

template <>
struct description<lock_totals> : fields_of<lock_totals> {
  static constexpr std::string_view name = "LockTotals";
  static constexpr field fields[]{
      member<&lock_totals::taken>({"taken"}),     member<&lock_totals::locks>({"locks"}),
      member<&lock_totals::orders>({"orders"}),   member<&lock_totals::dropped>({"dropped"}),
      member<&lock_totals::was_cut>({"was_cut"}),
  };
};

template <>
struct description<lock_stack> : fields_of<lock_stack> {
  static constexpr std::string_view name = "LockStack";
  static constexpr field fields[]{
      member<&lock_stack::address>({"address", unit::address}),
      member<&lock_stack::caller>({"caller", unit::address}),
      member<&lock_stack::second_caller>({"second_caller", unit::address}),
      member<&lock_stack::third_caller>({"third_caller", unit::address}),
      member<&lock_stack::fourth_caller>({"fourth_caller", unit::address}),
      member<&lock_stack::fifth_caller>({"fifth_caller", unit::address}),
  };
};

template <>
struct description<lock_finding> : fields_of<lock_finding> {
  static constexpr std::string_view name = "LockFinding";
  static constexpr field fields[]{
      member<&lock_finding::is>({"is"}),
      member<&lock_finding::lock>({"lock", unit::address}),
      member<&lock_finding::other>({"other", unit::address}),
      member<&lock_finding::taken>({"taken", unit::none, "lock_stacks"}),
      member<&lock_finding::event>({"event", unit::none, "lock_stacks"}),
      member<&lock_finding::step>({"step", unit::none, "race_steps"}),
      member<&lock_finding::count>({"count"}),
      member<&lock_finding::longest>({"longest", unit::nanoseconds}),
      member<&lock_finding::cycle>({"cycle"}),
      member<&lock_finding::is_condition>({"is_condition"}),
      member<&lock_finding::is_shared>({"is_shared"}),
      member<&lock_finding::kind>({"kind"}),
      member<&lock_finding::is_suspended>({"is_suspended"}),
  };
};

template <>
struct description<rank_totals> : fields_of<rank_totals> {
  static constexpr std::string_view name = "RankTotals";
  static constexpr field fields[]{
      member<&rank_totals::rank>({"rank"}),
      member<&rank_totals::ranks>({"ranks"}),
      member<&rank_totals::started>({"started", unit::nanoseconds}),
      member<&rank_totals::in_calls>({"in_calls", unit::nanoseconds}),
      member<&rank_totals::without_work>({"without_work", unit::nanoseconds}),
      member<&rank_totals::steals>({"steals"}),
      member<&rank_totals::requests>({"requests"}),
      member<&rank_totals::given>({"given"}),
      member<&rank_totals::messages>({"messages"}),
      member<&rank_totals::bytes>({"bytes", unit::bytes}),
  };
};

template <>
struct description<idle_period> : fields_of<idle_period> {
  static constexpr std::string_view name = "IdlePeriod";
  static constexpr field fields[]{
      member<&idle_period::begin>({"begin", unit::nanoseconds}),
      member<&idle_period::wall>({"wall", unit::nanoseconds}),
      member<&idle_period::without_work>({"without_work", unit::nanoseconds}),
  };
};

template <>
struct description<timeline_totals> : fields_of<timeline_totals> {
  static constexpr std::string_view name = "Timeline";
  static constexpr field fields[]{
      member<&timeline_totals::begin>({"begin", unit::nanoseconds}),
      member<&timeline_totals::end>({"end", unit::nanoseconds}),
      member<&timeline_totals::asked_last>({"asked_last", unit::nanoseconds}),
  };
};

template <>
struct description<timeline_worker> : fields_of<timeline_worker> {
  static constexpr std::string_view name = "TimelineWorker";
  static constexpr field fields[]{
      member<&timeline_worker::worker>({"worker"}),
      member<&timeline_worker::pool>({"pool"}),
      member<&timeline_worker::left_out>({"left_out"}),
  };
};

template <>
struct description<timeline_event> : fields_of<timeline_event> {
  static constexpr std::string_view name = "TimelineEvent";
  static constexpr field fields[]{
      member<&timeline_event::worker>({"worker", unit::none, "timeline_workers"}),
      member<&timeline_event::is>({"is"}),
      member<&timeline_event::time>({"time", unit::nanoseconds}),
      member<&timeline_event::other>({"other"}),
      member<&timeline_event::subject>({"subject", unit::address}),
  };
};

/// The tables of a profile. A table's section has the table's position here as its number, counted from 1; so tables
/// are only ever appended.
template <>
struct description<profile> : fields_of<profile> {
  static constexpr std::string_view name = "Profile";
  static constexpr field fields[]{
      member<&profile::run>({"run"}),
      member<&profile::modules>({"modules"}),
      member<&profile::sites>({"sites"}),
      member<&profile::callers>({"callers"}),
      member<&profile::paths>({"paths"}),
      member<&profile::phases>({"phases"}),
      member<&profile::roots>({"roots"}),
      member<&profile::points>({"points"}),
      member<&profile::space>({.name = "space", .at_most_one = true}),
      member<&profile::nodes>({"nodes"}),
      member<&profile::samples>({"samples"}),
      member<&profile::race>({.name = "race", .at_most_one = true}),
      member<&profile::race_steps>({"race_steps"}),
      member<&profile::races>({"races"}),
      member<&profile::lock>({.name = "lock", .at_most_one = true}),
      member<&profile::lock_stacks>({"lock_stacks"}),
      member<&profile::lock_findings>({"lock_findings"}),
      member<&profile::rank>({.name = "rank", .at_most_one = true}),
      member<&profile::idle_periods>({"idle_periods"}),
      member<&profile::timeline>({.name = "timeline", .at_most_one = true}),
      member<&profile::timeline_workers>({"timeline_workers"}),
      member<&profile::timeline_events>({"timeline_events"}),
      member<&profile::chains>({"chains"}),
  };
};

template struct compiled_description<run>;
template struct compiled_description<path>;
template struct compiled_description<root>;
template struct compiled_description<point>;
template struct compiled_description<node>;
template struct compiled_description<sample>;
template struct compiled_description<race_totals>;
template struct compiled_description<lock_totals>;
template struct compiled_description<idle_period>;
template struct compiled_description<timeline_event>;

std::span<const field> tables() noexcept { return compiled_description<profile>::type.fields; }

std::uint32_t row_budget(const type& row) noexcept {
  std::uint32_t bytes = 0;
  for (const field& f : row.fields) bytes += f.type->bytes <= 4 ? 4 : 8;
  return bytes;
}

}  // namespace tine::trace
