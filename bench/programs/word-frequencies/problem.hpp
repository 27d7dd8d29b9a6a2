// The problem word-frequencies: count how often each word of a text occurs.
#pragma once

#include "words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench::word_frequencies {

constexpr std::size_t usual_n = std::size_t{1} << 25;
constexpr std::size_t large_n = std::size_t{1} << 27;
constexpr std::size_t largest_n = std::size_t{1} << 30;

enum class language { zipf, trigrams };

/// A word, and the number of its occurrences.
using counted = std::pair<std::string_view, std::uint32_t>;

/// A text, and its words.
class problem {
 public:
  /// Writes the text if `n` or `of` has changed since the last call, and forgets the counts.
  void reset();
  /// Returns the number of different words: the answer that is reported.
  std::size_t answer() const { return counts.size(); }
  /// Returns a description of the mistake in `counts`; empty if they are right.
  std::string mistake() const;

  std::size_t n = usual_n;
  language of = language::zipf;
  std::string text;
  std::vector<counted> counts;  ///< in the order of the words' first appearance

 private:
  std::vector<counted> expected_;
  language made_ = language::zipf;
};

// Counts words as a map-reduce with combiners (Dean and Ghemawat, OSDI 2004).

constexpr std::size_t part_size = std::size_t{1} << 18;  ///< characters

/// A word belongs to the bucket that the upper bits of its hash determine; its slot in a table depends on the lower
/// bits.
constexpr int bucket_bits = 8;
constexpr std::size_t buckets = std::size_t{1} << bucket_bits;

inline std::size_t bucket_of(const word_table::entry& e) { return e.hash >> (64 - bucket_bits); }

/// The words that begin in a part of the text, in the order of their buckets, and in each bucket in the order of their
/// first appearance.
struct part {
  std::vector<word_table::entry> entries;
  std::array<std::uint32_t, buckets + 1> first{};  ///< the place where each bucket begins
};

inline part count_part(std::string_view text, std::size_t begin, std::size_t end) {
  word_table table;
  for_each_word(text, begin, end, [&table](std::string_view word) { table.add(word, word_table::hash_of(word), 1); });
  part result;
  for (const word_table::entry& e : table.entries()) ++result.first[bucket_of(e) + 1];
  for (std::size_t b = 0; b < buckets; ++b) result.first[b + 1] += result.first[b];
  result.entries.resize(table.entries().size());
  auto next = result.first;
  for (const word_table::entry& e : table.entries()) result.entries[next[bucket_of(e)]++] = e;
  return result;
}

/// Adds the parts' counts of the words of a bucket. The parts are in the order of the text, so each word that remains
/// is the first of its occurrences.
inline word_table merge_bucket(const std::vector<part>& parts, std::size_t b) {
  word_table table;
  for (const part& from : parts)
    for (std::uint32_t k = from.first[b]; k < from.first[b + 1]; ++k)
      table.add(from.entries[k].word, from.entries[k].hash, from.entries[k].count);
  return table;
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::string_view text = p.text;
  std::vector<part> parts((text.size() + part_size - 1) / part_size);
  algorithms.for_each(std::size_t{0}, parts.size(), [text, &parts](std::size_t k) {
    parts[k] = count_part(text, k * part_size, std::min(text.size(), (k + 1) * part_size));
  });
  std::vector<word_table> merged(buckets);
  algorithms.for_each(std::size_t{0}, buckets,
                      [&parts, &merged](std::size_t b) { merged[b] = merge_bucket(parts, b); });
  std::array<std::size_t, buckets> ends{};
  algorithms.sums(buckets, ends.data(), [&merged](std::size_t b) { return merged[b].entries().size(); });
  p.counts.resize(ends.back());
  algorithms.for_each(std::size_t{0}, buckets, [&merged, &ends, to = p.counts.data()](std::size_t b) {
    const auto& from = merged[b].entries();
    std::ranges::transform(from, to + (ends[b] - from.size()),
                           [](const word_table::entry& e) { return counted{e.word, e.count}; });
  });
  algorithms.sort(p.counts.data(), p.counts.data() + p.counts.size(),
                  [](const counted& a, const counted& b) { return std::less<>{}(a.first.data(), b.first.data()); });
}

}  // namespace bench::word_frequencies

namespace bench {
using word_frequencies::problem;
}
