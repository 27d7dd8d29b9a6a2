// Descriptions of structs at run time: the names, units and types of their members. Files, JSON, the page's data and
// its TypeScript types follow from the descriptions, so a member is named once. All of it is constant data, which no
// thread changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tine::trace {

/// The unit of a number. `flags`: a sum of the flags of analyses.
enum class unit : std::uint8_t { none, nanoseconds, bytes, share, factor, address, flags };

/// The outputs that contain a field.
enum class output : std::uint8_t { all, json, page };

struct field;

/// The type of a value. Code that handles values of any type gets their addresses, and their types from here.
struct type {
  /// `list` is a std::vector, `optional` a std::optional, `text` a std::string, `view` a std::string_view, and `row` a
  /// described struct.
  enum class kind : std::uint8_t {
    unsigned_number,
    signed_number,
    real,
    boolean,
    enumeration,
    text,
    view,
    row,
    list,
    optional,
  };
  kind is;
  std::uint32_t bytes;                           ///< the size of a value in memory
  std::span<const std::string_view> names = {};  ///< of the values of an enumeration, which start at 0
  std::string_view name = {};                    ///< of a row
  std::span<const field> fields = {};            ///< of a row. In a file, they are numbered from 1
  const type* element = nullptr;  ///< of a list, and of an optional value, which is a list of at most one
  std::size_t (*size)(const void* list) = nullptr;
  void* (*at)(void* list, std::size_t index) = nullptr;
  void* (*append)(void* list) =
      nullptr;  ///< adds an element with default values and returns it; null for an optional value

  /// Returns the address of an element of a list.
  void* in(void* list, std::size_t index) const { return at(list, index); }
  const void* in(const void* list, std::size_t index) const { return at(const_cast<void*>(list), index); }
};

/// A field of a row: a member, or the result of a member function without arguments.
struct field {
  std::string_view name;
  unit of = unit::none;
  std::string_view rows = {};   ///< if the field is an index: the table that it refers to
  bool may_be_unknown = false;  ///< JSON leaves the field out if it has no value or an empty one
  output in_output = output::all;
  bool is_later = false;              ///< added since the first release of this version of the file: a row may lack it
  bool at_most_one = false;           ///< of a table, which is a list of rows
  const trace::type* type = nullptr;  ///< `member` sets it, unless it is given, and the pointers below
  void* (*at)(void* row) = nullptr;   ///< returns the member; null if the field is the result of a function
  std::shared_ptr<const void> (*result)(const void* row) = nullptr;

  /// Returns the address of the member in a row.
  void* in(void* row) const { return at(row); }
  const void* in(const void* row) const { return at(const_cast<void*>(row)); }

  /// Returns the value in a row, be it a member or the result of a function.
  std::shared_ptr<const void> value(const void* row) const {
    return at == nullptr ? result(row) : std::shared_ptr<const void>{std::shared_ptr<const void>{}, in(row)};
  }
};

/// The names of the values of an enumeration, in the order of the values, which start at 0.
template <class Enum>
inline constexpr std::string_view names_of[1] = {};

/// The description of a struct: a specialisation has its `name`, an array `fields`, and `fields_of<Row>` as its base.
/// In a file, the number of a field is its position in the array, counted from 1; so fields are only ever appended.
template <class Row>
struct description;

/// The type of a described struct. Only the file with the description makes it; headers declare it `extern` for all
/// others.
template <class Row>
struct compiled_description {
  static const trace::type type;
};

namespace detail {

template <class T>
struct element_of;
template <class T>
struct element_of<std::vector<T>> {
  using type = T;
};
template <class T>
struct element_of<std::optional<T>> {
  using type = T;
};

template <class T>
concept has_elements = requires { typename element_of<T>::type; };
template <class T>
concept text_like = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

template <class T>
std::size_t size_of(const void* list) {
  if constexpr (requires(const T& all) { all.has_value(); }) {
    return static_cast<const T*>(list)->has_value() ? 1 : 0;
  } else {
    return static_cast<const T*>(list)->size();
  }
}

template <class T>
void* at_of(void* list, std::size_t index) {
  if constexpr (requires(const T& all) { all.has_value(); }) {
    return &**static_cast<T*>(list);
  } else {
    return &(*static_cast<T*>(list))[index];
  }
}

template <class T>
void* append_to(void* list) {
  return &static_cast<T*>(list)->emplace_back();
}

}  // namespace detail

/// Returns the type of a list, or of an optional value.
template <class List>
constexpr type list_of(const type& element) {
  constexpr bool can_grow = requires(List& list) { list.emplace_back(); };
  type t{.is = can_grow ? type::kind::list : type::kind::optional,
         .bytes = sizeof(List),
         .element = &element,
         .size = detail::size_of<List>,
         .at = detail::at_of<List>};
  if constexpr (can_grow) t.append = detail::append_to<List>;
  return t;
}

/// Returns the type of a member.
template <class T>
constexpr const type& type_of() noexcept;

namespace detail {

template <class T>
constexpr type undescribed_type() {
  using enum type::kind;
  constexpr auto bytes = std::uint32_t{sizeof(T)};
  if constexpr (has_elements<T>) {
    return list_of<T>(type_of<typename element_of<T>::type>());
  } else if constexpr (std::is_enum_v<T>) {
    return {.is = enumeration, .bytes = bytes, .names = names_of<T>};
  } else if constexpr (text_like<T>) {
    return {std::is_same_v<T, std::string> ? text : view, bytes};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {boolean, bytes};
  } else if constexpr (std::is_same_v<T, double>) {
    return {real, bytes};
  } else {
    static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t> ||
                  std::is_same_v<T, std::int64_t>);
    return {std::is_unsigned_v<T> ? unsigned_number : signed_number, bytes};
  }
}

template <class T>
inline constexpr type undescribed = undescribed_type<T>();

}  // namespace detail

template <class T>
constexpr const type& type_of() noexcept {
  if constexpr (std::is_class_v<T> && !detail::text_like<T> && !detail::has_elements<T>) {
    return compiled_description<T>::type;
  } else {
    return detail::undescribed<T>;
  }
}

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

template <class Row, auto... Path>
void* member_at(void* row) {
  return &reach<Path...>(*static_cast<Row*>(row));
}

template <class Row, auto... Path>
std::shared_ptr<const void> result_at(const void* row) {
  const auto& of = *static_cast<const Row*>(row);
  return std::make_shared<std::remove_cvref_t<decltype(reach<Path...>(of))>>(reach<Path...>(of));
}

}  // namespace detail

/// The base of the description of `Row`.
template <class Row>
struct fields_of {
  /// Returns `f` with the type and the address of what `Path` leads to: a member, or the result of a member function.
  /// Without a path the field is the entire row.
  template <auto... Path>
  static constexpr field member(field f) {
    using reached = decltype(detail::reach<Path...>(std::declval<Row&>()));
    if (f.type == nullptr) f.type = &type_of<std::remove_cvref_t<reached>>();
    if constexpr (std::is_lvalue_reference_v<reached>) {
      f.at = detail::member_at<Row, Path...>;
    } else {
      f.result = detail::result_at<Row, Path...>;
    }
    return f;
  }
};

/// A row has no more fields.
inline constexpr std::size_t most_fields = 64;

namespace detail {

template <class Row>
constexpr type row_type() {
  static_assert(std::size(description<Row>::fields) <= most_fields);
  return {
      .is = type::kind::row, .bytes = sizeof(Row), .name = description<Row>::name, .fields = description<Row>::fields};
}

}  // namespace detail

template <class Row>
constinit const trace::type compiled_description<Row>::type = detail::row_type<Row>();

/// Returns a number, a bool as 0 or 1, or the number of an enumeration's value.
inline std::uint64_t number_in(const type& of, const void* value) noexcept {
  std::uint8_t small = 0;
  std::uint32_t medium = 0;
  std::uint64_t large = 0;
  switch (of.bytes) {
    case sizeof small:
      std::memcpy(&small, value, sizeof small);
      return small;
    case sizeof medium:
      std::memcpy(&medium, value, sizeof medium);
      return medium;
    default:
      std::memcpy(&large, value, sizeof large);
      return large;
  }
}

/// Sets such a value. The number has to be one of the type.
inline void put_number(const type& of, void* value, std::uint64_t number) noexcept {
  const auto small = static_cast<std::uint8_t>(number);
  const auto medium = static_cast<std::uint32_t>(number);
  switch (of.bytes) {
    case sizeof small:
      std::memcpy(value, &small, sizeof small);
      return;
    case sizeof medium:
      std::memcpy(value, &medium, sizeof medium);
      return;
    default:
      std::memcpy(value, &number, sizeof number);
  }
}

inline bool is_text(const type& t) noexcept { return t.is == type::kind::text || t.is == type::kind::view; }

/// Returns the text of a value for which `is_text` holds.
inline std::string_view text_in(const type& of, const void* value) noexcept {
  return of.is == type::kind::text ? std::string_view{*static_cast<const std::string*>(value)}
                                   : *static_cast<const std::string_view*>(value);
}

}  // namespace tine::trace
