// Tests of the space vertex: S₁, S∞ and its witness agree with a search through all prefixes of small random programs,
// are the same under every schedule, and are right in cases worked out by hand.
#include <tine/augment/space.hpp>

#include "unit/augment/changes.hpp"
#include "unit/augment/serial_driver.hpp"
#include "unit/augment/sp_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace {

using tine::bytes_by_site;
using tine::space;
using tine::test::change;
using tine::test::event;
using tine::test::play;
using tine::test::random_changes;
using tine::test::serial_peak;
using tine::test::sp_graph;
using tine::test::sp_program;

space measure(const sp_program& p, const std::vector<change>& changes, std::uint64_t seed) {
  return play<space>(p, seed, [&](space& v, event e) { apply(v, changes[e]); });
}

using by_site = std::map<std::uintptr_t, std::int64_t>;

by_site without_zeros(const bytes_by_site& m) {
  by_site all;
  for (const bytes_by_site::entry& e : m.entries()) {
    if (e.bytes != 0) all[e.site] = e.bytes;
  }
  return all;
}

std::int64_t sum(const bytes_by_site& m) {
  std::int64_t total = 0;
  for (const bytes_by_site::entry& e : m.entries()) total += e.bytes;
  return total;
}

/// Looks at every prefix: every set of events that contains all predecessors of its members.
class prefix_search {
 public:
  prefix_search(const sp_program& p, const std::vector<change>& changes) : changes_{changes}, before_(p.events) {
    const sp_graph g{p};
    for (event e = 0; e < p.events; ++e) {
      for (event f = 0; f < p.events; ++f) before_[e] |= std::uint32_t{g.precedes(f, e)} << f;
    }
    for (std::uint32_t set = 0; set >> p.events == 0; ++set) {
      if (is_prefix(set)) look_at(set);
    }
  }

  std::int64_t worst() const { return worst_; }
  /// Returns true if some prefix with the most bytes holds these bytes at these sites.
  bool attained_by(const by_site& held) const {
    return std::find(witnesses_.begin(), witnesses_.end(), held) != witnesses_.end();
  }

 private:
  bool is_prefix(std::uint32_t set) const {
    for (event e = 0; e < before_.size(); ++e) {
      if ((set >> e & 1) != 0 && (before_[e] & ~set) != 0) return false;
    }
    return true;
  }

  void look_at(std::uint32_t set) {
    std::int64_t bytes = 0;
    by_site held;
    for (event e = 0; e < before_.size(); ++e) {
      if ((set >> e & 1) == 0) continue;
      bytes += changes_[e].bytes;
      held[changes_[e].site] += changes_[e].bytes;
    }
    if (bytes < worst_) return;
    if (bytes > worst_) witnesses_.clear();
    worst_ = bytes;
    std::erase_if(held, [](const auto& e) { return e.second == 0; });
    witnesses_.push_back(std::move(held));
  }

  const std::vector<change>& changes_;
  std::vector<std::uint32_t> before_;
  std::int64_t worst_ = 0;
  std::vector<by_site> witnesses_;
};

}  // namespace

TEST_CASE("S1, S-infinity and the witness are what a search through all prefixes finds") {
  const std::uint64_t seed = 41;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  int parallel_matters = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const sp_program p = tine::test::program_maker{random, 12}.make();
    const std::vector<change> changes = random_changes(p.events, random);
    const space v = measure(p, changes, random());
    const prefix_search all{p, changes};
    REQUIRE(v.profile().worst_peak() == all.worst());
    REQUIRE(v.profile().serial_peak() == serial_peak(changes));
    REQUIRE(sum(v.profile().witness()) == all.worst());
    REQUIRE(all.attained_by(without_zeros(v.profile().witness())));
    parallel_matters += v.profile().worst_peak() != v.profile().serial_peak();
  }
  CHECK(parallel_matters > 25);
}

TEST_CASE("one strand") {
  space v;
  CHECK(v.profile().worst_peak() == 0);
  v.free(3, 7);  // memory that was allocated elsewhere
  CHECK(v.profile().held() == -3);
  CHECK(v.profile().worst_peak() == 0);
  CHECK(v.profile().serial_peak() == 0);
  v.alloc(10, 7);
  v.free(2, 7);
  v.alloc(1, 8);
  CHECK(v.profile().held() == 6);
  CHECK(v.profile().worst_peak() == 7);
  CHECK(v.profile().witness().at(7) == 7);
  CHECK(v.profile().witness().at(8) == 0);
  CHECK(v.allocations() == 2);
  CHECK(v.frees() == 2);
  CHECK(v.allocated() == 11);
}

TEST_CASE("ten thousand forks in each other, each with bytes of its own") {
  const std::size_t depth = 10'000;
  std::vector<space> left(depth + 1), right(depth + 1);
  for (std::size_t i = 0; i < depth; ++i) {
    left[i].alloc(10, 1);
    right[i + 1].alloc(3, 2);
    right[i + 1].free(3, 2);
  }
  for (std::size_t i = depth; i-- != 0;) {
    space after;
    left[i].join(left[i + 1], right[i + 1], after);
    left[i] = std::move(after);
    left[i].free(10, 1);
  }
  CHECK(left[0].profile().worst_peak() == 13 * depth);
  CHECK(left[0].profile().serial_peak() == 10 * depth + 3);
  CHECK(left[0].profile().held() == 0);
  CHECK(left[0].profile().witness().at(1) == 10 * depth);
  CHECK(left[0].profile().witness().at(2) == 3 * depth);
}

TEST_CASE("maps of many sites merge") {
  const std::uint64_t seed = 5;
  std::mt19937_64 random{seed};
  CAPTURE(seed);
  for (int i = 0; i < 50; ++i) {
    bytes_by_site a, b;
    by_site both;
    for (std::size_t n = random() % 20; n != 0; --n) {
      const std::uintptr_t site = random() % 16;
      const auto bytes = static_cast<std::int64_t>(random() % 100);
      (n % 2 == 0 ? a : b).add(site, bytes);
      both[site] += bytes;
    }
    a.add(std::move(b));
    std::erase_if(both, [](const auto& e) { return e.second == 0; });
    CHECK(without_zeros(a) == both);
    CHECK(std::is_sorted(a.entries().begin(), a.entries().end(),
                         [](const auto& x, const auto& y) { return x.site < y.site; }));
  }
}
