// The promise "no starvation" over many tries: does the pending branch begin while its owner's leaf runs, and how soon
// after another worker is idle? A try in which it does not begin in time is a failure. The program only prints the
// delays, because they depend on the other load of the machine.
#include "unit/sched/starvation.hpp"

#include "command.hpp"

#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <initializer_list>
#include <vector>

namespace {

using namespace tine::stress;
using tine::test::prelude;

constexpr double leaf_us = 200e3;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Returns the number of tries in which the branch did not begin in time.
int try_mode(prelude before, tine::idle_policy idle, const command& c, watchdog& dog) {
  const int tries = c.tries != 0 ? c.tries : c.is_long ? 1000 : 100;
  tine::pool p{{.workers = 2, .idle = idle}};
  const shown in_sight{dog, p};
  std::vector<double> delays;
  int missed = 0;
  const double processor = processor_seconds(), wall = now();
  for (int i = 0; i < tries; ++i) {
    dog.alive(tine::test::name_of(before), static_cast<std::uint64_t>(i));
    tine::test::starvation one{before, leaf_us, static_cast<double>(i % 7) * 60 + 5};
    if (!one.run(p)) ++missed;
    delays.push_back(one.delay_us());
  }
  const double share = (processor_seconds() - processor) / (now() - wall);
  std::sort(delays.begin(), delays.end());
  const auto at = [&](double quantile) { return delays[static_cast<std::size_t>(quantile * (tries - 1))]; };
  std::printf("%-31s %s  missed %d of %d  delay us: min %.1f median %.1f p90 %.1f p99 %.1f max %.1f  processors %.2f\n",
              tine::test::name_of(before), idle == tine::idle_policy::lazy ? "lazy" : "busy", missed, tries, at(0),
              at(0.5), at(0.9), at(0.99), at(1), share);
  print(p.counters());
  std::fflush(stdout);
  return missed;
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  if (TINE_TSAN != 0) {
    std::puts("skipped: ThreadSanitizer delays signal handlers, so tine sends no signals in its builds");
    return 0;
  }
  watchdog dog{"starvation"};
  int missed = 0;
  for (const auto idle : {tine::idle_policy::lazy, tine::idle_policy::busy}) {
    for (const prelude before : {prelude::none, prelude::forks_100, prelude::forks_20000, prelude::asleep}) {
      missed += try_mode(before, idle, c, dog);
    }
  }
  return missed == 0 ? 0 : 1;
}
