// Expressions but for applications.
#include "ml/elaborator.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

namespace {

/// The reason for the type of a branch: the context's, if the context knows the type; else the branches before.
context within(const wish& w, context::kind branch) {
  const bool is_known = resolve(w.of)->is != type::kind::variable;
  return is_known && w.why.is != context::kind::nothing ? w.why : context{branch};
}

}  // namespace

typed::expression* elaborator::make(decltype(typed::expression::is) is, type* t, span where) {
  return into_.add(typed::expression{std::move(is), t, where});
}

typed::expression_ref elaborator::broken_expression(span where) { return make(typed::tuple{}, types_.broken(), where); }

typed::expression_ref elaborator::use_of(const typed::variable* v, span where) {
  return make(typed::use{v, {}}, v->is.body, where);
}

typed::expression_ref elaborator::truth(bool value, span where) {
  return make(typed::construct{value ? types_.true_ : types_.false_, nullptr}, types_.boolean, where);
}

typed::expression_ref elaborator::elaborate(expression_ref e, const wish& w) {
  return std::visit([&](const auto& is) { return of(is, e->where, w); }, e->is);
}

typed::expression_ref elaborator::of(const broken&, span where, const wish&) { return broken_expression(where); }

typed::expression_ref elaborator::of(const literal_expression& e, span where, const wish& w) {
  type* t = literal_type(e.value, where);
  meet(where, t, w);
  return make(typed::constant{e.value}, t, where);
}

typed::expression_ref elaborator::of(const name_expression& e, span where, const wish& w) {
  const value_entry* entry = find_value(e.name, "value");
  if (entry == nullptr) return broken_expression(where);
  type* found = nullptr;
  const typed::expression_ref made = instance(*entry, where, found);
  meet(where, found, w);
  return made;
}

bool elaborator::is_exhausted(span where) {
  if (types_.node_count() < type_store::max_nodes) return false;
  if (!is_exhausted_) {
    error(where, "the types of the program have more than " + std::to_string(type_store::max_nodes) +
                     " parts; wrap large tuples and records in datatypes");
  }
  return is_exhausted_ = true;
}

typed::expression_ref elaborator::instance(const value_entry& entry, span where, type*& found) {
  if (is_exhausted(where)) {
    found = types_.broken();
    return broken_expression(where);
  }
  const std::vector<type*> arguments = types_.fresh_arguments(entry.is, level_);
  found = types_.instantiate(entry.is, arguments);
  using enum value_entry::kind;
  if (entry.what == primitive && entry.among != 0) {
    arguments[0]->among = entry.among;
    overloaded_.push_back(arguments[0]);
  }
  if (entry.what == variable) {
    typed::use u{entry.variable, {}};
    u.arguments = types_.instantiate(entry.is.parameters, entry.arguments, arguments);
    return make(std::move(u), found, where);
  }
  if (entry.what == primitive) return make(typed::primitive{entry.primitive}, found, where);
  const bool takes =
      entry.what == constructor ? entry.constructor->argument != nullptr : entry.exception->argument != nullptr;
  return takes ? constructor_function(entry, found, where) : basic(entry, where, found);
}

typed::expression_ref elaborator::basic(const value_entry& entry, span where, type* t) {
  if (entry.what == value_entry::kind::exception)
    return make(typed::make_exception{entry.exception, nullptr}, t, where);
  return make(typed::construct{entry.constructor, nullptr}, t, where);
}

typed::expression_ref elaborator::constructor_function(const value_entry& entry, type* arrow, span where) {
  arrow = resolve(arrow);
  if (arrow->is != type::kind::arrow) return broken_expression(where);
  const typed::variable* parameter = into_.new_variable("", {{}, arrow->parts[0]}, where);
  const typed::expression_ref argument = use_of(parameter, where);
  const typed::expression_ref body =
      entry.what == value_entry::kind::exception
          ? make(typed::make_exception{entry.exception, argument}, arrow->parts[1], where)
          : make(typed::construct{entry.constructor, argument}, arrow->parts[1], where);
  return make(typed::function{parameter, body}, arrow, where);
}

typed::expression_ref elaborator::of(const record_expression& e, span where, const wish& w) {
  std::vector<std::pair<const field_expression*, typed::expression_ref>> fields;
  bool is_in_order = true;
  for (const field_expression& f : e.fields) {
    type* t = types_.variable(level_);
    is_in_order &= fields.empty() || label_before(fields.back().first->label, f.label);
    const typed::expression_ref value = elaborate(f.of, {t});
    fields.emplace_back(&f, value);
  }
  // The fields are evaluated in the order in which they are written.
  typed::let bindings;
  if (!is_in_order) {
    for (auto& [field, value] : fields) {
      const typed::variable* v = into_.new_variable("", {{}, value->of}, value->where);
      const typed::pattern_ref to = make_pattern(typed::bind{v}, value->of, value->where);
      bindings.declarations.push_back(into_.add(typed::declaration{typed::value{{}, to, value}, value->where}));
      value = use_of(v, value->where);
    }
    std::sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) {
      return a.first->label == b.first->label ? a.first < b.first : label_before(a.first->label, b.first->label);
    });
  }
  label_list labels;
  std::vector<type*> types;
  typed::tuple parts;
  for (const auto& [field, value] : fields) {
    if (!labels.empty() && labels.back() == field->label) {
      error(field->where, "the label " + quoted(field->label) + " occurs twice in a record; remove one");
      continue;
    }
    labels.push_back(field->label);
    types.push_back(value->of);
    parts.parts.push_back(value);
  }
  type* t = types_.record(types_.labels(std::move(labels)), std::move(types));
  meet(where, t, w);
  const typed::expression_ref record = make(std::move(parts), t, where);
  if (is_in_order) return record;
  bindings.body = record;
  return make(std::move(bindings), t, where);
}

typed::expression_ref elaborator::of(const tuple_expression& e, span where, const wish& w) {
  type* wanted = resolve(w.of);
  const bool fits = wanted->is == type::kind::record && wanted->labels == types_.tuple_labels(e.parts.size());
  typed::tuple made;
  std::vector<type*> types;
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    types.push_back(fits ? wanted->parts[i] : types_.variable(level_));
    context why = fits && w.why.is == context::kind::annotation ? w.why : context{};
    if (fits && w.why.is == context::kind::argument) why = {context::kind::argument_part, w.why.name, i + 1};
    made.parts.push_back(elaborate(e.parts[i], {types[i], why}));
  }
  if (fits) return make(std::move(made), wanted, where);
  type* t = types_.tuple(std::move(types));
  meet(where, t, w);
  return make(std::move(made), t, where);
}

typed::expression_ref elaborator::of(const list_expression& e, span where, const wish& w) {
  type* element = types_.variable(level_);
  type* t = types_.apply(types_.list, {element});
  meet(where, t, w);
  std::vector<typed::expression_ref> parts;
  for (expression_ref part : e.elements) parts.push_back(elaborate(part, {element, {context::kind::element}}));
  if (parts.empty()) return make(typed::construct{types_.nil, nullptr}, t, where);
  return make(typed::list{std::move(parts)}, t, where);
}

typed::expression_ref elaborator::of(const sequence_expression& e, span where, const wish& w) {
  typed::sequence made;
  for (std::size_t i = 0; i + 1 < e.steps.size(); ++i)
    made.steps.push_back(elaborate(e.steps[i], {types_.variable(level_)}));
  made.steps.push_back(elaborate(e.steps.back(), w));
  type* t = made.steps.back()->of;
  return make(std::move(made), t, where);
}

typed::expression_ref elaborator::of(const let_expression& e, span where, const wish& w) {
  typed::let made;
  scope_.push();
  std::vector<typed::declaration_ref>* outer = std::exchange(out_, &made.declarations);
  ++inside_expressions_;
  elaborate(e.declarations);
  out_ = outer;
  made.body = elaborate(e.body, w);
  --inside_expressions_;
  scope_.pop();
  type* t = made.body->of;
  return make(std::move(made), t, where);
}

typed::expression_ref elaborator::of(const typed_expression& e, span where, const wish& w) {
  type* t = type_of(e.type);
  const typed::expression_ref made = elaborate(e.of, {t, {context::kind::annotation}});
  meet(where, t, w);
  return made;
}

typed::expression_ref elaborator::condition(expression_ref e) {
  return elaborate(e, {types_.boolean, {context::kind::condition}});
}

typed::expression_ref elaborator::of(const and_also_expression& e, span where, const wish& w) {
  const typed::expression_ref left = elaborate(e.left, {types_.boolean, {context::kind::left_operand, "andalso"}});
  const typed::expression_ref right = elaborate(e.right, {types_.boolean, {context::kind::right_operand, "andalso"}});
  meet(where, types_.boolean, w);
  return make(typed::conditional{left, right, truth(false, where)}, types_.boolean, where);
}

typed::expression_ref elaborator::of(const or_else_expression& e, span where, const wish& w) {
  const typed::expression_ref left = elaborate(e.left, {types_.boolean, {context::kind::left_operand, "orelse"}});
  const typed::expression_ref right = elaborate(e.right, {types_.boolean, {context::kind::right_operand, "orelse"}});
  meet(where, types_.boolean, w);
  return make(typed::conditional{left, truth(true, where), right}, types_.boolean, where);
}

typed::expression_ref elaborator::of(const raise_expression& e, span where, const wish& w) {
  const typed::expression_ref raised = elaborate(e.of, {types_.exception, {context::kind::raised}});
  return make(typed::raise{raised}, w.of, where);
}

typed::expression_ref elaborator::of(const if_expression& e, span where, const wish& w) {
  const typed::expression_ref test = condition(e.condition);
  const wish yes{w.of, within(w, context::kind::then_branch)};
  const wish no{w.of, within(w, context::kind::else_branch)};
  const typed::expression_ref then = elaborate(e.yes, yes);
  return make(typed::conditional{test, then, elaborate(e.no, no)}, w.of, where);
}

typed::expression_ref elaborator::of(const while_expression& e, span where, const wish& w) {
  const typed::expression_ref test = condition(e.condition);
  const typed::expression_ref body = elaborate(e.body, {types_.variable(level_)});
  meet(where, types_.unit, w);
  return make(typed::loop{test, body}, types_.unit, where);
}

std::vector<typed::rule> elaborator::rules_of(const std::vector<rule>& rules, const wish& pattern, const wish& body) {
  std::vector<typed::rule> made;
  for (const rule& r : rules) {
    bound_names names;
    scope_.push();
    const typed::pattern_ref when = elaborate(r.when, pattern, names);
    declare(names);
    made.push_back({when, elaborate(r.then, body)});
    scope_.pop();
  }
  return made;
}

typed::expression_ref elaborator::of(const handle_expression& e, span where, const wish& w) {
  const wish body{w.of, within(w, context::kind::handler)};
  const typed::expression_ref inner = elaborate(e.of, w);
  const wish pattern{types_.exception, {context::kind::rule_pattern}};
  typed::expression* made = make(typed::handle{inner, rules_of(e.rules, pattern, body)}, w.of, where);
  matches_.push_back({pending_match::kind::handler, made, nullptr, where});
  return made;
}

typed::expression_ref elaborator::of(const case_expression& e, span where, const wish& w) {
  type* matched = types_.variable(level_);
  const typed::expression_ref inner = elaborate(e.of, {matched});
  const wish body{w.of, within(w, context::kind::rule_body)};
  typed::match m{inner, rules_of(e.rules, {matched, {context::kind::rule_pattern}}, body)};
  typed::expression* made = make(std::move(m), w.of, where);
  matches_.push_back({pending_match::kind::rules, made, nullptr, where});
  return made;
}

typed::expression_ref elaborator::of(const function_expression& e, span where, const wish& w) {
  type* wanted = resolve(w.of);
  const bool fits = wanted->is == type::kind::arrow;
  type* t = fits ? wanted : types_.arrow(types_.variable(level_), types_.variable(level_));
  if (!fits) meet(where, t, w);
  type* from = t->parts[0];
  const wish body{t->parts[1], {context::kind::rule_body}};
  std::vector<typed::rule> rules = rules_of(e.rules, {from, {context::kind::rule_pattern}}, body);
  if (rules.size() == 1 && std::holds_alternative<typed::bind>(rules[0].when->is)) {
    return make(typed::function{std::get<typed::bind>(rules[0].when->is).to, rules[0].then}, t, where);
  }
  const typed::variable* parameter = into_.new_variable("", {{}, from}, where);
  typed::expression* made = make(typed::match{use_of(parameter, where), std::move(rules)}, t->parts[1], where);
  matches_.push_back({pending_match::kind::rules, made, nullptr, where});
  return make(typed::function{parameter, made}, t, where);
}

}  // namespace tine::ml
