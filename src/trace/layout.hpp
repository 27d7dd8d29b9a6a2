// The layout of a profile's file, defined once for the writer and the reader; format.md describes it in words. Every list of a
// profile is a table of rows of equal size, and `fields` lists the fields of a row in their order.
//
// A row may grow: append the field to `fields`, and to format.md. Readers take the fields that they know from a longer row, and
// leave the fields that a shorter row lacks at their defaults. Any other change needs a new `format_version`.
#pragma once

#include "trace/profile.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tine::trace {

/// The file begins with these bytes. The first byte is not text, and the line ends reveal a transfer that took the file for text.
inline constexpr std::string_view magic{"\x89tine\r\n\x1a", 8};
inline constexpr std::uint32_t format_version = 2;
inline constexpr std::uint64_t header_bytes = 16;      ///< magic, version, zero
inline constexpr std::uint64_t section_bytes = 16;     ///< tag, checksum, length of the content
inline constexpr std::uint64_t table_bytes = 16;       ///< bytes of a row, zero, rows
inline constexpr std::string_view end_tag{"end ", 4};  ///< the last section: the number of sections before it

/// `R` is a `T`, to be written or to be read.
template <class R, class T>
concept one = std::same_as<std::remove_const_t<R>, T>;

template <class F>
void fields(F& f, one<run> auto& r) {
  f(r.command), f(r.version), f(r.machine);
  f(r.analyses), f(r.workers), f(r.ended);
  f(r.wall), f(r.fork_burden), f(r.burden_is_measured);
  f(r.fork_cost), f(r.profiled_fork_cost), f(r.profiled_loop_cost), f(r.threshold);
  f(r.signal), f(r.asked_threshold);
  f(r.sampled), f(r.sample_period), f(r.samples), f(r.unlocated);
}

template <class F>
void fields(F& f, one<module> auto& m) {
  f(m.path), f(m.build_id), f(m.begin), f(m.end), f(m.bias);
}

template <class F>
void fields(F& f, one<site> auto& s) {
  f(s.address), f(s.kind), f(s.count), f(s.iterations), f(s.offered), f(s.taken), f(s.bytes);
}

template <class F>
void fields(F& f, one<caller> auto& c) {
  f(c.site), f(c.address);
}

template <class F>
void fields(F& f, one<path> auto& p) {
  f(p.parent), f(p.site), f(p.work), f(p.count), f(p.iterations);
}

template <class F>
void fields(F& f, one<std::string> auto& phase) {
  f(phase);
}

template <class F>
void fields(F& f, one<root> auto& r) {
  f(r.begin), f(r.wall), f(r.serial);
  f(r.all.work), f(r.all.span_low), f(r.all.span_high), f(r.all.burdened_span);
  f(r.all.forks), f(r.all.loops), f(r.all.iterations), f(r.threw);
  f(r.is_open), f(r.count);
}

template <class F>
void fields(F& f, one<point> auto& p) {
  f(p.site), f(p.phase), f(p.work), f(p.span), f(p.forks), f(p.profiling);
}

template <class F>
void fields(F& f, one<space_totals> auto& s) {
  f(s.serial_peak), f(s.worst_peak), f(s.left), f(s.allocations), f(s.frees), f(s.allocated);
}

template <class F>
void fields(F& f, one<node> auto& n) {
  f(n.is), f(n.children), f(n.site), f(n.work), f(n.span), f(n.forks);
}

template <class F>
void fields(F& f, one<sample> auto& s) {
  f(s.address), f(s.caller), f(s.second_caller), f(s.third_caller), f(s.count);
}

/// Returns the size of a field in the file. A string is stored as its position in the text behind the rows, and its length.
template <class T>
constexpr std::uint32_t field_bytes() noexcept {
  return std::is_same_v<T, std::string> || sizeof(T) == 8 ? 8 : 4;
}

/// Returns the size of a row in the file.
template <class Row>
std::uint32_t row_bytes() {
  std::uint32_t bytes = 0;
  auto count = [&]<class T>(const T&) { bytes += field_bytes<T>(); };
  const Row row{};
  fields(count, row);
  return bytes;
}

/// A table: its section's tag, and the least size of its rows, which is their size in the first release with this version of the
/// format.
struct table_kind {
  std::string_view tag;
  std::uint32_t least_row;
};

template <class Row>
inline constexpr table_kind table_of{};
template <>
inline constexpr table_kind table_of<run>{"run ", 100};
template <>
inline constexpr table_kind table_of<module>{"modu", 40};
template <>
inline constexpr table_kind table_of<site>{"site", 52};
template <>
inline constexpr table_kind table_of<caller>{"call", 12};
template <>
inline constexpr table_kind table_of<path>{"path", 32};
template <>
inline constexpr table_kind table_of<std::string>{"phas", 8};
template <>
inline constexpr table_kind table_of<root>{"root", 96};
template <>
inline constexpr table_kind table_of<point>{"poin", 40};
template <>
inline constexpr table_kind table_of<space_totals>{"spac", 48};
template <>
inline constexpr table_kind table_of<node>{"node", 36};
template <>
inline constexpr table_kind table_of<sample>{"samp", 40};

}  // namespace tine::trace
