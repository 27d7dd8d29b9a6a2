// Scopes, and names that are near to a wrong one.
#include "ml/environment.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace tine::ml {

namespace {

template <class Map>
auto find_in(const std::vector<environment>& all, std::string_view name, Map environment::* map) -> const
    typename Map::mapped_type* {
  for (auto scope = all.rbegin(); scope != all.rend(); ++scope) {
    const auto found = ((*scope).*map).find(name);
    if (found != ((*scope).*map).end()) return &found->second;
  }
  return nullptr;
}

template <class Map>
std::string near_in(const std::vector<environment>& all, std::string_view name, Map environment::* map) {
  std::string best;
  std::size_t least = ~std::size_t{0};
  for (auto scope = all.rbegin(); scope != all.rend(); ++scope) {
    std::string near = near_name((*scope).*map, name);
    if (near.empty()) continue;
    if (const std::size_t d = edit_distance(near, name); d < least) {
      least = d;
      best = std::move(near);
    }
  }
  return best;
}

template <class Map>
void add_all(Map& to, const Map& from) {
  for (const auto& [key, entry] : from) to.insert_or_assign(key, entry);
}

}  // namespace

void environment::add(const environment& other) {
  add_all(values, other.values);
  add_all(types, other.types);
  add_all(structures, other.structures);
  add_all(signatures, other.signatures);
}

environment scopes::pop() {
  environment last = std::move(all_.back());
  all_.pop_back();
  return last;
}

const value_entry* scopes::find_value(std::string_view name) const { return find_in(all_, name, &environment::values); }
const type_entry* scopes::find_type(std::string_view name) const { return find_in(all_, name, &environment::types); }
const environment_ref* scopes::find_structure(std::string_view name) const {
  return find_in(all_, name, &environment::structures);
}
const signature_entry* scopes::find_signature(std::string_view name) const {
  return find_in(all_, name, &environment::signatures);
}

std::string scopes::near_value(std::string_view name) const { return near_in(all_, name, &environment::values); }
std::string scopes::near_type(std::string_view name) const { return near_in(all_, name, &environment::types); }
std::string scopes::near_structure(std::string_view name) const {
  return near_in(all_, name, &environment::structures);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // A letter and its other case are alike: Some is near to SOME.
  const auto differ = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) != std::tolower(static_cast<unsigned char>(y));
  };
  constexpr std::size_t longest = 40;
  if (a.size() > longest || b.size() > longest) return a == b ? 0 : longest;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (differ(a[i - 1], b[j - 1]) ? 1 : 0)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

}  // namespace tine::ml
