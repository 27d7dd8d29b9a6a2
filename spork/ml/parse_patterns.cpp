// Patterns.
#include "ml/parser.hpp"

#include <optional>

namespace tine::ml {

using enum token_kind;

// pattern : type, and name : type as pattern
pattern_ref parser::whole_pattern() {
  const nested here{*this};
  const token first = in_.peek();
  pattern_ref p = infix_pattern();
  while (in_.at(colon) || in_.at(as)) {
    if (in_.at(as)) return layered(p, first.begin);
    in_.take();
    const type_ref t = type();
    p = make<pattern>(typed_pattern{p, t}, in_.from(first), deepest(p, t));
  }
  return p;
}

// Takes `as` and the pattern behind it. The phrase before `as` was parsed as a pattern and must be a name, perhaps with
// a type.
pattern_ref parser::layered(pattern_ref name, std::uint32_t begin) {
  const token word = in_.take();
  layered_pattern all;
  const auto* typed = std::get_if<typed_pattern>(&name->is);
  if (typed != nullptr) all.type = typed->type;
  const auto* plain = std::get_if<name_pattern>(typed != nullptr ? &typed->of->is : &name->is);
  all.of = whole_pattern();
  // A name in parentheses begins behind its pattern's begin.
  if (plain == nullptr || !plain->name.path.empty() || name->where.begin != begin) {
    if (!std::holds_alternative<broken>(name->is)) {
      in_.report(
          name->where,
          "a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses",
          {{in_.where(word), "this is the 'as'"}});
    }
    return make<pattern>(broken{}, in_.from(begin));
  }
  all.name = {plain->name.last, plain->name.where};
  const std::uint32_t below = deepest(all.type, all.of);
  return make<pattern>(std::move(all), in_.from(begin), below);
}

pattern_ref parser::join(pattern_ref left, const token& op, pattern_ref right) {
  const span where{left->where.file, left->where.begin, right->where.end};
  const pattern_ref pair = make<pattern>(tuple_pattern{{left, right}}, where, deepest(left, right));
  return make<pattern>(constructed_pattern{long_of(op), pair, true}, where, deepest(pair));
}

pattern_ref parser::infix_pattern() {
  const pattern_ref first = applied_pattern();
  if (!next_operator(false)) return first;
  operator_stack<pattern_ref, token> stack{first};
  const auto joined = [&](pattern_ref l, const token& o, pattern_ref r) { return join(l, o, r); };
  while (const auto is = next_operator(false)) {
    stack.add(
        in_.take(), *is, [&] { return applied_pattern(); }, joined,
        [&](const token& before, const token& now) {
          in_.report(in_.where(now), quoted(in_.text(now)) + " and " + quoted(in_.text(before)) +
                                         " have the same precedence, but group to different sides; add parentheses");
        });
  }
  return stack.finish(joined);
}

bool parser::begins_atomic_pattern() const {
  if (begins_literal() || in_.at(underscore) || in_.at(op) || in_.at(qualified) || in_.at(token_kind::wrong))
    return true;
  if (in_.at(left_parenthesis) || in_.at(left_bracket) || in_.at(left_brace)) return true;
  return in_.at_name() && !next_operator(false);
}

// A constructor with its argument.
pattern_ref parser::applied_pattern() {
  const token first = in_.peek();
  if (in_.at_name() && next_operator(false)) {
    const std::string right = without_sign();
    in_.report(in_.where(first), in_.shown() + " is an infix operator, and a pattern is missing before it" +
                                     (right.empty() ? "; write it between two patterns, or 'op " +
                                                          std::string{in_.text(first)} + "' for the name itself"
                                                    : right));
    in_.take();
    if (!right.empty() && begins_atomic_pattern()) atomic_pattern();
    return make<pattern>(broken{}, in_.where(first));
  }
  const pattern_ref function = atomic_pattern();
  if (!begins_atomic_pattern()) return function;
  const pattern_ref argument = atomic_pattern();
  const auto* name = std::get_if<name_pattern>(&function->is);
  if (begins_atomic_pattern() || name == nullptr || function->where.begin != first.begin) {
    const bool is_known = std::holds_alternative<broken>(function->is) || std::holds_alternative<broken>(argument->is);
    if (!is_known) {
      in_.report(
          in_.where(begins_atomic_pattern() ? in_.peek() : first),
          begins_atomic_pattern()
              ? in_.shown() +
                    " is unexpected; a constructor has one argument, so put several values in parentheses with commas"
              : "this pattern cannot have an argument; only a constructor's name can");
    }
    while (begins_atomic_pattern()) atomic_pattern();
    return make<pattern>(broken{}, in_.from(first));
  }
  return make<pattern>(constructed_pattern{name->name, argument}, in_.from(first), deepest(function, argument));
}

pattern_ref parser::name_or_op_pattern() {
  const token first = in_.peek();
  const bool has_op = in_.accept(op);
  if (has_op && in_.at(equals)) in_.fail("a name other than '=', which cannot be defined again");
  long_name name = any_name(has_op ? "a name after 'op'" : "a pattern");
  return make<pattern>(name_pattern{std::move(name), has_op}, in_.from(first));
}

pattern_ref parser::atomic_pattern() {
  const token first = in_.peek();
  if (in_.at(left_parenthesis)) return parenthesised_pattern();
  if (in_.at(left_bracket)) return list_of_patterns();
  if (in_.at(left_brace)) return record_of_patterns();
  if (in_.accept(underscore)) return make<pattern>(wildcard_pattern{}, in_.where(first));
  if (in_.accept(token_kind::wrong)) return make<pattern>(broken{}, in_.where(first));
  if (in_.at(real)) {
    in_.report(in_.where(first),
               "the real number " + in_.shown() + " stands in a pattern; compare with Real.== instead");
    in_.take();
    return make<pattern>(broken{}, in_.where(first));
  }
  if (!begins_literal()) return name_or_op_pattern();
  in_.take();
  return make<pattern>(literal_pattern{literal_of(first.kind, in_.text(first))}, in_.where(first));
}

pattern_ref parser::parenthesised_pattern() {
  const token open = in_.take();
  return bracketed<pattern>(right_parenthesis, open.begin, [&]() -> pattern_ref {
    tuple_pattern all;
    if (!in_.at(right_parenthesis)) {
      do all.parts.push_back(whole_pattern());
      while (in_.accept(comma));
    }
    in_.close(right_parenthesis, open, "',' or ')' after a pattern");
    if (all.parts.size() == 1) return all.parts[0];
    const std::uint32_t below = deepest(all.parts);
    return make<pattern>(std::move(all), in_.from(open), below);
  });
}

pattern_ref parser::list_of_patterns() {
  const token open = in_.take();
  return bracketed<pattern>(right_bracket, open.begin, [&] {
    list_pattern all;
    if (!in_.at(right_bracket)) {
      do all.elements.push_back(whole_pattern());
      while (in_.accept(comma));
    }
    in_.close(right_bracket, open, "',' or ']' after a pattern");
    const std::uint32_t below = deepest(all.elements);
    return make<pattern>(std::move(all), in_.from(open), below);
  });
}

// {label : type as pattern} stands for {label = label : type as pattern}.
pattern_ref parser::field_without_pattern(const token& label) {
  if (label.kind == integer) in_.fail("'=' and a pattern after a label that is a number");
  const bool is_infix = fixities_.find(in_.text(label)).has_value();  // `{-}` stands for `{- = op -}`
  pattern_ref p = make<pattern>(name_pattern{long_of(label), is_infix}, in_.where(label));
  if (in_.accept(colon)) {
    const type_ref t = type();
    p = make<pattern>(typed_pattern{p, t}, in_.from(label), deepest(p, t));
  }
  return in_.at(as) ? layered(p, label.begin) : p;
}

pattern_ref parser::record_of_patterns() {
  const token open = in_.take();
  return bracketed<pattern>(right_brace, open.begin, [&] {
    record_pattern all;
    std::vector<span> places;
    if (!in_.at(right_brace)) {
      do {
        if (in_.at(dots)) {
          in_.take();
          all.is_open = true;
          break;
        }
        const token first = in_.peek();
        places.push_back(in_.where(first));
        std::string name = label("a label or '...'");
        const pattern_ref p = in_.accept(equals) ? whole_pattern() : field_without_pattern(first);
        all.fields.push_back({std::move(name), p, in_.from(first)});
      } while (in_.accept(comma));
    }
    in_.close(right_brace, open, all.is_open ? "'}' after '...'" : "',' or '}' after a field");
    check_labels(all.fields, places);
    const std::uint32_t below = deepest(all.fields);
    return make<pattern>(std::move(all), in_.from(open), below);
  });
}

}  // namespace tine::ml
