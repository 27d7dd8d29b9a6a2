// The schema of a profile, for the writer, the reader and everything that shows profiles: the tables, and the names of
// enumerations' values. description.cpp has the descriptions. All of it is constant data.
#pragma once

#include "trace/field.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace tine::trace {

/// A file starts with these bytes. The first byte is not text, and the line ends show if a transfer took the file for
/// text.
inline constexpr std::string_view magic{"\x89tine\r\n\x1a", 8};
inline constexpr std::uint32_t format_version = 3;
inline constexpr std::uint64_t header_bytes = 16;  ///< magic, version, zero
/// The number of the last section, which holds the number of sections before it.
inline constexpr std::uint32_t end_section = 0;

template <>
inline constexpr std::string_view names_of<ending>[] = {"normal", "exception", "terminated", "signalled", "running"};
template <>
inline constexpr std::string_view names_of<sampling>[] = {"none",    "on",      "replaced",
                                                          "blocked", "refused", "no registers"};
template <>
inline constexpr std::string_view names_of<construct>[] = {"fork", "loop", "coroutine fork", "task"};
template <>
inline constexpr std::string_view names_of<node::shape>[] = {"leaf", "series", "parallel", "loop"};
template <>
inline constexpr std::string_view names_of<access_kind>[] = {"read", "write", "release", "atomic read", "atomic write"};
template <>
inline constexpr std::string_view names_of<memory_kind>[] = {"unknown", "global", "heap", "stack", "frame"};
template <>
inline constexpr std::string_view names_of<lock_problem>[] = {
    "held at fork", "held at loop", "held at join", "released elsewhere",
    "order",        "long wait",    "waits",        "held at wait"};
template <>
inline constexpr std::string_view names_of<lock_kind>[] = {"lock",  "call_once flag", "static local", "semaphore",
                                                           "latch", "barrier",        "task group",   "condition"};
template <>
inline constexpr std::string_view names_of<timeline_event::kind>[] = {
    "arrives",   "leaves",    "runs",     "rests",   "begins",     "promotes",    "promotes late", "reclaims",
    "steals",    "takes",     "suspends", "resumes", "parks",      "returns",     "lacks token",   "serves again",
    "sees work", "sees none", "sleeps",   "wakes",   "interrupts", "interrupted", "loses"};

// The rows that files other than description.cpp name.
extern template struct compiled_description<run>;
extern template struct compiled_description<path>;
extern template struct compiled_description<root>;
extern template struct compiled_description<point>;
extern template struct compiled_description<node>;
extern template struct compiled_description<sample>;
extern template struct compiled_description<race_totals>;
extern template struct compiled_description<lock_totals>;
extern template struct compiled_description<idle_period>;
extern template struct compiled_description<timeline_event>;

/// Returns the tables of a profile: the members of `profile`. A table's section has the table's position as its number,
/// counted from 1. A table's type is a list of rows; only that of the table `run` is a row, because every profile has
/// one.
std::span<const field> tables() noexcept;

/// Returns the type of a table's rows.
inline const type& row_of(const field& table) noexcept {
  return table.type->is == type::kind::list ? *table.type->element : *table.type;
}

/// Returns the bytes that a profile's caps reckon for a row: its numbers without compression.
std::uint32_t row_budget(const type& row) noexcept;

}  // namespace tine::trace
