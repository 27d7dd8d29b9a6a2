// Signatures.
#include "ml/elaborator.hpp"
#include "ml/type_variables.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

signature_entry elaborator::signature(signature_ref s) {
  if (const auto* is = std::get_if<plain_signature>(&s->is)) return plain(*is);
  if (const auto* is = std::get_if<refined_signature>(&s->is)) return refined(*is, s->where);
  if (const auto* is = std::get_if<named_signature>(&s->is)) {
    if (const signature_entry* found = scope_.find_signature(is->name.text)) return fresh(*found);
    error(is->name.where, "there is no signature " + quoted(is->name.text));
  }
  return {{}, nullptr};
}

signature_entry elaborator::fresh(const signature_entry& s) {
  if (s.is == nullptr) return s;
  signature_entry made;
  type_store::realisation by;
  for (type_constructor* t : s.open) {
    type_constructor* copy = types_.add_constructor(t->name, t->arity, t->has, t->where);
    copy->constructors = t->constructors;
    made.open.push_back(copy);
    by.emplace(t, types_.function_of(copy));
  }
  made.is = realise(*s.is, by);
  return made;
}

signature_entry elaborator::plain(const plain_signature& s) {
  signature_entry made;
  scope_.push();
  for (const specification& one : s.specifications) {
    std::visit([&](const auto& is) { specify(is, one.where, made); }, one.is);
  }
  made.is = std::make_shared<environment>(scope_.pop());
  return made;
}

const type_entry* elaborator::find_in(const environment& e, const long_name& name) {
  const environment* at = &e;
  for (const std::string& part : name.path) {
    const auto next = at->structures.find(part);
    if (next == at->structures.end() || next->second == nullptr) {
      error(name.where, "the signature specifies no structure " + quoted(part));
      return nullptr;
    }
    at = next->second.get();
  }
  const auto found = at->types.find(name.last);
  if (found != at->types.end()) return &found->second;
  error(name.where, "the signature specifies no type " + quoted(name.last));
  return nullptr;
}

signature_entry elaborator::refined(const refined_signature& s, span where) {
  signature_entry made = signature(s.of);
  if (made.is == nullptr) return made;
  const type_function by = function_of(s.variables, s.type, where);
  const type_entry* found = find_in(*made.is, s.name);
  if (found == nullptr) return made;
  type_constructor* t = resolve(found->is.body)->head;
  const auto at = std::find(made.open.begin(), made.open.end(), t);
  if (at == made.open.end()) {
    error(s.name.where,
          "the type " + quoted(s.name.last) + " is not open in the signature, so 'where type' cannot define it");
    return made;
  }
  if (by.parameters.size() != t->arity) {
    error(s.name.where, "the type " + quoted(s.name.last) + " has " + std::to_string(t->arity) +
                            " parameters in the signature, but " + std::to_string(by.parameters.size()) + " here");
    return made;
  }
  if (t->has != equality::none && !types_.admits_equality(by.body, true)) {
    error(where, "the signature requires an equality of " + quoted(s.name.last) + ", which this type does not have");
  }
  made.open.erase(at);
  made.is = realise(*made.is, {{t, by}});
  return made;
}

void elaborator::specify(const value_specification& s, span, signature_entry&) {
  std::set<std::string> variables;
  ml::type_variables(s.type, variables);
  std::vector<type_variables> outer = std::exchange(type_variables_, {});
  type_variables_.emplace_back();
  value_entry entry;
  entry.is.parameters = bind_parameters({variables.begin(), variables.end()}, s.name.where);
  entry.is.body = type_of(s.type);
  entry.where = s.name.where;
  entry.is_only_value = true;
  type_variables_ = std::move(outer);
  if (!scope_.top().values.insert_or_assign(s.name.text, std::move(entry)).second) {
    error(s.name.where, "the signature specifies the value " + quoted(s.name.text) + " twice; remove one");
  }
}

void elaborator::specify(const type_specification& s, span where, signature_entry& made) {
  type_entry entry;
  entry.where = s.name.where;
  if (s.is != nullptr) {
    entry.is = function_of(s.variables, s.is, where);
  } else {
    const equality has = s.has_equality ? equality::of_arguments : equality::none;
    made.open.push_back(types_.add_constructor(s.name.text, s.variables.size(), has, s.name.where));
    entry.is = types_.function_of(made.open.back());
  }
  if (!scope_.top().types.insert_or_assign(s.name.text, std::move(entry)).second) {
    error(s.name.where, "the signature specifies the type " + quoted(s.name.text) + " twice; remove one");
  }
}

void elaborator::specify(const datatype_specification& s, span, signature_entry& made) {
  for (const datatype_binding& d : s.bindings) {
    if (scope_.top().types.contains(d.name.text)) {
      error(d.name.where, "the signature specifies the type " + quoted(d.name.text) + " twice; remove one");
    }
  }
  const std::vector<type_constructor*> added = declare_datatypes(s.bindings, {});
  made.open.insert(made.open.end(), added.begin(), added.end());
}

void elaborator::specify(const datatype_copy& s, span, signature_entry&) { copy_datatype(s); }

void elaborator::specify(const exception_specification& s, span, signature_entry&) {
  value_entry entry;
  entry.what = value_entry::kind::exception;
  type* argument = s.argument == nullptr ? nullptr : type_of(s.argument);
  entry.is.body = argument == nullptr ? types_.exception : types_.arrow(argument, types_.exception);
  entry.where = s.name.where;
  scope_.top().values.insert_or_assign(s.name.text, std::move(entry));
}

void elaborator::specify(const structure_specification& s, span, signature_entry& made) {
  const signature_entry inner = signature(s.signature);
  made.open.insert(made.open.end(), inner.open.begin(), inner.open.end());
  const environment_ref is = inner.is == nullptr ? std::make_shared<environment>() : inner.is;
  if (!scope_.top().structures.insert_or_assign(s.name.text, is).second) {
    error(s.name.where, "the signature specifies the structure " + quoted(s.name.text) + " twice; remove one");
  }
}

void elaborator::specify(const include_specification& s, span, signature_entry& made) {
  const signature_entry inner = signature(s.signature);
  if (inner.is == nullptr) return;
  made.open.insert(made.open.end(), inner.open.begin(), inner.open.end());
  scope_.top().add(*inner.is);
}

void elaborator::specify(const sharing_specification& s, span where, signature_entry& made) {
  std::vector<type_constructor*> shared;
  for (const long_name& name : s.types) {
    const type_entry* found = find_in(scope_.top(), name);
    if (found == nullptr) return;
    type_constructor* t = resolve(found->is.body)->head;
    if (std::find(made.open.begin(), made.open.end(), t) == made.open.end()) {
      error(name.where, "the type " + quoted(name.last) +
                            " is not open in the signature, so it cannot be shared; write 'type t = ...'");
      return;
    }
    if (!shared.empty() && shared.front()->arity != t->arity) {
      error(where, "types that are shared must have the same number of parameters");
      return;
    }
    if (std::find(shared.begin(), shared.end(), t) == shared.end()) shared.push_back(t);
  }
  if (shared.size() < 2) return;
  // A datatype, if there is one, is kept: it has the constructors.
  for (type_constructor*& t : shared) {
    if (!t->constructors.empty()) std::swap(t, shared.front());
  }
  type_store::realisation by;
  for (std::size_t i = 1; i < shared.size(); ++i) {
    by.emplace(shared[i], types_.function_of(shared[0]));
    if (shared[0]->has == equality::none) shared[0]->has = shared[i]->has;
    std::erase(made.open, shared[i]);
  }
  scope_.top() = *realise(scope_.top(), by);
}

}  // namespace tine::ml
