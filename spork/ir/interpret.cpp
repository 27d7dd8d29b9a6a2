// Runs programs, and makes their elisions.
#include "ir/interpret.hpp"

#include "ir/passes/substitution.hpp"
#include "ir/print.hpp"

#include <memory>
#include <utility>

namespace tine::spork {
namespace {

place where_is(const semantics& rules, const pool& r, thread_id t) {
  const frame& k = r.threads[t].stack.back();
  const block& b = rules.code().functions[k.in].blocks[k.at];
  return k.next < b.statements.size() ? b.statements[k.next].where : b.end.where;
}

}  // namespace

std::vector<value> interpret(const semantics& rules, schedule& s, std::size_t most_steps, run_counts* counts) {
  pool r = rules.initial();
  run_counts ignored;
  run_counts& done = counts != nullptr ? *counts : ignored;
  done = {};
  const auto keep_output = [&](const void*) { done.output = std::move(r.output); };
  const std::unique_ptr<const run_counts, decltype(keep_output)> at_end{&done, keep_output};
  while (!rules.is_final(r)) {
    const turn next = s.next(rules, r);
    if (next.what.promotes) {
      rules.promote(r, next.what.by);
      ++done.promotions;
      continue;
    }
    for (std::size_t i = 0; i < next.steps && rules.can_step(r, next.what.by); ++i) {
      if (done.steps == most_steps) {
        throw trap{where_is(rules, r, next.what.by), "still running after " + std::to_string(most_steps) +
                                                         " steps; it may never end, or needs a larger --max-steps"};
      }
      rules.step(r, next.what.by);
      ++done.steps;
    }
  }
  return rules.results(r, 0);
}

program elide(program p) {
  for (function& f : p.functions) {
    for (block& b : f.blocks) {
      if (const auto* s = std::get_if<spork>(&b.end.what)) {
        b.end.what = jump{label{s->body}, {}};
      } else if (const auto* j = std::get_if<spoin>(&b.end.what)) {
        b.end.what = jump{label{j->unpromoted}, {}};
      }
    }
    remove_unreachable(f);  // removes the promoted ways
  }
  return p;
}

std::string show(const std::string& output, const std::vector<value>& results) {
  if (output.empty()) return show(results);
  std::string text = "\"";
  for (const char c : output) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      text += "\\n";
    else if (c == '"' || c == '\\')
      text += std::string{'\\', c};
    else if (byte < 32 || byte == 127)
      text += "\\x" + std::string{"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    else
      text += c;
  }
  return text + "\"" + (results.empty() ? "" : " " + show(results));
}

std::string show(const std::vector<value>& results) {
  std::string text;
  for (const value& v : results) text += (text.empty() ? "" : " ") + show_constant(v.of_type, v.bits);
  return text;
}

}  // namespace tine::spork
