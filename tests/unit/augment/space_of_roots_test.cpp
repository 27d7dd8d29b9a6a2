// The memory of roots over time. The tests compare it with a search through all prefixes of small sets of roots.
#include "augment/space_of_roots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using tine::space_profile;
using tine::base::ticks;
using tine::detail::space_of_roots;

/// A root that only allocates and frees, one change after the other. Its site is its number.
struct root {
  ticks begin, end;
  std::vector<std::int64_t> changes;
};

space_profile profile_of(const root& r, std::uintptr_t site) {
  space_profile p;
  for (const std::int64_t bytes : r.changes) p.add(bytes, site);
  return p;
}

/// Composes roots as the profiler does: in the order in which they end, with a settle whenever no root is open.
space_profile composed(const std::vector<root>& roots) {
  std::vector<std::size_t> by_end(roots.size());
  for (std::size_t i = 0; i < by_end.size(); ++i) by_end[i] = i;
  std::ranges::sort(by_end, {}, [&](std::size_t i) { return roots[i].end; });
  space_of_roots all;
  for (auto next = by_end.begin(); next != by_end.end();) {
    const root& ended = roots[*next];
    all.add(ended.begin, ended.end, profile_of(ended, *next + 1));
    if (std::none_of(++next, by_end.end(), [&](std::size_t i) { return roots[i].begin < ended.end; })) all.settle();
  }
  return all.whole();
}

/// Finds the most bytes that any prefix holds. In a prefix every root has made some number of its first changes, and
/// all of them if another root that began after its end has made a change.
class prefixes {
 public:
  explicit prefixes(const std::vector<root>& roots) : roots_{roots}, made_(roots.size()) { choose(0); }
  std::int64_t most() const { return most_; }

 private:
  void choose(std::size_t i) {
    if (i == roots_.size()) return look();
    for (made_[i] = 0; made_[i] <= roots_[i].changes.size(); ++made_[i]) choose(i + 1);
  }
  void look() {
    std::int64_t held = 0;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      for (std::size_t k = 0; k < made_[i]; ++k) held += roots_[i].changes[k];
      for (std::size_t j = 0; j < roots_.size(); ++j) {
        if (made_[j] != 0 && roots_[i].end <= roots_[j].begin && made_[i] != roots_[i].changes.size()) return;
      }
    }
    most_ = std::max(most_, held);
  }

  const std::vector<root>& roots_;
  std::vector<std::size_t> made_;
  std::int64_t most_ = 0;
};

}  // namespace

TEST_CASE("overlapping roots add up, and memory that earlier roots have left stays") {
  const space_profile all = composed({{0, 10, {100, -40}}, {10, 30, {7, -7}}, {20, 40, {5, -5}}, {50, 60, {1}}});
  CHECK(all.worst_peak() == 100);
  CHECK(composed({{0, 10, {100, -40}}, {10, 30, {70, -70}}, {20, 40, {5, -5}}, {50, 60, {1}}}).worst_peak() == 60 + 75);
  CHECK(all.held() == 61);
}

TEST_CASE("random roots: the worst peak is that of the worst prefix, and its sites add up to it") {
  const std::uint64_t seed = 71;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int again = 0; again < 100; ++again) {
    CAPTURE(again);
    std::vector<root> roots(1 + random() % 5);
    for (root& r : roots) {
      r.begin = random() % 20;
      r.end = r.begin + 1 + random() % 12;
      for (std::size_t n = random() % 4; n != 0; --n)
        r.changes.push_back(static_cast<std::int64_t>(random() % 200) - 80);
    }
    const space_profile all = composed(roots);
    CHECK(all.worst_peak() == prefixes{roots}.most());
    std::int64_t by_site = 0, held = 0;
    for (const auto& e : all.witness().entries()) by_site += e.bytes;
    for (const root& r : roots) {
      for (const std::int64_t bytes : r.changes) held += bytes;
    }
    CHECK(by_site == all.worst_peak());
    CHECK(all.held() == held);
    CHECK(all.serial_peak() <= all.worst_peak());
  }
}
