// See extent.hpp.
#include "studies/release/extent.hpp"

#include <tine/managed/par.hpp>

#include <algorithm>

namespace bench::release {

const node* with(const node* t, std::span<const rank> more, extent all) {
  if (more.empty()) return node::shared(t);
  if (all.width == 1) return node::leaf();
  const auto split = std::ranges::lower_bound(more, all.middle());
  const std::span lower{more.begin(), split}, upper{split, more.end()};
  const auto low = [&] { return with(t != nullptr ? t->left : nullptr, lower, all.lower()); };
  const auto high = [&] { return with(t != nullptr ? t->right : nullptr, upper, all.upper()); };
  if (lower.empty() || upper.empty()) return new node{low(), high()};  // one of the calls only adds a holder
  return tine::par(low, high, [](const node* l, const node* r) -> const node* { return new node{l, r}; });
}

std::uint32_t count_below(const node* t, rank bound, extent all) {
  std::uint32_t count = 0;
  while (t != nullptr && bound > all.low) {
    if (bound - all.low >= all.width) return count + t->size;
    if (bound < all.middle()) {
      t = t->left;
      all = all.lower();
    } else {
      count += node::size_of(t->left);
      t = t->right;
      all = all.upper();
    }
  }
  return count;
}

}  // namespace bench::release
