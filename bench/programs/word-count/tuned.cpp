// word-count on tine's eager forks: parts of a size chosen by hand.
#include "programs/word-count/problem.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/divided.hpp"

namespace bench::word_count {

void tuned(problem& p) { p.answer = count_words(algorithms_over{divided_loops{1 << 16}}, p.text); }

}  // namespace bench::word_count
