// Unification with levels, equality, overloading and open records.
#include "ml/types.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

namespace {

constexpr unsigned steps_of_one_unification = 1'000'000;

mismatch differ(difference why, type* left, type* right) { return {why, left, right, {}}; }

}  // namespace

std::uint8_t type_store::overload_of(const type* t) const {
  if (t->is != type::kind::applied) return 0;
  const std::pair<const type*, std::uint8_t> all[] = {{int_, overload::int_},           {word, overload::word},
                                                      {word8, overload::word8},         {real, overload::real},
                                                      {character, overload::character}, {string, overload::string}};
  for (const auto& [one, bit] : all) {
    if (one->head == t->head) return bit;
  }
  return 0;
}

type* type_store::of_overload(std::uint8_t one) const {
  switch (one) {
    case overload::int_:
      return int_;
    case overload::word:
      return word;
    case overload::word8:
      return word8;
    case overload::real:
      return real;
    case overload::character:
      return character;
    case overload::string:
      return string;
    default:
      return nullptr;
  }
}

mismatch type_store::walk(type* t, unsigned level, const type* variable, std::size_t depth) {
  t = resolve(t);
  if (depth > max_depth) return differ(difference::too_large, t, nullptr);
  if (t == variable) return differ(difference::circular, t, nullptr);
  if (t->stamp == stamp_) {
    return depth + t->depth > max_depth ? differ(difference::too_large, t, nullptr) : mismatch{};
  }
  t->stamp = stamp_;
  t->size = 1;
  t->depth = 0;
  if (t->is == type::kind::rigid && t->level > level && t->level != generic_level) {
    return differ(difference::escapes, t, nullptr);
  }
  if (t->is == type::kind::variable && t->level > level && t->level != generic_level) t->level = level;
  for (type* part : t->parts) {
    if (const mismatch m = walk(part, level, variable, depth + 1)) return m;
    const type* inner = resolve(part);
    t->size = std::min(t->size + inner->size, 2 * max_size);
    t->depth = std::max(t->depth, inner->depth + 1);
  }
  return t->size > max_size ? differ(difference::too_large, t, nullptr) : mismatch{};
}

mismatch type_store::limit(type* t, unsigned level, const type* variable) {
  ++stamp_;
  return walk(t, level, variable, 0);
}

bool type_store::admits_equality(type* t, bool variables) {
  t = resolve(t);
  switch (t->is) {
    case type::kind::variable:
      return variables || t->wants_equality;
    case type::kind::rigid:
      return variables || t->wants_equality;
    case type::kind::arrow:
      return false;
    case type::kind::broken:
      return true;
    case type::kind::applied:
      if (t->head->has != equality::of_arguments) return t->head->has == equality::always;
      break;
    case type::kind::record:
      break;
  }
  return std::all_of(t->parts.begin(), t->parts.end(), [&](type* part) { return admits_equality(part, variables); });
}

mismatch type_store::require_equality(type* t) {
  t = resolve(t);
  switch (t->is) {
    case type::kind::variable:
      if (t->among == overload::real) return differ(difference::no_equality, real, nullptr);
      t->wants_equality = true;
      t->among &= static_cast<std::uint8_t>(~overload::real);
      break;
    case type::kind::rigid:
      return t->wants_equality ? mismatch{} : differ(difference::no_equality, t, nullptr);
    case type::kind::arrow:
      return differ(difference::no_equality, t, nullptr);
    case type::kind::broken:
      return {};
    case type::kind::applied:
      if (t->head->has == equality::always) return {};
      if (t->head->has == equality::none) return differ(difference::no_equality, t, nullptr);
      break;
    case type::kind::record:
      break;
  }
  for (type* part : t->parts) {
    if (const mismatch m = require_equality(part)) return m;
  }
  return {};
}

mismatch type_store::restrict(type* variable, type* to) {
  if (variable->among != 0) {
    if (to->is == type::kind::variable && to->labels == nullptr) {
      auto both = to->among == 0 ? variable->among : static_cast<std::uint8_t>(variable->among & to->among);
      if (both == 0) return differ(difference::not_overloaded, variable, to);
      if (to->wants_equality) both &= static_cast<std::uint8_t>(~overload::real);
      if (both == 0) return differ(difference::no_equality, real, to);
      to->among = both;
    } else if (to->is != type::kind::broken && (overload_of(to) & variable->among) == 0) {
      return differ(difference::not_overloaded, variable, to);
    }
  }
  return variable->wants_equality ? require_equality(to) : mismatch{};
}

mismatch type_store::bind(type* variable, type* to, unsigned& fuel) {
  if (const mismatch m = limit(to, variable->level, variable)) return m;
  if (variable->labels != nullptr) {
    if (const mismatch m = unify_open(variable, to, fuel)) return m;
    to = resolve(to);
  }
  if (const mismatch m = restrict(variable, to)) return m;
  if (resolve(variable) != to) variable->link = to;
  if (to->is == type::kind::variable && to->labels == nullptr) {
    if (type* only = of_overload(to->among)) to->link = only;
  }
  return {};
}

mismatch type_store::unify_open(type* open, type* other, unsigned& fuel) {
  if (other->is == type::kind::broken) return {};
  const bool is_open = other->is == type::kind::variable;
  if (!is_open && other->is != type::kind::record) return differ(difference::shape, open, other);
  label_list all = *other->labels;
  std::vector<type*> fields = other->parts;
  for (std::size_t i = 0; i < open->parts.size(); ++i) {
    const std::string& label = (*open->labels)[i];
    const auto at = std::lower_bound(all.begin(), all.end(), label, label_before);
    const auto index = at - all.begin();
    if (at != all.end() && *at == label) {
      if (mismatch m = unify(open->parts[i], fields[static_cast<std::size_t>(index)], fuel)) return m;
    } else if (is_open) {
      all.insert(at, label);
      fields.insert(fields.begin() + index, open->parts[i]);
    } else {
      return {difference::missing_label, open, other, label};
    }
  }
  if (is_open) {
    other->labels = labels(std::move(all));
    other->parts = std::move(fields);
    return limit(other, other->level);
  }
  return {};
}

mismatch type_store::unify(type* left, type* right) {
  unsigned fuel = steps_of_one_unification;
  return unify(left, right, fuel);
}

mismatch type_store::unify(type* left, type* right, unsigned& fuel) {
  left = resolve(left);
  right = resolve(right);
  if (left == right || left->is == type::kind::broken || right->is == type::kind::broken) return {};
  if (fuel-- == 0) {
    fuel = 0;
    return differ(difference::too_large, left, right);
  }
  const bool left_varies = left->is == type::kind::variable, right_varies = right->is == type::kind::variable;
  if (left_varies && !(right_varies && left->labels != nullptr && right->labels == nullptr)) {
    mismatch m = bind(left, right, fuel);
    if (m && m.right == nullptr) m.right = right;
    return m;
  }
  if (right_varies) {
    mismatch m = bind(right, left, fuel);
    if (m && m.right == nullptr) m.right = left;
    return m;
  }
  if (left->is == type::kind::rigid || right->is == type::kind::rigid) return differ(difference::rigid, left, right);
  if (left->is != right->is || left->head != right->head || left->labels != right->labels) {
    return differ(difference::shape, left, right);
  }
  for (std::size_t i = 0; i < left->parts.size(); ++i) {
    if (const mismatch m = unify(left->parts[i], right->parts[i], fuel)) return m;
  }
  return {};
}

}  // namespace tine::ml
