// Matching a structure against a signature, and ascription.
#include "ml/signature_matcher.hpp"
#include "ml/elaborator.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace tine::ml {

namespace {

std::string plural(std::size_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); }

/// Copies what the name stands for: the type is the signature's.
void take_meaning(value_entry& shown, const value_entry& from) {
  scheme is = std::move(shown.is);
  const span where = shown.where;
  shown = from;
  shown.is = std::move(is);
  shown.where = where;
}

}  // namespace

void signature_matcher::report() {
  const auto key = [](const note& n) { return std::tuple{n.where.file, n.where.begin, std::string_view{n.message}}; };
  std::ranges::sort(faults_, {}, key);
  const auto twice = std::ranges::unique(faults_, {}, key);  // a type is looked at twice
  faults_.erase(twice.begin(), twice.end());
  if (faults_.empty()) return;
  const std::string text = "the structure does not match its signature";
  if (faults_.size() == 1)
    return problems_.error(where_, text + ": " + faults_[0].message, {{faults_[0].where, "it is specified here"}});
  problems_.error(where_, text + " in " + plural(faults_.size(), "place"), std::move(faults_));
}

void signature_matcher::provide(const environment& specified, const environment& actual,
                                const signature_entry& signature, const std::string& path,
                                type_store::realisation& into) {
  for (const auto& [name, entry] : specified.types) {
    type_constructor* t = resolve(entry.is.body)->head;
    if (std::find(signature.open.begin(), signature.open.end(), t) == signature.open.end() || into.contains(t))
      continue;
    const auto found = actual.types.find(name);
    type_function by{entry.is.parameters, types_.broken()};
    if (found == actual.types.end()) {
      error("there is no type " + quoted(path + name), entry.where);
    } else if (found->second.is.parameters.size() != t->arity) {
      error("the type " + quoted(path + name) + " has " + plural(found->second.is.parameters.size(), "parameter") +
                ", but must have " + std::to_string(t->arity),
            entry.where);
    } else {
      by = found->second.is;
      if (t->has != equality::none && !types_.admits_equality(by.body, true)) {
        error("the type " + quoted(path + name) + " has no equality, which the signature requires", entry.where);
      }
    }
    into.emplace(t, std::move(by));
  }
  for (const auto& [name, inner] : specified.structures) {
    const auto found = actual.structures.find(name);
    if (found != actual.structures.end() && found->second != nullptr && inner != nullptr) {
      provide(*inner, *found->second, signature, path + name + ".", into);
    }
  }
}

std::vector<type*> signature_matcher::rigid_for(const std::vector<type*>& parameters) {
  std::vector<type*> made;
  for (const type* p : parameters) made.push_back(types_.rigid(resolve(const_cast<type*>(p))->name, level_ + 1));
  return made;
}

void signature_matcher::bind(const std::vector<type*>& rigid) {
  for (type* t : rigid) t->level = generic_level;
}

value_entry signature_matcher::match_value(const value_entry& specified, const value_entry& actual,
                                           const std::string& name) {
  const std::vector<type*> rigid = rigid_for(specified.is.parameters);
  type* wanted = types_.instantiate(specified.is, rigid);
  const std::vector<type*> arguments = types_.fresh_arguments(actual.is, level_ + 1);
  if (actual.among != 0) arguments[0]->among = actual.among;
  type* found = types_.instantiate(actual.is, arguments);
  type_printer print;
  const std::string before = print(found), demanded = print(wanted);
  if (types_.unify(wanted, found)) {
    error("the value " + quoted(name) + " has type " + before + ", but is specified as " + demanded, specified.where);
  }
  bind(rigid);
  value_entry made = specified;
  take_meaning(made, actual);
  made.among = 0;
  made.is_only_value = true;
  type_store::substitution back;
  for (std::size_t i = 0; i < rigid.size(); ++i) back.emplace(rigid[i], specified.is.parameters[i]);
  made.arguments.clear();
  for (type* one : types_.instantiate(actual.is.parameters, actual.arguments, arguments)) {
    made.arguments.push_back(types_.substitute(one, back));
  }
  return made;
}

value_entry signature_matcher::match_exact(const value_entry& specified, const value_entry& actual,
                                           const std::string& name) {
  const bool is_exception = specified.what == value_entry::kind::exception;
  if (actual.what != specified.what || actual.is_only_value) {
    error(quoted(name) + " is a value, but must be " + (is_exception ? "an exception" : "a constructor"),
          specified.where);
    return specified;
  }
  const std::vector<type*> rigid = rigid_for(specified.is.parameters);
  if (actual.is.parameters.size() == rigid.size()) {
    type* wanted = types_.instantiate(specified.is, rigid);
    type* found = types_.instantiate(actual.is, rigid);
    if (types_.unify(wanted, found)) {
      type_printer print;
      error("the " + std::string(is_exception ? "exception " : "constructor ") + quoted(name) + " has type " +
                print(found) + ", but is specified as " + print(wanted),
            specified.where);
    }
  }
  bind(rigid);
  value_entry made = specified;
  take_meaning(made, actual);
  return made;
}

void signature_matcher::match_type(const type_entry& specified, const type_entry& actual, const std::string& name) {
  const std::vector<type*> rigid = rigid_for(specified.is.parameters);
  if (actual.is.parameters.size() != rigid.size()) {
    error("the type " + quoted(name) + " has " + plural(actual.is.parameters.size(), "parameter") + ", but must have " +
              std::to_string(rigid.size()),
          specified.where);
    return;
  }
  type* wanted = types_.apply(specified.is, rigid);
  type* found = types_.apply(actual.is, rigid);
  if (types_.unify(wanted, found)) {
    type_printer print;
    error("the type " + quoted(name) + " is " + print(found) + ", but is specified as " + print(wanted),
          specified.where);
  }
  bind(rigid);
  if (specified.constructors.empty()) return;
  std::string missing;
  for (const named_constructor& c : specified.constructors) {
    const bool has = std::any_of(actual.constructors.begin(), actual.constructors.end(),
                                 [&](const auto& one) { return one.name == c.name; });
    if (!has) missing += (missing.empty() ? "" : ", ") + c.name;
  }
  if (actual.constructors.empty()) {
    error("the type " + quoted(name) + " must be a datatype", specified.where);
  } else if (!missing.empty()) {
    error("the datatype " + quoted(name) + " lacks the constructors " + missing, specified.where);
  } else if (actual.constructors.size() != specified.constructors.size()) {
    error("the datatype " + quoted(name) + " has " + plural(actual.constructors.size(), "constructor") +
              ", but must have " + std::to_string(specified.constructors.size()),
          specified.where);
  }
}

environment signature_matcher::match(const environment& specified, const environment& actual, const std::string& path) {
  environment shown = specified;
  for (auto& [name, entry] : shown.types) {
    if (const auto found = actual.types.find(name); found != actual.types.end()) {
      match_type(entry, found->second, path + name);
      for (named_constructor& c : entry.constructors) {
        for (const named_constructor& own : found->second.constructors) {
          if (own.name == c.name) take_meaning(c.value, own.value);
        }
      }
    } else if (resolve(entry.is.body)->is != type::kind::broken) {
      error("there is no type " + quoted(path + name), entry.where);
    }
  }
  for (auto& [name, entry] : shown.values) {
    const auto found = actual.values.find(name);
    if (found == actual.values.end()) {
      if (entry.what == value_entry::kind::constructor) continue;  // a fault of its datatype
      type_printer print;
      const bool is_exception = entry.what == value_entry::kind::exception;
      error("there is no " + std::string(is_exception ? "exception " : "value ") + quoted(path + name) + " of type " +
                print(entry.is.body),
            entry.where);
    } else if (entry.what == value_entry::kind::variable) {
      entry = match_value(entry, found->second, path + name);
    } else {
      entry = match_exact(entry, found->second, path + name);
    }
  }
  for (auto& [name, inner] : shown.structures) {
    const auto found = actual.structures.find(name);
    if (found == actual.structures.end()) {
      error("there is no structure " + quoted(path + name), where_);
    } else if (found->second != nullptr && inner != nullptr) {
      inner = std::make_shared<environment>(match(*inner, *found->second, path + name + "."));
    }
  }
  return shown;
}

void take_meanings(environment& shown, const environment& from) {
  for (auto& [name, entry] : shown.values) {
    if (const auto found = from.values.find(name); found != from.values.end()) take_meaning(entry, found->second);
  }
  for (auto& [name, entry] : shown.types) {
    const auto found = from.types.find(name);
    if (found == from.types.end()) continue;
    for (std::size_t i = 0; i < entry.constructors.size() && i < found->second.constructors.size(); ++i) {
      take_meaning(entry.constructors[i].value, found->second.constructors[i].value);
    }
  }
  for (auto& [name, inner] : shown.structures) {
    const auto found = from.structures.find(name);
    if (found == from.structures.end() || inner == nullptr || found->second == nullptr) continue;
    environment copy = *inner;
    take_meanings(copy, *found->second);
    inner = std::make_shared<environment>(std::move(copy));
  }
}

environment_ref elaborator::ascribe(environment_ref s, signature_ref written, bool is_opaque, span where) {
  const signature_entry wanted = signature(written);
  if (wanted.is == nullptr) return s;
  if (s == nullptr) return wanted.is;  // an error is reported already; the names are those of the signature
  signature_matcher matcher{types_, problems_, where, level_};
  type_store::realisation by;
  matcher.provide(*wanted.is, *s, wanted, "", by);
  environment shown = matcher.match(*realise(*wanted.is, by), *s, "");
  matcher.report();
  if (!is_opaque) return std::make_shared<environment>(std::move(shown));
  type_store::realisation abstract;
  for (type_constructor* t : wanted.open) {
    type_constructor* made = types_.add_constructor(t->name, t->arity, t->has, t->where);
    made->constructors = t->constructors;
    if (const auto found = by.find(t); found != by.end()) made->hidden = found->second;
    abstract.emplace(t, types_.function_of(made));
  }
  environment opaque = *realise(*wanted.is, abstract);
  take_meanings(opaque, shown);
  return std::make_shared<environment>(std::move(opaque));
}

}  // namespace tine::ml
