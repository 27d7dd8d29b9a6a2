// See suggestion.hpp. Nearness is the distance of Damerau and Levenshtein: the number of letters that are inserted,
// deleted, replaced or exchanged with the next letter.
#include "cli/suggestion.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
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

/// A word that the user may have meant, and the words that the suggestion names.
struct candidate {
  std::string word, shown;
};

std::vector<candidate> options_of(const CLI::App& app) {
  std::vector<candidate> all;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) all.push_back({name, "--" + name});
  }
  return all;
}

// Returns the subcommands of `c`, and after them those further below, which are shown with the way to them.
std::vector<candidate> verbs_of(const described_command& c) {
  std::vector<candidate> all;
  for (const described_command& verb : c.verbs) all.push_back({verb.name, verb.name});
  for (const described_command& verb : c.verbs) {
    for (const candidate& below : verbs_of(verb)) all.push_back({below.word, verb.name + " " + below.shown});
  }
  return all;
}

// Returns what the suggestion shows for the candidate that is nearest to `word`; an empty string if none is near.
std::string nearest_to(const std::string& word, const std::vector<candidate>& candidates) {
  std::string nearest;
  std::size_t least = word.size() / 3 + 2;  // one more than a plausible slip
  for (const candidate& c : candidates) {
    const std::size_t d = distance(word, c.word);
    if (d < least) least = d, nearest = c.shown;
  }
  return nearest;
}

}  // namespace

std::string suggestion(const CLI::App& parsed, described_command (*describe)(const CLI::App&)) {
  const CLI::App& app = innermost(parsed);
  const std::vector<std::string> unknown = parsed.remaining(true);
  if (unknown.empty()) return "";
  const std::vector<candidate> verbs = verbs_of(describe(app));
  for (const std::string& given : unknown) {
    const std::string name = given.substr(0, given.find('='));
    const std::size_t dashes = std::min(name.find_first_not_of('-'), name.size());
    const std::string meant = nearest_to(name.substr(dashes), dashes == 0 ? verbs : options_of(app));
    if (!meant.empty()) return "there is no " + name + "; did you mean " + meant + "?";
  }
  return verbs.empty() ? "" : "there is no " + unknown[0];
}

}  // namespace tine::cli
