// See suggestion.hpp. Nearness is the distance of Damerau and Levenshtein: the number of letters that are inserted, deleted,
// replaced or exchanged with the next letter.
#include "cli/suggestion.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tine::cli {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + differs});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Returns the innermost subcommand that the command line has selected.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.back());
}

std::vector<std::string> names_of(const CLI::App& app, bool of_options) {
  std::vector<std::string> names;
  if (of_options) {
    for (const CLI::Option* o : app.get_options()) {
      for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
    }
  } else {
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(sub->get_name());
  }
  return names;
}

}  // namespace

std::string suggestion(const CLI::App& parsed) {
  const std::vector<std::string> unknown = parsed.remaining(true);
  if (unknown.empty()) return {};
  const std::string word = unknown[0].substr(0, unknown[0].find('='));
  std::string nearest;
  std::size_t least = word.size() / 3 + 2;  // one more than a plausible slip
  for (const std::string& name : names_of(innermost(parsed), word.starts_with("--"))) {
    const std::size_t d = distance(word, name);
    if (d < least) least = d, nearest = name;
  }
  if (nearest.empty()) return {};
  return "there is no " + word + "; did you mean " + nearest + "?";
}

}  // namespace tine::cli
