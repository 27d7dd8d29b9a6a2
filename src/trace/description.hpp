// The schema of a profile: each list of a profile is a table, and each table's rows are described once. The writer, the reader, its
// checks, profile.proto, JSON and the page's data follow from this file.
//
// A row may grow: append a field that `is_later`. Readers skip fields that they do not know, and leave fields that a row lacks at
// their defaults. A new table takes the next number. Any other change needs a new `format_version`.
#pragma once

#include "trace/field.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine::trace {

/// The file begins with these bytes. The first byte is not text, and the line ends reveal a transfer that took the file for text.
inline constexpr std::string_view magic{"\x89tine\r\n\x1a", 8};
inline constexpr std::uint32_t format_version = 3;
inline constexpr std::uint64_t header_bytes = 16;  ///< magic, version, zero
inline constexpr std::uint32_t end_section =
    0;  ///< the number of the last section, which holds the number of sections before it

template <>
inline constexpr std::string_view names_of<ending>[] = {"normal", "exception", "terminated", "signalled", "running"};
template <>
inline constexpr std::string_view names_of<sampling>[] = {"none",    "on",      "replaced",
                                                          "blocked", "refused", "no registers"};
template <>
inline constexpr std::string_view names_of<construct>[] = {"fork", "loop", "coroutine fork"};
template <>
inline constexpr std::string_view names_of<node::shape>[] = {"leaf", "series", "parallel", "loop"};

template <>
inline constexpr std::string_view names_of<access_kind>[] = {"read", "write", "release", "atomic read", "atomic write"};
template <>
inline constexpr std::string_view names_of<memory_kind>[] = {"unknown", "global", "heap", "stack", "frame"};
template <>
inline constexpr std::string_view names_of<lock_problem>[] = {
    "held at fork", "held at loop", "held at join", "released elsewhere", "order", "long wait", "waits"};

template <>
struct description<run> {
  static constexpr std::string_view name = "Run";
  static constexpr std::tuple fields{
      field<&run::command>{"command"},
      field<&run::version>{"version"},
      field<&run::machine>{"machine"},
      field<&run::analyses>{"measured", unit::flags},
      field<&run::workers>{"workers"},
      field<&run::ended>{"ended"},
      field<&run::wall>{"wall", unit::nanoseconds},
      field<&run::fork_burden>{"fork_burden", unit::nanoseconds},
      field<&run::burden_is_measured>{"burden_is_measured"},
      field<&run::fork_cost>{"fork_cost", unit::nanoseconds},
      field<&run::profiled_fork_cost>{"profiled_fork_cost", unit::nanoseconds},
      field<&run::profiled_loop_cost>{"profiled_loop_cost", unit::nanoseconds},
      field<&run::threshold>{"threshold", unit::nanoseconds},
      field<&run::signal>{"signal"},
      field<&run::asked_threshold>{"asked_threshold", unit::nanoseconds},
      field<&run::sampled>{"sampled"},
      field<&run::sample_period>{"sample_period", unit::nanoseconds},
      field<&run::samples>{"samples"},
      field<&run::unlocated>{"unlocated"},
  };
};

template <>
struct description<module> {
  static constexpr std::string_view name = "Module";
  static constexpr std::tuple fields{
      field<&module::path>{"path"},
      field<&module::build_id>{"build_id"},
      field<&module::begin>{"begin", unit::address},
      field<&module::end>{"end", unit::address},
      field<&module::bias>{"bias", unit::address},
  };
};

template <>
struct description<site> {
  static constexpr std::string_view name = "Site";
  static constexpr std::tuple fields{
      field<&site::address>{"address", unit::address},
      field<&site::kind>{"kind"},
      field<&site::count>{"count"},
      field<&site::iterations>{"iterations"},
      field<&site::promoted>{"promoted"},
      field<&site::stolen>{"stolen"},
      field<&site::bytes>{"bytes", unit::bytes},
  };
};

template <>
struct description<caller> {
  static constexpr std::string_view name = "Caller";
  static constexpr std::tuple fields{
      field<&caller::site>{"site", unit::none, "sites"},
      field<&caller::address>{"address", unit::address},
  };
};

template <>
struct description<path> {
  static constexpr std::string_view name = "Path";
  static constexpr std::tuple fields{
      field<&path::parent>{"parent", unit::none, "paths"},
      field<&path::site>{"site", unit::none, "sites"},
      field<&path::work>{"work", unit::nanoseconds},
      field<&path::count>{"count"},
      field<&path::iterations>{"iterations"},
  };
};

template <>
struct description<std::string> {
  static constexpr std::string_view name = "Phase";
  static constexpr std::tuple fields{field<>{"name"}};
};

template <>
struct description<root> {
  static constexpr std::string_view name = "Root";
  static constexpr std::tuple fields{
      field<&root::begin>{"begin", unit::nanoseconds},
      field<&root::wall>{"wall", unit::nanoseconds},
      field<&root::serial>{"serial", unit::nanoseconds},
      field<&root::all, &totals::work>{"work", unit::nanoseconds},
      field<&root::all, &totals::span_low>{"span_low", unit::nanoseconds},
      field<&root::all, &totals::span_high>{"span_high", unit::nanoseconds},
      field<&root::all, &totals::burdened_span>{"burdened_span", unit::nanoseconds},
      field<&root::all, &totals::forks>{"forks"},
      field<&root::all, &totals::loops>{"loops"},
      field<&root::all, &totals::iterations>{"iterations"},
      field<&root::threw>{"threw"},
      field<&root::is_open>{"is_open"},
      field<&root::count>{"count"},
  };
};

template <>
struct description<point> {
  static constexpr std::string_view name = "Point";
  static constexpr std::tuple fields{
      field<&point::site>{"site", unit::none, "sites"},
      field<&point::phase>{"phase", unit::none, "phases"},
      field<&point::work>{"work", unit::nanoseconds},
      field<&point::span>{"span", unit::nanoseconds},
      field<&point::forks>{"forks"},
      field<&point::profiling>{"profiling", unit::nanoseconds},
  };
};

template <>
struct description<space_totals> {
  static constexpr std::string_view name = "Space";
  static constexpr std::tuple fields{
      field<&space_totals::serial_peak>{"serial_peak", unit::bytes},
      field<&space_totals::worst_peak>{"worst_peak", unit::bytes},
      field<&space_totals::left>{"left", unit::bytes},
      field<&space_totals::allocations>{"allocations"},
      field<&space_totals::frees>{"frees"},
      field<&space_totals::allocated>{"allocated", unit::bytes},
  };
};

template <>
struct description<node> {
  static constexpr std::string_view name = "Node";
  static constexpr std::tuple fields{
      field<&node::is>{"is"},
      field<&node::children>{"children"},
      field<&node::site>{"site", unit::none, "sites"},
      field<&node::work>{"work", unit::nanoseconds},
      field<&node::span>{"span", unit::nanoseconds},
      field<&node::forks>{"forks"},
  };
};

template <>
struct description<sample> {
  static constexpr std::string_view name = "Sample";
  static constexpr std::tuple fields{
      field<&sample::address>{"address", unit::address},
      field<&sample::caller>{"caller", unit::address},
      field<&sample::second_caller>{"second_caller", unit::address},
      field<&sample::third_caller>{"third_caller", unit::address},
      field<&sample::count>{"count"},
  };
};

template <>
struct description<race_totals> {
  static constexpr std::string_view name = "RaceTotals";
  static constexpr std::tuple fields{
      field<&race_totals::reads>{"reads"},
      field<&race_totals::writes>{"writes"},
      field<&race_totals::strands>{"strands"},
      field<&race_totals::dropped>{"dropped"},
      field<&race_totals::determinism>{"determinism"},
      field<&race_totals::incomplete>{"incomplete"},
  };
};

template <>
struct description<race_step> {
  static constexpr std::string_view name = "RaceStep";
  static constexpr std::tuple fields{
      field<&race_step::parent>{"parent", unit::none, "race_steps"},
      field<&race_step::address>{"address", unit::address},
      field<&race_step::kind>{"kind"},
      field<&race_step::branch>{"branch"},
      field<&race_step::is_cut>{"is_cut"},
  };
};

template <>
struct description<race> {
  static constexpr std::string_view name = "Race";
  static constexpr std::tuple fields{
      field<&race::earlier>{"earlier", unit::address},
      field<&race::later>{"later", unit::address},
      field<&race::earlier_kind>{"earlier_kind"},
      field<&race::later_kind>{"later_kind"},
      field<&race::earlier_step>{"earlier_step", unit::none, "race_steps"},
      field<&race::later_step>{"later_step", unit::none, "race_steps"},
      field<&race::address>{"address", unit::address},
      field<&race::bytes>{"bytes", unit::bytes},
      field<&race::memory>{"memory"},
      field<&race::block>{"block", unit::address},
      field<&race::block_bytes>{"block_bytes", unit::bytes},
      field<&race::block_site>{"block_site", unit::address},
      field<&race::count>{"count"},
      field<&race::is_locked>{"is_locked"},
  };
};

template <>
struct description<lock_totals> {
  static constexpr std::string_view name = "LockTotals";
  static constexpr std::tuple fields{
      field<&lock_totals::taken>{"taken"},     field<&lock_totals::locks>{"locks"},
      field<&lock_totals::orders>{"orders"},   field<&lock_totals::dropped>{"dropped"},
      field<&lock_totals::was_cut>{"was_cut"},
  };
};

template <>
struct description<lock_stack> {
  static constexpr std::string_view name = "LockStack";
  static constexpr std::tuple fields{
      field<&lock_stack::address>{"address", unit::address},
      field<&lock_stack::caller>{"caller", unit::address},
      field<&lock_stack::second_caller>{"second_caller", unit::address},
      field<&lock_stack::third_caller>{"third_caller", unit::address},
      field<&lock_stack::fourth_caller>{"fourth_caller", unit::address},
      field<&lock_stack::fifth_caller>{"fifth_caller", unit::address},
  };
};

template <>
struct description<lock_finding> {
  static constexpr std::string_view name = "LockFinding";
  static constexpr std::tuple fields{
      field<&lock_finding::is>{"is"},
      field<&lock_finding::lock>{"lock", unit::address},
      field<&lock_finding::other>{"other", unit::address},
      field<&lock_finding::taken>{"taken", unit::none, "lock_stacks"},
      field<&lock_finding::event>{"event", unit::none, "lock_stacks"},
      field<&lock_finding::step>{"step", unit::none, "race_steps"},
      field<&lock_finding::count>{"count"},
      field<&lock_finding::longest>{"longest", unit::nanoseconds},
      field<&lock_finding::cycle>{"cycle"},
      field<&lock_finding::is_condition>{"is_condition"},
      field<&lock_finding::is_shared>{"is_shared"},
  };
};

template <>
struct description<rank_totals> {
  static constexpr std::string_view name = "RankTotals";
  static constexpr std::tuple fields{
      field<&rank_totals::rank>{"rank"},
      field<&rank_totals::ranks>{"ranks"},
      field<&rank_totals::started>{"started", unit::nanoseconds},
      field<&rank_totals::in_calls>{"in_calls", unit::nanoseconds},
      field<&rank_totals::without_work>{"without_work", unit::nanoseconds},
      field<&rank_totals::steals>{"steals"},
      field<&rank_totals::requests>{"requests"},
      field<&rank_totals::given>{"given"},
      field<&rank_totals::messages>{"messages"},
      field<&rank_totals::bytes>{"bytes", unit::bytes},
  };
};

template <>
struct description<idle_period> {
  static constexpr std::string_view name = "IdlePeriod";
  static constexpr std::tuple fields{
      field<&idle_period::begin>{"begin", unit::nanoseconds},
      field<&idle_period::wall>{"wall", unit::nanoseconds},
      field<&idle_period::without_work>{"without_work", unit::nanoseconds},
  };
};

template <>
inline constexpr std::string_view names_of<timeline_event::kind>[] = {
    "arrives",   "leaves",    "runs",     "rests",   "begins",     "promotes",    "promotes late", "reclaims",
    "steals",    "takes",     "suspends", "resumes", "parks",      "returns",     "lacks token",   "serves again",
    "sees work", "sees none", "sleeps",   "wakes",   "interrupts", "interrupted", "loses"};

template <>
struct description<timeline_totals> {
  static constexpr std::string_view name = "Timeline";
  static constexpr std::tuple fields{
      field<&timeline_totals::begin>{"begin", unit::nanoseconds},
      field<&timeline_totals::end>{"end", unit::nanoseconds},
      field<&timeline_totals::asked_last>{"asked_last", unit::nanoseconds},
  };
};

template <>
struct description<timeline_worker> {
  static constexpr std::string_view name = "TimelineWorker";
  static constexpr std::tuple fields{
      field<&timeline_worker::worker>{"worker"},
      field<&timeline_worker::pool>{"pool"},
      field<&timeline_worker::left_out>{"left_out"},
  };
};

template <>
struct description<timeline_event> {
  static constexpr std::string_view name = "TimelineEvent";
  static constexpr std::tuple fields{
      field<&timeline_event::worker>{"worker", unit::none, "timeline_workers"},
      field<&timeline_event::is>{"is"},
      field<&timeline_event::time>{"time", unit::nanoseconds},
      field<&timeline_event::other>{"other"},
      field<&timeline_event::subject>{"subject", unit::address},
  };
};

/// The number of rows that a table may have.
enum class row_limit : std::uint8_t { exactly_one, at_most_one, any };

/// A table of a profile: the member that holds its rows, and its name.
template <auto Member>
struct profile_table {
  std::string_view name;
  row_limit rows = row_limit::any;
};

/// The tables of a profile. The number of a table's section is its position here, counted from 1; so tables are only ever appended.
inline constexpr std::tuple tables{
    profile_table<&profile::run>{"run", row_limit::exactly_one},
    profile_table<&profile::modules>{"modules"},
    profile_table<&profile::sites>{"sites"},
    profile_table<&profile::callers>{"callers"},
    profile_table<&profile::paths>{"paths"},
    profile_table<&profile::phases>{"phases"},
    profile_table<&profile::roots>{"roots"},
    profile_table<&profile::points>{"points"},
    profile_table<&profile::space>{"space", row_limit::at_most_one},
    profile_table<&profile::nodes>{"nodes"},
    profile_table<&profile::samples>{"samples"},
    profile_table<&profile::race>{"race", row_limit::at_most_one},
    profile_table<&profile::race_steps>{"race_steps"},
    profile_table<&profile::races>{"races"},
    profile_table<&profile::lock>{"lock", row_limit::at_most_one},
    profile_table<&profile::lock_stacks>{"lock_stacks"},
    profile_table<&profile::lock_findings>{"lock_findings"},
    profile_table<&profile::rank>{"rank", row_limit::at_most_one},
    profile_table<&profile::idle_periods>{"idle_periods"},
    profile_table<&profile::timeline>{"timeline", row_limit::at_most_one},
    profile_table<&profile::timeline_workers>{"timeline_workers"},
    profile_table<&profile::timeline_events>{"timeline_events"},
};

/// Calls `f(number, table, rows)` for each table of the profile, in their order. `rows` is a vector, or the run.
template <class Profile, class F>
constexpr void for_each_table(Profile& p, F&& f) {
  const auto call = [&]<auto Member>(std::uint32_t number, const profile_table<Member>& t) { f(number, t, p.*Member); };
  std::apply(
      [&](const auto&... each) {
        std::uint32_t number = 0;
        (call(++number, each), ...);
      },
      tables);
}

template <class Rows>
struct row_of {
  using type = Rows;
};
template <class Row>
struct row_of<std::vector<Row>> {
  using type = Row;
};

/// The type of a table's rows.
template <class Rows>
using row_of_t = typename row_of<std::remove_cvref_t<Rows>>::type;

/// Returns true if every index refers to a table.
constexpr bool indices_have_tables() {
  bool all = true;
  const auto is_table = [](std::string_view name) {
    return std::apply([&](const auto&... each) { return ((each.name == name) || ...); }, tables);
  };
  const auto check = [&]<auto Member>(const profile_table<Member>&) {
    using row = row_of_t<decltype(std::declval<profile&>().*Member)>;
    for_each_field<row>([&](std::uint32_t, const auto& described) {
      all = all && (described.rows.empty() || is_table(described.rows));
    });
  };
  std::apply([&](const auto&... each) { (check(each), ...); }, tables);
  return all;
}
static_assert(indices_have_tables(), "an index names a table that does not exist");

/// Returns the bytes that the caps of a profile reckon for a row: its numbers without compression.
template <class Row>
constexpr std::uint32_t row_budget() {
  std::uint32_t bytes = 0;
  for_each_field<Row>([&]<class Field>(std::uint32_t, const Field&) {
    bytes += sizeof(typename Field::template type<Row>) <= 4 ? 4 : 8;
  });
  return bytes;
}

}  // namespace tine::trace
