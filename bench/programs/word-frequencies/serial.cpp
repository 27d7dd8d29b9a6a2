// word-frequencies without forks: one hash table.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "words.hpp"

namespace bench {

void serial(problem& p) {
  using namespace word_frequencies;
  word_table table;
  for_each_word(p.text, 0, p.text.size(),
                [&table](std::string_view word) { table.add(word, word_table::hash_of(word), 1); });
  p.counts.reserve(table.entries().size());
  for (const word_table::entry& e : table.entries()) p.counts.emplace_back(e.word, e.count);
}

}  // namespace bench
