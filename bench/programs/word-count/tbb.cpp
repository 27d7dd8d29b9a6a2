// word-count on oneTBB.
#include "programs/word-count/problem.hpp"

#include "harness/algorithms/tbb.hpp"

namespace bench::word_count {

void tbb(problem& p) { p.answer = count_words(tbb_algorithms{}, p.text); }

}  // namespace bench::word_count
