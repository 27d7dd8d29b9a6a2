// Workers without work cost next to nothing. The tests measure processor time, which does not depend on other programs
// on the machine. They run in processes of their own, so that the pools of other tests do not count.
#include <tine/tine.hpp>

#include "unit/run_child.hpp"

#include <unistd.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

using tine::pool;
using tine::test::child_body;
using tine::test::child_end;
using tine::test::run_child;

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

void must_be_below(double spent, double limit, const char* by) {
  if (spent < limit) return;
  std::fprintf(stderr, "%s: %.3f ms of processor time, the limit is %.3f\n", by, spent * 1e3, limit * 1e3);
  std::_Exit(1);
}

unsigned workers_asked() { return static_cast<unsigned>(std::atoi(std::getenv("TINE_TEST_WORKERS"))); }

long fib(int n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

const child_body nothing_to_do{"a pool with nothing to do", [] {
                                 pool p{{.workers = workers_asked()}};
                                 p.run([] { return fib(20); });
                                 usleep(100'000);
                                 double least =
                                     1;  // on a busy machine it may take a while until all the workers are asleep
                                 for (int i = 0; i < 5 && least >= 2e-3; ++i) {
                                   const double before = seconds(CLOCK_PROCESS_CPUTIME_ID);
                                   usleep(1'000'000);
                                   least = std::min(least, seconds(CLOCK_PROCESS_CPUTIME_ID) - before);
                                 }
                                 must_be_below(least, 2e-3, "idle for a second");
                               }};

/// Computes for a second of this thread's processor time.
void compute() {
  volatile double x = 1;
  const double from = seconds(CLOCK_THREAD_CPUTIME_ID);
  do {
    for (int i = 0; i < 1'000'000; ++i) x = x * 1.0000001 + 1e-9;
  } while (seconds(CLOCK_THREAD_CPUTIME_ID) - from < 1);
}

/// Returns the seconds of processor time that all threads but the caller's spend during `body`.
template <class Body>
double spent_by_others(Body body) {
  const double all = seconds(CLOCK_PROCESS_CPUTIME_ID);
  const double own = seconds(CLOCK_THREAD_CPUTIME_ID);
  body();
  const double mine = seconds(CLOCK_THREAD_CPUTIME_ID) - own;
  return seconds(CLOCK_PROCESS_CPUTIME_ID) - all - mine;
}

const child_body one_long_task{"a pool with one long sequential task", [] {
                                 pool p{{.workers = workers_asked()}};
                                 usleep(50'000);
                                 const double spent = spent_by_others([&] { p.run(compute); });
                                 must_be_below(spent, 20e-3, "beside a second of work");
                               }};

const child_body forks_then_long_task{"a pool with forks and then one long sequential task", [] {
                                        pool p{{.workers = workers_asked()}};
                                        p.run([] {
                                          fib(20);
                                          const double spent = spent_by_others(compute);
                                          must_be_below(spent, 20e-3, "beside a second of work after forks");
                                        });
                                      }};

void check(const char* name, const char* workers) {
  CAPTURE(workers);
  const child_end end = run_child(name, {{"TINE_TEST_WORKERS", workers}});
  CHECK_MESSAGE(end.exited_with(0), end.said);
}

}  // namespace

TEST_CASE("a lazy pool with nothing to do uses no processor time") {
  for (const char* workers : {"2", "8"}) check("a pool with nothing to do", workers);
}

TEST_CASE("beside one long task the idle workers together use at most two per cent of a core") {
  check("a pool with one long sequential task", "8");
  check("a pool with forks and then one long sequential task", "8");
}
