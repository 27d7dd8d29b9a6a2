// Writes the TypeScript types of the page's data.
#include "report/typescript.hpp"

#include "report/description.hpp"
#include "trace/description.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tine::report {
namespace {

using namespace std::literals;

std::string type_of(const trace::type& t, const trace::field& f) {
  using kind = trace::type::kind;
  std::string names;
  switch (t.is) {
    case kind::text:
    case kind::view:
      return "string";
    case kind::boolean:
      return "boolean";
    case kind::enumeration:
      for (const std::string_view name : t.names) names += (names.empty() ? "\""s : " | \""s).append(name) += '"';
      return names;
    case kind::row:
      return std::string{t.name};
    case kind::optional:
      return type_of(*t.element, f) + " | null";
    case kind::list:
      return type_of(*t.element, f) + "[]";
    case kind::unsigned_number:
    case kind::signed_number:
    case kind::real:
      break;
  }
  if (f.of == trace::unit::flags) return "string[]";
  return f.rows.empty() ? "number" : "number | null";
}

std::string comment_on(trace::unit of, std::string_view rows) {
  if (!rows.empty()) return " // row of " + std::string{rows};
  if (of == trace::unit::none) return "";
  return " // " + std::string{trace::names_of<trace::unit>[static_cast<std::size_t>(of)]};
}

std::string interface_of(const trace::type& row) {
  std::string text = "export interface " + std::string{row.name} + " {\n";
  for (const trace::field& f : row.fields) {
    if (f.in_output == trace::output::json) continue;
    text += "  " + std::string{f.name} + ": " + type_of(*f.type, f) + ";" + comment_on(f.of, f.rows) + "\n";
  }
  return text + "}\n\n";
}

/// Returns the interfaces of the given structs.
template <class... Row>
std::string interfaces_of() {
  return (interface_of(trace::type_of<Row>()) + ...);
}

/// Returns the interface for lists of rows that the page keeps by column. The lists have the same number of rows.
template <class... Row>
std::string interface_of_columns(std::string_view name) {
  std::string text = "export interface " + std::string{name} + " {\n";
  for (const trace::type* row : {&trace::type_of<Row>()...}) {
    for (const trace::field& f : row->fields) {
      text += "  " + std::string{f.name} + ": " + (f.rows.empty() ? "number[];" : "(number | null)[];") +
              comment_on(f.of, f.rows) + "\n";
    }
  }
  return text + "}\n\n";
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
      "// Made by tools/report/typescript.cpp; not to be edited. Long lists are kept by column: an enumeration is a number there,\n"
      "// and a boolean is 0 or 1.\n\n" +
      values<trace::node::shape>("nodes", "shapes", "Shape") +
      values<shown_period::kind>("periods", "states", "State") +
      interfaces_of<trace::run, figure_view, analysis_view, span_bounds, interval, extent, cost, frame, function_view,
                    outside_view, totals_view, band_view, prediction_view, simulation_view, site_column, site_view,
                    path_step, race_path, race_access, race_memory, race_parting, found_race, race_summary, stretch,
                    trace::idle_period, rank_view, job>() +
      interface_of_columns<trace::point, point_view>("Points") + interface_of_columns<trace::node, node_view>("Nodes") +
      interface_of_columns<trace::path>("Paths") + interfaces_of<worker_view>() +
      interface_of_columns<shown_period>("Periods") + interface_of_columns<flow>("Flows");
  for (const trace::field& table : trace::tables()) {
    if (table.at_most_one) text += interface_of(trace::row_of(table));
  }
  text +=
      "export interface Data {\n  format: 2;\n  run: Run;\n  analyses: Analysis[];\n  totals: Totals;\n  prediction: "
      "Prediction;\n  simulation: Simulation | null;\n  answer: string; // what limits the program; empty if nobody has looked\n"
      "  columns: SiteColumn[]; // of the table of call sites\n  sites: Site[];\n  phases: string[];\n  points: "
      "Points;\n"
      "  nodes: Nodes;\n  paths: Paths;\n  races: RaceSummary;\n  timeline_workers: TimelineWorkerView[];\n  timeline_sites: "
      "string[];\n  periods: Periods;\n  flows: Flows;\n  job: Job | null; // the ranks whose profiles are "
      "joined\n";
  for (const trace::field& table : trace::tables()) {
    if (table.at_most_one)
      text += "  " + std::string{table.name} + ": " + std::string{trace::row_of(table).name} + " | null;\n";
  }
  return text + "}\n";
}

}  // namespace tine::report
