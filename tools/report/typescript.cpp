// See typescript.hpp.
#include "report/typescript.hpp"

#include "report/description.hpp"
#include "trace/description.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tine::report {
namespace {

using namespace std::literals;

template <class T, class Field>
std::string type_of(const Field& described) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
    return "string";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_enum_v<T>) {
    std::string names;
    for (const std::string_view name : trace::names_of<T>)
      names += (names.empty() ? "\""s : " | \""s).append(name) += '"';
    return names;
  } else if constexpr (trace::described<T>) {
    return std::string{trace::description<T>::name};
  } else if constexpr (requires(T value) { value.has_value(); }) {
    return type_of<typename T::value_type>(described) + " | null";
  } else if constexpr (requires { typename T::value_type; }) {
    return type_of<typename T::value_type>(described) + "[]";
  } else {
    static_assert(std::is_arithmetic_v<T>);
    if (described.of == trace::unit::flags) return "string[]";
    return described.rows.empty() ? "number" : "number | null";
  }
}

std::string comment_on(trace::unit of, std::string_view rows) {
  if (!rows.empty()) return " // row of " + std::string{rows};
  if (of == trace::unit::none) return "";
  return " // " + std::string{trace::names_of<trace::unit>[static_cast<std::size_t>(of)]};
}

template <class T>
std::string interface_of() {
  std::string text = "export interface " + std::string{trace::description<T>::name} + " {\n";
  trace::for_each_field<T>([&]<class Field>(std::uint32_t, const Field& described) {
    if (described.in_output == trace::output::json) return;
    text += "  " + std::string{described.name} + ": " + type_of<typename Field::template type<T>>(described) + ";" +
            comment_on(described.of, described.rows) + "\n";
  });
  return text + "}\n\n";
}

/// Returns the members of an interface for rows that the page keeps by column.
template <class T>
std::string columns() {
  std::string text;
  trace::for_each_field<T>([&]<class Field>(std::uint32_t, const Field& described) {
    const bool is_index = !described.rows.empty();
    text += "  " + std::string{described.name} + ": " + (is_index ? "(number | null)[];" : "number[];") +
            comment_on(described.of, described.rows) + "\n";
  });
  return text;
}

template <class... Rows>
std::string interface_of_columns(std::string_view name) {
  return "export interface " + std::string{name} + " {\n" + (columns<Rows>() + ...) + "}\n\n";
}

/// Calls `f(name, type)` for each member of the page's data that is a row of its own: the tables with at most one row.
template <class F>
void for_each_single_row(F&& f) {
  const trace::profile p;
  trace::for_each_table(p, [&]<class Rows>(std::uint32_t, const auto& table, const Rows&) {
    if (table.rows == trace::row_limit::at_most_one) f.template operator()<trace::row_of_t<Rows>>(table.name);
  });
}

/// Returns the list `name` of the values of an enumeration, and the type `type` of its values.
template <class Enumeration>
std::string values(std::string_view of, std::string_view name, std::string_view type) {
  std::string names;
  for (const std::string_view each : trace::names_of<Enumeration>) names.append("\"").append(each) += "\", ";
  names.resize(names.size() - 2);
  return "/** The values of the column `is` of the "s.append(of) + ". */\nexport const "s.append(name) + " = [" +
         names + "] as const;\nexport type "s.append(type) + " = (typeof "s.append(name) + ")[number];\n\n";
}

}  // namespace

std::string typescript() {
  std::string text =
      "// Made by tools/report/typescript.cpp; not to be edited. Long lists are kept by column: an enumeration is a "
      "number there,\n"
      "// and a boolean is 0 or 1.\n\n" +
      values<trace::node::shape>("nodes", "shapes", "Shape") +
      values<shown_period::kind>("periods", "states", "State") + interface_of<trace::run>() +
      interface_of<figure_view>() + interface_of<analysis_view>() + interface_of<span_bounds>() +
      interface_of<interval>() + interface_of<extent>() + interface_of<cost>() + interface_of<frame>() +
      interface_of<function_view>() + interface_of<outside_view>() + interface_of<totals_view>() +
      interface_of<band_view>() + interface_of<prediction_view>() + interface_of<simulation_view>() +
      interface_of<site_column>() + interface_of<site_view>() + interface_of<path_step>() + interface_of<race_path>() +
      interface_of<race_access>() + interface_of<race_memory>() + interface_of<race_parting>() +
      interface_of<found_race>() + interface_of<race_summary>() + interface_of<stretch>() +
      interface_of<trace::idle_period>() + interface_of<rank_view>() + interface_of<job>() +
      interface_of_columns<trace::point, point_view>("Points") + interface_of_columns<trace::node, node_view>("Nodes") +
      interface_of_columns<trace::path>("Paths") + interface_of<worker_view>() +
      interface_of_columns<shown_period>("Periods") + interface_of_columns<flow>("Flows");
  for_each_single_row([&]<class Row>(std::string_view) { text += interface_of<Row>(); });
  text +=
      "export interface Data {\n  format: 2;\n  run: Run;\n  analyses: Analysis[];\n  totals: Totals;\n  prediction: "
      "Prediction;\n  simulation: Simulation | null;\n"
      "  columns: SiteColumn[]; // of the table of call sites\n  sites: Site[];\n  phases: string[];\n  points: "
      "Points;\n"
      "  nodes: Nodes;\n  paths: Paths;\n  races: RaceSummary;\n  timeline_workers: TimelineWorkerView[];\n  "
      "timeline_sites: "
      "string[];\n  periods: Periods;\n  flows: Flows;\n  job: Job | null; // the ranks whose profiles are "
      "joined\n";
  for_each_single_row([&]<class Row>(std::string_view name) {
    text += "  " + std::string{name} + ": " + std::string{trace::description<Row>::name} + " | null;\n";
  });
  return text + "}\n";
}

}  // namespace tine::report
