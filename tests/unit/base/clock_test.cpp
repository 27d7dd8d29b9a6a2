// The clock's rate is that of the wall clock, and conversions agree. Bounds are wide: the machine may be busy.
#include <tine/base/ticks.hpp>

#include <doctest/doctest.h>

#include <ctime>
#include <initializer_list>

namespace {

double wall_us() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

}  // namespace

TEST_CASE("ticks pass at the measured rate") {
  const double rate = tine::base::ticks_per_microsecond();
  CHECK(rate > 100);     // no x86-64 counts slower than 100 MHz
  CHECK(rate < 20'000);  // or faster than 20 GHz
  CHECK(tine::base::ticks_per_microsecond() == rate);
  // the outer reads of the wall clock enclose the reads of the counter and give an upper bound; the inner reads give a
  // lower bound
  const double outer_from = wall_us();
  const tine::base::ticks from = tine::base::now();
  const double inner_from = wall_us();
  double inner_to = inner_from;
  while (inner_to - inner_from < 20'000) inner_to = wall_us();
  const tine::base::ticks to = tine::base::now();
  const double outer_to = wall_us();
  const double measured = static_cast<double>(to - from) / rate;
  CHECK(measured >= (inner_to - inner_from) * 0.95);
  CHECK(measured <= (outer_to - outer_from) * 1.05);
}

TEST_CASE("conversions are each other's inverse") {
  CHECK(tine::base::to_ticks(0) == 0);
  CHECK(tine::base::to_nanoseconds(0) == 0);
  for (const double us : {1.0, 16.0, 500.0, 1e6}) {
    const auto ns = static_cast<double>(tine::base::to_nanoseconds(tine::base::to_ticks(us)));
    CHECK(ns == doctest::Approx(us * 1e3).epsilon(0.01));
  }
}
