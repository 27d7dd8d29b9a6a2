// word-count without forks: a loop that the compiler vectorises.
#include "programs/word-count/problem.hpp"

#include "harness/loops/serial.hpp"

namespace bench::word_count {

void serial(problem& p) { p.answer = count_words(serial_loops{}, p.text); }

}  // namespace bench::word_count
