// word-frequencies: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <cmath>
#include <unordered_map>

namespace bench {

using namespace word_frequencies;

/// Without forks: one hash table.
void serial(problem& p) {
  word_table table;
  for_each_word(p.text, 0, p.text.size(),
                [&table](std::string_view word) { table.add(word, word_table::hash_of(word), 1); });
  p.counts.reserve(table.entries().size());
  for (const word_table::entry& e : table.entries()) p.counts.emplace_back(e.word, e.count);
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// Adds a word whose number in the vocabulary is k with a probability in proportion to 1 / (k + 1): Zipf's law.
void add_word_of_zipf(std::string& text, splitmix& random) {
  constexpr double vocabulary = 1 << 18;
  splitmix letters{static_cast<std::uint64_t>(std::exp(random.unit() * std::log(vocabulary)))};
  for (std::uint64_t i = 2 + letters.below(9); i > 0; --i) text += static_cast<char>('a' + letters.below(26));
}

/// Adds a word of up to 15 letters. The two letters before a letter determine which letters are likely, and how likely
/// the word's end is.
void add_word_of_trigrams(std::string& text, splitmix& random) {
  constexpr std::uint64_t end = 26;
  std::uint64_t before = end, last = end;
  for (int i = 0; i < 15; ++i) {
    const std::uint64_t likely = splitmix{before << 5 | last}();
    const std::uint64_t next = (likely + random.below(1 + random.below(1 + random.below(end + 1)))) % (end + 1);
    if (next == end && i > 0) return;
    text += static_cast<char>('a' + next % end);
    before = std::exchange(last, next);
  }
}

std::string write_text(std::size_t n, language of) {
  std::string text;
  text.reserve(n + 16);
  splitmix random{1};
  while (text.size() < n) {
    if (of == language::zipf) {
      add_word_of_zipf(text, random);
    } else {
      add_word_of_trigrams(text, random);
    }
    text += random.below(12) == 0 ? '\n' : ' ';
  }
  text.resize(n);
  return text;
}

/// Returns what `counts` must be.
std::vector<counted> count_by_map(std::string_view text) {
  constexpr std::string_view separators = " \t\n\v\f\r";
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<counted> counts;
  for (std::size_t at = text.find_first_not_of(separators); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const auto [place, is_new] = places.try_emplace(word, counts.size());
    if (is_new) counts.emplace_back(word, 0);
    ++counts[place->second].second;
    at = text.find_first_not_of(separators, end);
  }
  return counts;
}

}  // namespace

void problem::reset() {
  if (text.size() != n || made_ != of) {
    text = write_text(n, of);
    made_ = of;
    expected_ = count_by_map(text);
  }
  counts = {};
}

std::string problem::mistake() const {
  if (counts.size() != expected_.size())
    return format("there are {} different words, not {}", expected_.size(), counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] != expected_[k])
      return format("word {} is {}, {} times, and not {}, {} times", k, expected_[k].first, expected_[k].second,
                    counts[k].first, counts[k].second);
  return "";
}

program describe_program() {
  static problem p;
  static std::string word = "zipf";
  const auto choose = [](const std::string& chosen) {
    word = chosen;
    p.of = chosen == "zipf" ? language::zipf : language::trigrams;
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Characters");
    o.word("--text", word, {"zipf", "trigrams"}, choose, "Kind of words");
  };
  program it{
      .name = "word-frequencies",
      .description = "Counts how often each word of a text occurs.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}, {"text", word}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
