// Random programs of both front ends, which note the worker of each strand: forks, loops, reductions, coroutines,
// throws and handlers, sequential parts, and regions inside. The result of a program depends on the order of all its
// parts.
#pragma once

#include "../command.hpp"
#include "../text.hpp"
#include "each_instruction.hpp"

#include <tine/augment.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace tine::stress {

/// The strands that each worker ran, in order.
class journal {
 public:
  void clear() {
    const std::lock_guard guard{lock_};
    by_worker_.clear();
  }
  void note(std::uint64_t strand) {
    const std::lock_guard guard{lock_};
    by_worker_[this_worker().get()].push_back(strand);
  }
  using entries = std::map<const sched::worker*, std::vector<std::uint64_t>>;
  entries get() {
    const std::lock_guard guard{lock_};
    return by_worker_;
  }
  /// Sorts the strands of each worker, so that their order does not count.
  static entries sorted(entries e) {
    for (auto& [worker, strands] : e) std::ranges::sort(strands);
    return e;
  }

 private:
  std::mutex lock_;
  entries by_worker_;
};

inline journal diary;

/// After one strand in so many, signals come after each instruction, until the thread begins another strand.
inline long interrupted_strands = 16'000;
inline std::atomic<long> strands{1};

struct thrown_text {
  text so_far;
};

/// The features that a program may have.
struct traits {
  int throws = 64;  ///< one strand in so many throws; 0: none
  bool regions = true;
  bool owners = false;  ///< forks may name owners; false in the first branch of a fork that names none

  traits without_owners() const { return {throws, regions, false}; }
};

inline void spend(std::uint64_t h) {
  volatile double x = 1;
  const std::uint64_t n = (h & 15) == 0 ? 20'000 : h % 800;
  for (std::uint64_t i = 0; i < n; ++i) x = x * 1.0000001;
}

inline text strand(std::uint64_t seed, traits t) {
  test::each_instruction::stop();
  const std::uint64_t h = mix(seed);
  diary.note(seed);
  spend(h >> 20);
  if (test::can_step && strands.fetch_add(1) % interrupted_strands == 0) test::each_instruction::start();
  if (t.throws != 0 && (h >> 8) % static_cast<unsigned>(t.throws) == 0) throw thrown_text{letter(h)};
  return letter(h);
}

text managed_node(std::uint64_t seed, int depth, traits t);
task<text> coroutine_node(std::uint64_t seed, int depth, traits t);

/// Returns the owner of the second branch of a fork, which is often `any_worker`.
inline int owner_in(std::uint64_t h, traits t) {
  return t.owners && (h >> 44) % 4 == 0 ? static_cast<int>((h >> 46) % 8) : any_worker;
}
inline traits in_first_branch(int owner, traits t) { return owner != any_worker ? t : t.without_owners(); }

/// A fork of one of the two forms, par and spork.
inline text two(std::uint64_t h, int depth, traits t) {
  const int owner = owner_in(h, t);
  const auto first = [=] { return managed_node(h * 3 + 1, depth - 1, in_first_branch(owner, t)); };
  const auto second = [=] { return managed_node(h * 5 + 2, depth - 1 - static_cast<int>(h >> 13 & 1), t); };
  const auto add = [](text a, text b) { return a + b; };
  if ((h >> 48) % 3 != 0) return par_on(owner, first, second, add);
  const auto add_second = [=](text a) { return a + second(); };
  sched::hint_worker(owner);
  return spork(first, second, add_second, add, add_second);
}

inline text three(std::uint64_t h, int depth, traits t) {
  const traits first = t.without_owners();
  const auto [a, b, c] = par([=] { return managed_node(h * 7 + 1, depth - 1, first); },
                             [=] { return managed_node(h * 11 + 2, depth - 2, first); },
                             [=] { return managed_node(h * 13 + 3, depth - 1, t); });
  return a + b + c;
}

inline text loop(std::uint64_t h, int depth, traits t) {
  const auto n = 2 + (h >> 17) % 30;
  const int below = (h >> 23) % 4 == 0 ? depth - 3 : 0;
  const auto item = [=](std::uint64_t i) { return managed_node(mix(h + i), below, t); };
  const auto add = [](text a, text b) { return a + b; };
  std::vector<placed_subrange> partition;
  if (t.owners && (h >> 44) % 4 == 0) partition = (h >> 46) % 2 == 0 ? block(n, 4) : cyclic(n, 1 + (h >> 47) % 8, 3);
  return par_reduce_on(partition, std::uint64_t{0}, n, text{}, item, add);
}

/// Plays `two` in an analysis, in a recorded region of its own, or sequentially.
inline text inside(std::uint64_t h, int depth, traits t) {
  text result;
  const auto rest = [&] { result = two(h, depth, t); };
  if ((h >> 31) % 3 == 0) {
    augment<work_span>(rest);
  } else if ((h >> 31) % 3 == 1) {
    static_cast<void>(record(rest));
  } else {
    sequential(rest);
  }
  return result;
}

inline text any(std::uint64_t h, int depth, traits t) {
  switch ((h >> 40) % 16) {
    case 0:
      return three(h, depth, t);
    case 1:
    case 2:
      return loop(h, depth, t);
    case 3:
      return run([=] { return coroutine_node(h * 17 + 1, depth - 1, t); });
    case 4:
      if (t.regions) return inside(h, depth, t);
      [[fallthrough]];
    default:
      return two(h, depth, t);
  }
}

inline text managed_node(std::uint64_t seed, int depth, traits t) {
  const std::uint64_t h = mix(seed);
  text all = strand(seed, t);
  if (depth <= 0) return all;
  for (std::uint64_t k = 0; k <= (h >> 50) % 2; ++k) {
    try {
      all = all + any(mix(h + k), depth, t);
    } catch (const thrown_text& e) {
      if ((h >> 55) % 2 == 0) throw;
      all = all + e.so_far;
    }
    all = all + strand(mix(seed + k + 1), {0, true});
  }
  return all;
}

/// A child of a coroutine, which throws nothing: the time decides which of several exceptions the parent would hear.
inline task<text> quiet_child(std::uint64_t seed, int depth, traits t) {
  text result;
  try {
    result = co_await call(coroutine_node, seed, depth, t);
  } catch (const thrown_text& e) {
    result = e.so_far;
  }
  co_return result;
}

inline task<text> coroutine_node(std::uint64_t seed, int depth, traits t) {
  const std::uint64_t h = mix(seed);
  text all = strand(seed, t);
  if (depth <= 0) co_return all;
  for (std::uint64_t round = 0; round <= (h >> 50) % 2; ++round) {
    text part[4];
    const auto count = (h >> (20 + round)) % 4;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t s = mix(h + i + 8 * round);
      if ((s >> 9) % 5 == 0) {
        part[i] = co_await call(quiet_child, s, depth - 1, t);
      } else if ((s >> 9) % 5 == 1) {
        part[i] = managed_node(s, depth - 2, {0, t.regions, t.owners});
      } else {
        const int owner = owner_in(s, t);
        co_await fork_on(owner, &part[i], quiet_child, s, depth - 1, in_first_branch(owner, t));
      }
      all = all + strand(mix(s + 1), {0, true});
    }
    co_await join;
    for (std::uint64_t i = 0; i < count; ++i) all = all + part[i];
    all = all + strand(mix(h + 100 + round), {0, true});
  }
  co_return all;
}

/// One random program. `play` returns a flag that tells if it threw, and its result.
struct program {
  std::uint64_t seed;
  int depth;
  traits of;

  std::pair<bool, text> play() const {
    try {
      return {false,
              seed % 2 == 0 ? managed_node(seed, depth, of) : run([this] { return quiet_child(seed, depth, of); })};
    } catch (const thrown_text& e) {
      return {true, e.so_far};
    }
  }
};

}  // namespace tine::stress
