// longest-repeated-substring: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/loops/serial.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace bench {

/// Without forks: the suffix array, and all common prefixes in one pass (Kärkkäinen, Manzini and Puglisi, CPM 2009).
void serial(problem& p) {
  suffix_array::doubling{serial_loops{}, serial_loops{}, 0, p.text, p.space}.run();
  const auto& order = p.space.answer;
  for (std::size_t i = 1; i < order.size(); ++i) p.before[order[i]] = order[i - 1];
  std::uint32_t length = 0;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (i == order[0]) {
      length = 0;
      continue;
    }
    const std::uint32_t j = p.before[i];
    while (std::max(i, j) + length < order.size() && p.text[i + length] == p.text[j + length]) ++length;
    if (length > p.longest.length) p.longest = {length, i, j};
    if (length > 0) --length;
  }
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// Returns a text of words that follow Zipf's law, and of repeated passages of up to 200 characters.
std::string write_text(std::size_t n) {
  constexpr double vocabulary = 1 << 16;
  std::string text;
  text.reserve(n + 256);
  splitmix random{1};
  while (text.size() < n) {
    if (const std::size_t written = text.size(); written > 1000 && random.below(200) == 0) {
      const std::size_t from = random.below(written - 200);
      text.append(std::string_view{text}.substr(from, 20 + random.below(180)));
      continue;
    }
    splitmix letters{static_cast<std::uint64_t>(std::exp(random.unit() * std::log(vocabulary)))};
    for (std::uint64_t i = 2 + letters.below(9); i > 0; --i) text += static_cast<char>('a' + letters.below(26));
    text += ' ';
  }
  text.resize(n);
  return text;
}

/// Arithmetic modulo the prime 2⁶¹ - 1.
constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  const auto sum = static_cast<std::uint64_t>(product & prime) + static_cast<std::uint64_t>(product >> 61);
  return sum >= prime ? sum - prime : sum;
}

/// Returns true if a passage of `length` characters occurs twice: compares the fingerprints of all of them (Karp and
/// Rabin 1987). Two passages that differ have the same fingerprint with a probability below n / 2⁶⁰; the function
/// returns true then.
bool has_repeat(std::string_view text, std::size_t length) {
  if (length >= text.size()) return false;
  constexpr std::uint64_t base = 0x123456789abcdef;
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < length; ++i) power = times(power, base);
  std::vector<std::uint64_t> prints;
  prints.reserve(text.size() - length + 1);
  std::uint64_t print = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    print = (times(print, base) + static_cast<unsigned char>(text[i])) % prime;
    if (i >= length) print = (print + prime - times(power, static_cast<unsigned char>(text[i - length]))) % prime;
    if (i + 1 >= length) prints.push_back(print);
  }
  std::ranges::sort(prints);
  return std::ranges::adjacent_find(prints) != prints.end();
}

}  // namespace

/// Copies a passage of n / 128 characters of the first half of the text to a place in the second half.
void problem::reset() {
  if (text.size() != n) {
    text = write_text(n);
    planted_ = n / 128;
    splitmix random{2};
    const std::size_t from = random.below(n / 2 - planted_ + 1);
    text.replace(n / 2 + random.below(n / 2 - planted_ + 1), planted_, text, from, planted_);
    space = suffix_array::workspace{n};
    before = std::vector<std::uint32_t>(n);
  }
  longest = {};
}

/// If no passage of one character more occurs twice, then no longer one does.
std::string problem::mistake() const {
  const auto [length, at, as_at] = longest;
  if (length < planted_) return format("a passage of {} characters was written twice", planted_);
  if (length > 0 && at == as_at) return format("place {} is given twice", at);
  const std::string_view all = text;
  if (std::max(at, as_at) + std::size_t{length} > n || all.substr(at, length) != all.substr(as_at, length))
    return format("the passages at {} and {} differ", at, as_at);
  return has_repeat(text, length + std::size_t{1}) ? "a longer passage occurs twice" : "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Characters"); };
  program it{
      .name = "longest-repeated-substring",
      .description = "Finds the longest substring of a text that occurs in it twice.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
