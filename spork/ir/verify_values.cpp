// The verifier's rules for statements: scopes and types.
#include "ir/print.hpp"
#include "ir/verifier.hpp"

namespace tine::spork {

void check_address(const program& p, const atom& a, diagnostics& wrong) {
  if (const function& f = p.functions[function_at(a.bits)]; f.in_c) {
    wrong.push_back(
        {a.where, "c-function",
         "'" + f.name + "' is a function of C, and has no address here; take that of a function that calls it"});
  }
}

void function_verifier::check_use(const atom& a, block_id b, std::size_t index) {
  if (a.is_address() && is_of_function(a.bits)) check_address(p_, a, wrong_);
  if (a.is_constant() || !facts_.is_reachable(b)) return;
  const temporary& t = f_.temporaries[a.temporary()];
  if (!t.defined || facts_.in_scope(a.temporary(), b, index)) return;
  report(
      a.where, "scope",
      name(a.temporary()) + ", assigned in line " + std::to_string(t.where.line) +
          ", is not in scope here: a path from the entry leads here without assigning it; hand it on as a parameter of the blocks between, or assign it earlier");
}

void function_verifier::check_statement(block_id b, std::size_t index) {
  const statement& s = f_.blocks[b].statements[index];
  for (const atom& a : s.args) check_use(a, b, index);
  if (s.what == operation::call_c) return check_c_call(s);
  std::vector<type> operands;
  for (const atom& a : s.args) operands.push_back(f_.type_of(a));
  for (const type t : operands) {
    if (t == type::unknown) return;  // reported where the value comes from
  }
  const bool named = facts(s.what).written == shape::infix || facts(s.what).written == shape::prefix;
  const std::string what = (named ? "'" : "") + std::string{facts(s.what).spelling} + (named ? "'" : "");
  if (result_of(s.what, operands, s.loaded) == type::unknown) {
    report(s.where, "type",
           what + " is given " + show_types(operands) + ", but takes " + std::string{wants(s.what)} +
               "; convert one with i64(…) or f64(…), or use another");
  }
}

void function_verifier::check_c_call(const statement& s) {
  const function& callee = p_.functions[s.callee];
  if (!callee.defined) return;
  if (!callee.in_c) {
    return report(s.where, "c-function",
                  "'" + callee.name + "' is a function of this program, and its call ends a block; write call " +
                      callee.name + "(…) -> block");
  }
  check_values(s.args, callee.param_types, s.where, "call-arguments", "function '" + callee.name + "'");
  if (s.result != none && callee.results.empty()) {
    report(s.where, "call-arguments", "'" + callee.name + "' gives nothing that could be assigned; call it alone");
  }
}

void function_verifier::check_values(const std::vector<atom>& atoms, const std::vector<type>& wanted, place where,
                                     std::string_view rule, const std::string& who) {
  if (atoms.size() != wanted.size()) {
    const std::string given = atoms.size() == 1 ? "1 value" : std::to_string(atoms.size()) + " values";
    return report(where, rule,
                  who + " takes " + show_types(wanted) + ", but is given " + given + "; give it what it takes");
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const type given = f_.type_of(atoms[i]);
    if (given == type::unknown || wanted[i] == type::unknown || given == wanted[i]) continue;
    report(atoms[i].where, rule,
           who + " takes " + std::string{name_of(wanted[i])} + " as value " + std::to_string(i + 1) + ", and this is " +
               std::string{name_of(given)} + "; convert it");
  }
}

}  // namespace tine::spork
