// The verifier's rules for programs, names and nestings.
#include "ir/print.hpp"
#include "ir/verifier.hpp"

#include <algorithm>

namespace tine::spork {

void function_verifier::run() {
  check_names();
  check_nesting();
  for (block_id b = 0; b < f_.blocks.size(); ++b) {
    if (!f_.blocks[b].defined) continue;
    if (!facts_.is_reachable(b) && f_.blocks[0].defined && is_first_of_its_name(b)) {
      report(f_.blocks[b].where, "unreachable",
             "no path leads from the entry to block '" + f_.blocks[b].name +
                 "', so it has neither a scope nor a spork nesting; remove it, or go there");
    }
    for (std::size_t i = 0; i < f_.blocks[b].statements.size(); ++i) check_statement(b, i);
    check_transfer(b);
  }
}

// Returns true if `b` is the first block with its name. The parser has reported the other blocks with that name.
bool function_verifier::is_first_of_its_name(block_id b) {
  for (; named_ <= b; ++named_) first_of_name_.try_emplace(f_.blocks[named_].name, named_);
  return first_of_name_.at(f_.blocks[b].name) == b;
}

void function_verifier::check_names() {
  const block& entry = f_.blocks[0];
  if (!entry.defined) {
    report(f_.where, "entry", "function '" + f_.name + "' has no block 'entry', where it would begin; write one");
  } else if (!entry.params.empty()) {
    report(entry.where, "entry", "block 'entry' has parameters; they belong to the function '" + f_.name + "'");
  }
  for (const block& b : f_.blocks) {
    if (!b.defined && &b != &entry) {
      report(b.where, "unknown-block", "there is no block '" + b.name + "' in function '" + f_.name + "'; write it");
    }
  }
  for (const temporary& t : f_.temporaries) {
    if (!t.defined) {
      report(t.where, "unknown-temporary",
             "nothing is assigned to '" + t.name + "' in function '" + f_.name + "'; assign it");
    }
  }
}

void function_verifier::check_nesting() {
  for (const nesting_clash& c : facts_.clashes()) {
    report(c.entered.where, "nesting",
           "block " + name(c.entered) + " is entered inside " + show_nesting(c.here) + " here, but inside " +
               show_nesting(c.first) +
               " elsewhere; the same sporks must be open on every path to a block, so spoin first, " +
               "or go to a block of its own");
  }
}

std::string function_verifier::show_nesting(nesting_id n) const {
  if (n == 0) return "no spork";
  std::string text;
  for (const nesting* each : facts_.list(n)) text += (text.empty() ? "" : ", ") + show(p_, f_, each->spawn);
  return "[" + text + "]";
}

namespace {

// C calls an exported function by its name, with its own types.
void check_exported(const function& f, const auto& report) {
  if (f.name == "main") {
    report(f.where, "export", "'main' is the function of C with which a program begins; give this one another name");
  } else if (f.name.find('.') != std::string::npos) {
    report(f.where, "export", "'" + f.name + "' is no name in C; give it one without dots");
  }
}

void check_functions(const program& p, bool is_module, diagnostics& wrong) {
  const auto report = [&](place where, std::string_view rule, std::string message) {
    wrong.push_back({where, rule, std::move(message)});
  };
  const function_id main = p.find("main");
  if (main == none || !p.functions[main].defined || p.functions[main].in_c) {
    if (!is_module && (!has_exports(p) || main != none)) {
      report(
          main == none ? place{} : p.functions[main].where, "main",
          "there is no function 'main', where the program would begin; write one, or export a function, or name all files of the program");
    }
  } else {
    const function& f = p.functions[main];
    if (!f.params.empty() || !f.param_types.empty())
      report(f.where, "main", "'main' has parameters, but it is started without arguments; remove them");
    if (std::ranges::count(f.results, type::ptr) != 0) {
      report(f.where, "main",
             "'main' returns a ptr, which means nothing outside of the program; return what it points to");
    }
  }
  for (const function& f : p.functions) {
    if (!f.defined) {
      report(f.where, "unknown-function",
             "there is no function '" + f.name + "'; write it, or declare it if it is in C");
    } else if (f.in_c && f.results.size() > 1) {
      report(f.where, "c-function",
             "'" + f.name + "' is declared with several results; a function of C has one or none");
    }
    if (f.external && !is_module) {
      report(f.where, "unknown-function",
             "'" + f.name + "' is declared as extern, and this file is alone; name the file that defines it, too");
    }
    if (f.pure && f.results.empty()) {
      report(f.where, "c-function",
             "'" + f.name + "' is pure and returns nothing, so no call of it would do anything; remove 'pure'");
    }
    if (f.exported) check_exported(f, report);
  }
}

}  // namespace

diagnostics verify(const program& p, bool is_module) {
  diagnostics wrong;
  check_functions(p, is_module, wrong);
  for (const datum& d : p.data) {
    if (d.external && !is_module) {
      wrong.push_back(
          {d.where, "unknown-data",
           "'" + d.name + "' is declared as extern, and this file is alone; name the file that defines it, too"});
    }
    for (const atom& word : d.words) {
      if (word.is_address() && is_of_function(word.bits)) check_address(p, word, wrong);
    }
  }
  for (const function& f : p.functions) {
    if (f.defined && !f.in_c && !f.external) function_verifier{p, f, wrong}.run();
  }
  tidy(wrong);
  return wrong;
}

}  // namespace tine::spork
