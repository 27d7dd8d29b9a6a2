// Random trees that the parser can make.
#pragma once

#include "ml/syntax.hpp"

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tine::ml {

class random_tree {
 public:
  explicit random_tree(unsigned seed) : random_{seed} {}

  syntax_tree make() {
    tree_.declarations = declarations(true);
    return std::move(tree_);
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool maybe() { return below(2) == 0; }
  template <class Make>
  auto several(unsigned least, Make make) {
    std::vector<decltype(make())> all;
    for (unsigned n = least + below(3); n != 0; --n) all.push_back(make());
    return all;
  }
  template <class T>
  T one_of(std::vector<T> all) {
    return all[below(static_cast<unsigned>(all.size()))];
  }

  std::string word() { return one_of<std::string>({"x", "y'", "foo_1", "List", "A", "nil", "a"}); }
  std::string operators() { return one_of<std::string>({"+", "*", "::", "@", ":=", "o", "before", "div", "<>"}); }
  std::string symbols() { return one_of<std::string>({"++", "!", "~", "**", "<->", "%"}); }
  std::string name() { return below(4) == 0 ? symbols() : word(); }
  long_name path() { return {maybe() ? std::vector<std::string>{} : std::vector<std::string>{"A", "B"}, name(), {}}; }
  defined_name defined() { return {word(), {}}; }
  std::vector<std::string> variables() { return one_of<std::vector<std::string>>({{}, {"'a"}, {"'a", "''b"}}); }
  // Labels of one record differ by their numbers.
  std::string label(unsigned& n) { return maybe() ? std::to_string(++n) : "l" + std::to_string(++n); }
  literal constant(bool in_pattern) {
    literal l;
    l.is = one_of<literal::kind>({literal::kind::integer, literal::kind::word, literal::kind::character,
                                  literal::kind::string, in_pattern ? literal::kind::integer : literal::kind::real});
    if (l.is == literal::kind::integer) l.is_negative = maybe(), l.whole = random_() >> below(64);
    if (l.is == literal::kind::word) l.whole = random_();
    if (l.is == literal::kind::character) l.whole = below(256);
    if (l.is == literal::kind::real) {
      l.fraction =
          std::ldexp(static_cast<double>(below(1000)), static_cast<int>(below(300)) - 150) * (maybe() ? 1 : -1);
      l.is_negative = std::signbit(l.fraction);
    }
    if (l.is == literal::kind::string) {
      for (unsigned n = below(6); n != 0; --n) l.bytes += static_cast<char>(below(256));
      if (maybe()) l.bytes += "é\"\\(*";
    }
    return l;
  }

  type_ref type() {
    if (++depth_ > 5) return --depth_, tree_.add(type_syntax{variable_type{"'a"}, {}});
    type_syntax t{variable_type{"'b"}, {}};
    unsigned n = 0;
    switch (below(5)) {
      case 0:
        t.is = named_type{several(0, [&] { return type(); }), path()};
        break;
      case 1:
        t.is = record_type{several(0, [&] { return field_type{label(n), type()}; })};
        break;
      case 2:
        t.is = tuple_type{several(2, [&] { return type(); })};
        break;
      case 3:
        t.is = arrow_type{type(), type()};
        break;
      default:
        break;
    }
    --depth_;
    return tree_.add(std::move(t));
  }

  pattern_ref pair(pattern_ref a, pattern_ref b) { return tree_.add(pattern{tuple_pattern{{a, b}}, {}}); }
  pattern_ref any_pattern() {
    if (++depth_ > 6) return --depth_, tree_.add(pattern{wildcard_pattern{}, {}});
    pattern p{wildcard_pattern{}, {}};
    unsigned n = 0;
    const auto one = [&] { return any_pattern(); };
    switch (below(10)) {
      case 0:
        p.is = literal_pattern{constant(true)};
        break;
      case 1:
        p.is = maybe() ? name_pattern{path(), maybe()} : name_pattern{{{}, operators(), {}}, true};
        break;
      case 2:
        p.is = constructed_pattern{path(), one(), false};
        break;
      case 3:
        p.is = constructed_pattern{{{}, operators(), {}}, pair(one(), one()), true};
        break;
      case 4:
        p.is = record_pattern{several(0, [&] { return field_pattern{label(n), one(), {}}; }), maybe()};
        break;
      case 5:
        p.is = tuple_pattern{maybe() ? several(2, one) : std::vector<pattern_ref>{}};
        break;
      case 6:
        p.is = list_pattern{several(0, one)};
        break;
      case 7:
        p.is = typed_pattern{one(), type()};
        break;
      case 8:
        p.is = layered_pattern{maybe() ? defined() : defined_name{operators(), {}}, maybe() ? type() : nullptr, one()};
        break;
      default:
        break;
    }
    --depth_;
    return tree_.add(std::move(p));
  }

  template <class Is>
  expression_ref node(Is is) {
    return tree_.add(expression{std::move(is), {}});
  }
  std::vector<rule> rules() {
    return several(1, [&] { return rule{any_pattern(), any_expression()}; });
  }
  expression_ref any_expression() {
    if (++depth_ > 7) return --depth_, node(name_expression{path(), false});
    const expression_ref e = deeper_expression();
    --depth_;
    return e;
  }
  expression_ref deeper_expression() {
    unsigned n = 0;
    const auto one = [&] { return any_expression(); };
    switch (below(20)) {
      case 0:
        return node(literal_expression{constant(false)});
      case 1:
        return node(maybe() ? name_expression{path(), maybe()}
                            : name_expression{{{}, maybe() ? "=" : operators(), {}}, true});
      case 2:
        return node(record_expression{several(0, [&] { return field_expression{label(n), one(), {}}; })});
      case 3:
        return node(selector_expression{maybe() ? label(n) : name()});
      case 4:
        return node(tuple_expression{maybe() ? several(2, one) : std::vector<expression_ref>{}});
      case 5:
        return node(list_expression{several(0, one)});
      case 6:
        return node(sequence_expression{several(2, one)});
      case 7:
        return node(let_expression{declarations(false), one()});
      case 8:
      case 9:
        return node(apply_expression{one(), one(), false});
      case 10:
      case 11:
      case 12: {
        const expression_ref both = node(tuple_expression{{one(), one()}});
        return node(apply_expression{node(name_expression{{{}, maybe() ? operators() : "=", {}}, false}), both, true});
      }
      case 13:
        return node(typed_expression{one(), type()});
      case 14:
        return maybe() ? node(and_also_expression{one(), one()}) : node(or_else_expression{one(), one()});
      case 15:
        return node(handle_expression{one(), rules()});
      case 16:
        return maybe() ? node(raise_expression{one()}) : node(while_expression{one(), one()});
      case 17:
        return node(if_expression{one(), one(), one()});
      case 18:
        return node(case_expression{one(), rules()});
      default:
        return node(function_expression{rules()});
    }
  }

  function_binding function() {
    function_binding f{defined(), {}, below(3) == 0};
    if (f.is_infix) f.name.text = operators();
    const unsigned parameters = 1 + below(3);
    for (unsigned n = 1 + below(3); n != 0; --n) {
      clause c{{}, maybe() ? type() : nullptr, any_expression(), {}};
      for (unsigned i = 0; i < parameters; ++i) c.parameters.push_back(any_pattern());
      if (f.is_infix) c.parameters[0] = pair(any_pattern(), any_pattern());
      f.clauses.push_back(std::move(c));
    }
    return f;
  }
  datatype_binding data() {
    return {variables(), defined(),
            several(1, [&] { return constructor_binding{defined(), maybe() ? type() : nullptr}; })};
  }
  type_binding synonym() { return {variables(), defined(), type()}; }
  expression_ref any_function() { return node(function_expression{rules()}); }
  value_declaration values() {
    value_declaration d{variables(), {}};
    bool is_recursive = false;
    for (unsigned n = 1 + below(3); n != 0; --n) {
      is_recursive |= below(3) == 0;
      d.bindings.push_back({any_pattern(), is_recursive ? any_function() : any_expression(), is_recursive});
    }
    return d;
  }

  std::vector<declaration_ref> declarations(bool at_top) {
    if (++depth_ > 6) return --depth_, std::vector<declaration_ref>{};
    auto all = several(0, [&] { return any_declaration(at_top); });
    --depth_;
    return all;
  }
  declaration_ref any_declaration(bool at_top) {
    const auto add = [&](auto is) -> declaration_ref { return tree_.add(declaration{std::move(is), {}}); };
    switch (below(at_top ? 12 : 9)) {
      case 0:
        return add(function_declaration{variables(), several(1, [&] { return function(); })});
      case 1:
        return add(type_declaration{several(1, [&] { return synonym(); })});
      case 2:
        return add(datatype_declaration{several(1, [&] { return data(); }), several(0, [&] { return synonym(); })});
      case 3:
        return add(datatype_copy{defined(), path()});
      case 4:
        return add(exception_declaration{several(1, [&] {
          exception_binding b{defined(), maybe() ? type() : nullptr, false, {}};
          if (b.argument == nullptr && maybe()) b.is_copy = true, b.of = path();
          return b;
        })});
      case 5:
        return add(local_declaration{declarations(false), declarations(false)});
      case 6:
        return add(open_declaration{several(1, [&] { return long_name{{"A"}, word(), {}}; })});
      case 9:
        return add(structure_declaration{several(
            1, [&] { return structure_binding{defined(), maybe() ? signature() : nullptr, false, structure()}; })});
      case 10:
        return add(signature_declaration{several(1, [&] { return signature_binding{defined(), signature()}; })});
      case 11:
        return add(expression_declaration{any_expression()});
      default:
        return add(values());
    }
  }

  structure_ref structure() {
    structure_expression s{named_structure{{{"A"}, word(), {}}}, {}};
    if (++depth_ < 6) {
      const unsigned kind = below(4);
      if (kind == 0) s.is = plain_structure{declarations(false)};
      if (kind == 1) s.is = constrained_structure{structure(), signature(), maybe()};
      if (kind == 2) s.is = let_structure{declarations(false), structure()};
    }
    --depth_;
    return tree_.add(std::move(s));
  }
  signature_ref signature() {
    signature_expression s{named_signature{defined()}, {}};
    if (++depth_ < 6) {
      const unsigned kind = below(3);
      if (kind == 0) s.is = plain_signature{several(0, [&] { return any_specification(); })};
      if (kind == 1) s.is = refined_signature{signature(), variables(), path(), type()};
    }
    --depth_;
    return tree_.add(std::move(s));
  }
  specification any_specification() {
    switch (below(8)) {
      case 0:
        return {value_specification{{name(), {}}, type()}, {}};
      case 1: {
        const bool has_equality = maybe();
        return {type_specification{variables(), defined(), has_equality, has_equality || maybe() ? nullptr : type()},
                {}};
      }
      case 2:
        return {datatype_specification{several(1, [&] { return data(); })}, {}};
      case 3:
        return {datatype_copy{defined(), path()}, {}};
      case 4:
        return {exception_specification{defined(), maybe() ? type() : nullptr}, {}};
      case 5:
        return {structure_specification{defined(), signature()}, {}};
      case 6:
        return {include_specification{signature()}, {}};
      default:
        return {sharing_specification{several(2, [&] { return path(); })}, {}};
    }
  }

  std::mt19937_64 random_;
  syntax_tree tree_;
  int depth_ = 0;
};

}  // namespace tine::ml
