// Formats expressions, from `handle`, which binds least, to application.
#include "ml/formatter.hpp"

namespace tine::ml {

using enum token_kind;

formatter::piece formatter::expression() {
  piece e = alternatives();
  while (at() == handle) {
    const part before = gap(gap_kind::line), all = handlers();
    const bool hangs = !out_.breaks(before) && out_.breaks(all);
    e = {.is = hangs ? out_.join({e.is, out_.flat(before), all})
                     : out_.join(e.is, out_.nest(2, out_.group(out_.join(before, all)))),
         .may_hang = e.may_hang};
  }
  return e;
}

// Operands of `orelse` and `andalso`. Lines break behind these words.
formatter::piece formatter::alternatives() {
  piece e = typed();
  if (!at_any({orelse, andalso})) return e;
  const auto conjunction = [&](const piece& first) {
    piece whole = first;
    while (at() == andalso) {
      const infix_word w{word(gap_kind::space), gap(gap_kind::line), false};
      whole = joined(whole, w, typed());
    }
    return whole;
  };
  e = conjunction(e);
  while (at() == orelse) {
    const infix_word w{word(gap_kind::space), gap(gap_kind::line), false};
    const piece right = conjunction(typed());
    e = joined(e, w, {.is = out_.align(right.is), .may_hang = right.may_hang});
  }
  return {.is = out_.align(e.is)};
}

formatter::piece formatter::typed() {
  piece e = begins_open_ended() ? open_ended() : infix();
  while (at() == colon) {
    const part sign = word(gap_kind::space), before = gap(gap_kind::line);
    e = {.is = out_.join({e.is, sign, out_.nest(2, out_.group(out_.join(before, type())))}), .may_hang = e.may_hang};
  }
  return e;
}

std::optional<fixity> formatter::next_operator() const {
  if (at() == equals) return fixities_.find("=");
  return at_any({name, symbol}) ? fixities_.find(text_of(at_)) : std::nullopt;
}

formatter::piece formatter::joined(const piece& left, const infix_word& op, const piece& right) {
  const bool hangs = !out_.breaks(op.gap) && out_.breaks(right.is) && right.may_hang;
  part behind_op = hangs ? out_.join(out_.flat(op.gap), right.is) : out_.group(out_.join(op.gap, right.is));
  if (op.is_assignment && !right.is_lambda) behind_op = out_.nest(2, behind_op);
  return {.is = out_.join({left.is, op.is, behind_op}), .may_hang = op.is_assignment};
}

formatter::piece formatter::infix() {
  const piece first = application();
  if (!next_operator()) return first;
  operator_stack<piece, infix_word> stack{first};
  const auto join = [&](const piece& l, const infix_word& o, const piece& r) { return joined(l, o, r); };
  bool is_assignment = false;
  while (const auto is = next_operator()) {
    const bool assigns = text_of(at_) == ":=";
    is_assignment = is_assignment || assigns;
    const part op = word(gap_kind::space);
    const part before = gap(gap_kind::line);
    stack.add(
        infix_word{op, before, assigns}, *is, [&] { return begins_open_ended() ? open_ended() : application(); }, join,
        [](const infix_word&, const infix_word&) {});
  }
  const piece whole = stack.finish(join);
  return {.is = is_assignment ? whole.is : out_.align(whole.is), .may_hang = false};
}

bool formatter::begins_open_ended() const { return at_any({fn, if_, case_, while_, raise}); }

bool formatter::begins_atom() const {
  if (at_any({integer, token_kind::word, real, character, token_kind::string, qualified, op, hash, token_kind::let,
              left_parenthesis, left_bracket, left_brace})) {
    return true;
  }
  return at_any({name, symbol}) && !next_operator();
}

// A function with its arguments. Nothing stands between a symbol such as `!` and its argument if the writer wrote
// nothing there.
formatter::piece formatter::application() {
  const bool is_symbol = at() == symbol;
  piece e = atom();
  if (!begins_atom()) return e;
  e.may_hang = true;
  e.head = e.body = document::nothing;
  for (bool is_first = true; begins_atom(); is_first = false) {
    const bool touches = is_first && is_symbol && is_adjacent();
    const part before = gap(touches ? gap_kind::none : gap_kind::line);
    const piece argument = atom();
    if (!out_.breaks(before) && argument.may_hang &&
        (argument.is_lambda || argument.is_bracket || out_.breaks(argument.is))) {
      const part placed = out_.join(out_.flat(before), argument.is);
      e.is = out_.join(e.is, argument.is_lambda ? placed : out_.nest(2, placed));
      e.is_lambda = e.is_lambda || argument.is_lambda;
    } else {
      e.is = out_.join(e.is, out_.nest(2, out_.group(out_.join(before, argument.is))));
    }
  }
  return e;
}

}  // namespace tine::ml
