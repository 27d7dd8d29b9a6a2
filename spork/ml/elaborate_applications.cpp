// Applications of functions, operators, constructors and selectors.
#include "ml/elaborator.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

namespace {

std::string_view name_of(expression_ref e) {
  const auto* name = std::get_if<name_expression>(&e->is);
  return name == nullptr ? std::string_view{} : std::string_view{name->name.last};
}

}  // namespace

typed::expression_ref elaborator::select(const std::string& label, typed::expression_ref from, type* record, span where,
                                         type* result) {
  typed::expression* made = make(typed::select{0, from}, result, where);
  open_selections_.push_back({made, label, record});
  return made;
}

typed::expression_ref elaborator::of(const selector_expression& e, span where, const wish& w) {
  type* field = types_.variable(level_);
  type* record = types_.open_record(types_.labels({e.label}), {field}, level_);
  open_records_.emplace_back(record, where);
  type* t = types_.arrow(record, field);
  meet(where, t, w);
  const typed::variable* parameter = into_.new_variable("", {{}, record}, where);
  return make(typed::function{parameter, select(e.label, use_of(parameter, where), record, where, field)}, t, where);
}

typed::expression_ref elaborator::apply_selector(const selector_expression& s, const apply_expression& a, span where,
                                                 const wish& w) {
  type* record = types_.variable(level_);
  const typed::expression_ref from = elaborate(a.argument, {record});
  type* field = types_.variable(level_);
  type* open = types_.open_record(types_.labels({s.label}), {field}, level_);
  if (types_.unify(open, record)) {
    type_printer print;
    error(a.argument->where, "this has type " + print(record) + ", but '#" + s.label +
                                 "' takes a record with the field " + quoted(s.label));
    return broken_expression(where);
  }
  open_records_.emplace_back(open, a.function->where);
  meet(where, field, w);
  return select(s.label, from, record, where, field);
}

typed::expression_ref elaborator::argument(const apply_expression& a, type* wanted, std::string_view name) {
  const auto* pair = std::get_if<tuple_expression>(&a.argument->is);
  type* t = resolve(wanted);
  if (!a.is_infix || pair == nullptr || pair->parts.size() != 2 || t->is != type::kind::record ||
      t->parts.size() != 2) {
    return elaborate(a.argument, {wanted, {context::kind::argument, name}});
  }
  const std::size_t before = problems_.errors();
  const typed::expression_ref left = elaborate(pair->parts[0], {t->parts[0], {context::kind::left_operand, name}});
  // If the left operand does not fit, the right one's type would be compared with a type that the error has left open.
  type* second = problems_.errors() == before ? t->parts[1] : types_.variable(level_);
  const typed::expression_ref right = elaborate(pair->parts[1], {second, {context::kind::right_operand, name}});
  return make(typed::tuple{{left, right}}, t, a.argument->where);
}

typed::expression_ref elaborator::apply_constructor(const value_entry& entry, const apply_expression& a, span where,
                                                    const wish& w) {
  type* t = resolve(types_.instantiate(entry.is, types_.fresh_arguments(entry.is, level_)));
  // The result is met first: so the argument is elaborated with what the context knows. Only a mismatch is reported
  // behind the argument.
  const bool is_free = resolve(w.of)->is != type::kind::variable && !types_.unify(w.of, t->parts[1]);
  const typed::expression_ref inner = argument(a, t->parts[0], name_of(a.function));
  if (!is_free) meet(where, t->parts[1], w);
  if (entry.what == value_entry::kind::exception)
    return make(typed::make_exception{entry.exception, inner}, t->parts[1], where);
  return make(typed::construct{entry.constructor, inner}, t->parts[1], where);
}

// `a == b`, with an operator that does not exist, is an application of a to two arguments. It is one mistake.
bool elaborator::reports_unknown_operator(const apply_expression& e) {
  const auto* inner = std::get_if<apply_expression>(&e.function->is);
  if (inner == nullptr || inner->is_infix) return false;
  const auto* name = std::get_if<name_expression>(&inner->argument->is);
  if (name == nullptr || name->has_op || !name->name.path.empty()) return false;
  const char first = name->name.last[0];
  const bool is_symbolic = std::string_view{"!%&$#+-/:<=>?@\\~`^|*"}.find(first) != std::string_view::npos;
  if (!is_symbolic || scope_.find_value(name->name.last) != nullptr) return false;
  find_value(name->name, "operator");
  elaborate(inner->function, {types_.variable(level_)});
  elaborate(e.argument, {types_.variable(level_)});
  return true;
}

typed::expression_ref elaborator::of(const apply_expression& e, span where, const wish& w) {
  if (reports_unknown_operator(e)) return broken_expression(where);
  if (const auto* selector = std::get_if<selector_expression>(&e.function->is))
    return apply_selector(*selector, e, where, w);
  if (const auto* name = std::get_if<name_expression>(&e.function->is)) {
    const value_entry* found = find_value(name->name, "function");
    if (found == nullptr) {
      elaborate(e.argument, {types_.variable(level_)});
      return broken_expression(where);
    }
    using enum value_entry::kind;
    const bool is_constructor = (found->what == constructor && found->constructor->argument != nullptr) ||
                                (found->what == exception && found->exception->argument != nullptr);
    if (is_constructor && resolve(found->is.body)->is == type::kind::arrow)
      return apply_constructor(value_entry(*found), e, where, w);
  }
  return call(e, where, w);
}

typed::expression_ref elaborator::call(const apply_expression& e, span where, const wish& w) {
  type* t = types_.variable(level_);
  const typed::expression_ref function = elaborate(e.function, {t});
  t = resolve(t);
  const std::string_view name = name_of(e.function);
  if (function->of->is == type::kind::broken || t->is == type::kind::broken) {
    elaborate(e.argument, {types_.variable(level_)});
    return broken_expression(where);
  }
  if (t->is == type::kind::variable && t->labels == nullptr && t->among == 0) {
    type* arrow = types_.arrow(types_.variable(level_), types_.variable(level_));
    meet(e.function->where, arrow, {t});
    t = arrow;
  }
  if (t->is != type::kind::arrow) {
    type_printer print;
    const bool is_applied = std::holds_alternative<apply_expression>(e.function->is);
    error(e.function->where, (name.empty() ? "this" : quoted(name)) + " is no function, its type is " + print(t) +
                                 (is_applied ? "; is this one argument too many?"
                                             : "; remove the argument, or write an operator between the two"));
    elaborate(e.argument, {types_.variable(level_)});
    return broken_expression(where);
  }
  const typed::expression_ref inner = argument(e, t->parts[0], name);
  meet(where, t->parts[1], w);
  return make(typed::apply{function, inner}, t->parts[1], where);
}

}  // namespace tine::ml
