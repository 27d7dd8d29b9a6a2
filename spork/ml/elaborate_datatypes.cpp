// Declarations of types, datatypes and exceptions.
#include "ml/elaborator.hpp"
#include "ml/type_variables.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

namespace {

/// Names that SML does not allow to bind again as a constructor or an exception.
bool is_reserved(const std::string& name) {
  return name == "true" || name == "false" || name == "nil" || name == "::" || name == "ref" || name == "it";
}

}  // namespace

void elaborator::of(const type_declaration& d, span where) {
  std::vector<std::pair<const type_binding*, type_entry>> made;
  for (const type_binding& b : d.bindings)
    made.emplace_back(&b, type_entry{function_of(b.variables, b.is, where), {}, b.name.where});
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (made[i].first->name.text == made[j].first->name.text)
        error(made[i].first->name.where,
              "the type " + quoted(made[i].first->name.text) + " is declared twice here; rename one");
    }
  }
  for (auto& [b, entry] : made) scope_.top().types.insert_or_assign(b->name.text, std::move(entry));
}

type_entry elaborator::declare_datatype(const datatype_binding& d) {
  type_constructor* t = types_.add_constructor(d.name.text, d.variables.size(), equality::of_arguments, d.name.where);
  return {types_.function_of(t), {}, d.name.where};
}

void elaborator::declare_constructors(const datatype_binding& d, type_constructor* t, type_entry& entry) {
  std::vector<type_variables> outer = std::exchange(type_variables_, {});
  type_variables_.emplace_back();
  const std::vector<type*> parameters = bind_parameters(d.variables, d.name.where);
  type* result = types_.apply(t, parameters);
  for (const constructor_binding& c : d.constructors) {
    for (const named_constructor& other : entry.constructors) {
      if (other.name == c.name.text)
        error(c.name.where, "the constructor " + quoted(c.name.text) + " occurs twice; rename one");
    }
    if (is_reserved(c.name.text) && !in_basis_)
      error(c.name.where, quoted(c.name.text) + " cannot be bound again; choose another name");
    constructor made;
    made.name = c.name.text;
    made.index = static_cast<unsigned>(t->constructors.size());
    made.datatype = t;
    made.parameters = parameters;
    made.result = result;
    if (c.argument != nullptr) made.argument = type_of(c.argument);
    constructor* kept = types_.add(std::move(made));
    t->constructors.push_back(kept);
    value_entry value;
    value.what = value_entry::kind::constructor;
    value.constructor = kept;
    value.is = {parameters, kept->argument == nullptr ? result : types_.arrow(kept->argument, result)};
    value.where = c.name.where;
    entry.constructors.push_back({c.name.text, std::move(value)});
  }
  type_variables_ = std::move(outer);
}

void elaborator::decide_equality(const std::vector<type_constructor*>& all) {
  // The greatest solution: all are assumed to have an equality until one of their arguments refutes it.
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (type_constructor* t : all) {
      if (t->has != equality::of_arguments) continue;
      const bool admits = std::all_of(t->constructors.begin(), t->constructors.end(), [&](const constructor* c) {
        return c->argument == nullptr || types_.admits_equality(c->argument, true);
      });
      if (!admits) {
        t->has = equality::none;
        is_changed = true;
      }
    }
  }
}

std::vector<type_constructor*> elaborator::declare_datatypes(const std::vector<datatype_binding>& all,
                                                             const std::vector<type_binding>& with_types) {
  std::vector<type_constructor*> made;
  std::vector<type_entry> entries;
  for (const datatype_binding& d : all) {
    entries.push_back(declare_datatype(d));
    made.push_back(entries.back().is.body->head);
    if (std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.name.text == d.name.text; }) > 1) {
      error(d.name.where, "the type " + quoted(d.name.text) + " is declared twice here; rename one");
    }
    scope_.top().types.insert_or_assign(d.name.text, entries.back());
  }
  std::vector<std::pair<std::string, type_entry>> abbreviations;
  for (const type_binding& b : with_types) {
    abbreviations.emplace_back(b.name.text, type_entry{function_of(b.variables, b.is, b.name.where), {}, b.name.where});
  }
  for (auto& [name, entry] : abbreviations) scope_.top().types.insert_or_assign(name, std::move(entry));
  for (std::size_t i = 0; i < all.size(); ++i) declare_constructors(all[i], made[i], entries[i]);
  decide_equality(made);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const named_constructor& c : entries[i].constructors) scope_.top().values.insert_or_assign(c.name, c.value);
    scope_.top().types.insert_or_assign(all[i].name.text, std::move(entries[i]));
  }
  return made;
}

void elaborator::of(const datatype_declaration& d, span) { declare_datatypes(d.bindings, d.with_types); }

void elaborator::copy_datatype(const datatype_copy& d) {
  const type_entry* found = find_type(d.of);
  if (found == nullptr) return;
  type_entry entry = *found;
  for (const named_constructor& c : entry.constructors) scope_.top().values.insert_or_assign(c.name, c.value);
  scope_.top().types.insert_or_assign(d.name.text, std::move(entry));
}

void elaborator::of(const datatype_copy& d, span) { copy_datatype(d); }

void elaborator::of(const exception_declaration& d, span) {
  std::vector<std::pair<std::string, value_entry>> made;
  for (const exception_binding& b : d.bindings) {
    if (is_reserved(b.name.text))
      error(b.name.where, quoted(b.name.text) + " cannot be bound again; choose another name");
    value_entry entry;
    if (b.is_copy) {
      const value_entry* of = find_value(b.of, "exception");
      if (of == nullptr) continue;
      if (of->what != value_entry::kind::exception || of->is_only_value) {
        error(b.of.where, quoted(b.of.last) + " is no exception, so it cannot be copied");
        continue;
      }
      entry = *of;
    } else {
      // At the top level no type variable is bound, so none is allowed here.
      type* argument = b.argument == nullptr ? nullptr : type_of(b.argument);
      typed::exception* e = into_.new_exception(b.name.text, argument, b.name.where);
      e->is_basic = in_basis_;
      entry.what = value_entry::kind::exception;
      entry.exception = e;
      entry.is.body = argument == nullptr ? types_.exception : types_.arrow(argument, types_.exception);
      out_->push_back(into_.add(typed::declaration{typed::new_exception{e}, b.name.where}));
    }
    entry.where = b.name.where;
    for (const auto& [name, other] : made) {
      if (name == b.name.text)
        error(b.name.where, "the exception " + quoted(name) + " is declared twice here; rename one");
    }
    made.emplace_back(b.name.text, std::move(entry));
  }
  for (auto& [name, entry] : made) scope_.top().values.insert_or_assign(name, std::move(entry));
}

}  // namespace tine::ml
