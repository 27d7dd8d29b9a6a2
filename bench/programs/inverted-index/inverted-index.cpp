// inverted-index: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <cmath>
#include <unordered_set>

namespace bench {

/// Without forks: one hash table.
void serial(problem& p) {
  word_table table;
  for_each_word(p.text, 0, p.text.size(), 0, [&](std::string_view word, document d) {
    const std::uint32_t k = table.add(word, word_table::hash_of(word), 0);
    if (k == p.index.size()) p.index.push_back({word, {}});
    auto& documents = p.index[k].documents;
    if (documents.empty() || documents.back() != d) documents.push_back(d);
  });
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// Returns different words of 2 to 10 letters, and some with a few letters more.
std::vector<std::string> random_words(std::size_t count) {
  splitmix random{1};
  std::vector<std::string> words;
  std::unordered_set<std::string> known;
  while (words.size() < count) {
    std::string word;
    for (std::uint64_t i = 2 + random.below(9); i > 0; --i) word += static_cast<char>('a' + random.below(26));
    while (!known.insert(word).second) word += static_cast<char>('a' + random.below(26));
    words.push_back(std::move(word));
  }
  return words;
}

/// Returns a random number below `bound`, k with a probability in proportion to 1 / (k + 1).
std::size_t log_uniform(splitmix& random, std::size_t bound) {
  return static_cast<std::size_t>(std::exp(random.unit() * std::log(static_cast<double>(bound) + 1))) - 1;
}

}  // namespace

/// Writes documents of 1 to 4000 words, most of them short. The words follow Zipf's law.
void problem::write() {
  constexpr std::size_t words = std::size_t{1} << 18;
  if (vocabulary_.empty()) vocabulary_ = random_words(words);
  text.clear();
  text.reserve(n + 32);
  written_.clear();
  written_ends_.clear();
  std::vector<std::uint32_t> last(words, none);
  splitmix random{2};
  for (document d = 0; text.size() < n; ++d) {
    for (std::size_t more = 1 + log_uniform(random, 4000); more > 0 && text.size() < n; --more) {
      const std::size_t w = log_uniform(random, words);
      text += vocabulary_[w];
      text += ' ';
      if (std::exchange(last[w], d) != d) written_.push_back(static_cast<std::uint32_t>(w));
    }
    text += '\n';
    written_ends_.push_back(written_.size());
  }
}

void problem::reset() {
  if (std::exchange(made_, n) != n) write();
  index = {};
}

/// Follows what the generator wrote: the words' first appearances must be in the order of the index, and the documents
/// of each word in the order of its list.
std::string problem::mistake() const {
  std::vector<std::uint32_t> place_of(vocabulary_.size(), none);
  std::vector<std::size_t> seen;  // for each word of the index, the number of its documents so far
  std::size_t at = 0;
  for (document d = 0; d < written_ends_.size(); ++d)
    for (; at < written_ends_[d]; ++at) {
      std::uint32_t& place = place_of[written_[at]];
      if (place == none) {
        place = static_cast<std::uint32_t>(seen.size());
        seen.push_back(0);
        if (place >= index.size() || index[place].word != vocabulary_[written_[at]])
          return format("word {} of the index is not {}", place, vocabulary_[written_[at]]);
      }
      const auto& documents = index[place].documents;
      if (seen[place] >= documents.size() || documents[seen[place]++] != d)
        return format("the list of {} has no document {} at its place", index[place].word, d);
    }
  if (index.size() != seen.size()) return format("there are {} different words, not {}", seen.size(), index.size());
  for (std::size_t k = 0; k < seen.size(); ++k)
    if (index[k].documents.size() != seen[k]) return format("the list of {} is too long", index[k].word);
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Characters"); };
  program it{
      .name = "inverted-index",
      .description = "Finds for each word of a text the documents that contain it.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
