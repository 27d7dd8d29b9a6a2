// One routine turns values of all described types into JSON.
#include "report/object_of.hpp"

#include "trace/analyses.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tine::report {
namespace {

using trace::field;
using trace::type;

json value_of(const type& t, const void* value, const field& f, trace::output style);

bool is_unknown(const type& t, const void* value) {
  if (t.size != nullptr) return t.size(value) == 0;
  return trace::is_text(t) && trace::text_in(t, value).empty();
}

json row_of(const type& row, const void* value, trace::output style) {
  json object = json::object();
  const bool is_json = style == trace::output::json;
  for (const field& f : row.fields) {
    if (f.in_output != trace::output::all && f.in_output != style) continue;
    const auto member = f.value(value);
    if (is_json && f.may_be_unknown && is_unknown(*f.type, member.get())) continue;
    std::string key{f.name};
    if (is_json && f.of == trace::unit::nanoseconds) key += "_ns";
    object[key] = value_of(*f.type, member.get(), f, style);
  }
  return object;
}

json list_of(const type& list, const void* value, const field& f, trace::output style) {
  json all = json::array();
  const std::size_t size = list.size(value);
  all.get_ref<json::array_t&>().reserve(size);
  for (std::size_t i = 0; i < size; ++i) all.push_back(value_of(*list.element, list.in(value, i), f, style));
  return all;
}

json number_of(const type& t, const void* value, const field& f) {
  const std::uint64_t number = trace::number_in(t, value);
  if (!f.rows.empty()) return number == trace::nothing ? json(nullptr) : json(number);
  if (f.of != trace::unit::flags) return number;
  json names = json::array();
  for (const trace::analysis_entry& entry : trace::analyses) {
    if ((number & entry.flag) != 0) names.push_back(entry.name);
  }
  return names;
}

json value_of(const type& t, const void* value, const field& f, trace::output style) {
  switch (t.is) {
    case type::kind::unsigned_number:
      return number_of(t, value, f);
    case type::kind::signed_number:
      return *static_cast<const std::int64_t*>(value);
    case type::kind::real:
      return *static_cast<const double*>(value);
    case type::kind::boolean:
      return *static_cast<const bool*>(value);
    case type::kind::enumeration:
      return t.names[trace::number_in(t, value)];
    case type::kind::text:
    case type::kind::view:
      return trace::text_in(t, value);
    case type::kind::row:
      return row_of(t, value, style);
    case type::kind::list:
      return list_of(t, value, f, style);
    case type::kind::optional:
      return t.size(value) == 0 ? json(nullptr) : value_of(*t.element, t.in(value, 0), f, style);
  }
  return nullptr;
}

}  // namespace

json object_of(const type& t, const void* value, trace::output style) { return value_of(t, value, {}, style); }

void add_columns(json& object, const type& list, const void* rows) {
  const std::size_t size = list.size(rows);
  for (const field& f : list.element->fields) {
    const bool is_number = f.type->is == type::kind::enumeration || f.type->is == type::kind::boolean;
    json column = json::array();
    column.get_ref<json::array_t&>().reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto value = f.value(list.in(rows, i));
      column.push_back(is_number ? json(trace::number_in(*f.type, value.get()))
                                 : value_of(*f.type, value.get(), f, trace::output::page));
    }
    object[std::string{f.name}] = std::move(column);
  }
}

void add_single_rows(json& object, const trace::profile& p, trace::output style) {
  for (const field& table : trace::tables()) {
    if (!table.at_most_one) continue;
    const void* const rows = table.in(&p);
    if (table.type->size(rows) != 0) {
      object[std::string{table.name}] = object_of(trace::row_of(table), table.type->in(rows, 0), style);
    } else if (style == trace::output::page) {
      object[std::string{table.name}] = nullptr;
    }
  }
}

std::string printed(const json& value) { return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

}  // namespace tine::report
