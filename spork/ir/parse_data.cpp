// Parses data: texts and lists of constants.
#include "ir/parser.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tine::spork {
namespace {

char escaped(char c) {
  static constexpr std::pair<char, char> known[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'0', '\0'}};
  for (const auto& [written, meant] : known) {
    if (c == written) return meant;
  }
  return c;
}

}  // namespace

std::string bytes_of(token_stream& in, const token& quoted) {
  const std::string_view written = quoted.text.substr(1, quoted.text.size() - 2);
  std::string bytes;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\') {
      bytes += written[i];
      continue;
    }
    const char c = written[++i];
    unsigned value = 0;
    const std::string_view digits = written.substr(std::min(i + 1, written.size()), 2);
    if (c == 'x' && digits.size() == 2 &&
        std::from_chars(digits.data(), digits.data() + 2, value, 16).ptr == digits.data() + 2) {
      bytes += static_cast<char>(value);
      i += 2;
    } else if (std::string_view{"ntr0\\\""}.find(c) != std::string_view::npos) {
      bytes += escaped(c);
    } else {
      in.report(place::at(quoted.where.line, quoted.where.column + i),
                std::string{"'\\"} + c +
                    "' is no character; write \\n, \\t, \\r, \\0, \\\\, \\\" or \\x and two hexadecimal digits");
    }
  }
  return bytes;
}

namespace {

// Returns the cells that hold these bytes and at least one zero byte behind them, for functions of C.
std::vector<atom> words_of(std::string_view bytes, place where) {
  std::vector<atom> words(bytes.size() / 8 + 1, atom::number(0, where));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    words[i / 8].bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (i % 8 * 8);
  return words;
}

}  // namespace

datum read_datum(token_stream& in, program_scope& names, bool is_constant, bool is_external) {
  const token name = in.name("data");
  datum d{std::string{name.text}, name.where, is_constant, {}};
  if (names.knows(name)) {
    in.report(name.where, "'" + d.name + "' is a function, too; give the data another name", "single-definition");
  }
  d.external = is_external;
  if (is_external) return d;
  in.expect("=", "and a text or a list of constants");
  if (in.peek().what == token::kind::text) {
    d.text = bytes_of(in, in.take());
    d.words = words_of(*d.text, name.where);
    return d;
  }
  in.expect("[", "and constants, or a text in quotes");
  function outside;
  function_scope no_temporaries{in, outside};
  expression_parser constants{in, names, no_temporaries};
  do {
    const place where = in.here();
    std::vector<statement> computed;
    d.words.push_back(constants.value(computed));
    if (!d.words.back().is_constant()) {
      in.report(where, "data are constants: numbers, null, and addresses such as &" + d.name +
                           "; compute this in the program");
      throw lost{};
    }
  } while (in.accept(","));
  in.expect("]", "to close the list");
  return d;
}

}  // namespace tine::spork
