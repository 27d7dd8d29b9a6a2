// Types as they are written.
#include "ml/elaborator.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

type* elaborator::type_of(type_ref t) {
  return std::visit([&](const auto& is) { return of(is, t->where); }, t->is);
}

type* elaborator::of(const variable_type& t, span where) {
  for (auto names = type_variables_.rbegin(); names != type_variables_.rend(); ++names) {
    if (const auto found = names->find(t.name); found != names->end()) return found->second;
  }
  error(where, "the type variable " + t.name + " is not bound here; add it to the parameters of the type");
  return types_.broken();
}

type* elaborator::of(const named_type& t, span where) {
  std::vector<type*> arguments;
  for (type_ref argument : t.arguments) arguments.push_back(type_of(argument));
  const type_entry* entry = find_type(t.constructor);
  if (entry == nullptr) return types_.broken();
  const std::size_t wanted = entry->is.parameters.size();
  if (wanted != arguments.size()) {
    error(where, "the type '" + t.constructor.last + "' takes " + std::to_string(wanted) +
                     (wanted == 1 ? " argument" : " arguments") + ", but has " + std::to_string(arguments.size()) +
                     " here");
    return types_.broken();
  }
  return types_.apply(entry->is, arguments);
}

type* elaborator::of(const record_type& t, span where) {
  std::vector<std::pair<std::string, type*>> fields;
  for (const field_type& f : t.fields) fields.emplace_back(f.label, type_of(f.of));
  std::sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return label_before(a.first, b.first); });
  label_list labels;
  std::vector<type*> parts;
  for (const auto& [label, part] : fields) {
    if (!labels.empty() && labels.back() == label) {
      error(where, "the label '" + label + "' occurs twice in a record type; remove one");
      continue;
    }
    labels.push_back(label);
    parts.push_back(part);
  }
  return types_.record(types_.labels(std::move(labels)), std::move(parts));
}

type* elaborator::of(const tuple_type& t, span) {
  std::vector<type*> parts;
  for (type_ref part : t.parts) parts.push_back(type_of(part));
  return types_.tuple(std::move(parts));
}

type* elaborator::of(const arrow_type& t, span) {
  type* from = type_of(t.from);
  return types_.arrow(from, type_of(t.to));
}

std::vector<type*> elaborator::bind_parameters(const std::vector<std::string>& names, span where) {
  std::vector<type*> parameters;
  for (const std::string& name : names) {
    type* made = types_.rigid(name, generic_level);
    parameters.push_back(made);
    if (!type_variables_.back().emplace(name, made).second) {
      error(where, "the type parameter " + name + " occurs twice; rename one");
    }
  }
  return parameters;
}

type_function elaborator::function_of(const std::vector<std::string>& variables, type_ref body, span where) {
  // The variables of enclosing declarations are not visible in a type declaration: SML requires all that occur to be
  // parameters.
  std::vector<type_variables> outer = std::exchange(type_variables_, {});
  type_variables_.emplace_back();
  type_function f;
  f.parameters = bind_parameters(variables, where);
  f.body = type_of(body);
  type_variables_ = std::move(outer);
  if (types_.limit(f.body, generic_level)) {
    error(where, "this type has more than " + std::to_string(type_store::max_size) + " parts; divide it by datatypes");
    f.body = types_.broken();
  }
  return f;
}

}  // namespace tine::ml
