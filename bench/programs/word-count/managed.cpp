// word-count on tine.
#include "programs/word-count/problem.hpp"

#include "harness/algorithms/managed.hpp"

namespace bench::word_count {

void managed(problem& p) { p.answer = count_words(managed_algorithms{}, p.text); }

}  // namespace bench::word_count
