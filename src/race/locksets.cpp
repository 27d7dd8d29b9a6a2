// The table of lock sets. Only the thread that holds the detector touches it.
#include "race/locksets.hpp"

#include "race/detector_time.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace tine::detail {
namespace {

/// A lock, with its lowest bit set if it is shared. Locks are aligned.
using lock_word = std::uintptr_t;
constexpr lock_word shared_bit = 2;
using locks = std::vector<lock_word>;  // sorted; a lock that is held several times occurs as often

struct table {
  std::map<locks, lockset> numbers{{{}, 0}};
  std::vector<const locks*> sets{&numbers.begin()->first};
  std::map<std::pair<lockset, lock_word>, lockset> added, removed;
  std::map<lockset, lockset> exclusive;
  std::map<std::pair<lockset, lockset>, lockset> united;
};

// Never destroyed: programs hold locks until their very end.
table& sets() {
  static table& t = *new table;
  return t;
}

lockset number_of(locks all) {
  table& t = sets();
  const auto [at, is_new] = t.numbers.try_emplace(std::move(all), static_cast<lockset>(t.sets.size()));
  if (is_new) t.sets.push_back(&at->first);
  return at->second;
}

}  // namespace

lockset with_lock(lockset held, std::uintptr_t lock, bool shared) noexcept {
  const detector_time here;
  const lock_word word = lock | (shared ? shared_bit : 0);
  const auto [at, is_new] = sets().added.try_emplace({held, word}, 0);
  if (is_new) {
    locks all = *sets().sets[held];
    all.insert(std::ranges::upper_bound(all, word), word);
    at->second = number_of(std::move(all));
  }
  return at->second;
}

lockset without_lock(lockset held, std::uintptr_t lock) noexcept {
  const detector_time here;
  const auto [at, is_new] = sets().removed.try_emplace({held, lock}, 0);
  if (is_new) {
    locks all = *sets().sets[held];
    const auto one = std::ranges::find_if(all, [lock](lock_word w) { return (w & ~shared_bit) == lock; });
    if (one != all.end()) all.erase(one);
    at->second = number_of(std::move(all));
  }
  return at->second;
}

lockset united(lockset a, lockset b) noexcept {
  if (a == 0 || b == 0) return a | b;
  const detector_time here;
  const auto [at, is_new] = sets().united.try_emplace({a, b}, 0);
  if (is_new) {
    locks all;
    std::ranges::merge(*sets().sets[a], *sets().sets[b], std::back_inserter(all));
    at->second = number_of(std::move(all));
  }
  return at->second;
}

lockset exclusive_part(lockset held) noexcept {
  if (held == 0) return 0;
  const detector_time here;
  const auto [at, is_new] = sets().exclusive.try_emplace(held, 0);
  if (is_new) {
    locks all = *sets().sets[held];
    std::erase_if(all, [](lock_word w) { return (w & shared_bit) != 0; });
    at->second = number_of(std::move(all));
  }
  return at->second;
}

bool have_common_lock(lockset a, lockset b, lockset held_before) noexcept {
  if (a == 0 || b == 0) return false;
  const locks &in_a = *sets().sets[a], &in_b = *sets().sets[b], &before = *sets().sets[held_before];
  const auto is_same = [](lock_word one, lock_word other) { return ((one ^ other) & ~shared_bit) == 0; };
  return std::ranges::any_of(in_a, [&](lock_word one) {
    return std::ranges::any_of(in_b, [&](lock_word other) {
      // two shared holders do not exclude each other, but then both accesses are reads
      return is_same(one, other) && std::ranges::none_of(before, [&](lock_word w) { return is_same(w, one); });
    });
  });
}

bool is_subset(lockset a, lockset b) noexcept {
  if (a == b || a == 0) return true;
  return std::ranges::includes(*sets().sets[b], *sets().sets[a]);
}

}  // namespace tine::detail
