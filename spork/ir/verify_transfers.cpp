// The verifier's rules for transfers. check_nesting checks ρ along edges, and check_use checks Γ. The inference of Γ
// ensures that Γ of a block is a subset of Γ of each block that leads to it.
#include "ir/print.hpp"
#include "ir/successors.hpp"
#include "ir/verifier.hpp"

#include <set>

namespace tine::spork {

void function_verifier::check_transfer(block_id b) {
  const block& from = f_.blocks[b];
  at_ = from.end.where;
  for_each_atom(from.end, [&](const atom& a) { check_use(a, b, from.statements.size()); });
  const nesting_id open = facts_.is_reachable(b) ? facts_.nesting_of(b) : 0;
  if (facts_.is_reachable(b)) {
    if (std::holds_alternative<give_back>(from.end.what) && open != 0) {
      report(at_, "return-inside-spork", "this return leaves " + show_nesting(open) + " open; spoin before it");
    }
    if (const auto* s = std::get_if<spoin>(&from.end.what)) {
      if (open == 0) {
        report(at_, "spoin-outside-spork",
               "no spork is open here; remove this spoin, or open a spork on every path to it");
      } else if (const function& spawned = p_.functions[facts_[open].spawn.callee]; spawned.defined) {
        check_continuation(s->promoted, spawned.results, "the spawned call of '" + spawned.name + "'");
      }
    }
  }
  std::visit(
      [this](const auto& t) {
        if constexpr (requires { t.handler; }) check_handler(t.handler);
        check(t);
      },
      from.end.what);
}

void function_verifier::check_continuation(const label& l, const std::vector<type>& given, std::string_view from) {
  const block& to = f_.blocks[l.block];
  if (!to.defined) return;
  std::vector<type> takes;
  for (const temp_id p : to.params) takes.push_back(f_.temporaries[p].of_type);
  if (takes == given) return;
  report(l.where, "block-arguments",
         "block " + name(l) + " takes " + (takes.empty() ? "nothing" : show_types(takes)) + ", but " +
             std::string{from} + " gives it " + (given.empty() ? "nothing" : show_types(given)) +
             "; change its parameters");
}

bool function_verifier::check_invocation(const invocation& i) {
  const function& callee = p_.functions[i.callee];
  if (!callee.defined) return false;
  if (callee.in_c) {
    report(i.where, "c-function",
           "'" + callee.name +
               "' is a function of C, which neither forks nor is spawned; call it in an "
               "expression");
    return false;
  }
  check_values(i.args, callee.param_types, i.where, "call-arguments", "function '" + callee.name + "'");
  return true;
}

void function_verifier::check(const jump& t) {
  const block& to = f_.blocks[t.to.block];
  if (!to.defined) return;
  std::vector<type> takes;
  for (const temp_id p : to.params) takes.push_back(f_.temporaries[p].of_type);
  check_values(t.args, takes, t.to.where, "block-arguments", "block " + name(t.to));
}

void function_verifier::check_condition(const atom& condition) {
  if (const type c = f_.type_of(condition); c != type::i64 && c != type::unknown) {
    report(condition.where, "type",
           "the condition is " + std::string{name_of(c)} + "; it takes an i64, of which 0 is false");
  }
}

void function_verifier::check(const switch_on& t) {
  check_condition(t.condition);
  std::set<std::int64_t> values;
  for (const switch_on::way& each : t.ways) {
    if (!values.insert(each.value).second) {
      report(each.to.where, "switch",
             "there is a way for " + std::to_string(each.value) + " before this one; remove one of them");
    }
    check_continuation(each.to, {}, "'switch'");
  }
  check_continuation(t.otherwise, {}, "'switch'");
}

void function_verifier::check(const branch& t) {
  check_condition(t.condition);
  check_continuation(t.yes, {}, "'if'");
  check_continuation(t.no, {}, "'if'");
}

void function_verifier::check(const call& t) {
  if (check_invocation(t.what)) {
    check_continuation(t.then, p_.functions[t.what.callee].results,
                       "the call of '" + p_.functions[t.what.callee].name + "'");
  }
}

void function_verifier::check(const indirect_call& t) {
  if (const type c = f_.type_of(t.callee); c != type::ptr && c != type::unknown) {
    report(t.callee.where, "type",
           "what is called is " + std::string{name_of(c)} +
               "; it takes a ptr, the address of a function, which &NAME gives");
  }
}

void function_verifier::check(const give_back& t) {
  check_values(t.values, f_.results, at_, "return-values", "the result of '" + f_.name + "'");
}

void function_verifier::check(const spork& t) {
  check_invocation(t.spawn);
  check_continuation(t.body, {}, "'spork'");
}

void function_verifier::check(const spoin& t) {
  check_continuation(t.unpromoted, {}, "'spoin', when nothing was promoted,");
  if (t.unstolen.block != none) check_continuation(t.unstolen, {}, "'spoin', when the child has not begun,");
}

void function_verifier::check_handler(const label& handler) {
  if (handler.block == none) return;
  report(handler.where, "syntax", "this handler is sugar, which 'encode' has to replace before a program is verified");
}

// The block ends with sugar, because `encode` has not run, or has no end at all.
template <class Sugar>
void function_verifier::check(const Sugar&) {
  report(at_, "syntax",
         "this block has no end that the language knows; end it with goto, if, switch, call, return, spork or spoin");
}

}  // namespace tine::spork
