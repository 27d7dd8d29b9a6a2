// Structures.
#include "ml/parser.hpp"

namespace tine::ml {

using enum token_kind;

declaration_ref parser::structures() {
  const token first = in_.take();
  structure_declaration all;
  do {
    structure_binding b;
    if (in_.at(symbol)) in_.fail("the name of a structure, which has letters and digits");
    b.name = new_name("the name of a structure");
    b.signature = ascribed(b.is_opaque);
    in_.expect(equals, b.signature == nullptr ? "'=', ':' or ':>' after the name of a structure"
                                              : "'=' after the signature of a structure");
    b.is = whole_structure();
    all.bindings.push_back(std::move(b));
  } while (in_.accept(and_));
  const std::uint32_t below = deepest(all.bindings);
  return make<declaration>(std::move(all), in_.from(first), below);
}

// Takes `: signature` or `:> signature`; returns null if there is neither.
signature_ref parser::ascribed(bool& is_opaque) {
  is_opaque = in_.at(opaque);
  if (!in_.accept(colon) && !in_.accept(opaque)) return nullptr;
  return whole_signature();
}

structure_ref parser::whole_structure() {
  const nested here{*this};
  const token first = in_.peek();
  structure_ref s = simple_structure();
  bool is_opaque = false;
  while (const signature_ref signature = ascribed(is_opaque)) {
    s = make<structure_expression>(constrained_structure{s, signature, is_opaque}, in_.from(first),
                                   deepest(s, signature));
  }
  return s;
}

structure_ref parser::simple_structure() {
  const token open = in_.peek();
  if (!in_.at(struct_) && !in_.at(let)) {
    long_name name = structure_name();
    if (in_.at(left_parenthesis)) {
      in_.report(in_.where(open), "the functor " + quoted(in_.text(open)) +
                                      " is applied, but functors are not supported; write the structure itself");
      in_.take();
      if (!in_.skip_to_close(right_parenthesis)) throw lost{};
      return make<structure_expression>(broken{}, in_.from(open));
    }
    return make<structure_expression>(named_structure{std::move(name)}, in_.where(open));
  }
  in_.take();
  const fixity_scope::mark before = fixities_.here();
  const structure_ref whole = bracketed<structure_expression>(end, open.begin, [&] {
    if (open.kind == struct_) {
      plain_structure all{declarations(place::in_structure)};
      in_.close(end, open, "a declaration or 'end'");
      const std::uint32_t below = deepest(all.declarations);
      return make<structure_expression>(std::move(all), in_.from(open), below);
    }
    let_structure all{declarations(place::in_structure), nullptr};
    in_.close(in, open, "a declaration or 'in'");
    all.body = whole_structure();
    in_.close(end, open, "'end' after a structure");
    const std::uint32_t below = deepest(all.declarations, all.body);
    return make<structure_expression>(std::move(all), in_.from(open), below);
  });
  fixities_.leave(before);
  return whole;
}

}  // namespace tine::ml
