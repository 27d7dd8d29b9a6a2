// The problem word-count: count the words of a text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace bench {

constexpr std::size_t usual_n = std::size_t{1} << 29;
constexpr std::size_t large_n = std::size_t{1} << 30;

/// A text, and the number of its words.
class problem {
 public:
  /// Writes the text if `n` has changed since the last call, and forgets the answer.
  void reset();
  /// Returns a description of the mistake in the answer; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  std::string text;  ///< begins with a space
  std::int64_t answer = 0;

 private:
  std::int64_t planted_ = 0;
};

/// Returns true if a word starts at `c`: `c` is no separator, and the character before it is one, that is a space or a
/// character that breaks lines. Has no branches, so that the compiler can test many characters at once.
inline bool starts_word(const char* c) {
  const auto separates = [](char at) { return (at == ' ') | (static_cast<unsigned char>(at - '\t') < 5); };
  return separates(c[-1]) & !separates(c[0]);
}

/// Counts the starts of words. The first character of the text must be a separator.
template <class Algorithms>
std::int64_t count_words(const Algorithms& algorithms, const std::string& text) {
  const char* at = text.data();
  const auto starts = [at](std::size_t i) { return std::int64_t{starts_word(at + i)}; };
  return algorithms.reduce(std::size_t{1}, text.size(), std::int64_t{0}, starts, std::plus<>{});
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  p.answer = count_words(algorithms, p.text);
}

}  // namespace bench
