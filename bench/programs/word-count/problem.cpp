// See problem.hpp.
#include "programs/word-count/problem.hpp"

#include "harness/splitmix.hpp"
#include "harness/value.hpp"

namespace bench::word_count {
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

}  // namespace bench::word_count
