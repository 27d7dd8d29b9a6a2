// Random programs for timeline_test.py: timeline_app SEED WORKERS. Prints what the counters of its pools say, and how
// many roots it ran. timeline_app --long SECONDS forks all the time; timeline_app --gaps WORKERS makes gaps that the
// test knows.
#include <tine/coro.hpp>
#include <tine/managed.hpp>
#include <tine/sync.hpp>

#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15U;
  return x ^ (x >> 29);
}

void compute(std::uint64_t steps) {
  for (volatile std::uint64_t i = 0; i < steps; i = i + 1) {
  }
}

tine::mutex shared;
std::atomic<long> leaves{0};

tine::task<int> coroutines(std::uint64_t seed, int depth) {
  compute(mixed(seed) % 3000);
  if (depth == 0) co_return 1;
  int left = 0;
  co_await tine::fork(&left, coroutines, mixed(seed + 1), depth - 1);
  const int right = co_await tine::call(coroutines, mixed(seed + 2), depth - 1);
  co_await tine::join;
  co_return left + right;
}

/// A tree of forks, loops and coroutines with random shapes.
void tree(std::uint64_t seed, int depth) {
  const std::uint64_t r = mixed(seed);
  if (depth == 0 || (depth < 6 && r % 11 == 0)) {
    compute(r % 20'000);
    ++leaves;
    return;
  }
  switch (depth < 7 ? r % 7 : 1 + r % 7) {
    case 0:
      tine::par_for(0, static_cast<int>(r % 300),
                    [&](int i) { compute(mixed(seed + static_cast<std::uint64_t>(i)) % 500); });
      [[fallthrough]];
    case 1:
      tine::par([&] { tree(seed + 1, depth - 1); }, [&] { tree(seed + 2, depth - 1); });
      break;
    case 2:
      tine::run([&] { return coroutines(seed, std::min(depth, 6)); });
      break;
    case 3: {
      const std::lock_guard guard{shared};
      compute(2000);
      break;
    }
    case 4:
      try {
        tine::par([&] { tree(seed + 1, depth - 1); },
                  [&] {
                    tree(seed + 2, depth - 2 < 0 ? 0 : depth - 2);
                    throw std::runtime_error{"expected"};
                  });
      } catch (const std::runtime_error&) {
      }
      break;
    default:
      tine::par([&] { tree(seed + 1, depth - 1); }, [&] { tree(seed + 2, depth - 1); });
  }
}

tine::options options_for(std::uint64_t seed, unsigned workers) {
  tine::options o;
  o.workers = workers;
  o.pin = tine::affinity::none;
  o.seed = seed;
  if (seed % 4 == 1) o.promote = tine::promotion::eager();
  if (seed % 4 == 2) o.promote = tine::promotion::heartbeat(50);
  if (seed % 3 == 1) o.resume = tine::resume_policy::finisher;
  if (seed % 3 == 2) o.resume = tine::resume_policy::origin;
  return o;
}

int random_program(std::uint64_t seed, unsigned workers) {
  tine::counters all;
  const auto count = [&](const tine::pool& p) {
    const tine::counters c = p.counters();
    all.promotions += c.promotions;
    all.steals += c.steals;
    all.reclaimed += c.reclaimed;
    all.suspensions += c.suspensions;
    all.signals += c.signals;
  };
  {
    tine::pool p{options_for(seed, workers)};
    for (std::uint64_t i = 0; i < 3; ++i) p.run([&] { tree(seed + 1000 * i, 11); });
    // a second pool, called from inside the first one
    tine::pool q{options_for(seed + 1, workers)};
    p.run([&] { tine::par([&] { q.run([&] { tree(seed + 5, 8); }); }, [&] { tree(seed + 6, 8); }); });
    count(q);
    count(p);
  }
  tine::pool after{options_for(seed + 2, workers)};  // its workers continue the rows of an earlier pool
  after.run([&] { tree(seed + 9, 8); });
  count(after);
  std::printf(
      "{\"promotions\": %llu, \"steals\": %llu, \"reclaimed\": %llu, \"suspensions\": %llu, \"signals\": %llu, "
      "\"leaves\": %ld}\n",
      static_cast<unsigned long long>(all.promotions), static_cast<unsigned long long>(all.steals),
      static_cast<unsigned long long>(all.reclaimed), static_cast<unsigned long long>(all.suspensions),
      static_cast<unsigned long long>(all.signals), leaves.load());
  return 0;
}

/// In this order: one worker computes and the others have nothing; the caller sleeps in the kernel; it waits for a
/// branch that was stolen.
void gaps(unsigned workers) {
  tine::pool p{{.workers = workers, .pin = tine::affinity::none}};
  const auto sleep = [](long milliseconds) {
    const timespec t{0, milliseconds * 1'000'000};
    nanosleep(&t, nullptr);
  };
  p.run([&] {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{20};
    while (std::chrono::steady_clock::now() < until) compute(100);
    sleep(30);
    std::atomic<bool> begun{false};
    tine::par(
        [&] {
          while (!begun.load()) compute(10);
        },
        [&] {
          begun.store(true);
          sleep(40);  // in stolen()
        });
  });
}

[[gnu::noinline]] long fib(int n) {
  if (n < 2) return n;
  long a = 0, b = 0;
  tine::par([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

void run_long(double seconds) {
  tine::pool p{{.workers = 2, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>{seconds};
  while (std::chrono::steady_clock::now() < until) p.run([] { return fib(18); });
  const tine::counters c = p.counters();
  std::printf("{\"promotions\": %llu}\n", static_cast<unsigned long long>(c.promotions));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  if (std::strcmp(arguments[1], "--gaps") == 0) return gaps(static_cast<unsigned>(std::atoi(arguments[2]))), 0;
  if (std::strcmp(arguments[1], "--long") == 0) return run_long(std::atof(arguments[2])), 0;
  return random_program(std::strtoull(arguments[1], nullptr, 10), static_cast<unsigned>(std::atoi(arguments[2])));
}
