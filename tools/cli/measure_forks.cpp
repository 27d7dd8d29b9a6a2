// See measure_forks.hpp.
#include "cli/measure_forks.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/managed/par.hpp>
#include <tine/managed/par_for.hpp>
#include <tine/sched/pool.hpp>

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

// Returns the value that a quarter of the measurements are below: other programs only ever make a measurement longer.
double lower_quartile(std::vector<double> of) {
  const auto at = static_cast<std::ptrdiff_t>(of.size() / 4);
  std::nth_element(of.begin(), of.begin() + at, of.end());
  return of[static_cast<std::size_t>(at)];
}

double nanoseconds(base::ticks ticks) { return static_cast<double>(ticks) * 1e3 / base::ticks_per_microsecond(); }

// A call that the compiler can neither remove nor merge.
[[gnu::noinline]] void step() { asm volatile("" ::: "memory"); }

// A recursion that does nothing but call itself, without and with forks. In a loop of calls the processor would hide
// the fork.
[[gnu::noinline]] unsigned plain_fib(unsigned n) { return n < 2 ? n : plain_fib(n - 1) + plain_fib(n - 2); }
[[gnu::noinline]] unsigned forked_fib(unsigned n) {
  if (n < 2) return n;
  return par([n] { return forked_fib(n - 1); }, [n] { return forked_fib(n - 2); },
             [](unsigned a, unsigned b) { return a + b; });
}

constexpr unsigned size = 25;
constexpr double forks = 121'392;  // in fib(25): the number of its calls that make calls

constexpr unsigned loops = 10'000;
[[gnu::noinline]] unsigned short_loops(unsigned n) {
  for (unsigned i = 0; i < loops; ++i) par_for(0u, 4u, [](unsigned) { step(); });
  return n;
}

template <class F>
double time_of(F f) {
  const base::ticks begin = base::now();
  volatile unsigned answer = f(size);
  static_cast<void>(answer);
  return nanoseconds(base::now() - begin);
}

void wait(double microseconds) {
  const base::ticks until = base::now() + base::to_ticks(microseconds);
  while (base::now() < until) {
  }
}

struct one_steal {
  double start;  // from the fork to the thief's first instruction
  double back;   // from the end of the longer branch to the continuation of the join
};

// Measures one fork whose second branch begins at the moment at which a thief steals it, and takes so many
// microseconds. Until then the first branch forks all the time, so that the owner looks at its limit; it gives up after
// a while. Returns nothing if no thief stole the second branch.
std::optional<one_steal> steal_once(double microseconds) {
  base::atomic<base::ticks> stolen_at{0};
  base::ticks first_ended = 0, second_ended = 0;
  const base::ticks forked = base::now();
  const base::ticks give_up = forked + base::to_ticks(5000);
  par(
      [&] {
        while (stolen_at.load(base::relaxed) == 0 && base::now() < give_up) par([] { step(); }, [] { step(); });
        first_ended = base::now();
      },
      [&] {
        stolen_at.store(base::now(), base::relaxed);  // a time, which says nothing of other memory
        if (microseconds > 0) wait(microseconds), second_ended = base::now();
      });
  const base::ticks joined = base::now();
  const base::ticks begun = stolen_at.load(base::relaxed);
  if (begun > first_ended) return {};
  return one_steal{nanoseconds(begun - forked), nanoseconds(joined - std::max(first_ended, second_ended))};
}

// Returns what `figure` says of steals in a pool of two workers, a quarter of which are shorter. Returns nothing if
// this process may use only one processor, or if too few tries are stolen.
template <class Figure>
std::optional<double> of_steals(idle_policy idle, double microseconds, Figure figure) {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0 || CPU_COUNT(&mine) < 2) return {};
  constexpr unsigned tries = 200, least = 50;
  pool two{{.workers = 2, .idle = idle}};
  std::vector<double> figures = two.run([&] {
    std::vector<double> all;
    for (unsigned i = 0; i < tries; ++i) {
      wait(
          1000);  // until there are tokens again: a try takes all, because its forks are promoted until the thief comes
      if (const auto steal = steal_once(microseconds)) all.push_back(figure(*steal));
    }
    return all;
  });
  if (figures.size() < least) return {};
  return lower_quartile(std::move(figures));
}

double start_of(const one_steal& s) { return s.start; }

}  // namespace

fork_times measure_times() {
  constexpr unsigned repeats = 20;
  pool alone{{.workers = 1, .pin = affinity::none}};
  fork_times least{1e12, 1e12, 1e12};
  alone.run([&] {
    for (unsigned i = 0; i < repeats; ++i) {
      least.call = std::min(least.call, time_of(plain_fib));
      least.fork = std::min(least.fork, time_of(forked_fib));
      least.loop = std::min(least.loop, time_of(short_loops));
    }
  });
  return {least.call / forks, least.fork / forks, least.loop / loops};
}

std::optional<double> measure_fork_burden() {
  return of_steals(idle_policy::lazy, 0, [](const one_steal& s) { return s.start + s.back; });
}

double measure_promotion() {
  constexpr unsigned repeats = 20;
  double eager = 1e12, lazy = 1e12;
  for (const bool is_eager : {true, false}) {
    pool alone{
        {.workers = 1, .promote = is_eager ? promotion::eager() : promotion::on_demand(), .pin = affinity::none}};
    alone.run([&] {
      for (unsigned i = 0; i < repeats; ++i)
        (is_eager ? eager : lazy) = std::min(is_eager ? eager : lazy, time_of(forked_fib));
    });
  }
  return std::max(0.0, eager - lazy) / forks;
}

steal_times measure_steals() {
  return {of_steals(idle_policy::busy, 0, start_of), of_steals(idle_policy::lazy, 0, start_of),
          of_steals(idle_policy::busy, 30, [](const one_steal& s) { return s.back; })};
}

}  // namespace tine::cli
