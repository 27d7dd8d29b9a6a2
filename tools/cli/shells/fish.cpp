// The completion script for fish: one line for each subcommand, option and argument.
#include "cli/shells/shells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace tine::cli {
namespace {

std::string in_fish_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// Returns the switches of `complete` that say which values there are.
std::string fish_values(const described_option& o) {
  if (!o.choices.empty()) return fmt::format(" -a '{}'", fmt::join(o.choices, " "));
  if (o.value == "FILE") return " -F";
  if (o.value == "FOLDER") return " -a '(__fish_complete_directories)'";
  if (o.value == "COMMAND") return " -F -a '(__fish_complete_command)'";
  return "";
}

}  // namespace

std::string for_fish(const described_command& tine) {
  std::string text = fmt::format(R"(# Completes the tine command in fish; written by `tine completion fish`.
function __tine_verb_is
    set -l verb ''
    for word in (commandline -opc)[2..]
        switch "$verb $word"
            case {}
                set verb (string trim "$verb $word")
        end
    end
    test "$verb" = "$argv[1]"
end
complete -c tine -f
)",
                                 verb_patterns(tine, " "));
  for_each_command(tine, [&](const described_command& c) {
    const std::string begin = fmt::format("complete -c tine -n \"__tine_verb_is '{}'\"", c.path);
    for (const described_command& verb : c.verbs)
      text += fmt::format("{} -a {} -d {}\n", begin, verb.name, in_fish_quotes(verb.about));
    for (const described_option& o : c.arguments) {
      if (const std::string values = fish_values(o); !values.empty()) text += begin + values + "\n";
    }
    for (const described_option& o : c.options) {
      text += begin;
      for (const std::string& name : o.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      text += fmt::format("{}{} -d {}\n", o.needs_value ? o.value == "FILE" ? " -r" : " -x" : "", fish_values(o),
                          in_fish_quotes(o.about));
    }
  });
  return text;
}

}  // namespace tine::cli
