// Storms: roots from many threads, and thousands of pools that several threads start and stop at the same time. Nothing
// may hang, and no answer may be lost.
//
// Long form: ten thousand pools at 2 and 8 workers each, 2,000 at 32, and as much of the rest as takes a minute.
#include "command.hpp"
#include "settings.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

using namespace tine::stress;
using tine::pool;

constexpr unsigned callers = 16;

long fib(int n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

constexpr long fib_of(int n) {
  long a = 0, b = 1;
  for (; n > 0; --n) {
    b += a;
    a = b - a;
  }
  return a;
}

/// Runs one root of random size, which throws now and then, and checks its answer.
void check_root(pool& p, std::uint64_t seed, const char* where) {
  const int n = static_cast<int>(mix(seed) % 17);
  bool threw = false;
  long got = 0;
  try {
    got = p.run([=] {
      const long f = fib(n);
      if (seed % 5 == 0) throw f;
      return f;
    });
  } catch (long f) {
    threw = true;
    got = f;
  }
  if (got != fib_of(n) || threw != (seed % 5 == 0)) {
    fail("%s, seed %llu: fib(%d) gave %ld", where, static_cast<unsigned long long>(seed), n, got);
  }
}

/// Calls `body(i)` in `n` threads, and waits for them.
template <class Body>
void in_threads(unsigned n, Body body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < n; ++i) threads.emplace_back([=] { body(i); });
  for (std::thread& t : threads) t.join();
}

void many_callers(unsigned workers, int roots, std::uint64_t seed, watchdog& dog) {
  for (const setting& s : settings) {
    pool p{options_of(s, workers, seed)};
    const shown in_sight{dog, p};
    dog.alive(s.name, seed);
    in_threads(callers, [&](unsigned caller) {
      for (int i = 0; i < roots; ++i) {
        check_root(p, seed + caller * 1'000'003U + static_cast<unsigned>(i), s.name);
        dog.alive(s.name, seed);
      }
    });
  }
  std::printf("%u workers: %u callers, %d roots each, in each of %zu pools\n", workers, callers, roots,
              settings.size());
  std::fflush(stdout);
}

void pools_at_once(unsigned workers, int rounds, std::uint64_t seed, watchdog& dog) {
  in_threads(4, [&, workers](unsigned maker) {
    for (int i = 0; i < rounds; ++i) {
      const std::uint64_t own = seed + maker * 1'000'003U + static_cast<unsigned>(i);
      const setting& s = settings[mix(own) % settings.size()];
      pool p{options_of(s, 1 + static_cast<unsigned>(mix(own + 1) % workers), own)};
      dog.alive("pools at once", own);
      if (i % 3 != 0) in_threads(2, [&, own](unsigned k) { check_root(p, own + k, s.name); });
    }
  });
  std::printf("%u workers: 4 threads made and destroyed %d pools each\n", workers, rounds);
  std::fflush(stdout);
}

void all_storms(unsigned workers, const command& c, watchdog& dog) {
  const bool wide = workers > 8;  // dozens of threads on a few processors are slow
  const double until = now() + c.seconds;
  std::uint64_t seed = c.seed;
  do {
    many_callers(workers, c.is_long ? wide ? 100 : 1000 : wide ? 5 : 30, seed, dog);
    pools_at_once(workers, c.is_long ? wide ? 500 : 2'500 : wide ? 30 : 140, seed, dog);
    seed += 1'000'000'007U;
  } while (now() < until);
}

}  // namespace

int main(int count, char** words) { return run_test(count, words, "storms", {2, 8, 32}, all_storms); }
