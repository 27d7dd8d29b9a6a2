// Scopes of infix declarations (Definition, §2.6).
#include "ml/fixity.hpp"

namespace tine::ml {

fixity_scope::fixity_scope() {
  const auto add = [&](unsigned precedence, bool is_right, std::initializer_list<std::string_view> names) {
    for (const std::string_view n : names) operators_[n] = {precedence, is_right};
  };
  add(7, false, {"*", "/", "div", "mod"});
  add(6, false, {"+", "-", "^"});
  add(5, true, {"::", "@"});
  add(4, false, {"=", "<>", "<", ">", "<=", ">="});
  add(3, false, {":=", "o"});
  add(0, false, {"before"});
}

std::optional<fixity> fixity_scope::find(std::string_view name) const {
  const auto found = operators_.find(name);
  return found == operators_.end() ? std::nullopt : std::optional{found->second};
}

void fixity_scope::set(std::string_view name, std::optional<fixity> is) {
  changes_.push_back({name, find(name), is});
  if (is) {
    operators_[name] = *is;
  } else {
    operators_.erase(name);
  }
}

void fixity_scope::leave(mark to) {
  while (changes_.size() > to) {
    const change c = changes_.back();
    changes_.pop_back();
    if (c.before) {
      operators_[c.name] = *c.before;
    } else {
      operators_.erase(c.name);
    }
  }
}

void fixity_scope::forget_between(mark from, mark to) {
  const std::vector<change> kept{changes_.begin() + static_cast<std::ptrdiff_t>(to), changes_.end()};
  leave(from);
  for (const change& c : kept) set(c.name, c.after);
}

}  // namespace tine::ml
