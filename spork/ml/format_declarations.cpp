// Formats declarations, except of modules.
#include "ml/formatter.hpp"

namespace tine::ml {

using enum token_kind;

// Takes declarations and the semicolons between them, without the gap in front of the first one and without the one
// behind the last one.
document::part formatter::declarations(gap_kind between) {
  part all = document::nothing;
  for (bool is_first = true;; is_first = false) {
    if (at_any({end_of_file, in, end})) return all;
    if (at() == semicolon) {
      all = out_.join(all, is_first ? word() : word(gap_kind::none));
      continue;
    }
    if (!is_first) all = out_.join(all, gap(between, place::between));
    all = out_.join(all, declaration());
  }
}

document::part formatter::declaration() {
  if (at() == val) return definitions(&formatter::one_value);
  if (at() == fun) return definitions(&formatter::one_function);
  if (at() == token_kind::type) return definitions(&formatter::one_type);
  if (at() == datatype) return definitions(&formatter::one_datatype);
  if (at() == token_kind::structure) return definitions(&formatter::one_structure);
  if (at() == token_kind::signature) return definitions(&formatter::one_signature);
  if (at() == token_kind::local) return local();
  if (at_any({token_kind::infix, infixr, nonfix})) return fixities();
  if (at_any({exception, open})) return words({name, symbol, qualified, op, equals, of, and_});
  return expression().is;
}

// A declaration's word, and its bindings, which are on one line or begin on lines of their own.
document::part formatter::definitions(part (formatter::*one)()) {
  const part first = word();
  const part before = gap(gap_kind::space);
  part all = out_.join({first, before, (this->*one)()});
  while (at_any({and_, withtype})) {
    const part sign = word(gap_kind::line, place::between);
    const part space = gap(gap_kind::space);
    all = out_.join({all, sign, space, (this->*one)()});
  }
  return out_.group(all);
}

document::part formatter::one_value() {
  const part head = pattern_until({equals});
  const part sign = word(gap_kind::space);
  const part before = gap(gap_kind::line);
  return out_.join({head, sign, behind(before, expression(), 2)});
}

// Clauses are on one line or begin on lines of their own; bodies are indented behind the bars.
document::part formatter::one_function() {
  struct one_clause {
    part before, head, before_body;
    piece body;
  };
  std::vector<one_clause> all;
  do {
    part before = document::nothing;
    if (!all.empty()) {
      before = word(gap_kind::line, place::between);
      before = out_.join(before, gap(gap_kind::space));
    }
    part head = pattern_until({equals});
    head = out_.join(head, word(gap_kind::space));
    const part before_body = gap(gap_kind::line);
    all.push_back({before, head, before_body, expression()});
  } while (at() == bar);
  part whole = document::nothing;
  for (const one_clause& c : all) {
    const part body = behind(c.before_body, c.body, all.size() == 1 ? 2 : 6);
    whole = out_.join({whole, out_.nest(2, c.before), c.head, body});
  }
  return out_.group(whole);
}

document::part formatter::one_type() {
  const part head = type();
  const part sign = word(gap_kind::space);
  const part before = gap(gap_kind::line);
  return out_.join({head, sign, behind(before, {.is = type(), .may_hang = true}, 2)});
}

document::part formatter::one_datatype() {
  part head = type();
  if (at() != equals) return head;
  head = out_.join(head, word(gap_kind::space));
  if (at(0) == datatype) {
    head = out_.join(head, word(gap_kind::space));
    const part before = gap(gap_kind::space);
    return out_.join({head, before, type()});
  }
  part all = out_.nest(4, gap(gap_kind::line, place::first));
  all = out_.join(all, out_.nest(2, type({op, of})));
  while (at() == bar) {
    const part sign = word(gap_kind::line, place::between);
    const part space = gap(gap_kind::space);
    all = out_.join(all, out_.nest(2, out_.join({sign, space, type({op, of})})));
  }
  return out_.group(out_.join(head, all));
}

document::part formatter::local() {
  const fixity_scope::mark before = fixities_.here();
  part all = word();
  const auto inside = [&] {
    if (at_any({in, end})) return;
    const part first = gap(gap_kind::line, place::first);
    all = out_.join(all, out_.nest(2, out_.join(first, declarations(gap_kind::line))));
  };
  inside();
  const fixity_scope::mark middle = fixities_.here();
  all = out_.join(all, word(gap_kind::line, place::last));
  inside();
  fixities_.forget_between(before, middle);
  return out_.group(out_.join(all, word(gap_kind::line, place::last)));
}

document::part formatter::fixities() {
  const token_kind kind = at();
  part all = word();
  fixity is{0, kind == infixr};
  if (at() == integer) {
    is.precedence = static_cast<unsigned>(text_of(at_)[0] - '0');
    all = out_.join(all, word(gap_kind::space));
  }
  while (at_any({name, symbol, equals})) {
    fixities_.set(text_of(at_), kind == nonfix ? std::nullopt : std::optional{is});
    all = out_.join(all, word(gap_kind::space));
  }
  return all;
}

// Takes all words of these kinds, and the types among them.
document::part formatter::words(std::initializer_list<token_kind> kinds) {
  part all = word();
  while (at_any(kinds) || at_any({type_variable, arrow, left_parenthesis, left_brace})) {
    const bool is_word = at_any({op, equals, of, and_, colon});
    const part before = gap(gap_kind::space);
    all = out_.join({all, before, is_word ? word() : type()});
  }
  return out_.nest(2, all);
}

}  // namespace tine::ml
