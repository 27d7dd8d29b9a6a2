// Walks through functions for the names that they capture.
#include "ml/lower/free_names.hpp"

#include <variant>

namespace tine::ml::lower {
namespace {

void collect(const typed::pattern& p, std::vector<const typed::variable*>& into, std::vector<name>& exceptions) {
  if (const auto* b = std::get_if<typed::bind>(&p.is)) into.push_back(b->to);
  if (const auto* l = std::get_if<typed::layered>(&p.is)) into.push_back(l->to), collect(*l->of, into, exceptions);
  if (const auto* b = std::get_if<typed::built>(&p.is)) {
    if (b->argument != nullptr) collect(*b->argument, into, exceptions);
  }
  if (const auto* r = std::get_if<typed::raised>(&p.is)) {
    exceptions.push_back(r->by);
    if (r->argument != nullptr) collect(*r->argument, into, exceptions);
  }
  if (const auto* f = std::get_if<typed::fields>(&p.is)) {
    for (const typed::pattern_ref part : f->parts) collect(*part, into, exceptions);
  }
}

// Walks through an expression, and notes all names that it uses and all that it binds. No name is bound twice, so it
// does not matter where.
class walk {
 public:
  explicit walk(const std::unordered_set<name>& top_level) : top_level_{top_level} {}

  void operator()(typed::expression_ref e) {
    if (e != nullptr) std::visit([&](const auto& node) { visit(node); }, e->is);
  }
  void operator()(const typed::declaration& d) {
    std::visit([&](const auto& node) { visit(node); }, d.is);
  }
  void operator()(const typed::pattern& p) {
    std::vector<const typed::variable*> variables;
    std::vector<name> exceptions;
    collect(p, variables, exceptions);
    for (const typed::variable* v : variables) bound_.insert(v);
    for (const name e : exceptions) uses(e);
  }
  void visit(const typed::function& f) { bound_.insert(f.parameter), (*this)(f.body); }
  void visit(const typed::recursive& d) {
    for (const typed::recursive_function& f : d.functions) bound_.insert(f.name), (*this)(f.is);
  }
  void visit(const typed::value& d) { (*this)(*d.to), (*this)(d.from); }

  std::vector<name> free() const {
    std::vector<name> all;
    for (const name n : used_) {
      if (!bound_.contains(n)) all.push_back(n);
    }
    return all;
  }

 private:
  void uses(name n) {
    if (!top_level_.contains(n) && seen_.insert(n).second) used_.push_back(n);
  }
  // Inside its own recursive declaration, a polymorphic function is one copy of several, which the top level does not
  // know.
  void visit(const typed::use& u) {
    if (u.arguments.empty() && !u.of->is.parameters.empty()) {
      if (seen_.insert(u.of).second) used_.push_back(u.of);
    } else {
      uses(u.of);
    }
  }
  void visit(const typed::constant&) {}
  void visit(const typed::primitive&) {}
  void visit(const typed::construct& c) { (*this)(c.argument); }
  void visit(const typed::make_exception& m) { uses(m.by), (*this)(m.argument); }
  void visit(const typed::tuple& t) {
    for (const typed::expression_ref part : t.parts) (*this)(part);
  }
  void visit(const typed::list& l) {
    for (const typed::expression_ref part : l.parts) (*this)(part);
  }
  void visit(const typed::select& s) { (*this)(s.of); }
  void visit(const typed::apply& a) { (*this)(a.function), (*this)(a.argument); }
  void visit(const typed::let& l) {
    for (const typed::declaration_ref d : l.declarations) (*this)(*d);
    (*this)(l.body);
  }
  void visit(const typed::sequence& s) {
    for (const typed::expression_ref step : s.steps) (*this)(step);
  }
  void visit(const typed::conditional& c) { (*this)(c.condition), (*this)(c.yes), (*this)(c.no); }
  void visit(const typed::loop& l) { (*this)(l.condition), (*this)(l.body); }
  void visit(const std::vector<typed::rule>& rules) {
    for (const typed::rule& r : rules) (*this)(*r.when), (*this)(r.then);
  }
  void visit(const typed::match& m) { (*this)(m.of), visit(m.rules); }
  void visit(const typed::raise& r) { (*this)(r.of); }
  void visit(const typed::handle& h) { (*this)(h.of), visit(h.rules); }
  void visit(const typed::new_exception& e) { bound_.insert(e.made); }

  const std::unordered_set<name>& top_level_;
  std::unordered_set<name> bound_, seen_;
  std::vector<name> used_;
};

}  // namespace

std::vector<const typed::variable*> variables_of(const typed::pattern& p) {
  std::vector<const typed::variable*> all;
  std::vector<name> exceptions;
  collect(p, all, exceptions);
  return all;
}

free_names::free_names(const typed::program& p) {
  for (const typed::declaration_ref d : p.declarations) {
    if (const auto* v = std::get_if<typed::value>(&d->is)) {
      for (const typed::variable* each : variables_of(*v->to)) top_level_.insert(each);
    }
    if (const auto* r = std::get_if<typed::recursive>(&d->is)) {
      for (const typed::recursive_function& f : r->functions) top_level_.insert(f.name);
    }
    if (const auto* e = std::get_if<typed::new_exception>(&d->is)) top_level_.insert(e->made);
  }
}

const std::vector<name>& free_names::of(const typed::function& f) {
  const auto [at, is_new] = known_.try_emplace(&f);
  if (is_new) {
    walk w{top_level_};
    w.visit(f);
    at->second = w.free();
  }
  return at->second;
}

const std::vector<name>& free_names::of(const typed::recursive& group) {
  const auto [at, is_new] = known_.try_emplace(&group);
  if (is_new) {
    walk w{top_level_};
    w.visit(group);
    at->second = w.free();
  }
  return at->second;
}

const std::vector<name>& free_names::of(const typed::value& declaration) {
  const auto [at, is_new] = known_.try_emplace(&declaration);
  if (is_new) {
    walk w{top_level_};
    w(declaration.from);
    at->second = w.free();
  }
  return at->second;
}

}  // namespace tine::ml::lower
