// See problem.hpp.
#include "programs/grep/problem.hpp"

#include "harness/splitmix.hpp"

namespace bench::grep {
namespace {

constexpr std::size_t longest_line = 1024;

/// Returns a random word that is shorter than the pattern, of letters that are roughly as frequent as in English.
std::string word(splitmix& random) {
  constexpr std::string_view letters = "eeeettaaooiinnsshhrrdlucmfwygpbv";
  std::string w(2 + random.below(8), ' ');
  for (char& letter : w) letter = letters[random.below(letters.size())];
  return w;
}

}  // namespace

void problem::reset() {
  found.clear();
  if (text.size() >= n) return;
  text.reserve(n + longest_line);
  splitmix random{1};
  while (text.size() < n) {
    const place line = text.size();
    for (std::size_t words = random.below(20); words > 0; --words) {
      text += word(random);
      text += ' ';
      const std::size_t kind = random.below(1000);
      if (kind < 30) (text += pattern.substr(0, kind % pattern.size())) += ' ';  // only the beginning of the pattern
      if (kind != 999) continue;
      text += pattern;
      if (planted_.empty() || planted_.back() != line) planted_.push_back(line);
    }
    text += '\n';
  }
  rooms = std::make_unique_for_overwrite<place[]>(pages() * most_in_page);
}

}  // namespace bench::grep
