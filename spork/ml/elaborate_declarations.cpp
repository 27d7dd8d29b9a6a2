// Declarations of values and functions, and their generalisation.
#include "ml/elaborator.hpp"
#include "ml/type_variables.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

namespace {

/// The value restriction: returns true if the evaluation of the expression has no effect, by its form.
bool is_value(typed::expression_ref e);

struct value_test {
  bool operator()(const typed::constant&) const { return true; }
  bool operator()(const typed::use&) const { return true; }
  bool operator()(const typed::primitive&) const { return true; }
  bool operator()(const typed::function&) const { return true; }
  bool operator()(const typed::construct& c) const {
    return c.argument == nullptr || (c.by->datatype->has != equality::always && is_value(c.argument));
  }
  bool operator()(const typed::make_exception& m) const { return m.argument == nullptr || is_value(m.argument); }
  bool operator()(const typed::tuple& t) const { return std::all_of(t.parts.begin(), t.parts.end(), is_value); }
  bool operator()(const typed::list& l) const { return std::all_of(l.parts.begin(), l.parts.end(), is_value); }
  /// A record whose labels are not sorted was written without `let`: its variables have no names.
  bool operator()(const typed::let& l) const {
    return is_value(l.body) && std::all_of(l.declarations.begin(), l.declarations.end(), [](typed::declaration_ref d) {
             const auto* v = std::get_if<typed::value>(&d->is);
             if (v == nullptr) return false;
             const auto* b = std::get_if<typed::bind>(&v->to->is);
             return b != nullptr && b->to->name.empty() && is_value(v->from);
           });
  }
  bool operator()(const auto&) const { return false; }
};

bool is_value(typed::expression_ref e) { return std::visit(value_test{}, e->is); }

}  // namespace

void elaborator::elaborate(declaration_ref d) {
  std::visit([&](const auto& is) { of(is, d->where); }, d->is);
  if (inside_expressions_ == 0) settle();
}

void elaborator::enter(const std::vector<std::string>& listed, std::set<std::string> occurring, span where) {
  ++level_;
  type_variables made;
  for (const std::string& name : listed) {
    if (!made.emplace(name, types_.rigid(name, level_)).second) {
      error(where, "the type variable " + name + " is listed twice; remove one");
    }
    for (const type_variables& outer : type_variables_) {
      if (outer.contains(name)) {
        error(where, "the type variable " + name + " is bound by a declaration around this one already; rename one");
        break;
      }
    }
  }
  for (const std::string& name : occurring) {
    const bool is_bound = std::any_of(type_variables_.begin(), type_variables_.end(),
                                      [&](const auto& outer) { return outer.contains(name); });
    if (!is_bound && !made.contains(name)) made.emplace(name, types_.rigid(name, level_));
  }
  type_variables_.push_back(std::move(made));
}

void elaborator::leave() {
  for (const auto& [name, t] : type_variables_.back()) t->level = generic_level;
  type_variables_.pop_back();
  for (type* t : to_bind_) t->level = generic_level;
  to_bind_.clear();
  --level_;
}

std::vector<type*> elaborator::generalise(const bound_names& names, bool is_pure, span where) {
  const unsigned outer = level_ - 1;
  for (const auto& [name, v] : names) {
    if (types_.limit(v->is.body, level_).why == difference::too_large) {
      error(v->where, "the type of " + quoted(name) + " has more than " + std::to_string(type_store::max_size) +
                          " parts or is deeper than " + std::to_string(type_store::max_depth) +
                          "; wrap its parts in a datatype");
      v->is.body = types_.broken();
    }
  }
  std::vector<type*> bodies;
  for (const auto& [name, v] : names) bodies.push_back(v->is.body);
  for (type* t : types_.variables_above(bodies, outer)) {
    if (t->is == type::kind::variable && (t->among != 0 || t->labels != nullptr)) types_.limit(t, outer);
    if (is_pure) continue;
    if (t->is == type::kind::rigid) {
      error(
          where,
          "the type variable " + t->name +
              " cannot be generalised, because this expression is not a value (a constant, a function, or built of values); "
              "make it a function, or give it a type without variables");
    } else {
      types_.limit(t, outer);
    }
  }
  std::vector<type*> parameters;
  if (is_pure) {
    parameters = types_.variables_above(bodies, outer);
  } else if (inside_expressions_ == 0) {
    for (const auto& [name, v] : names) not_generalised_.emplace_back(v, v->where);
  }
  for (const auto& [name, v] : names) v->is.parameters = parameters;
  to_bind_.insert(to_bind_.end(), parameters.begin(), parameters.end());
  return parameters;
}

void elaborator::bind_value(const value_binding& b, bound_names& all) {
  bound_names names;
  type* t = types_.variable(level_);
  const typed::pattern_ref to = elaborate(b.pattern, {t, {context::kind::binding}}, names);
  ++inside_expressions_;
  const bool has_type = std::holds_alternative<typed_pattern>(b.pattern->is);
  const typed::expression_ref from =
      elaborate(b.value, {t, {has_type ? context::kind::annotation : context::kind::binding}});
  --inside_expressions_;
  std::vector<type*> parameters = generalise(names, is_value(from), b.value->where);
  typed::declaration* made =
      into_.add(typed::declaration{typed::value{std::move(parameters), to, from}, b.pattern->where});
  out_->push_back(made);
  matches_.push_back({pending_match::kind::binding, nullptr, made, b.pattern->where});
  all.insert(all.end(), names.begin(), names.end());
}

bool elaborator::bind_primitive(const value_binding& b) {
  const auto* name = std::get_if<name_pattern>(&b.pattern->is);
  const auto* value = std::get_if<typed_expression>(&b.value->is);
  if (!in_basis_ || name == nullptr || value == nullptr) return false;
  const auto* call = std::get_if<apply_expression>(&value->of->is);
  if (call == nullptr) return false;
  const auto* prim = std::get_if<name_expression>(&call->function->is);
  const auto* text = std::get_if<literal_expression>(&call->argument->is);
  if (prim == nullptr || prim->name.last != "prim" || text == nullptr) return false;
  std::set<std::string> variables;
  ml::type_variables(value->type, variables);
  value_entry entry;
  entry.what = value_entry::kind::primitive;
  entry.primitive = text->value.bytes;
  entry.where = b.pattern->where;
  type_variables_.emplace_back();
  entry.is.parameters = bind_parameters({variables.begin(), variables.end()}, b.pattern->where);
  entry.is.body = type_of(value->type);
  type_variables_.pop_back();
  const std::pair<std::string_view, std::uint8_t> classes[] = {{"'num", overload::number},
                                                               {"'numtxt", overload::number_or_text},
                                                               {"'wordint", overload::word_or_int},
                                                               {"'realint", overload::int_ | overload::real}};
  for (const auto& [variable, among] : classes) {
    if (variables.contains(std::string(variable))) entry.among = among;
  }
  scope_.top().values.insert_or_assign(name->name.last, std::move(entry));
  return true;
}

bool elaborator::prepare(const value_binding& b, function_part& part, bound_names& names) {
  const std::size_t before = names.size();
  type* t = types_.variable(level_);
  elaborate(b.pattern, {t, {context::kind::binding}}, names);
  const expression* value = b.value;
  while (const auto* typed = std::get_if<typed_expression>(&value->is)) value = typed->of;
  if (names.size() != before + 1) {
    error(b.pattern->where, "'val rec' binds one variable to a function; write a name here");
    return false;
  }
  if (!std::holds_alternative<function_expression>(value->is)) {
    if (!std::holds_alternative<broken>(value->is))
      error(b.value->where, "'val rec' needs a function here: fn pattern => expression");
    return false;
  }
  part.variable = names.back().variable;
  part.value = &b;
  return true;
}

void elaborator::of(const value_declaration& d, span where) {
  if (d.bindings.size() == 1 && bind_primitive(d.bindings[0])) return;
  std::set<std::string> occurring;
  ml::type_variables(d, occurring);
  enter(d.variables, std::move(occurring), where);
  bound_names names, functions;
  std::vector<function_part> parts;
  for (const value_binding& b : d.bindings) {
    if (!b.is_recursive) {
      bind_value(b, names);
    } else if (function_part part{}; prepare(b, part, functions)) {
      parts.push_back(part);
    }
  }
  if (!parts.empty()) bind_functions(parts, functions, where);
  leave();
  names.insert(names.end(), functions.begin(), functions.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < i && d.bindings.size() > 1; ++j) {
      if (names[i].name == names[j].name && names[i].variable != names[j].variable) {
        error(names[i].variable->where,
              "the variable " + quoted(names[i].name) + " is bound twice in one declaration; rename one");
        break;
      }
    }
  }
  declare(names);
}

void elaborator::of(const function_declaration& d, span where) {
  std::set<std::string> occurring;
  ml::type_variables(d, occurring);
  enter(d.variables, std::move(occurring), where);
  std::vector<function_part> parts;
  bound_names names;
  for (const function_binding& f : d.bindings) {
    type* t = types_.variable(level_);
    for (std::size_t i = f.clauses.front().parameters.size(); i != 0; --i) t = types_.arrow(types_.variable(level_), t);
    parts.push_back({bind(f.name.text, t, f.name.where, names), nullptr, &f});
  }
  bind_functions(parts, names, where);
  leave();
  declare(names);
}

void elaborator::of(const expression_declaration& d, span where) {
  std::set<std::string> occurring;
  ml::type_variables(d.value, occurring);
  enter({}, std::move(occurring), where);
  ++inside_expressions_;
  type* t = types_.variable(level_);
  const typed::expression_ref from = elaborate(d.value, {t});
  --inside_expressions_;
  bound_names names;
  const typed::variable* it = bind("it", t, where, names);
  std::vector<type*> parameters = generalise(names, is_value(from), where);
  if (!is_value(from)) not_generalised_.pop_back();  // `it` is not the program's; it may be of any type
  out_->push_back(into_.add(
      typed::declaration{typed::value{std::move(parameters), make_pattern(typed::bind{it}, t, where), from}, where}));
  leave();
  declare(names);
}

void elaborator::bind_functions(std::vector<function_part>& parts, const bound_names& names, span where) {
  scope_.push();
  declare(names);
  ++inside_expressions_;
  typed::recursive made;
  for (const function_part& part : parts) {
    type* t = part.variable->is.body;
    const typed::expression_ref is = part.value != nullptr ? elaborate(part.value->value, {t, {context::kind::binding}})
                                                           : clauses_of(*part.clauses, t, part.variable->where);
    made.functions.push_back({part.variable, is});
  }
  --inside_expressions_;
  scope_.pop();
  made.parameters = generalise(names, true, where);
  out_->push_back(into_.add(typed::declaration{std::move(made), where}));
}

typed::expression_ref elaborator::curried(const std::vector<const typed::variable*>& parameters,
                                          typed::expression_ref body, span where) {
  for (auto p = parameters.rbegin(); p != parameters.rend(); ++p) {
    type* t = types_.arrow((*p)->is.body, body->of);
    body = make(typed::function{*p, body}, t, where);
  }
  return body;
}

typed::rule elaborator::clause_of(const function_binding& f, const clause& c, const std::vector<type*>& from,
                                  type* to) {
  bound_names names;
  typed::fields patterns;
  scope_.push();
  for (std::size_t i = 0; i < c.parameters.size() && i < from.size(); ++i) {
    patterns.parts.push_back(
        elaborate(c.parameters[i], {from[i], {context::kind::clause_parameter, f.name.text, i + 1}}, names));
  }
  while (patterns.parts.size() < from.size())
    patterns.parts.push_back(make_pattern(typed::any{}, types_.broken(), c.where));
  declare(names);
  context why{context::kind::clause_body, f.name.text};
  type* result = to;
  if (c.result != nullptr) {
    result = type_of(c.result);
    meet(c.result->where, result, {to, why});
    why = {context::kind::annotation};
  }
  const typed::expression_ref body = elaborate(c.body, {result, why});
  scope_.pop();
  const typed::pattern_ref when =
      from.size() == 1 ? patterns.parts[0] : make_pattern(std::move(patterns), types_.tuple(from), c.where);
  return {when, body};
}

typed::expression_ref elaborator::clauses_of(const function_binding& f, type* t, span where) {
  std::vector<type*> from;
  for (std::size_t i = 0; i < f.clauses.front().parameters.size(); ++i) {
    t = resolve(t);
    if (t->is != type::kind::arrow) return broken_expression(where);
    from.push_back(t->parts[0]);
    t = t->parts[1];
  }
  std::vector<typed::rule> rules;
  for (const clause& c : f.clauses) rules.push_back(clause_of(f, c, from, t));
  std::vector<const typed::variable*> parameters;
  if (rules.size() == 1) {  // parameters that are variables need no match
    const auto add = [&](typed::pattern_ref p) {
      if (const auto* b = std::get_if<typed::bind>(&p->is)) parameters.push_back(b->to);
    };
    if (from.size() == 1) {
      add(rules[0].when);
    } else {
      for (typed::pattern_ref p : std::get<typed::fields>(rules[0].when->is).parts) add(p);
    }
    if (parameters.size() == from.size()) return curried(parameters, rules[0].then, where);
    parameters.clear();
  }
  std::vector<typed::expression_ref> uses;
  for (type* one : from) {
    parameters.push_back(into_.new_variable("", {{}, one}, where));
    uses.push_back(use_of(parameters.back(), where));
  }
  const typed::expression_ref matched =
      uses.size() == 1 ? uses[0] : make(typed::tuple{uses}, types_.tuple(from), where);
  typed::expression* body = make(typed::match{matched, std::move(rules)}, t, where);
  matches_.push_back({pending_match::kind::clauses, body, nullptr, where, f.name.text});
  return curried(parameters, body, where);
}

void elaborator::of(const local_declaration& d, span) {
  scope_.push();
  elaborate(d.hidden);
  scope_.push();
  elaborate(d.visible);
  const environment visible = scope_.pop();
  scope_.pop();
  scope_.top().add(visible);
}

void elaborator::of(const open_declaration& d, span) {
  std::vector<environment_ref> all;
  for (const long_name& name : d.structures) {
    if (const environment_ref* found = find_structure(name); found != nullptr && *found != nullptr)
      all.push_back(*found);
  }
  for (const environment_ref& one : all) scope_.top().add(*one);
}

}  // namespace tine::ml
