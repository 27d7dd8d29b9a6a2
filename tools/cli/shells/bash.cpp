// The completion script for bash. It follows the words up to the cursor to the subcommand, and then offers what may
// come next.
#include "cli/shells/shells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace tine::cli {
namespace {

// Returns assignments of the words, and of the actions of compgen, that complete a value.
std::string offer(const std::vector<described_option>& values, std::vector<std::string> words = {}) {
  std::string actions;
  for (const described_option& o : values) {
    words.insert(words.end(), o.choices.begin(), o.choices.end());
    if (o.value == "FILE" && actions.empty()) actions = "-f";
    if (o.value == "FOLDER") actions = "-d";
    if (o.value == "COMMAND") actions = "-c -f";
  }
  return fmt::format("words={} actions={}", in_quotes(fmt::format("{}", fmt::join(words, " "))), in_quotes(actions));
}

std::string cases_of_values(const described_command& c) {
  std::string text;
  for (const described_option& o : c.options) {
    if (!o.needs_value) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : o.names) patterns.push_back(in_quotes(c.path + " " + name));
    text += fmt::format("    {}) {} ;;\n", fmt::join(patterns, "|"), offer({o}));
  }
  return text;
}

// One case for words that begin with a dash, and one for all others.
std::string cases_of_words(const described_command& c) {
  std::vector<std::string> names, verbs;
  for (const described_option& o : c.options) names.insert(names.end(), o.names.begin(), o.names.end());
  for (const described_command& verb : c.verbs) verbs.push_back(verb.name);
  return fmt::format("      {}) {} ;;\n      {}) {} ;;\n", in_quotes(c.path + " -"), offer({}, names),
                     in_quotes(c.path + " "), offer(c.arguments, verbs));
}

}  // namespace

std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out + "'";
}

std::string verb_patterns(const described_command& tine, const char* between) {
  std::vector<std::string> patterns;
  for_each_command(tine, [&](const described_command& c) {
    for (const described_command& verb : c.verbs) patterns.push_back(in_quotes(c.path + " " + verb.name));
  });
  return fmt::format("{}", fmt::join(patterns, between));
}

std::string for_bash(const described_command& tine) {
  std::string values, words;
  for_each_command(tine, [&](const described_command& c) {
    values += cases_of_values(c);
    words += cases_of_words(c);
  });
  return fmt::format(R"(# Completes the tine command in bash; written by `tine completion bash`.
_tine() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb= ended= words= actions= dash= i
  # bash makes three words of --option=value
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${{COMP_WORDS[i]}} == -- ]] && ended=yes
    case "$verb ${{COMP_WORDS[i]}}" in
    {}) verb="${{verb:+$verb }}${{COMP_WORDS[i]}}" ;;
    esac
  done
  [[ $word == -* && ! $ended ]] && dash=-
  case "$verb $before" in
{}    *)
      case "$verb $dash" in
{}      esac ;;
  esac
  [[ $actions == -[df] ]] && compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -W "$words" $actions -- "$word")
}}
complete -F _tine tine
)",
                     verb_patterns(tine, "|"), values, words);
}

}  // namespace tine::cli
