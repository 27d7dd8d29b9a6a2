// How two strands of one run relate: the questions that every scheme of labels answers.
//
// A label is a value that names a strand by its place in the computation graph. It is the same in every run, for any
// number of workers and any cuts of the loops. You may keep it after its strand has ended, copy it, and compare it on
// any thread; one object belongs to one thread at a time. Labels of different regions or roots can't be compared.
// docs/internals/labels.md says what each scheme is good for.
#pragma once

#include <compare>
#include <concepts>

namespace tine::labels {

/// How strand a relates to strand b.
enum class relation {
  same,    ///< they are one strand
  before,  ///< in every schedule, a ends before b starts
  after,   ///< in every schedule, b ends before a starts
  left,    ///< they may run at the same time; one worker would run a first
  right,   ///< they may run at the same time; one worker would run b first
};

/// Relates two points of one strand between a fork and the next one.
template <class T>
constexpr relation in_sequence(const T& x, const T& y) noexcept {
  return x < y ? relation::before : relation::after;
}

/// Relates two branches of one fork, or two iterations of one loop.
template <class T>
constexpr relation side_by_side(const T& x, const T& y) noexcept {
  return x < y ? relation::left : relation::right;
}

/// A type whose values name strands: its scheme defines `relate` for two labels.
template <class L>
concept label_type = requires(const L& a, const L& b) {
  { relate(a, b) } noexcept -> std::same_as<relation>;
};

/// Returns true if the two strands may run at the same time.
template <label_type L>
bool parallel(const L& a, const L& b) noexcept {
  const relation r = relate(a, b);
  return r == relation::left || r == relation::right;
}

/// Returns true if a's strand ends before b's strand starts in every schedule.
template <label_type L>
bool precedes(const L& a, const L& b) noexcept {
  return relate(a, b) == relation::before;
}

/// Returns true if both labels name the same strand.
template <label_type L>
bool operator==(const L& a, const L& b) noexcept {
  return relate(a, b) == relation::same;
}

/// Orders labels as one worker would run their strands.
template <label_type L>
std::strong_ordering operator<=>(const L& a, const L& b) noexcept {
  const relation r = relate(a, b);
  if (r == relation::same) return std::strong_ordering::equal;
  return r == relation::before || r == relation::left ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace tine::labels
