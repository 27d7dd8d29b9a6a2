// The words of a text of documents.
#pragma once

#include "problem.hpp"
#include "programs/word-frequencies/words.hpp"

#include <algorithm>

namespace bench::inverted_index {

using word_frequencies::word_table;

inline document count_lines(std::string_view text) { return static_cast<document>(std::ranges::count(text, '\n')); }

/// Calls `visit` with each word that begins in [begin, end), in order, and the number of its document. The character at `begin` is in the
/// document `d`.
template <class Visit>
void for_each_word(std::string_view text, std::size_t begin, std::size_t end, document d, const Visit& visit) {
  const char* at = text.data() + begin;
  word_frequencies::for_each_word(text, begin, end, [&](std::string_view word) {
    for (; at < word.data(); ++at) d += *at == '\n';
    visit(word, d);
    at = word.data() + word.size();
  });
}

}  // namespace bench::inverted_index
