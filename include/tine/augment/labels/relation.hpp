// How two strands of one run stand to each other, and the questions that every scheme of labels answers.
//
// A label is a value that names a strand by its place in the computation graph: the same in every run, whatever the number of
// workers and however loops were cut. It may be kept after its strand has ended, copied, and compared on any thread; one object
// belongs to one thread at a time. Labels of different regions or roots have nothing to do with each other. docs/labels.md
// says which scheme is for what.
#pragma once

#include <compare>
#include <concepts>

namespace tine::labels {

/// How strand a stands to strand b.
enum class relation {
  same,    ///< they are one strand
  before,  ///< a ends before b begins, in every schedule
  after,   ///< b ends before a begins, in every schedule
  left,    ///< they may run at the same time; one worker would run a first
  right,   ///< they may run at the same time; one worker would run b first
};

/// For two places on one strand's way from a fork to the next.
template <class T>
constexpr relation in_sequence(const T& x, const T& y) noexcept {
  return x < y ? relation::before : relation::after;
}

/// For two branches of one fork, or two iterations of one loop.
template <class T>
constexpr relation side_by_side(const T& x, const T& y) noexcept {
  return x < y ? relation::left : relation::right;
}

/// What names strands: each scheme says in `relate` how two of its labels stand to each other.
template <class L>
concept label_type = requires(const L& a, const L& b) {
  { relate(a, b) } noexcept -> std::same_as<relation>;
};

/// May the two strands run at the same time?
template <label_type L>
bool parallel(const L& a, const L& b) noexcept {
  const relation r = relate(a, b);
  return r == relation::left || r == relation::right;
}

/// Does a's strand end before b's begins, in every schedule?
template <label_type L>
bool precedes(const L& a, const L& b) noexcept {
  return relate(a, b) == relation::before;
}

/// Do they name the same strand?
template <label_type L>
bool operator==(const L& a, const L& b) noexcept {
  return relate(a, b) == relation::same;
}

/// The order in which one worker runs the strands.
template <label_type L>
std::strong_ordering operator<=>(const L& a, const L& b) noexcept {
  const relation r = relate(a, b);
  if (r == relation::same) return std::strong_ordering::equal;
  return r == relation::before || r == relation::left ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace tine::labels
