// Decides how types are represented, and which shapes values of a type may have.
#include "ml/lower/shapes.hpp"

#include <algorithm>

namespace tine::ml::lower {
namespace {

constexpr unsigned most_nodes = 60;
constexpr std::size_t most_cells = 24;

}  // namespace

shape_ref shapes::intern(shape s) {
  if (s.is == shape::kind::cell) s.cells = {s.holds};
  for (const shape_ref part : s.parts) {
    s.cells.insert(s.cells.end(), part->cells.begin(), part->cells.end());
    s.nodes += part->nodes;
  }
  return &*all_.insert(std::move(s)).first;
}

shape_ref shapes::of(ground_ref t) {
  using spork::type;
  if (t->is == ground::kind::arrow) return cell(type::ptr);
  if (t->is == ground::kind::record) {
    const shape_ref parts = opened(t);
    return parts->cells.size() > most_cells ? cell(type::ptr) : parts;
  }
  const type_constructor* head = t->head;
  if (head == store_.real->head) return cell(type::f64);
  if (head == store_.int_->head || head == store_.word->head || head == store_.word8->head ||
      head == store_.character->head)
    return cell(type::i64);
  if (head->constructors.empty() || head == store_.reference) return cell(type::ptr);
  const layout l = layout_of(t);
  if (l == layout::number) return cell(type::i64);
  if (l == layout::transparent) return of(types_.argument(*head->constructors[0], t));
  return cell(type::ptr);
}

shape_ref shapes::opened(ground_ref t) {
  t = inside(t);
  if (t->is != ground::kind::record) return of(t);
  shape_ref& known = records_[t];
  if (known == nullptr) {
    std::vector<shape_ref> parts;
    for (const ground_ref part : t->parts) parts.push_back(of(part));
    known = tuple(std::move(parts));
  }
  return known;
}

layout shapes::layout_of(ground_ref t) {
  const auto known = layouts_.find(t);
  if (known != layouts_.end()) return known->second;
  const std::vector<constructor*>& all = t->head->constructors;
  const auto with_argument = std::ranges::count_if(all, [](const constructor* c) { return c->argument != nullptr; });
  layout l = layout::tagged;
  if (with_argument == 0) {
    l = layout::number;
  } else if (all.size() == 1) {
    // The datatype is not recursive if its shape can be found without its shape. Meanwhile it has an address.
    if (!open_.insert(t).second) {
      recursive_.insert(t);
      return layout::block;
    }
    of(types_.argument(*all[0], t));  // puts the datatype into recursive_ if it occurs in itself
    open_.erase(t);
    l = recursive_.contains(t) ? layout::block : layout::transparent;
  } else if (all.size() == 2 && with_argument == 1) {
    l = layout::nullable;
  }
  return layouts_[t] = l;
}

bool shapes::shows_functions(ground_ref t) {
  if (t->is == ground::kind::arrow) return true;
  if (t->is == ground::kind::record)
    return of(t)->is == shape::kind::tuple &&
           std::ranges::any_of(t->parts, [&](ground_ref p) { return shows_functions(p); });
  if (t->head->constructors.empty() || t->head == store_.reference || layout_of(t) != layout::transparent) return false;
  return shows_functions(types_.argument(*t->head->constructors[0], t));
}

ground_ref shapes::inside(ground_ref t) {
  while (t->is == ground::kind::applied && !t->head->constructors.empty() && t->head != store_.reference &&
         layout_of(t) == layout::transparent)
    t = types_.argument(*t->head->constructors[0], t);
  return t;
}

shape_ref shapes::limited(shape_ref s, ground_ref t) {
  return s->is == shape::kind::tuple && s->cells.size() > most_cells ? of(t) : s;
}

shape_ref shapes::join(shape_ref a, shape_ref b, ground_ref t) {
  if (a == b || b->is == shape::kind::never) return a;
  if (a->is == shape::kind::never) return b;
  if (a->is != shape::kind::tuple || b->is != shape::kind::tuple) return of(t);
  const std::vector<ground_ref> types = parts_of(t);
  std::vector<shape_ref> parts;
  for (std::size_t i = 0; i < a->parts.size(); ++i) parts.push_back(join(a->parts[i], b->parts[i], types[i]));
  return tuple(std::move(parts));
}

bool shapes::mentions(shape_ref s, const typed::function* code) const {
  return (s->code == code && s->is == shape::kind::closure) ||
         std::ranges::any_of(s->parts, [&](shape_ref part) { return mentions(part, code); });
}

shape_ref shapes::bounded(shape_ref s, ground_ref t, const typed::function* code) {
  if (s->is == shape::kind::cell || s->is == shape::kind::family || s->is == shape::kind::delayed) return s;
  if (s->is == shape::kind::never) return of(t);
  if (s->is == shape::kind::tuple) {
    const std::vector<ground_ref> types = parts_of(t);
    std::vector<shape_ref> parts;
    for (std::size_t i = 0; i < s->parts.size(); ++i) parts.push_back(bounded(s->parts[i], types[i], code));
    return limited(tuple(std::move(parts)), t);
  }
  const bool is_too_large = s->nodes > most_nodes || s->cells.size() > most_cells;
  return is_too_large || (code != nullptr && mentions(s, code)) ? of(t) : s;
}

}  // namespace tine::ml::lower
