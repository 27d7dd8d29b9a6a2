// The lists of guarded accesses and the sets of locks, against those of the standard library.
#include "race/guarded.hpp"
#include "race/locksets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace tine::detail;

TEST_CASE("a unit's lists keep what was added to each word, until it is removed or forgotten") {
  std::mt19937 random{23};
  const auto below = [&](unsigned n) { return std::uniform_int_distribution<unsigned>{0, n - 1}(random); };
  guarded_lists* lists = guarded_lists::create();
  REQUIRE(lists != nullptr);
  std::map<std::uintptr_t, std::multiset<strand_number>> expected;  // by the address of the word
  constexpr std::uintptr_t base = 5 * unit_bytes;
  const auto found_at = [&](std::uintptr_t word) {
    std::multiset<strand_number> found;
    for (guarded_number n = lists->first(word); n != 0; n = guarded_lists::at(n).next)
      found.insert(guarded_lists::at(n).strand);
    return found;
  };
  for (unsigned step = 0; step < 50'000; ++step) {
    const std::uintptr_t word = base + 8 * below(unit_bytes / 8);
    if (const unsigned what = below(16); what < 9) {
      const strand_number s = 1 + below(1000);
      REQUIRE(lists->add(word + below(8), {s, 0, 0, 0xff, true, false, 0}));
      expected[word].insert(s);
    } else if (what < 14) {
      guarded_number* link = &lists->first(word);
      for (unsigned i = below(3); i > 0 && *link != 0; --i) link = &guarded_lists::at(*link).next;
      if (*link == 0) continue;
      auto& known = expected[word];
      known.erase(known.find(guarded_lists::at(*link).strand));
      guarded_lists::remove(*link);
    } else if (what == 14) {
      const std::size_t bytes = std::min<std::size_t>(1 + below(100), base + unit_bytes - word);
      lists->forget(word - base, bytes);
      expected.erase(expected.lower_bound(word), expected.lower_bound(word + bytes));
    } else if (below(500) == 0) {
      lists->forget(0, unit_bytes);
      guarded_lists::release(*lists);
      REQUIRE((lists = guarded_lists::create()) != nullptr);
      expected.clear();
    }
    REQUIRE(found_at(word) == expected[word]);
  }
  for (std::uintptr_t word = base; word < base + unit_bytes; word += 8) REQUIRE(found_at(word) == expected[word]);
}

TEST_CASE("sets of locks are multisets, and a shared lock protects reads only") {
  struct held {
    lockset number = 0;
    std::multiset<std::pair<std::uintptr_t, bool>> locks;
  };
  std::mt19937 random{23};
  const auto below = [&](unsigned n) { return std::uniform_int_distribution<unsigned>{0, n - 1}(random); };
  std::vector<held> all{{}};
  std::map<std::multiset<std::pair<std::uintptr_t, bool>>, lockset> numbers{{{}, 0}};
  for (unsigned step = 0; step < 3000; ++step) {
    held next = all[below(static_cast<unsigned>(all.size()))];
    if (below(2) == 0 && next.locks.size() < 5) {
      const std::pair<std::uintptr_t, bool> lock{16 * (1 + below(4)), below(3) == 0};
      next.number = with_lock(next.number, lock.first, lock.second);
      next.locks.insert(lock);
    } else if (!next.locks.empty()) {
      // the exclusive one first, if a lock is held as both: it sorts first
      const std::uintptr_t lock = std::next(next.locks.begin(), below(static_cast<unsigned>(next.locks.size())))->first;
      next.number = without_lock(next.number, lock);
      next.locks.erase(next.locks.lower_bound({lock, false}));
    }
    const auto [at, is_new] = numbers.try_emplace(next.locks, next.number);
    REQUIRE(at->second == next.number);
    if (is_new) all.push_back(next);

    const held& other = all[below(static_cast<unsigned>(all.size()))];
    const held& before = all[below(static_cast<unsigned>(all.size()))];
    const auto has = [](const held& h, std::uintptr_t lock) {
      return std::ranges::any_of(h.locks, [lock](const auto& l) { return l.first == lock; });
    };
    const bool common =
        std::ranges::any_of(next.locks, [&](const auto& l) { return has(other, l.first) && !has(before, l.first); });
    REQUIRE(have_common_lock(next.number, other.number, before.number) == common);
    REQUIRE(is_subset(next.number, other.number) == std::ranges::includes(other.locks, next.locks));
    std::multiset<std::pair<std::uintptr_t, bool>> exclusive;
    for (const auto& l : next.locks) {
      if (!l.second) exclusive.insert(l);
    }
    const lockset e = exclusive_part(next.number);
    if (const auto known = numbers.find(exclusive); known != numbers.end()) REQUIRE(known->second == e);
  }
  CHECK(all.size() > 100);
}
