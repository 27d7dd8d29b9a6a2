// word-count on OpenMP.
#include "programs/word-count/problem.hpp"

#include "harness/algorithms/openmp.hpp"

namespace bench::word_count {

void openmp(problem& p) { p.answer = count_words(openmp_algorithms{}, p.text); }

}  // namespace bench::word_count
