// Formats structures and signatures.
#include "ml/formatter.hpp"

namespace tine::ml {

using enum token_kind;

// Takes signatures behind `:` or `:>`.
document::part formatter::ascription() {
  part all = document::nothing;
  while (at_any({colon, opaque})) {
    const part sign = word(gap_kind::space);
    all = out_.join({all, sign, module(gap(gap_kind::line), &formatter::signature)});
  }
  return all;
}

// `struct` and `sig` stand on a line of their own if the writer put them there, and are not indented then.
document::part formatter::module(part before, part (formatter::*one)()) {
  const bool is_name = at_any({name, qualified});
  const part all = (this->*one)();
  if (!out_.breaks(before)) return out_.join(out_.flat(before), all);
  return is_name ? out_.nest(2, out_.join(before, all)) : out_.join(before, all);
}

document::part formatter::one_structure() {
  part head = word();
  head = out_.join(head, ascription());
  head = out_.join(head, word(gap_kind::space));
  return out_.join(head, module(gap(gap_kind::line), &formatter::structure));
}

document::part formatter::one_signature() {
  part head = word();
  head = out_.join(head, word(gap_kind::space));
  return out_.join(head, module(gap(gap_kind::line), &formatter::signature));
}

document::part formatter::structure() {
  if (at_any({name, qualified})) {
    const part named = word();
    return out_.join(named, ascription());
  }
  const fixity_scope::mark before = fixities_.here();
  const bool is_let = at() == token_kind::let;
  part all = word();
  if (!at_any({in, end})) {
    const part first = gap(gap_kind::line, place::first);
    all = out_.join(all, out_.nest(2, out_.join(first, declarations(gap_kind::line))));
  }
  all = out_.join(all, word(gap_kind::line, place::last));
  if (is_let) {
    const part first = gap(gap_kind::line, place::first);
    all = out_.join(all, out_.nest(2, out_.join(first, structure())));
    all = out_.join(all, word(gap_kind::line, place::last));
  }
  fixities_.leave(before);
  const part whole = out_.group(all);
  return out_.join(whole, ascription());
}

document::part formatter::signature() {
  part all = word();
  if (tokens_[at_ - 1].kind == sig) {
    while (at() != end && at() != end_of_file) {
      const bool is_first = tokens_[at_ - 1].kind == sig;
      if (at() == semicolon) {
        all = out_.join(all, word(gap_kind::none));
        continue;
      }
      const part before = gap(gap_kind::line, is_first ? place::first : place::between);
      all = out_.join(all, out_.nest(2, out_.join(before, specification())));
    }
    all = out_.group(out_.join(all, word(gap_kind::line, place::last)));
  }
  while (at() == token_kind::where || (at() == and_ && at(1) == token_kind::type)) {
    part refined = word(gap_kind::line);
    refined = out_.join(refined, word(gap_kind::space));
    const part before = gap(gap_kind::space);
    refined = out_.join({refined, before, type()});
    const part sign = word(gap_kind::space);
    const part space = gap(gap_kind::space);
    all = out_.join(all, out_.nest(2, out_.group(out_.join({refined, sign, space, type()}))));
  }
  return all;
}

document::part formatter::specification() {
  if (at() == datatype) return definitions(&formatter::one_datatype);
  if (at() == token_kind::structure) {
    part all = document::nothing;
    do {
      part one = all == document::nothing ? word() : word(gap_kind::line, place::between);
      one = out_.join(one, word(gap_kind::space));
      all = out_.join({all, one, ascription()});
    } while (at() == and_);
    return out_.group(all);
  }
  if (at() == token_kind::include) {
    part all = word();
    do {
      const part before = gap(gap_kind::space);
      all = out_.join({all, before, signature()});
    } while (at() == name || at() == sig);
    return all;
  }
  if (at() == sharing) {
    const part first = word();
    const part space = gap(gap_kind::space);
    return out_.join({first, space, words({name, symbol, qualified, equals})});
  }
  return words({name, symbol, qualified, of, and_, colon, equals});
}

}  // namespace tine::ml
