// See man_page.hpp.
#include "cli/man_page.hpp"

#include <tine/base/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace tine::cli {
namespace {

// Returns the code point at the front of well-formed UTF-8, and removes it.
char32_t next_code_point(std::string_view& text) {
  const auto byte = [&] {
    const auto b = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    return b;
  };
  const unsigned char first = byte();
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  char32_t point = first & (0x3FU >> more);
  for (int i = 0; i < more; ++i) point = point << 6 | (byte() & 0x3FU);
  return point;
}

// Returns the text as roff prints it: a dash stays a dash, and no character is an instruction. Text between backticks
// is bold.
std::string roff(std::string_view text) {
  std::string out;
  bool is_code = false;
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    if (c == '`') {
      is_code = !is_code;
      out += is_code ? "\\fB" : "\\fR";
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c >= 0x80) {
      out += fmt::format("\\[u{:04X}]", static_cast<unsigned>(c));
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// Returns the lines of a help text. A line that begins with a space keeps its spaces; all others are filled.
std::string paragraphs(const std::string& text) {
  constexpr std::string_view codes = "Exit codes: ";
  std::string out;
  bool is_literal = false;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) {
    const bool literal = line.starts_with(' ');
    if (literal != is_literal) out += literal ? ".nf\n" : ".fi\n";
    is_literal = literal;
    if (line.empty()) {
      out += ".PP\n";
    } else if (line.starts_with(codes)) {
      out += ".SS Exit codes\n" + roff(line.substr(codes.size())) + "\n";
    } else {
      out += "\\&" + roff(line) + "\n";
    }
  }
  return out + (is_literal ? ".fi\n" : "");
}

std::string shown_argument(const described_option& o) {
  const std::string name = italic(o.names[0]) + (o.takes_many ? "..." : "");
  return o.is_required ? name : "[" + name + "]";
}

std::string synopsis(const described_command& c) {
  std::string text = bold(c.path.empty() ? "tine" : "tine " + c.path);
  if (!c.options.empty()) text += " [" + italic("OPTION") + "...]";
  for (const described_option& o : c.arguments) text += " " + shown_argument(o);
  if (!c.verbs.empty()) text += " " + italic("VERB") + " [" + italic("ARGUMENT") + "...]";
  return text + "\n";
}

std::string item(const described_option& o) {
  std::string names;
  for (const std::string& name : o.names) {
    if (!names.empty()) names += ", ";
    names += name.starts_with('-') ? bold(name) : italic(name);
  }
  if (o.names[0].starts_with('-') && !o.value.empty())
    names += o.needs_value ? " " + italic(o.value) : " [" + italic(o.value) + "]";
  std::string text = ".TP\n" + names + "\n\\&" + roff(o.about);
  if (!o.choices.empty()) text += roff(fmt::format("; one of {}", fmt::join(o.choices, ", ")));
  if (!o.usual.empty()) text += "; " + roff(o.usual) + " by default";
  return text + "\n";
}

// Returns the items of `c`, without those that its page has already described for `above`.
std::string items(const described_command& c, const described_command& above = {}) {
  std::string text;
  for (const described_option& o : c.arguments) text += item(o);
  for (const described_option& o : c.options) {
    if (std::ranges::find(above.options, o.names, &described_option::names) == above.options.end()) text += item(o);
  }
  return text;
}

std::string verbs_below(const described_command& c) {
  std::string text;
  for (const described_command& verb : c.verbs) {
    text += ".SH " + bold("tine " + verb.path) + "\n" + roff(verb.about) + "\n.PP\n" + synopsis(verb) + items(verb, c);
    if (verb.footer != c.footer) text += ".PP\n" + paragraphs(verb.footer);
  }
  return text;
}

std::string list_of_verbs(const described_command& tine) {
  std::string text = ".SH VERBS\n";
  for (const described_command& verb : tine.verbs)
    text +=
        ".TP\n" + bold("tine " + verb.name) + "\n" + roff(verb.about) + " See " + bold(man_page_name(verb)) + "(1).\n";
  return text;
}

}  // namespace

std::string man_page_name(const described_command& c) { return c.path.empty() ? "tine" : "tine-" + c.name; }

std::string man_page(const described_command& c) {
  const bool is_verb = !c.path.empty();
  const std::string name = man_page_name(c);
  const std::string about = c.about.substr(0, c.about.find_first_of(".\n"));
  std::string text =
      fmt::format(".\\\" Written by `tine man`.\n.TH {} 1 \"\" \"tine {}\" \"tine\"\n", roff(name), TINE_VERSION);
  text += ".SH NAME\n" + roff(name) + " \\- " + roff(about) + "\n.SH SYNOPSIS\n" + synopsis(c);
  text += ".SH DESCRIPTION\n" + paragraphs(c.about) + ".SH OPTIONS\n" + items(c);
  text += is_verb ? verbs_below(c) : list_of_verbs(c);
  if (!c.footer.empty()) text += ".SH NOTES\n" + paragraphs(c.footer);
  return text + (is_verb ? ".SH SEE ALSO\n\\fBtine\\fR(1)\n" : "");
}

}  // namespace tine::cli
