// The problem inverted-index: find for each word of a text the documents that contain it.
#pragma once

#include "programs/word-frequencies/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

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

// The words of a text of documents.

using word_frequencies::word_table;

inline document count_lines(std::string_view text) { return static_cast<document>(std::ranges::count(text, '\n')); }

/// Calls `visit` with each word that begins in [begin, end), in order, and the number of its document. The character at
/// `begin` is in the document `d`.
template <class Visit>
void for_each_word(std::string_view text, std::size_t begin, std::size_t end, document d, const Visit& visit) {
  const char* at = text.data() + begin;
  word_frequencies::for_each_word(text, begin, end, [&](std::string_view word) {
    for (; at < word.data(); ++at) d += *at == '\n';
    visit(word, d);
    at = word.data() + word.size();
  });
}

// Makes the index as a map-reduce with combiners (Dean and Ghemawat, OSDI 2004): an index of each part of the text,
// then their union.

constexpr std::size_t part_size = std::size_t{1} << 18;  ///< characters

/// A word belongs to the bucket that the upper bits of its hash determine; its slot in a table depends on the lower
/// bits.
constexpr int bucket_bits = 8;
constexpr std::size_t buckets = std::size_t{1} << bucket_bits;

inline std::size_t bucket_of(std::uint64_t hash) { return hash >> (64 - bucket_bits); }

/// The index of the words that begin in a part of the text.
struct part {
  struct entry {
    std::string_view word;
    std::uint64_t hash;
    std::uint32_t first, last;  ///< the places of its documents
  };

  std::vector<entry>
      entries;  ///< in the order of the buckets, and in each bucket in the order of the words' first appearance
  std::array<std::uint32_t, buckets + 1> first{};  ///< the place where each bucket begins
  std::vector<document> documents;
};

/// A word of a part, by the number of its entry, and a document that contains it.
struct found {
  std::uint32_t number;
  document in;
};

/// Returns the part with these words and documents: sorts both by counting. Each word's documents are in order.
inline part sort_part(const word_table& table, const std::vector<found>& all) {
  part result;
  for (const word_table::entry& e : table.entries()) ++result.first[bucket_of(e.hash) + 1];
  for (std::size_t b = 0; b < buckets; ++b) result.first[b + 1] += result.first[b];
  result.entries.resize(table.entries().size());
  std::vector<std::uint32_t> place_of;  // for each entry of the table
  place_of.reserve(table.entries().size());
  auto next = result.first;
  std::uint32_t documents = 0;
  for (const word_table::entry& e : table.entries()) {
    place_of.push_back(next[bucket_of(e.hash)]++);
    result.entries[place_of.back()] = {e.word, e.hash, documents, documents};
    documents += e.count;
  }
  result.documents.resize(documents);
  for (const found& f : all) result.documents[result.entries[place_of[f.number]].last++] = f.in;
  return result;
}

/// Returns the index of [begin, end). The character at `begin` is in the document `d`. The count of a word is the
/// number of its documents.
inline part index_part(std::string_view text, std::size_t begin, std::size_t end, document d) {
  word_table table;
  std::vector<found> all;
  std::vector<document> last;  // for each entry of the table
  for_each_word(text, begin, end, d, [&](std::string_view word, document in) {
    const std::uint64_t hash = word_table::hash_of(word);
    const std::uint32_t k = table.add(word, hash, 0);
    if (k < last.size() && last[k] == in) return;
    if (k == last.size()) last.push_back(in);
    last[k] = in;
    table.add_to(k, 1);
    all.push_back({k, in});
  });
  return sort_part(table, all);
}

/// Returns the index of the words of a bucket. The parts are in the order of the text, so each word is the first of its
/// occurrences, and the documents are in order; only the last document before a part may continue in it.
inline std::vector<posting> merge_bucket(const std::vector<part>& parts, std::size_t b) {
  word_table table;
  std::vector<posting> index;
  for (const part& from : parts)
    for (std::uint32_t k = from.first[b]; k < from.first[b + 1]; ++k) {
      const part::entry& e = from.entries[k];
      const std::uint32_t number = table.add(e.word, e.hash, 0);
      if (number == index.size()) index.push_back({e.word, {}});
      auto& documents = index[number].documents;
      const document* first = from.documents.data() + e.first;
      if (!documents.empty() && documents.back() == *first) ++first;
      documents.insert(documents.end(), first, from.documents.data() + e.last);
    }
  return index;
}

/// Moves the postings to `to`, in the order of their words in the text.
template <class Algorithms>
void join(std::vector<std::vector<posting>>& merged, std::vector<posting>& to, const Algorithms& algorithms) {
  std::array<std::size_t, buckets> ends{};
  algorithms.sums(buckets, ends.data(), [&merged](std::size_t b) { return merged[b].size(); });
  std::vector<posting*> order(ends.back());
  algorithms.for_each(std::size_t{0}, buckets, [&merged, &ends, &order](std::size_t b) {
    posting** at = order.data() + (ends[b] - merged[b].size());
    for (posting& each : merged[b]) *at++ = &each;
  });
  algorithms.sort(order.data(), order.data() + order.size(),
                  [](const posting* a, const posting* b) { return std::less<>{}(a->word.data(), b->word.data()); });
  to.resize(order.size());
  algorithms.for_each(std::size_t{0}, order.size(),
                      [&order, to = to.data()](std::size_t k) { to[k] = std::move(*order[k]); });
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::string_view text = p.text;
  std::vector<part> parts((text.size() + part_size - 1) / part_size);
  std::vector<document> lines(parts.size());  // up to the end of each part
  algorithms.for_each(std::size_t{0}, parts.size(),
                      [text, &lines](std::size_t k) { lines[k] = count_lines(text.substr(k * part_size, part_size)); });
  algorithms.sums(parts.size(), lines.data(), [&lines](std::size_t k) { return lines[k]; });
  algorithms.for_each(std::size_t{0}, parts.size(), [text, &parts, &lines](std::size_t k) {
    const std::size_t end = std::min(text.size(), (k + 1) * part_size);
    parts[k] = index_part(text, k * part_size, end, k > 0 ? lines[k - 1] : 0);
  });
  std::vector<std::vector<posting>> merged(buckets);
  algorithms.for_each(std::size_t{0}, buckets,
                      [&parts, &merged](std::size_t b) { merged[b] = merge_bucket(parts, b); });
  join(merged, p.index, algorithms);
}

}  // namespace bench
