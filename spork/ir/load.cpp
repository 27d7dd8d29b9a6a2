// Parses, encodes and verifies.
#include "ir/load.hpp"

#include "ir/link.hpp"
#include "ir/parse.hpp"
#include "ir/verify.hpp"

#include <algorithm>
#include <utility>

namespace tine::spork {

namespace {

bool is_readable(const diagnostics& wrong) {
  return std::ranges::none_of(wrong, [](const diagnostic& d) { return d.rule == "syntax"; });
}

program load_as(bool may_be_module, std::string_view text, std::string name, diagnostics& wrong, loop_form loops) {
  program p = parse(text, std::move(name), wrong);
  // A text with syntax errors is not verified: the verifier would report the parts that could not be read as missing.
  if (is_readable(wrong)) {
    encode(p, wrong, loops);
    const bool is_module = may_be_module && (std::ranges::any_of(p.functions, &function::external) ||
                                             std::ranges::any_of(p.data, &datum::external));
    for (diagnostic& d : verify(p, is_module)) wrong.push_back(std::move(d));
  }
  tidy(wrong);
  return p;
}

}  // namespace

program load(std::string_view text, std::string name, diagnostics& wrong, loop_form loops) {
  return load_as(false, text, std::move(name), wrong, loops);
}

program load_module(std::string_view text, std::string name, diagnostics& wrong) {
  return load_as(true, text, std::move(name), wrong, loop_form::single);
}

// Each module is verified by itself, so that errors have places in files.
program load(std::span<const module_text> modules, std::vector<diagnostics>& wrong, loop_form loops) {
  const auto is_good = [&] { return std::ranges::all_of(wrong, &diagnostics::empty); };
  wrong.assign(modules.size() + 1, {});
  std::vector<program> parsed;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    parsed.push_back(parse(modules[i].text, modules[i].name, wrong[i]));
    if (is_readable(wrong[i])) {
      program alone = parsed[i];
      encode(alone, wrong[i], loops);
      for (diagnostic& d : verify(alone, true)) wrong[i].push_back(std::move(d));
    }
    tidy(wrong[i]);
  }
  if (!is_good()) return {};
  program whole = link(parsed, std::span{wrong}.first(modules.size()));
  if (!is_good()) return whole;
  encode(whole, wrong.back(), loops);
  for (diagnostic& d : verify(whole)) wrong.back().push_back(std::move(d));
  tidy(wrong.back());
  return whole;
}

}  // namespace tine::spork
