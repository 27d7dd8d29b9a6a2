// The periods without work of a rank: nothing is lost when periods become one.
#include "mpi/idle_periods.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

using tine::mpi::detail::idle_periods;
using tine::sched::idle_period;

TEST_CASE("few_periods_stay_as_they_are") {
  idle_periods all;
  all.add(10, 20);
  all.add(30, 31);
  all.add(40, 40);  // nothing
  REQUIRE(all.all().size() == 2);
  CHECK(all.all()[0].begin == 10);
  CHECK(all.all()[0].end == 20);
  CHECK(all.all()[1].without_work == 1);
}

TEST_CASE("time_that_has_been_added_is_not_added_again") {
  idle_periods all;
  all.add(10, 20);
  all.add(15, 25);
  all.add(12, 18);
  std::uint64_t sum = 0;
  for (const idle_period& p : all.all()) sum += p.without_work;
  CHECK(sum == 15);
  CHECK(all.all().back().end == 25);
}

TEST_CASE("many_periods_become_few_without_losing_time") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    idle_periods all;
    std::uint64_t now = 1, sum = 0, longest = 0;
    const std::uint64_t n = 1 + random() % 20'000;
    for (std::uint64_t i = 0; i < n; ++i) {
      now += random() % (i % 100 == 0 ? 100'000U : 50U);
      const std::uint64_t length = 1 + random() % 30;
      all.add(now, now + length);
      now += length;
      sum += length;
    }
    REQUIRE(all.all().size() <= idle_periods::most);
    if (n >= 2 * idle_periods::most) CHECK(all.all().size() > 1);
    std::uint64_t end = 0;
    for (const idle_period& p : all.all()) {
      CHECK(p.begin >= end);
      CHECK(p.begin < p.end);
      CHECK(p.without_work <= p.end - p.begin);
      longest = p.end - p.begin > longest ? p.end - p.begin : longest;
      sum -= p.without_work;
      end = p.end;
    }
    CHECK(sum == 0);
    CHECK(end == now);
  }
}
