// word-count on tine as divide and conquer down to single characters.
#include "programs/word-count/problem.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/divided.hpp"

namespace bench::word_count {

void dac(problem& p) { p.answer = count_words(algorithms_over{divided_loops{single}}, p.text); }

}  // namespace bench::word_count
