// The store of types: making, copying and walking them.
#include "ml/types.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

type* resolve(type* t) {
  while (t->link != nullptr) {
    if (t->link->link != nullptr) t->link = t->link->link;
    t = t->link;
  }
  return t;
}

bool label_before(const std::string& a, const std::string& b) {
  const auto is_number = [](const std::string& s) { return !s.empty() && s[0] >= '0' && s[0] <= '9'; };
  if (is_number(a) != is_number(b)) return is_number(a);
  if (is_number(a) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

type_store::type_store() {
  broken_.is = type::kind::broken;
  const auto base = [&](const char* name, equality has) { return apply(add_constructor(name, 0, has, {})); };
  int_ = base("int", equality::of_arguments);
  word = base("word", equality::of_arguments);
  word8 = base("word8", equality::of_arguments);
  real = base("real", equality::none);
  character = base("char", equality::of_arguments);
  string = base("string", equality::of_arguments);
  exception = base("exn", equality::none);
  unit = tuple({});
  array = add_constructor("array", 1, equality::always, {});
  vector = add_constructor("vector", 1, equality::of_arguments, {});
  add_datatypes();
}

void type_store::add_datatypes() {
  const auto datatype = [&](const char* name, std::size_t arity, equality has) {
    return add_constructor(name, arity, has, {});
  };
  const auto value = [&](type_constructor* of, const char* name, const std::vector<type*>& parameters, type* argument) {
    constructor c;
    c.name = name;
    c.index = static_cast<unsigned>(of->constructors.size());
    c.datatype = of;
    c.parameters = parameters;
    c.argument = argument;
    c.result = apply(of, parameters);
    constructor* made = add(std::move(c));
    of->constructors.push_back(made);
    return made;
  };
  type_constructor* truth = datatype("bool", 0, equality::of_arguments);
  false_ = value(truth, "false", {}, nullptr);
  true_ = value(truth, "true", {}, nullptr);
  boolean = apply(truth);
  list = datatype("list", 1, equality::of_arguments);
  type* element = rigid("'a", generic_level);
  nil = value(list, "nil", {element}, nullptr);
  cons = value(list, "::", {element}, tuple({element, apply(list, {element})}));
  reference = datatype("ref", 1, equality::always);
  type* content = rigid("'a", generic_level);
  ref = value(reference, "ref", {content}, content);
}

type* type_store::make(type::kind is) {
  type& t = types_.emplace_back();
  t.is = is;
  return &t;
}

type* type_store::variable(unsigned level, bool wants_equality, std::uint8_t among) {
  type* t = make(type::kind::variable);
  t->level = level;
  t->wants_equality = wants_equality;
  t->among = among;
  return t;
}

type* type_store::rigid(std::string name, unsigned level) {
  type* t = make(type::kind::rigid);
  t->level = level;
  t->wants_equality = name.starts_with("''");
  t->name = std::move(name);
  return t;
}

type* type_store::apply(type_constructor* head, std::vector<type*> arguments) {
  type* t = make(type::kind::applied);
  t->head = head;
  t->parts = std::move(arguments);
  return t;
}

type* type_store::arrow(type* from, type* to) {
  type* t = make(type::kind::arrow);
  t->parts = {from, to};
  return t;
}

type* type_store::record(const label_list* labels, std::vector<type*> fields) {
  type* t = make(type::kind::record);
  t->labels = labels;
  t->parts = std::move(fields);
  return t;
}

type* type_store::open_record(const label_list* labels, std::vector<type*> fields, unsigned level) {
  type* t = variable(level);
  t->labels = labels;
  t->parts = std::move(fields);
  return t;
}

type* type_store::tuple(std::vector<type*> parts) {
  const label_list* names = tuple_labels(parts.size());
  return record(names, std::move(parts));
}

const label_list* type_store::labels(label_list sorted) { return &*labels_.insert(std::move(sorted)).first; }

const label_list* type_store::tuple_labels(std::size_t n) {
  label_list names;
  for (std::size_t i = 1; i <= n; ++i) names.push_back(std::to_string(i));
  return labels(std::move(names));
}

type_constructor* type_store::add_constructor(std::string name, std::size_t arity, equality has, span where) {
  type_constructor& c = constructors_.emplace_back();
  c.name = std::move(name);
  c.arity = arity;
  c.has = has;
  c.id = static_cast<unsigned>(constructors_.size());
  c.where = where;
  return &c;
}

constructor* type_store::add(constructor c) { return &value_constructors_.emplace_back(std::move(c)); }

type_function type_store::function_of(type_constructor* head) {
  type_function f;
  for (std::size_t i = 0; i < head->arity; ++i) {
    f.parameters.push_back(rigid("'" + std::string(1, static_cast<char>('a' + i % 26)), generic_level));
  }
  f.body = apply(head, f.parameters);
  return f;
}

type* type_store::substitute(type* t, substitution& with) {
  t = resolve(t);
  if (const auto found = with.find(t); found != with.end()) return found->second;
  if (t->parts.empty()) return t;
  std::vector<type*> parts;
  bool is_changed = false;
  for (type* part : t->parts) {
    parts.push_back(substitute(part, with));
    is_changed |= parts.back() != resolve(part);
  }
  type* result = t;
  if (is_changed) {
    result = copy(*t, std::move(parts));
  }
  with.emplace(t, result);
  return result;
}

type* type_store::copy(const type& t, std::vector<type*> parts) {
  type* const made = make(t.is);
  made->head = t.head;
  made->labels = t.labels;
  made->level = t.level;
  made->wants_equality = t.wants_equality;
  made->parts = std::move(parts);
  return made;
}

type* type_store::instantiate(const scheme& s, const std::vector<type*>& arguments) {
  if (s.parameters.empty()) return s.body;
  substitution with;
  for (std::size_t i = 0; i < s.parameters.size(); ++i) with.emplace(resolve(s.parameters[i]), arguments[i]);
  return substitute(s.body, with);
}

std::vector<type*> type_store::instantiate(const std::vector<type*>& parameters, const std::vector<type*>& all,
                                           const std::vector<type*>& arguments) {
  substitution with;
  for (std::size_t i = 0; i < parameters.size(); ++i) with.emplace(resolve(parameters[i]), arguments[i]);
  std::vector<type*> made;
  for (type* t : all) made.push_back(substitute(t, with));
  return made;
}

std::vector<type*> type_store::fresh_arguments(const scheme& s, unsigned level) {
  std::vector<type*> made;
  for (type* parameter : s.parameters) made.push_back(variable(level, resolve(parameter)->wants_equality));
  return made;
}

type* type_store::apply(const type_function& f, const std::vector<type*>& arguments) {
  return instantiate(scheme{f.parameters, f.body}, arguments);
}

type* type_store::realise(type* t, const realisation& by) {
  substitution done;
  return realise(t, by, done);
}

type* type_store::realise(type* t, const realisation& by, substitution& done) {
  t = resolve(t);
  if (t->parts.empty() && t->is != type::kind::applied) return t;
  if (const auto found = done.find(t); found != done.end()) return found->second;
  std::vector<type*> parts;
  bool is_changed = false;
  for (type* part : t->parts) {
    parts.push_back(realise(part, by, done));
    is_changed |= parts.back() != resolve(part);
  }
  type* result = t;
  if (const auto found = by.find(t->head); t->is == type::kind::applied && found != by.end()) {
    result = apply(found->second, parts);
  } else if (is_changed) {
    result = copy(*t, std::move(parts));
  }
  done.emplace(t, result);
  return result;
}

std::vector<type*> type_store::variables_above(const std::vector<type*>& all, unsigned level) {
  ++stamp_;
  std::vector<type*> found;
  for (type* t : all) collect(t, level, found, 0);
  return found;
}

void type_store::collect(type* t, unsigned level, std::vector<type*>& into, std::size_t depth) {
  t = resolve(t);
  if (t->stamp == stamp_ || depth > 4 * max_depth) return;
  t->stamp = stamp_;
  const bool is_variable = t->is == type::kind::variable || t->is == type::kind::rigid;
  if (is_variable && t->level > level && t->level != generic_level) into.push_back(t);
  for (type* part : t->parts) collect(part, level, into, depth + 1);
}

type* reveal(type_store& store, type* t) {
  t = resolve(t);
  while (t->is == type::kind::applied && t->head->hidden.body != nullptr) {
    t = resolve(store.apply(t->head->hidden, t->parts));
  }
  return t;
}

}  // namespace tine::ml
