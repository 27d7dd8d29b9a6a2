// The problem word-frequencies: count how often each word of a text occurs.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace bench::word_frequencies

namespace bench {
using word_frequencies::problem;
}
