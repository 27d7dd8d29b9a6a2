// Parses expressions by precedence climbing; each operation becomes a statement.
#include "ir/parser.hpp"

#include <bit>
#include <charconv>
#include <limits>
#include <utility>

namespace tine::spork {
namespace {

constexpr unsigned deepest = 256;  // nested parentheses and signs; each costs a native frame

statement copy_of(atom a) {
  statement s;
  s.where = a.where;
  s.args.push_back(a);
  return s;
}

}  // namespace

atom expression_parser::as_atom(std::vector<statement>& into, statement s) {
  if (s.what == operation::copy) return s.args[0];
  s.result = names_.anonymous(s.where);
  into.push_back(std::move(s));
  return atom::of(into.back().result, into.back().where);
}

std::vector<atom> expression_parser::values(std::vector<statement>& into, std::string_view close) {
  std::vector<atom> all;
  if (in_.accept(close)) return all;
  do {
    all.push_back(value(into));
  } while (in_.accept(","));
  in_.expect(close, "or a comma");
  return all;
}

std::pair<atom, atom> expression_parser::cell(std::vector<statement>& into) {
  const atom base = as_atom(into, prefix(into));
  if (!in_.accept("[")) return {base, atom::number(0, base.where)};
  const atom index = value(into);
  in_.expect("]", "to close the index");
  return {base, index};
}

statement expression_parser::infix(std::vector<statement>& into, unsigned least) {
  statement left = prefix(into);
  for (;;) {
    const token& t = in_.peek();
    const operation o = t.what == token::kind::sign ? infix_spelt(t.text) : operation::copy;
    if (o == operation::copy || facts(o).precedence < least) return left;
    const place where = in_.take().where;
    statement s;
    s.what = o;
    s.where = where;
    s.args.push_back(as_atom(into, std::move(left)));
    s.args.push_back(as_atom(into, infix(into, facts(o).precedence + 1u)));
    left = std::move(s);
  }
}

statement expression_parser::prefix(std::vector<statement>& into) {
  const place where = in_.here();
  if (++depth_ > deepest) {
    in_.report(where, "this expression is nested too deeply; give parts of it names");
    throw lost{};
  }
  statement s;
  if (in_.accept("&")) {
    s = copy_of(functions_.address_of(in_.name("data or of a function")));
  } else if (const bool minus = in_.peek().is("-"); minus || in_.peek().is("!")) {
    in_.take();
    const auto next = in_.peek().what;
    if (minus && (next == token::kind::whole || next == token::kind::fraction || in_.peek().is("inf"))) {
      s = copy_of(number(true));
    } else {
      s.what = minus ? operation::negate : operation::invert;
      s.where = where;
      s.args.push_back(as_atom(into, prefix(into)));
    }
  } else {
    s = primary(into);
  }
  --depth_;
  return s;
}

statement expression_parser::primary(std::vector<statement>& into) {
  const token& t = in_.peek();
  if (t.what == token::kind::whole || t.what == token::kind::fraction) return copy_of(number(false));
  if (t.what == token::kind::word) return word(into);
  if (!in_.accept("(")) in_.fail("a value");
  statement s = expression(into);
  in_.expect(")", "to close the parenthesis");
  return s;
}

statement expression_parser::word(std::vector<statement>& into) {
  const token t = in_.peek();
  if (t.is("inf") || t.is("nan")) return copy_of(number(false));
  if (t.is("null")) return copy_of(atom::constant(type::ptr, 0, in_.take().where));
  statement s;
  s.where = t.where;
  if (const operation o = word_for(t.text); o != operation::copy && facts(o).to != gives::nothing) {
    in_.take();
    if (facts(o).written != shape::memory) return listed(into, o);
    s.what = o;
    if (facts(o).to == gives::loaded) s.loaded = loaded_type();
    const auto [base, index] = cell(into);
    s.args = {base, index};
    return s;
  }
  const token name = in_.name("a value");
  if (!in_.accept("(")) return copy_of(atom::of(names_.mention(name), name.where));
  s.what = operation::call_c;
  s.callee = functions_.mention(name);
  s.args = values(into, ")");
  return s;
}

type expression_parser::loaded_type() {
  const token of = in_.take();
  for (const type t : {type::i64, type::f64, type::ptr}) {
    if (of.is(name_of(t))) return t;
  }
  in_.report(of.where, "'" + std::string{of.text} + "' is no type; write load i64, load f64 or load ptr");
  throw lost{};
}

statement expression_parser::listed(std::vector<statement>& into, operation o) {
  statement s;
  s.what = o;
  s.where = in_.here();
  in_.expect("(", "to open the operands of " + std::string{facts(o).spelling});
  s.args = values(into, ")");
  if (s.args.size() != facts(o).operands) {
    in_.report(s.where, std::string{facts(o).spelling} + " takes " + std::string{wants(o)} + ", " +
                            std::to_string(facts(o).operands) + " in all; here are " + std::to_string(s.args.size()));
    throw lost{};
  }
  return s;
}

atom expression_parser::number(bool negative) {
  const token t = in_.take();
  if (t.what == token::kind::word) {
    const double d = t.is("nan") ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    return atom::constant(type::f64, std::bit_cast<std::uint64_t>(negative ? -d : d), t.where);
  }
  // the sign belongs to the number, else the least number could not be written
  const std::string text = (negative ? "-" : "") + std::string{t.text};
  const auto all_of = [&](std::from_chars_result r) {
    return r.ec == std::errc{} && r.ptr == text.data() + text.size();
  };
  if (t.what == token::kind::whole) {
    std::int64_t n = 0;
    if (all_of(std::from_chars(text.data(), text.data() + text.size(), n))) return atom::number(n, t.where);
    in_.report(t.where,
               "'" + text + "' is no i64; write digits alone, from -9223372036854775808 to 9223372036854775807");
  } else {
    double d = 0;
    if (all_of(std::from_chars(text.data(), text.data() + text.size(), d))) {
      return atom::constant(type::f64, std::bit_cast<std::uint64_t>(d), t.where);
    }
    in_.report(t.where, "'" + text + "' is no f64; write it as 1.5 or 1e-9");
  }
  throw lost{};
}

}  // namespace tine::spork
