// suffix-array: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/loops/divided.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <string_view>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_algorithms{}, managed_algorithms{}); }
void tuned(problem& p) { solve(p, divided_loops{2048}, divided_loops{2048}, 8192); }
void dac(problem& p) { solve(p, divided_loops{single}, divided_loops{single}); }

namespace {

/// Returns a text of words from a vocabulary, whose first words are much more frequent than its last, and of repeated
/// passages.
std::string write_text(std::size_t n) {
  constexpr std::uint64_t vocabulary = 1 << 16;
  std::string text;
  text.reserve(n + 1000);
  splitmix random{1};
  while (text.size() < n) {
    if (const std::size_t written = text.size(); written > 1000 && random.below(200) == 0) {
      const std::size_t from = random.below(written - 200);
      text.append(std::string_view{text}.substr(from, 20 + random.below(180)));
      continue;
    }
    const std::uint64_t rank = random.below(1 + random.below(1 + random.below(vocabulary)));
    splitmix letters{rank};
    for (std::uint64_t i = 2 + letters.below(9); i > 0; --i) text += static_cast<char>('a' + letters.below(26));
    text += ' ';
  }
  text.resize(n);
  return text;
}

}  // namespace

void problem::reset() {
  if (text.size() != n) {
    text = write_text(n);
    space = workspace{n};
  }
  std::ranges::fill(space.answer, 0);
}

/// Burkhardt and Kärkkäinen's check: the array is right if it is a permutation, and two adjacent suffixes are in the
/// order of their first characters or, if these are equal, in the order that their rests have in the array.
std::string problem::mistake() const {
  const auto& array = space.answer;
  std::vector<std::int64_t> place(array.size() + 1, -1);  // has the empty suffix, too, which is before all others
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (array[i] >= array.size() || place[array[i]] >= 0) return format("entry {} is no other suffix", i);
    place[array[i]] = static_cast<std::int64_t>(i);
  }
  for (std::size_t i = 1; i < array.size(); ++i) {
    const std::size_t one = array[i - 1], next = array[i];
    if (std::pair{text[one], place[one + 1]} > std::pair{text[next], place[next + 1]})
      return format("suffix {} is greater than suffix {}", one, next);
  }
  return "";
}

std::uint64_t problem::answer() const {
  std::uint64_t sum = 0;
  for (const std::uint32_t start : space.answer) sum = splitmix{sum + start}();
  return sum;
}

program describe_program() {
  static problem p;
  program it{
      .name = "suffix-array",
      .description = "Sorts the suffixes of a text by prefix doubling.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Characters"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
