// The relation of two strands of one run, and the questions that every scheme of labels answers.
//
// A label is a value that names a strand by its place in the computation graph. It is the same in every run, for any
// number of workers and any cuts of the loops. It may be kept after its strand has ended, copied, and compared on any
// thread; one object belongs to one thread at a time. Labels of different regions or roots cannot be compared.
// docs/internals/labels.md says which scheme serves which purpose.
#pragma once

#include <compare>
#include <concepts>

namespace tine::labels {

/// The relation of strand a to strand b.
enum class relation {
  same,    ///< they are one strand
  before,  ///< a ends before b begins, in every schedule
  after,   ///< b ends before a begins, in every schedule
  left,    ///< they may run at the same time; one worker would run a first
  right,   ///< they may run at the same time; one worker would run b first
};

/// Returns the relation of two places on one strand's way from a fork to the next one.
template <class T>
constexpr relation in_sequence(const T& x, const T& y) noexcept {
  return x < y ? relation::before : relation::after;
}

/// Returns the relation of two branches of one fork, or of two iterations of one loop.
template <class T>
constexpr relation side_by_side(const T& x, const T& y) noexcept {
  return x < y ? relation::left : relation::right;
}

/// A type whose values name strands. `relate` of a scheme returns the relation of two of its labels.
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

/// Returns true if a's strand ends before b's strand begins in every schedule.
template <label_type L>
bool precedes(const L& a, const L& b) noexcept {
  return relate(a, b) == relation::before;
}

/// Returns true if both labels name the same strand.
template <label_type L>
bool operator==(const L& a, const L& b) noexcept {
  return relate(a, b) == relation::same;
}

/// Compares two labels by the order in which one worker runs the strands.
template <label_type L>
std::strong_ordering operator<=>(const L& a, const L& b) noexcept {
  const relation r = relate(a, b);
  if (r == relation::same) return std::strong_ordering::equal;
  return r == relation::before || r == relation::left ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace tine::labels
