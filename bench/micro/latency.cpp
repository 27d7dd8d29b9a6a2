// Measures how soon an idle worker has work: the time from a fork to the start of its branch, for a worker that spins
// and for a worker that sleeps, and the time of a loop of two iterations of a millisecond each. Also measures how soon
// a loop on two busy workers returns after its stop was requested.
#include "harness/options.hpp"

#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include <tine/base/ticks.hpp>

#include <time.h>
#include <atomic>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::base::now;
using tine::base::ticks;

void spin_for(double us) {
  const ticks end = now() + tine::base::to_ticks(us);
  while (now() < end) {
  }
}

void sleep_for(long us) {
  const timespec t{us / 1'000'000, us % 1'000'000 * 1000};
  nanosleep(&t, nullptr);
}

double microseconds(ticks span) { return static_cast<double>(span) / tine::base::ticks_per_microsecond(); }

void print(const std::string& what, std::vector<double> us) {
  std::sort(us.begin(), us.end());
  const auto at = [&](double q) { return us[static_cast<std::size_t>(q * static_cast<double>(us.size() - 1))]; };
  std::printf("%-44s %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f\n", what.c_str(), at(0), at(0.25), at(0.5), at(0.9), at(0.99),
              at(1));
}

/// Returns the times from a fork to the start of its branch, after `idle_us` without a fork.
std::vector<double> fork_to_start(tine::idle_policy idle, double idle_us, int tries) {
  tine::pool pool{{.workers = 2, .idle = idle}};
  std::vector<double> all;
  for (int i = 0; i < tries; ++i) {
    pool.run([&] {
      spin_for(idle_us);
      std::atomic<ticks> begun{0};
      const ticks forked = now();
      tine::par(
          [&] {
            while (begun.load(std::memory_order_relaxed) == 0) tine::poll();
          },
          [&] { begun.store(now(), std::memory_order_relaxed); });
      all.push_back(microseconds(begun.load(std::memory_order_relaxed) - forked));
    });
  }
  return all;
}

/// Returns the times of a loop of two iterations of a millisecond, called from an external thread.
std::vector<double> two_iterations(tine::idle_policy idle, int tries) {
  tine::pool pool{{.workers = 2, .idle = idle}};
  std::vector<double> all;
  for (int i = 0; i < tries; ++i) {
    sleep_for(5000);
    const ticks begun = now();
    pool.run([] { tine::par_for(0, 2, [](int) { spin_for(1000); }); });
    all.push_back(microseconds(now() - begun));
  }
  return all;
}

/// One iteration takes about two nanoseconds.
void step(std::uint64_t i, std::uint64_t& sum) {
  std::uint64_t x = i;
  asm volatile("imul %0, %0\n\timul %0, %0" : "+r"(x));
  sum += x;
}

/// Returns the times from a stop request to the return of a loop of such iterations that both workers run. `outside`: a
/// third thread makes the request, and needs a processor for that; otherwise an iteration makes it.
std::vector<double> request_to_return(bool outside, int tries) {
  tine::pool pool{{.workers = 2}};
  std::vector<double> all;
  for (int i = 0; i < tries; ++i) {
    std::stop_source source;
    std::atomic<ticks> asked{0};
    const auto ask = [&] {
      asked.store(now(), std::memory_order_relaxed);
      source.request_stop();
    };
    std::jthread third;
    if (outside)
      third = std::jthread{[&] {
        sleep_for(1500);
        ask();
      }};
    const std::uint64_t when = outside ? ~std::uint64_t{0} : 300'000 + 1'000 * static_cast<std::uint64_t>(i % 100);
    try {
      tine::run_stoppable(source.get_token(), [&] {
        return pool.run([&] {
          tine::par_for_chunks(std::uint64_t{0}, ~std::uint64_t{0} >> 1, [&](std::uint64_t begin, std::uint64_t end) {
            std::uint64_t sum = 0;
            for (std::uint64_t k = begin; k < end; ++k) {
              if (k == when) ask();
              step(k, sum);
            }
            asm volatile("" : : "r"(sum));
          });
        });
      });
      std::puts("a loop without an end has ended");
      std::exit(1);
    } catch (const tine::stopped&) {
      all.push_back(microseconds(now() - asked.load(std::memory_order_relaxed)));
    }
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  bench::options given{"latency", "How soon an idle worker has work, and how soon a loop stops, in microseconds."};
  int tries = 500;
  given.number("--tries", tries, {1, 1'000'000}, "Of each");
  given.parse(argc, argv);
  std::printf("%-44s %9s %9s %9s %9s %9s %9s\n", "microseconds", "min", "25 %", "median", "90 %", "99 %", "max");
  print("fork to start, worker spins", fork_to_start(tine::idle_policy::busy, 3000, tries));
  print("fork to start, worker sleeps", fork_to_start(tine::idle_policy::lazy, 3000, tries));
  print("loop of 2 x 1000 us, workers spin", two_iterations(tine::idle_policy::busy, tries));
  print("loop of 2 x 1000 us, idle lazy pool", two_iterations(tine::idle_policy::lazy, tries));
  print("stop request to return, by an iteration", request_to_return(false, tries));
  print("stop request to return, by a third thread", request_to_return(true, tries));
}
