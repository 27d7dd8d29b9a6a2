// word-count: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/algorithms/managed.hpp"
#include "harness/loops/divided.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"
#include "harness/splitmix.hpp"

namespace bench {

/// Without forks: a loop that the compiler vectorises.
void serial(problem& p) { solve(p, serial_loops{}); }

void managed(problem& p) { solve(p, managed_algorithms{}); }
void tuned(problem& p) { solve(p, algorithms_over{divided_loops{1 << 16}}); }
void dac(problem& p) { solve(p, algorithms_over{divided_loops{single}}); }

namespace {

/// Adds a word of 1 to 12 letters, or fewer if `end` is nearer, and one or two separators.
char* write_word(char* at, const char* end, std::uint64_t random) {
  const auto letters = static_cast<int>(1 + (random >> 60) % 12);
  for (int i = 0; i < letters && at < end; ++i, random >>= 4) *at++ = static_cast<char>('a' + random % 16);
  for (std::uint64_t i = 0; i <= random % 8 / 7 && at < end; ++i) *at++ = random % 16 == 0 ? '\n' : ' ';
  return at;
}

}  // namespace

void problem::reset() {
  if (text.size() != n) {
    text.assign(n, ' ');
    planted_ = 0;
    splitmix random{1};
    const char* end = text.data() + text.size();
    for (char* at = text.data() + 1; at < end; ++planted_) at = write_word(at, end, random());
  }
  answer = 0;
}

std::string problem::mistake() const {
  if (answer == planted_) return "";
  return format("{} words were written, not {}", planted_, answer);
}

program describe_program() {
  static problem p;
  program it{
      .name = "word-count",
      .description = "Counts the words of a text by a reduction over its characters.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, std::size_t{1} << 32}, large_n, "Characters"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
