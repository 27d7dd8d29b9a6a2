// Patterns.
#include "ml/elaborator.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

typed::pattern* elaborator::make_pattern(decltype(typed::pattern::is) is, type* t, span where) {
  return into_.add(typed::pattern{std::move(is), t, where});
}

typed::pattern_ref elaborator::elaborate(pattern_ref p, const wish& w, bound_names& names) {
  return std::visit([&](const auto& is) { return of(is, p->where, w, names); }, p->is);
}

typed::variable* elaborator::bind(std::string_view name, type* t, span where, bound_names& names) {
  for (const bound_name& b : names) {
    if (b.name == name) {
      error(where, "the variable " + quoted(name) + " is bound twice in one pattern or declaration; rename one");
      break;
    }
  }
  typed::variable* v = into_.new_variable(std::string(name), scheme{{}, t}, where);
  names.push_back({name, v});
  return v;
}

void elaborator::declare(const bound_names& names) {
  for (const auto& [name, v] : names) {
    value_entry entry;
    entry.is = v->is;
    entry.variable = v;
    entry.arguments = v->is.parameters;
    entry.where = v->where;
    scope_.top().values.insert_or_assign(std::string(name), std::move(entry));
  }
}

typed::pattern_ref elaborator::of(const broken&, span where, const wish&, bound_names&) {
  return make_pattern(typed::any{}, types_.broken(), where);
}

typed::pattern_ref elaborator::of(const wildcard_pattern&, span where, const wish& w, bound_names&) {
  return make_pattern(typed::any{}, w.of, where);
}

type* elaborator::literal_type(const literal& value, span where) {
  constexpr std::uint64_t most = ~std::uint64_t{0} >> 1;
  switch (value.is) {
    case literal::kind::integer:
      if (value.is_too_large || value.whole > most + (value.is_negative ? 1 : 0)) {
        error(
            where,
            "the integer does not fit into 64 bits; int has the values from ~9223372036854775808 to 9223372036854775807");
      }
      return types_.int_;
    case literal::kind::word: {
      if (value.is_too_large) error(where, "the word does not fit into 64 bits; the largest is 0wxFFFFFFFFFFFFFFFF");
      type* t = types_.variable(level_, false, overload::words);
      overloaded_.push_back(t);
      words_.push_back({t, value.whole, where});
      return t;
    }
    case literal::kind::real:
      return types_.real;
    case literal::kind::character:
      return types_.character;
    case literal::kind::string:
      break;
  }
  return types_.string;
}

typed::pattern_ref elaborator::of(const literal_pattern& p, span where, const wish& w, bound_names&) {
  type* t = literal_type(p.value, where);
  if (p.value.is == literal::kind::real) {
    error(where, "a real is not allowed in a pattern, because real has no equality; compare with Real.== instead");
    return make_pattern(typed::any{}, t, where);
  }
  meet(where, t, w);
  return make_pattern(typed::equals{p.value}, t, where);
}

typed::pattern_ref elaborator::of(const name_pattern& p, span where, const wish& w, bound_names& names) {
  const value_entry* entry = nullptr;
  if (!p.name.path.empty()) {
    entry = find_value(p.name, "constructor");
    if (entry == nullptr) return make_pattern(typed::any{}, types_.broken(), where);
  } else {
    entry = scope_.find_value(p.name.last);
  }
  using enum value_entry::kind;
  const bool is_constructor =
      entry != nullptr && !entry->is_only_value && (entry->what == constructor || entry->what == exception);
  if (!is_constructor) {
    if (!p.name.path.empty()) {
      error(where, quoted(p.name.last) + " is no constructor; a variable in a pattern has no structure before it");
      return make_pattern(typed::any{}, w.of, where);
    }
    return make_pattern(typed::bind{bind(p.name.last, w.of, where, names)}, w.of, where);
  }
  type* t = types_.instantiate(entry->is, types_.fresh_arguments(entry->is, level_));
  const bool takes =
      entry->what == constructor ? entry->constructor->argument != nullptr : entry->exception->argument != nullptr;
  if (takes) {
    error(where, "the constructor " + quoted(p.name.last) + " takes an argument; write a pattern for it, such as _");
    return make_pattern(typed::any{}, types_.broken(), where);
  }
  meet(where, t, w);
  if (entry->what == exception) return make_pattern(typed::raised{entry->exception, nullptr}, t, where);
  return make_pattern(typed::built{entry->constructor, nullptr}, t, where);
}

typed::pattern_ref elaborator::of(const constructed_pattern& p, span where, const wish& w, bound_names& names) {
  using enum value_entry::kind;
  const value_entry* found = find_value(p.constructor, "constructor");
  const std::string& name = p.constructor.last;
  const bool is_constructor =
      found != nullptr && !found->is_only_value && (found->what == constructor || found->what == exception);
  if (!is_constructor) {
    if (found != nullptr)
      error(p.constructor.where, quoted(name) + " is no constructor, so it cannot be applied in a pattern");
    elaborate(p.argument, {types_.broken()}, names);
    return make_pattern(typed::any{}, types_.broken(), where);
  }
  const value_entry entry = *found;
  type* t = resolve(types_.instantiate(entry.is, types_.fresh_arguments(entry.is, level_)));
  const bool takes =
      entry.what == constructor ? entry.constructor->argument != nullptr : entry.exception->argument != nullptr;
  if (!takes || t->is != type::kind::arrow) {
    if (t->is != type::kind::broken)
      error(where, "the constructor " + quoted(name) + " takes no argument; remove it from the pattern");
    elaborate(p.argument, {types_.broken()}, names);
    return make_pattern(typed::any{}, types_.broken(), where);
  }
  meet(where, t->parts[1], w);
  const wish inner{t->parts[0], {context::kind::constructor_argument, name}};
  const typed::pattern_ref argument = elaborate(p.argument, inner, names);
  if (entry.what == exception) return make_pattern(typed::raised{entry.exception, argument}, t->parts[1], where);
  return make_pattern(typed::built{entry.constructor, argument}, t->parts[1], where);
}

typed::pattern_ref elaborator::of(const tuple_pattern& p, span where, const wish& w, bound_names& names) {
  type* wanted = resolve(w.of);
  const bool fits = wanted->is == type::kind::record && wanted->labels == types_.tuple_labels(p.parts.size());
  std::vector<type*> types;
  for (std::size_t i = 0; i < p.parts.size(); ++i) types.push_back(fits ? wanted->parts[i] : types_.variable(level_));
  type* t = fits ? wanted : types_.tuple(types);
  if (!fits) meet(where, t, w);
  typed::fields all;
  for (std::size_t i = 0; i < p.parts.size(); ++i) {
    all.parts.push_back(elaborate(p.parts[i], {types[i], {context::kind::rule_pattern}}, names));
  }
  return make_pattern(std::move(all), t, where);
}

typed::pattern_ref elaborator::of(const record_pattern& p, span where, const wish& w, bound_names& names) {
  std::vector<const field_pattern*> sorted;
  for (const field_pattern& f : p.fields) sorted.push_back(&f);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return a->label == b->label ? a->where.begin < b->where.begin : label_before(a->label, b->label);
  });
  typed::fields all;
  label_list labels;
  std::vector<type*> types;
  std::vector<const field_pattern*> kept;
  for (const field_pattern* f : sorted) {
    if (!labels.empty() && labels.back() == f->label) {
      error(f->where, "the label " + quoted(f->label) + " occurs twice in a record pattern; remove one");
      continue;
    }
    labels.push_back(f->label);
    types.push_back(types_.variable(level_));
    kept.push_back(f);
  }
  const label_list* interned = types_.labels(labels);
  type* t = p.is_open ? types_.open_record(interned, types, level_) : types_.record(interned, types);
  if (!meet(where, t, w) && p.is_open) resolve(t)->link = types_.broken();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    all.parts.push_back(elaborate(kept[i]->of, {types[i], {context::kind::rule_pattern}}, names));
  }
  typed::pattern* made = make_pattern(std::move(all), t, where);
  if (p.is_open) {
    open_records_.emplace_back(t, where);
    open_patterns_.push_back({made, std::move(labels)});
  }
  return made;
}

typed::pattern_ref elaborator::of(const list_pattern& p, span where, const wish& w, bound_names& names) {
  type* element = types_.variable(level_);
  type* t = types_.apply(types_.list, {element});
  meet(where, t, w);
  if (p.elements.size() >
      max_depth) {  // each element is one level deeper than the one before, and later stages recurse
    error(where, "the list pattern has " + std::to_string(p.elements.size()) + " elements; at most " +
                     std::to_string(max_depth) + " are allowed");
    return make_pattern(typed::any{}, t, where);
  }
  std::vector<typed::pattern_ref> parts;
  for (pattern_ref part : p.elements) parts.push_back(elaborate(part, {element, {context::kind::element}}, names));
  typed::pattern_ref made = make_pattern(typed::built{types_.nil, nullptr}, t, where);
  type* pair = types_.tuple({element, t});
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const typed::pattern_ref both = make_pattern(typed::fields{{*part, made}}, pair, (*part)->where);
    made = make_pattern(typed::built{types_.cons, both}, t, (*part)->where);
  }
  return made;
}

typed::pattern_ref elaborator::of(const typed_pattern& p, span where, const wish& w, bound_names& names) {
  type* t = type_of(p.type);
  meet(where, t, w);
  return elaborate(p.of, {t, {context::kind::annotation}}, names);
}

typed::pattern_ref elaborator::of(const layered_pattern& p, span where, const wish& w, bound_names& names) {
  type* t = w.of;
  if (p.type != nullptr) {
    t = type_of(p.type);
    meet(where, t, w);
  }
  const typed::variable* v = bind(p.name.text, t, p.name.where, names);
  const typed::pattern_ref inner = elaborate(p.of, {t, w.why}, names);
  return make_pattern(typed::layered{v, inner}, t, where);
}

}  // namespace tine::ml
