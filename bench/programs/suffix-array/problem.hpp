// The problem suffix-array: sort the suffixes of a text by prefix doubling, over any algorithms (Manber and Myers 1993;
// like Larsson and Sadakane 2007, it sorts only suffixes that are not in order yet).
#pragma once

#include "harness/loops/serial.hpp"
#include "programs/merge-sort/sort.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// A suffix with its sorting key: the key in the upper half, the suffix's start in the lower.
using keyed_suffix = merge_sort::key;

constexpr keyed_suffix keyed(std::uint32_t key, std::uint32_t start) { return keyed_suffix{key} << 32 | start; }
constexpr std::uint32_t key_of(keyed_suffix s) { return static_cast<std::uint32_t>(s >> 32); }
constexpr std::uint32_t start_of(keyed_suffix s) { return static_cast<std::uint32_t>(s); }

/// The memory that sorting the suffixes of a text writes.
struct workspace {
  explicit workspace(std::size_t n) : order(n), buffer(n), ends(n), new_ends(n), rank(n + 1), answer(n) {}

  std::vector<keyed_suffix> order, buffer;
  /// For each place the end of the group that begins there, if the group has two or more suffixes and must be sorted;
  /// otherwise 0.
  std::vector<std::uint32_t> ends, new_ends;
  /// For each suffix, by its start, one more than the place where its group begins, and 0 for the empty suffix.
  std::vector<std::uint32_t> rank;
  std::vector<std::uint32_t> answer;
};

/// Sorts the suffixes by their first 4, 8, 16, ... characters. Suffixes that agree in these are a *group*, which is a
/// range of places in the order. To sort a group by twice as many characters, the key of each suffix is the rank of the
/// suffix that follows the characters in which the group agrees. No suffix is a prefix of another, because a text ends
/// with a 0 that occurs nowhere else in it.
template <class Algorithms, class Inner>
class doubling {
 public:
  /// `algorithms` runs over all places, `inner` over the places of one group. Where no integer sort is better, a merge
  /// sort forks for more than `grain` suffixes.
  doubling(const Algorithms& algorithms, const Inner& inner, std::ptrdiff_t grain, const std::string& text,
           workspace& w)
      : algorithms_{algorithms}, inner_{inner}, grain_{grain}, text_{text}, w_{w} {}

  void run() {
    sort_by_first_characters();
    for (std::size_t length = first_length; split_groups() > 0; length *= 2) {
      std::swap(w_.ends, w_.new_ends);
      sort_groups(length);
    }
    for_places([&w = w_](std::size_t i) { w.answer[i] = start_of(w.order[i]); });
  }

 private:
  static constexpr std::size_t first_length = 4;

  template <class Body>
  void for_places(const Body& body) {
    algorithms_.for_each(std::size_t{0}, text_.size(), body);
  }

  /// Sorts by the keys. Most groups have a few suffixes.
  void sort(std::size_t begin, std::size_t end) {
    keyed_suffix* const first = w_.order.data() + begin;
    const auto n = static_cast<std::ptrdiff_t>(end - begin);
    if constexpr (requires { Algorithms::sorts_by_digits; }) {
      if (n > merge_sort::sort_leaf)
        return algorithms_.integer_sort(first, first + n, [](keyed_suffix s) { return key_of(s); });
    }
    merge_sort::sort(algorithms_, first, n, w_.buffer.data() + begin, grain_);
  }

  /// Makes all suffixes one group, and sorts it.
  void sort_by_first_characters() {
    const auto character = [this](std::size_t i) -> std::uint32_t {
      return i < text_.size() ? static_cast<unsigned char>(text_[i]) : 0;
    };
    for_places([character, this](std::size_t i) {
      std::uint32_t key = 0;
      for (std::size_t j = i; j < i + first_length; ++j) key = key << 8 | character(j);
      w_.order[i] = keyed(key, static_cast<std::uint32_t>(i));
      w_.ends[i] = 0;
    });
    sort(0, text_.size());
    w_.ends[0] = static_cast<std::uint32_t>(text_.size());
  }

  /// Sorts all groups, whose suffixes agree in `length` characters, by the characters that follow these.
  void sort_groups(std::size_t length) {
    for_places([length, this](std::size_t begin) {
      const std::size_t end = w_.ends[begin];
      w_.new_ends[begin] = 0;
      if (end == 0) return;
      inner_.for_each(begin, end, [length, this](std::size_t i) {
        const std::uint32_t start = start_of(w_.order[i]);
        w_.order[i] = keyed(w_.rank[start + length], start);
      });
      sort(begin, end);
    });
  }

  /// Splits each group into groups of suffixes that have the same key. Returns how many of the new groups must be
  /// sorted.
  std::size_t split_groups() {
    const auto split = [this](std::size_t begin) -> std::size_t {
      const std::size_t end = w_.ends[begin];
      if (end == 0) return 0;
      const auto make = [begin, end, this](std::size_t i) { return make_group(begin, end, i); };
      return inner_.reduce(begin, end, std::size_t{0}, make, std::plus<>{});
    };
    return algorithms_.reduce(std::size_t{0}, text_.size(), std::size_t{0}, split, std::plus<>{});
  }

  /// If a new group begins at `i`, makes it. Returns 1 if the new group must be sorted, otherwise 0.
  std::size_t make_group(std::size_t begin, std::size_t end, std::size_t i) {
    const keyed_suffix* order = w_.order.data();
    const std::uint32_t key = key_of(order[i]);
    if (i > begin && key_of(order[i - 1]) == key) return 0;
    std::size_t last = i;
    for (; last < end && key_of(order[last]) == key; ++last)
      w_.rank[start_of(order[last])] = static_cast<std::uint32_t>(i + 1);
    if (last - i == 1) return 0;
    w_.new_ends[i] = static_cast<std::uint32_t>(last);
    return 1;
  }

  const Algorithms& algorithms_;
  const Inner& inner_;
  std::ptrdiff_t grain_;
  const std::string& text_;
  workspace& w_;
};

constexpr std::size_t usual_n = std::size_t{1} << 20;
constexpr std::size_t large_n = std::size_t{1} << 23;
constexpr std::size_t largest_n = std::size_t{1} << 31;

/// A text and the order of its suffixes.
class problem {
 public:
  /// Writes the text if `n` has changed since the last call, and forgets the answer.
  void reset();
  /// Returns a description of the mistake in the suffix array; empty if it is right.
  std::string mistake() const;
  /// Returns a hash of the array: the answer that is reported.
  std::uint64_t answer() const;

  std::size_t n = usual_n;
  std::string text;
  workspace space{0};
};

/// Sorts the suffixes of the problem's text into its workspace.
template <class Algorithms, class Inner = serial_loops>
void solve(problem& p, const Algorithms& algorithms, const Inner& inner = {}, std::ptrdiff_t sort_grain = 0) {
  doubling{algorithms, inner, sort_grain, p.text, p.space}.run();
}

}  // namespace bench
