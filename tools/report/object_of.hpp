// Turns described structs into JSON. There are two styles: that of `--json`, whose keys name the unit of times and which leaves out
// what is not known, and that of the page's data, whose keys are the names of the fields.
#pragma once

#include "report/description.hpp"
#include "trace/analyses.hpp"
#include "trace/description.hpp"
#include "trace/profile.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tine::report {

using json = nlohmann::ordered_json;

/// Returns the object of a described struct.
template <trace::described Row>
json object_of(const Row& row, trace::output style);

/// Returns a value of a described field.
template <class T, class Field>
json value_of(const T& value, const Field& described, trace::output style) {
  if constexpr (trace::described<T> && !std::is_same_v<T, std::string>) {
    return object_of(value, style);
  } else if constexpr (std::is_enum_v<T>) {
    return trace::names_of<T>[static_cast<std::size_t>(value)];
  } else if constexpr (requires { value.has_value(); }) {
    return value ? value_of(*value, described, style) : json(nullptr);
  } else if constexpr (requires { typename T::value_type; } && !std::is_convertible_v<T, std::string_view>) {
    json all = json::array();
    for (const auto& each : value) all.push_back(value_of(each, described, style));
    return all;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    if (!described.rows.empty()) return value == trace::nothing ? json(nullptr) : json(value);
    if (described.of != trace::unit::flags) return value;
    json names = json::array();
    for (const trace::analysis_entry& entry : trace::analyses) {
      if ((value & entry.flag) != 0) names.push_back(entry.name);
    }
    return names;
  } else {
    return value;
  }
}

template <class T>
bool is_unknown(const T& value) {
  if constexpr (requires { value.has_value(); }) {
    return !value.has_value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return false;
  }
}

template <trace::described Row>
json object_of(const Row& row, trace::output style) {
  json object = json::object();
  trace::for_each_field<Row>([&](std::uint32_t, const auto& described) {
    if (described.in_output != trace::output::all && described.in_output != style) return;
    const auto& value = described.in(row);
    const bool is_json = style == trace::output::json;
    if (is_json && described.may_be_unknown && is_unknown(value)) return;
    std::string key{described.name};
    if (is_json && described.of == trace::unit::nanoseconds) key += "_ns";
    object[key] = value_of(value, described, style);
  });
  return object;
}

/// Adds a list for each field of the rows, with an entry for each row. The page keeps long lists by column. An enumeration is the
/// number of its value there, and a bool is 0 or 1.
template <trace::described Row>
void add_columns(json& object, const std::vector<Row>& rows) {
  trace::for_each_field<Row>([&](std::uint32_t, const auto& described) {
    json column = json::array();
    column.get_ref<json::array_t&>().reserve(rows.size());
    for (const Row& row : rows) {
      const auto& value = described.in(row);
      using type = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_enum_v<type> || std::is_same_v<type, bool>) {
        column.push_back(static_cast<std::uint32_t>(value));
      } else {
        column.push_back(value_of(value, described, trace::output::page));
      }
    }
    object[std::string{described.name}] = std::move(column);
  });
}

/// Adds the tables of a profile that have at most one row, such as the totals of an analysis. A missing row is null on the page, and
/// left out of `--json`.
inline void add_single_rows(json& object, const trace::profile& p, trace::output style) {
  trace::for_each_table(p, [&]<class Rows>(std::uint32_t, const auto& table, const Rows& rows) {
    if constexpr (requires { rows.front(); }) {
      if (table.rows != trace::row_limit::at_most_one) return;
      if (!rows.empty()) {
        object[std::string{table.name}] = object_of(rows.front(), style);
      } else if (style == trace::output::page) {
        object[std::string{table.name}] = nullptr;
      }
    }
  });
}

}  // namespace tine::report
