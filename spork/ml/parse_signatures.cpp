// Signatures and specifications.
#include "ml/parser.hpp"

namespace tine::ml {

using enum token_kind;

void parser::include(std::uint32_t& depth, const specification& s) {
  const auto of = [&](const auto& is) {
    if constexpr (requires { is.type; }) include(depth, is.type);
    if constexpr (requires { is.is; }) include(depth, is.is);
    if constexpr (requires { is.bindings; }) include(depth, is.bindings);
    if constexpr (requires { is.argument; }) include(depth, is.argument);
    if constexpr (requires { is.signature; }) include(depth, is.signature);
  };
  std::visit(of, s.is);
}

declaration_ref parser::signatures() {
  const token first = in_.take();
  signature_declaration all;
  do {
    signature_binding b;
    b.name = signature_name();
    in_.expect(equals, "'=' after the name of a signature");
    b.is = whole_signature();
    all.bindings.push_back(std::move(b));
  } while (in_.accept(and_));
  const std::uint32_t below = deepest(all.bindings);
  return make<declaration>(std::move(all), in_.from(first), below);
}

defined_name parser::signature_name() {
  if (!in_.at(name)) in_.fail("the name of a signature");
  return take_name();
}

// A signature with `where type t = … and type u = …` behind it.
signature_ref parser::whole_signature() {
  const nested here{*this};
  const token first = in_.peek();
  signature_ref s = simple_signature();
  while (in_.at(token_kind::where)) {
    do {
      in_.take();
      in_.expect(token_kind::type, "'type' after 'where' or 'and'");
      refined_signature r{s, type_variables(), {}, nullptr};
      r.name = any_name("the name of the type that is refined");
      in_.expect(equals, "'=' after the name of the type that is refined");
      r.type = type();
      const std::uint32_t below = deepest(s, r.type);
      s = make<signature_expression>(std::move(r), in_.from(first), below);
    } while (in_.at(and_) && in_.peek(1).kind == token_kind::type);
  }
  return s;
}

signature_ref parser::simple_signature() {
  const token open = in_.peek();
  if (in_.at(name)) return make<signature_expression>(named_signature{take_name()}, in_.where(open));
  if (!in_.accept(sig)) in_.fail("a signature: a name, or 'sig … end'");
  return bracketed<signature_expression>(end, open.begin, [&] {
    plain_signature all{specifications()};
    in_.close(end, open, "a specification or 'end'");
    const std::uint32_t below = deepest(all.specifications);
    return make<signature_expression>(std::move(all), in_.from(open), below);
  });
}

std::vector<specification> parser::specifications() {
  std::vector<specification> all;
  for (;;) {
    in_.stop_if_full();
    if (in_.accept(semicolon)) continue;
    if (in_.at(end) || in_.at(in) || in_.at(end_of_file)) return all;
    if (take_abandoned()) continue;
    try {
      if (!begins_declaration(in_.peek().kind)) in_.fail("a specification or 'end'");
      one_specification(all);
    } catch (const lost&) {
      in_.skip_to_declaration(false);
    }
  }
}

void parser::one_specification(std::vector<specification>& into) {
  const token first = in_.take();
  if (first.kind == val) return value_specifications(into);
  if (first.kind == token_kind::type || first.kind == eqtype) return type_specifications(into, first.kind == eqtype);
  if (first.kind == datatype) return datatype_specifications(into, first);
  if (first.kind == exception) return exception_specifications(into);
  if (first.kind == structure) return structure_specifications(into);
  if (first.kind == token_kind::include) return included(into);
  if (first.kind == sharing) return shared(into, first);
  in_.report(
      in_.where(first),
      quoted(in_.text(first)) +
          " is unexpected in a signature; expected a specification: val, type, eqtype, datatype, exception, structure, include or sharing");
  throw lost{};
}

void parser::value_specifications(std::vector<specification>& into) {
  do {
    const token first = in_.peek();
    value_specification v{new_name("the name of a value"), nullptr};
    in_.expect(colon, "':' after the name of a value");
    v.type = type();
    into.push_back({std::move(v), in_.from(first)});
  } while (in_.accept(and_));
}

void parser::type_specifications(std::vector<specification>& into, bool has_equality) {
  do {
    const token first = in_.peek();
    type_specification t{type_variables(), {}, has_equality, nullptr};
    t.name = type_name();
    if (!has_equality && in_.accept(equals)) t.is = type();
    into.push_back({std::move(t), in_.from(first)});
  } while (in_.accept(and_));
}

void parser::datatype_specifications(std::vector<specification>& into, const token& first) {
  if (at_copy()) {
    datatype_copy c = copied();
    into.push_back({std::move(c), in_.from(first)});
    return;
  }
  datatype_specification d{datatype_bindings()};
  into.push_back({std::move(d), in_.from(first)});
}

void parser::exception_specifications(std::vector<specification>& into) {
  do {
    const token first = in_.peek();
    exception_specification e{new_name("the name of an exception"), nullptr};
    if (in_.accept(of)) e.argument = type();
    into.push_back({std::move(e), in_.from(first)});
  } while (in_.accept(and_));
}

void parser::structure_specifications(std::vector<specification>& into) {
  do {
    const token first = in_.peek();
    if (!in_.at(name)) in_.fail("the name of a structure");
    structure_specification s{take_name(), nullptr};
    in_.expect(colon, "':' after the name of a structure");
    s.signature = whole_signature();
    into.push_back({std::move(s), in_.from(first)});
  } while (in_.accept(and_));
}

// include SIGNATURE, or include A B C.
void parser::included(std::vector<specification>& into) {
  do {
    const token first = in_.peek();
    const signature_ref s = whole_signature();
    into.push_back({include_specification{s}, in_.from(first)});
  } while (in_.at(name));
}

void parser::shared(std::vector<specification>& into, const token& first) {
  if (!in_.accept(token_kind::type)) {
    in_.report(in_.where(first),
               "'sharing' of structures is not supported; write 'sharing type' for each of their types");
    throw lost{};
  }
  sharing_specification all;
  all.types.push_back(any_name("the name of a type"));
  do {
    in_.expect(equals, "'=' between the names of types that are shared");
    all.types.push_back(any_name("the name of a type"));
  } while (in_.at(equals));
  into.push_back({std::move(all), in_.from(first)});
}

}  // namespace tine::ml
