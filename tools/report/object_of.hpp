// Turns described structs into JSON. There are two styles: that of `--json`, whose keys name the unit of times and
// which leaves out what is not known, and that of the page's data, whose keys are the names of the fields.
#pragma once

#include "report/description.hpp"
#include "trace/description.hpp"
#include "trace/profile.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tine::report {

using json = nlohmann::ordered_json;

/// Returns the object of a row, or the array of a list of rows. `value` has this type.
json object_of(const trace::type& type, const void* value, trace::output style);

/// Returns the object of a described struct, or the array of a list of these.
template <class T>
json object_of(const T& value, trace::output style) {
  return object_of(trace::type_of<T>(), &value, style);
}

/// Adds a list for each field of the rows, with an entry for each row. The page keeps long lists by column. An
/// enumeration is the number of its value there, and a bool is 0 or 1.
void add_columns(json& object, const trace::type& list, const void* rows);
template <class Row>
void add_columns(json& object, const std::vector<Row>& rows) {
  add_columns(object, trace::type_of<std::vector<Row>>(), &rows);
}

/// Adds the tables of a profile that have at most one row, such as the totals of an analysis. A missing row is null on
/// the page, and left out of `--json`.
void add_single_rows(json& object, const trace::profile& p, trace::output style);

/// Returns the text that a command prints. Bytes that are no UTF-8 become U+FFFD.
std::string printed(const json& value);

}  // namespace tine::report
