// The completion script for zsh: a function for each subcommand, which describes its words to _arguments.
#include "cli/shells/shells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace tine::cli {
namespace {

std::string function_of(const described_command& c) {
  std::string name = c.path.empty() ? "_tine" : "_tine_" + c.path;
  std::ranges::replace(name, ' ', '_');
  return name;
}

// Returns the part of a specification that says which values there are.
std::string zsh_values(const described_option& o) {
  if (!o.choices.empty()) return fmt::format("({})", fmt::join(o.choices, " "));
  if (o.value == "FILE") return "_files";
  if (o.value == "FOLDER") return "_files -/";
  if (o.value == "COMMAND") return "_normal";
  return " ";
}

// Returns the text with a backslash before the characters that end an explanation.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string specification(const described_option& o, const std::string& name) {
  const bool is_long = name.starts_with("--");
  std::string others = fmt::format("({})", fmt::join(o.names, " "));
  if (o.takes_many) others = "*";
  std::string text = others + name;
  if (!o.value.empty()) text += is_long ? "=" : "+";
  text += "[" + escaped(o.about) + "]";
  if (!o.value.empty()) text += fmt::format("{}{}:{}", o.needs_value ? ":" : "::", o.value, zsh_values(o));
  return " \\\n    " + in_quotes(text);
}

std::string function(const described_command& c) {
  std::string text = fmt::format(
      "{}() {{\n  local curcontext=\"$curcontext\" context state state_descr line\n  typeset -A opt_args\n  _arguments -C",
      function_of(c));
  for (const described_option& o : c.options) {
    for (const std::string& name : o.names) text += specification(o, name);
  }
  for (const described_option& o : c.arguments) {
    // After "*::", _normal sees the words of the other command alone.
    const char* how_many = !o.takes_many ? "" : o.value == "COMMAND" ? "*:" : "*";
    text += " \\\n    " + in_quotes(fmt::format("{}:{}:{}", how_many, o.names[0], zsh_values(o)));
  }
  if (c.verbs.empty()) return text + "\n}\n";
  text += " \\\n    '1:verb:->verb' '*::word:->word'\n  case $state in\n  verb)\n    local -a verbs=(";
  for (const described_command& verb : c.verbs) text += "\n      " + in_quotes(verb.name + ":" + verb.about);
  text += ")\n    _describe -t verbs verb verbs ;;\n  word)\n    case $line[1] in";
  for (const described_command& verb : c.verbs) text += fmt::format("\n    {}) {} ;;", verb.name, function_of(verb));
  return text + "\n    esac ;;\n  esac\n}\n";
}

}  // namespace

std::string for_zsh(const described_command& tine) {
  std::string text = "#compdef tine\n# Completes the tine command in zsh; written by `tine completion zsh`.\n";
  for_each_command(tine, [&](const described_command& c) { text += function(c); });
  // Autoloaded, the file is the body of _tine; sourced, it declares the functions.
  return text + "if [ \"$funcstack[1]\" = _tine ]; then\n  _tine \"$@\"\nelse\n  compdef _tine tine\nfi\n";
}

}  // namespace tine::cli
