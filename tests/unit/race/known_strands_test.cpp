// Sets of strands with gaps, against plain sets of numbers.
#include "race/known_strands.hpp"

#include <rapidcheck.h>
#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace {

using tine::detail::known_strands;
using tine::detail::strand_number;

constexpr strand_number most = 60;

std::set<strand_number> elements(const known_strands& k) {
  std::set<strand_number> all;
  for (strand_number s = 0; s <= most; ++s) {
    if (k.has(s)) all.insert(s);
  }
  return all;
}

/// A set with gaps between pairs of these numbers.
struct drawn {
  known_strands set;
  std::set<strand_number> expected;
  bool is_exact;
};

drawn draw() {
  const auto numbers = *rc::gen::container<std::set<strand_number>>(rc::gen::inRange<strand_number>(0, most));
  const std::vector<strand_number> sorted(numbers.begin(), numbers.end());
  drawn d{{}, {}, sorted.size() / 2 <= known_strands::most_gaps};
  d.set.end = sorted.empty() ? 0 : sorted.back() + *rc::gen::inRange<strand_number>(0, 3);
  for (strand_number s = 0; s < d.set.end; ++s) d.expected.insert(s);
  for (std::size_t i = 0; i + 1 < sorted.size(); i += 2) {
    d.set.add_gap({sorted[i], sorted[i + 1]});
    for (strand_number s = sorted[i]; s < sorted[i + 1]; ++s) d.expected.erase(s);
  }
  return d;
}

bool is_subset(const std::set<strand_number>& a, const std::set<strand_number>& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

TEST_CASE("known strands are those outside of the gaps") {
  CHECK(rc::check([] {
    const drawn d = draw();
    RC_ASSERT(is_subset(elements(d.set), d.expected));
    if (d.is_exact) RC_ASSERT(elements(d.set) == d.expected);
  }));
}

TEST_CASE("the union of known strands") {
  CHECK(rc::check([] {
    const drawn a = draw(), b = draw();
    std::set<strand_number> both = elements(a.set);
    both.merge(elements(b.set));
    const known_strands all = tine::detail::united(a.set, b.set);
    RC_ASSERT(is_subset(elements(all), both));
    if (all.gaps < known_strands::most_gaps) RC_ASSERT(elements(all) == both);
    RC_ASSERT(tine::detail::united(a.set, a.set) == a.set);
  }));
}

}  // namespace
