// Random fork trees with exceptions, each compared with its serial elision: both give the same value or the same
// exception, every child ends as often as it begins, and no object is left alive. Branches return move-only results,
// carry large closures, throw at random, and fork inside handlers, some of which rethrow.
//
// Long form: a million random throws at 1, 2, 8 and 32 workers each.
#include "census.hpp"
#include "command.hpp"
#include "settings.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <utility>

namespace {

using namespace tine::stress;

std::atomic<long> thrown{0};

struct visit {
  visit() { counts.begun.fetch_add(1, relaxed); }
  ~visit() { counts.ended.fetch_add(1, relaxed); }
};

struct shape {
  int depth;
  int rarity;  ///< one node in 2^rarity throws
};
constexpr int never = 62;

/// Spends the time of a node: most nodes are tiny, and a few take some twenty microseconds.
[[gnu::noinline]] void spend_time(std::uint64_t h) {
  std::uint64_t n = (h >> 40) & 1023;
  n = n > 1015 ? n * 40 : n & 31;
  volatile double x = 1;
  for (std::uint64_t i = 0; i < n; ++i) x = x * 1.0000001 + 1e-9;
}

template <bool Parallel>
result node(std::uint64_t seed, int depth, shape s);

constexpr auto combine = [](const result& a, const result& b) { return result{fold(*a, *b)}; };

template <bool Parallel>
result two(std::uint64_t h, int depth, shape s) {
  const auto f = [=] { return node<Parallel>(h * 3 + 1, depth - 1, s); };
  const int shorter = depth > 1 ? static_cast<int>((h >> 30) & 1) : 0;
  const auto g = [=] { return node<Parallel>(h * 5 + 2, depth - 1 - shorter, s); };
  if constexpr (!Parallel) {
    const result a = f();
    const result b = g();
    return combine(a, b);
  } else if (((h >> 33) & 3) == 0) {
    std::array<char, 200> ballast{};
    ballast.fill(static_cast<char>(h & 63));
    auto heavy = [=] {
      if (ballast[199] != static_cast<char>(h & 63)) fail("a large closure was damaged");
      return g();
    };
    auto [a, b] = tine::par(f, heavy);
    return combine(a, b);
  } else if (((h >> 33) & 3) == 1) {
    auto owning = [g, owned = std::make_unique<std::uint64_t>(h), h] {
      if (*owned != h) fail("an owning closure was damaged");
      return g();
    };
    return tine::par(f, std::move(owning), combine);
  } else {
    return tine::par(f, g, combine);
  }
}

/// Three branches. The third one only returns a reference, which must arrive unchanged.
template <bool Parallel>
result three(std::uint64_t h, int depth, shape s) {
  long passed = static_cast<long>(h & 1023);
  const auto f = [=] { return node<Parallel>(h * 7 + 3, depth - 1, s); };
  const auto g = [=] { return node<Parallel>(h * 11 + 5, depth > 2 ? depth - 2 : 0, s); };
  const auto k = [&passed]() -> long& { return passed; };
  if constexpr (Parallel) {
    auto [a, b, c] = tine::par(f, g, k);
    if (&c != &passed) fail("a reference came back as another");
    return result{fold(fold(*a, *b), c)};
  } else {
    const result a = f();
    const result b = g();
    return result{fold(fold(*a, *b), k())};
  }
}

template <bool Parallel>
result forks(std::uint64_t h, int depth, shape s) {
  return ((h >> 44) & 7) == 0 ? three<Parallel>(h, depth, s) : two<Parallel>(h, depth, s);
}

/// Forks in a handler. Some handlers rethrow their exception.
template <bool Parallel>
result guarded(std::uint64_t h, int depth, shape s) {
  try {
    return forks<Parallel>(h, depth, s);
  } catch (const error& e) {
    const result after = forks<Parallel>(h * 13 + 7, depth > 2 ? depth - 2 : 1, {s.depth, never});
    if (!e.is_whole()) fail("the handled exception was damaged");
    if (((h >> 38) & 3) == 0) throw;
    return result{fold(*after, e.number)};
  }
}

template <bool Parallel>
[[gnu::noinline]] result node(std::uint64_t seed, int depth, shape s) {
  const visit v;
  const std::uint64_t h = mix(seed);
  spend_time(h);
  if ((mix(h) & ((std::uint64_t{1} << s.rarity) - 1)) == 0) {
    thrown.fetch_add(1, relaxed);
    throw error{static_cast<long>(h >> 3)};
  }
  if (depth == 0 || ((h >> 20) & 15) == 0) return result{static_cast<long>(h & 0xffff)};
  return ((h >> 36) & 1) == 0 ? guarded<Parallel>(h, depth, s) : forks<Parallel>(h, depth, s);
}

/// Returns a flag that tells if the tree threw, and the value or the number of the exception.
template <bool Parallel>
std::pair<bool, long> outcome(std::uint64_t seed, shape s) {
  try {
    return {false, *node<Parallel>(seed, s.depth, s)};
  } catch (const error& e) {
    if (!e.is_whole()) fail("seed %llu: the exception was damaged", static_cast<unsigned long long>(seed));
    return {true, e.number};
  }
}

void compare(tine::pool& p, std::uint64_t seed, unsigned deepest, const char* setting) {
  const auto number = static_cast<unsigned long long>(seed);
  const shape s{4 + static_cast<int>(mix(seed) % deepest), 3 + static_cast<int>(mix(seed + 1) % 6)};
  const long throws = thrown.load();
  const auto expected = outcome<false>(mix(seed * 77), s);
  thrown.store(throws);  // the throws of the serial run do not count
  const auto found = p.run([=] { return outcome<true>(mix(seed * 77), s); });
  if (found != expected) {
    fail("%s, seed %llu: %s %ld instead of %s %ld", setting, number, found.first ? "threw" : "gave", found.second,
         expected.first ? "throwing" : "giving", expected.second);
  }
  if (counts.begun.load() != counts.ended.load() || counts.alive.load() != 0) {
    fail("%s, seed %llu: %ld branches begun, %ld ended, %ld objects left", setting, number, counts.begun.load(),
         counts.ended.load(), counts.alive.load());
  }
}

void try_workers(unsigned workers, const command& c, watchdog& dog) {
  const long enough = c.is_long ? 1'000'000 : 5'000;
  const int batch = c.is_long ? 200 : 10;
  thrown.store(0);
  const long trees = play(
      workers, c, dog, batch,
      [&](long played) { return thrown.load() < enough || played < batch * std::ssize(settings); },
      [&](tine::pool& p, std::uint64_t seed, const char* name, int) { compare(p, seed, c.is_long ? 11 : 7, name); });
  std::printf("%u workers: %ld trees, %ld throws, all as in serial\n", workers, trees, thrown.load());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  watchdog dog{"exceptions"};
  if (c.workers != 0) {
    try_workers(c.workers, c, dog);
  } else {
    for (const unsigned workers : {1U, 2U, 8U, 32U}) try_workers(workers, c, dog);
  }
  return 0;
}
