// inverted-index without forks: one hash table.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "for_each_word.hpp"

namespace bench {

void serial(problem& p) {
  using namespace inverted_index;
  word_table table;
  for_each_word(p.text, 0, p.text.size(), 0, [&](std::string_view word, document d) {
    const std::uint32_t k = table.add(word, word_table::hash_of(word), 0);
    if (k == p.index.size()) p.index.push_back({word, {}});
    auto& documents = p.index[k].documents;
    if (documents.empty() || documents.back() != d) documents.push_back(d);
  });
}

}  // namespace bench
