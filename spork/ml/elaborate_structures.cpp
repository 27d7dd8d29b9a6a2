// Structures, and the copies of environments with replaced types.
#include "ml/elaborator.hpp"

#include <utility>

namespace tine::ml {

void elaborator::of(const structure_declaration& d, span where) {
  if (inside_expressions_ != 0) {
    error(where, "a structure cannot be declared inside an expression; declare it at the top level");
  }
  std::vector<std::pair<std::string, environment_ref>> made;
  for (const structure_binding& b : d.bindings) {
    environment_ref s = structure(b.is);
    if (b.signature != nullptr) s = ascribe(s, b.signature, b.is_opaque, b.is->where);
    for (const auto& [name, other] : made) {
      if (name == b.name.text)
        error(b.name.where, "the structure " + quoted(name) + " is declared twice here; rename one");
    }
    made.emplace_back(b.name.text, std::move(s));
  }
  for (auto& [name, s] : made) scope_.top().structures.insert_or_assign(name, std::move(s));
}

void elaborator::of(const signature_declaration& d, span where) {
  if (inside_expressions_ != 0) {
    error(where, "a signature cannot be declared inside an expression; declare it at the top level");
  }
  std::vector<std::pair<std::string, signature_entry>> made;
  for (const signature_binding& b : d.bindings) made.emplace_back(b.name.text, signature(b.is));
  for (auto& [name, s] : made) scope_.top().signatures.insert_or_assign(name, std::move(s));
}

environment_ref elaborator::structure(structure_ref s) {
  if (const auto* plain = std::get_if<plain_structure>(&s->is)) {
    scope_.push();
    elaborate(plain->declarations);
    return std::make_shared<environment>(scope_.pop());
  }
  if (const auto* name = std::get_if<named_structure>(&s->is)) {
    const environment_ref* found = find_structure(name->name);
    return found == nullptr ? nullptr : *found;
  }
  if (const auto* c = std::get_if<constrained_structure>(&s->is))
    return ascribe(structure(c->of), c->signature, c->is_opaque, s->where);
  if (const auto* l = std::get_if<let_structure>(&s->is)) {
    scope_.push();
    elaborate(l->declarations);
    environment_ref body = structure(l->body);
    scope_.pop();
    return body;
  }
  return nullptr;
}

value_entry elaborator::realise(const value_entry& v, const type_store::realisation& by) {
  value_entry made = v;
  made.is.body = types_.realise(v.is.body, by);
  for (type*& argument : made.arguments) argument = types_.realise(argument, by);
  return made;
}

type_entry elaborator::realise(const type_entry& t, const type_store::realisation& by) {
  type_entry made{{t.is.parameters, types_.realise(t.is.body, by)}, {}, t.where};
  for (const named_constructor& c : t.constructors) made.constructors.push_back({c.name, realise(c.value, by)});
  return made;
}

environment_ref elaborator::realise(const environment& e, const type_store::realisation& by) {
  auto made = std::make_shared<environment>();
  for (const auto& [name, v] : e.values) made->values.emplace(name, realise(v, by));
  for (const auto& [name, t] : e.types) made->types.emplace(name, realise(t, by));
  for (const auto& [name, s] : e.structures) made->structures.emplace(name, s == nullptr ? s : realise(*s, by));
  made->signatures = e.signatures;
  return made;
}

}  // namespace tine::ml
