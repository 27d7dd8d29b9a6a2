// The problem inverted-index: find for each word of a text the documents that contain it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench::inverted_index {

constexpr std::size_t usual_n = std::size_t{1} << 25;
constexpr std::size_t large_n = std::size_t{1} << 27;
constexpr std::size_t largest_n = std::size_t{1} << 30;

/// A document is a line of the text. Its number is the number of lines before it.
using document = std::uint32_t;

/// A word, and the documents that contain it: each once, in order.
struct posting {
  std::string_view word;
  std::vector<document> documents;
  friend bool operator==(const posting&, const posting&) = default;
};

/// A text of documents, and its index.
class problem {
 public:
  /// Writes the text if `n` has changed since the last call, and forgets the index.
  void reset();
  /// Returns the number of different words: the answer that is reported.
  std::size_t answer() const { return index.size(); }
  /// Returns a description of the mistake in the index; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  std::string text;            ///< of n characters or a few more, of which the last ends a line
  std::vector<posting> index;  ///< in the order of the words' first appearance

 private:
  void write();

  // The text as the generator wrote it: for each document the numbers of its words, without repetitions.
  std::vector<std::string> vocabulary_;
  std::vector<std::uint32_t> written_;
  std::vector<std::size_t> written_ends_;  ///< for each document
  std::size_t made_ = 0;
};

}  // namespace bench::inverted_index

namespace bench {
using inverted_index::problem;
}
