// Type expressions.
#include "ml/parser.hpp"

namespace tine::ml {

using enum token_kind;

// ty -> ty -> ty, which groups to the right.
type_ref parser::type() {
  const nested here{*this};
  std::vector<type_ref> parts{tuple_of_types()};
  while (in_.accept(arrow)) parts.push_back(tuple_of_types());
  type_ref whole = parts.back();
  for (std::size_t i = parts.size() - 1; i-- != 0;) {
    const span where{parts[i]->where.file, parts[i]->where.begin, whole->where.end};
    whole = make<type_syntax>(arrow_type{parts[i], whole}, where, deepest(parts[i], whole));
  }
  return whole;
}

type_ref parser::tuple_of_types() {
  const token first = in_.peek();
  tuple_type all{{constructed_type()}};
  while (in_.at("*")) {
    in_.take();
    all.parts.push_back(constructed_type());
  }
  if (all.parts.size() == 1) return all.parts[0];
  const std::uint32_t below = deepest(all.parts);
  return make<type_syntax>(std::move(all), in_.from(first), below);
}

// A type with the constructors behind it: int list, (int, string) map.
type_ref parser::constructed_type() {
  const token first = in_.peek();
  std::vector<type_ref> arguments;
  type_ref whole = atomic_type(arguments);
  while ((in_.at_name() && !in_.at("*")) || in_.at(qualified)) {
    if (whole != nullptr) arguments = {whole};
    const std::uint32_t below = deepest(arguments);
    whole = make<type_syntax>(named_type{std::move(arguments), long_of(in_.take())}, in_.from(first), below);
  }
  if (whole == nullptr) in_.fail("the name of a type constructor after several arguments");
  return whole;
}

// Returns null if `arguments` has got several types in parentheses, behind which a constructor must follow.
type_ref parser::atomic_type(std::vector<type_ref>& arguments) {
  const token first = in_.peek();
  if (in_.at(type_variable)) {
    in_.take();
    return make<type_syntax>(variable_type{std::string{in_.text(first)}}, in_.where(first));
  }
  if (in_.at(left_brace)) return record_of_types();
  if (in_.accept(left_parenthesis)) {
    return bracketed<type_syntax>(right_parenthesis, first.begin, [&] {
      do arguments.push_back(type());
      while (in_.accept(comma));
      in_.close(right_parenthesis, first, "',' or ')' after a type");
      return arguments.size() == 1 ? arguments[0] : nullptr;
    });
  }
  if ((!in_.at_name() || in_.at("*")) && !in_.at(qualified)) in_.fail("a type");
  return make<type_syntax>(named_type{{}, long_of(in_.take())}, in_.where(first));
}

type_ref parser::record_of_types() {
  const token open = in_.take();
  return bracketed<type_syntax>(right_brace, open.begin, [&] {
    record_type all;
    std::vector<span> places;
    if (!in_.at(right_brace)) {
      do {
        places.push_back(in_.where(in_.peek()));
        std::string name = label("a label");
        in_.expect(colon, "':' after the label of a record type");
        all.fields.push_back({std::move(name), type()});
      } while (in_.accept(comma));
    }
    in_.close(right_brace, open, "',' or '}' after a field");
    check_labels(all.fields, places);
    const std::uint32_t below = deepest(all.fields);
    return make<type_syntax>(std::move(all), in_.from(open), below);
  });
}

}  // namespace tine::ml
