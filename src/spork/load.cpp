// Parses, encodes and verifies.
#include "spork/load.hpp"

#include "spork/parse.hpp"
#include "spork/verify.hpp"

#include <algorithm>

namespace tine::spork {

program load(std::string_view text, std::string name, diagnostics& wrong, loop_form loops) {
  program p = parse(text, std::move(name), wrong);
  // A text with syntax errors is not verified: the verifier would report the parts that could not be read as missing.
  const bool readable = std::ranges::none_of(wrong, [](const diagnostic& d) { return d.rule == "syntax"; });
  if (readable) {
    encode(p, wrong, loops);
    for (diagnostic& d : verify(p)) wrong.push_back(std::move(d));
  }
  tidy(wrong);
  return p;
}

}  // namespace tine::spork
