// Prints structures and signatures.
#include "ml/printer.hpp"

#include <variant>

namespace tine::ml {

void printer::ascription(signature_ref s, bool is_opaque) {
  add(is_opaque ? " :> " : " : ");
  signature(s);
}

void printer::structure(structure_ref s) {
  if (const auto* n = std::get_if<named_structure>(&s->is)) return name(n->name);
  if (const auto* c = std::get_if<constrained_structure>(&s->is)) {
    structure(c->of);
    return ascription(c->signature, c->is_opaque);
  }
  const fixity_scope::mark before = fixities_.here();
  if (const auto* p = std::get_if<plain_structure>(&s->is)) {
    add("struct");
    scope(p->declarations);
  } else if (const auto* l = std::get_if<let_structure>(&s->is)) {
    add("let");
    scope(l->declarations);
    add("in ");
    structure(l->body);
    add(" ");
  } else {
    add("struct ");
  }
  add("end");
  fixities_.leave(before);
}

void printer::signature(signature_ref s) {
  if (const auto* n = std::get_if<named_signature>(&s->is)) return add(n->name.text);
  if (const auto* r = std::get_if<refined_signature>(&s->is)) {
    signature(r->of);
    add(" where type ");
    variables(r->variables);
    name(r->name);
    add(" = ");
    return type(r->type);
  }
  add("sig");
  if (const auto* p = std::get_if<plain_signature>(&s->is)) {
    ++indent_;
    for (const specification& one : p->specifications) {
      new_line();
      specify(one);
    }
    --indent_;
  }
  new_line();
  add("end");
}

void printer::specify(const specification& s) {
  if (const auto* v = std::get_if<value_specification>(&s.is)) {
    add("val ");
    add(v->name.text);
    add(" : ");
    type(v->type);
  } else if (const auto* t = std::get_if<type_specification>(&s.is)) {
    add(t->has_equality ? "eqtype " : "type ");
    variables(t->variables);
    add(t->name.text);
    if (t->is != nullptr) add(" = "), type(t->is);
  } else if (const auto* d = std::get_if<datatype_specification>(&s.is)) {
    add("datatype ");
    datatypes(d->bindings);
  } else if (const auto* c = std::get_if<datatype_copy>(&s.is)) {
    one(*c);
  } else if (const auto* e = std::get_if<exception_specification>(&s.is)) {
    add("exception ");
    add(e->name.text);
    if (e->argument != nullptr) add(" of "), type(e->argument);
  } else if (const auto* m = std::get_if<structure_specification>(&s.is)) {
    add("structure ");
    add(m->name.text);
    add(" : ");
    signature(m->signature);
  } else if (const auto* i = std::get_if<include_specification>(&s.is)) {
    add("include ");
    signature(i->signature);
  } else {
    add("sharing type ");
    list(std::get<sharing_specification>(s.is).types, " = ", [&](const long_name& n) { name(n); });
  }
}

}  // namespace tine::ml
