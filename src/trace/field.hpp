// Descriptions of structs: the names, units and numbers of their members. Files, JSON, the page's data and its TypeScript types
// follow from the descriptions, so a member is named once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tine::trace {

/// The unit of a number. `flags`: a sum of the flags of analyses.
enum class unit : std::uint8_t { none, nanoseconds, bytes, share, factor, address, flags };

/// The outputs that contain a field.
enum class output : std::uint8_t { all, json, page };

namespace detail {

template <class Row>
constexpr decltype(auto) reach(Row& row) {
  return (row);
}

/// Returns the member of `row` that the path of members leads to, or the result of a member function.
template <auto First, auto... Rest, class Row>
constexpr decltype(auto) reach(Row& row) {
  if constexpr (std::is_member_function_pointer_v<decltype(First)>) {
    static_assert(sizeof...(Rest) == 0, "a member function ends a path");
    return (row.*First)();
  } else {
    return reach<Rest...>(row.*First);
  }
}

}  // namespace detail

/// A field of a struct: the member, or the member function without arguments, that `Path` leads to. Without a path the field is the
/// entire row.
template <auto... Path>
struct field {
  std::string_view name;
  unit of = unit::none;
  std::string_view rows = {};   ///< if the field is an index: the table that it refers to
  bool may_be_unknown = false;  ///< JSON leaves the field out if it has no value or an empty one
  output in_output = output::all;
  bool is_later = false;  ///< added since the first release of this version of the file: a row may lack it

  template <class Row>
  static constexpr decltype(auto) in(Row& row) {
    return detail::reach<Path...>(row);
  }
  template <class Row>
  using type = std::remove_cvref_t<decltype(detail::reach<Path...>(std::declval<Row&>()))>;
};

/// The description of a struct `T`: a specialisation has its `name` and a tuple `fields`. In a file, the number of a field is its
/// position in the tuple, counted from 1; so fields are only ever appended.
template <class T>
struct description;

template <class T>
concept described = requires { description<T>::fields; };

/// Calls `f(number, field)` for each field of `T`, in their order.
template <class T, class F>
constexpr void for_each_field(F&& f) {
  std::apply(
      [&](const auto&... fields) {
        std::uint32_t number = 0;
        (f(++number, fields), ...);
      },
      description<T>::fields);
}

/// Returns true if `T` has a field with this name.
template <class T>
constexpr bool has_field(std::string_view name) {
  bool found = false;
  for_each_field<T>([&](std::uint32_t, const auto& described) { found = found || described.name == name; });
  return found;
}

template <class T>
inline constexpr std::size_t field_count = std::tuple_size_v<std::remove_cvref_t<decltype(description<T>::fields)>>;

/// The names of the values of an enumeration, in the order of the values, which begin at 0.
template <class Enum>
inline constexpr std::string_view names_of[1] = {};

}  // namespace tine::trace
