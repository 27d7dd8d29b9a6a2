// Totals of one and of several roots, serial time, and the costs of forks and profiling, compared with values computed
// by hand.
#include "report/summary.hpp"
#include "unit/report/root_of.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace {

using namespace tine::test;
using tine::report::extent;
using tine::report::speed_up;
using tine::report::summarise;
using tine::report::summary;
using tine::trace::profile;

}  // namespace

TEST_CASE("one root and the time around it") {
  profile p;
  p.run.wall = 150;
  p.roots = {{10, 100, 30, {.work = 400, .span_low = 80, .span_high = 100, .burdened_span = 160, .forks = 5}, false}};
  const summary s = summarise(p);
  CHECK(s.outside == 50);
  CHECK(s.roots.work == 400);
  CHECK(s.roots.parallelism().low == doctest::Approx(4));
  CHECK(s.roots.parallelism().high == doctest::Approx(5));
  CHECK(s.roots.burdened_parallelism() == doctest::Approx(2.5));
  CHECK(s.process.work == 450);
  CHECK(s.process.span_low == 130);
  CHECK(s.process.span_high == 150);
  CHECK(s.process.burdened_span == 210);
  CHECK(s.serial == 80);
  CHECK(s.serial_share == doctest::Approx(80.0 / 450));
  CHECK(s.forks == 5);
}

TEST_CASE("samples outside of roots are those of functions, the most first") {
  profile p;
  p.run.wall = 1'000;
  p.run.sampled = tine::trace::sampling::on;
  p.run.sample_period = 10, p.run.samples = 20, p.run.unlocated = 2;
  p.roots = {root_of(0, 500, 500, 100)};
  p.samples = {{1, 0, 0, 0, 8}, {2, 0, 0, 0, 6}, {3, 0, 0, 0, 4}};
  const auto in = [](const char* function, unsigned line) {
    return tine::report::place{.at = {function, "/src/in.cpp", line}, .chain = {}, .fallback = ""};
  };
  const summary s = summarise(p, {}, {in("read", 3), in("parse", 7), in("parse", 9)});
  CHECK(s.sampled.all == 200);
  CHECK(s.sampled.unlocated == 20);
  REQUIRE(s.sampled.functions.size() == 2);
  CHECK(s.sampled.functions[0].label == "parse (in.cpp:7)");
  CHECK(s.sampled.functions[0].time == 100);
  CHECK(s.sampled.functions[0].share == doctest::Approx(0.5));
  CHECK(s.sampled.functions[1].time == 80);
  CHECK(s.serial_bound ==
        "the time outside of roots, 50 % of the run, makes the program at most 2.00 times faster on any number of "
        "workers; 50 % of "
        "its processor time is in parse (in.cpp:7)");
  p.run.wall = 600;
  CHECK(summarise(p).serial_bound == "");
  CHECK(summarise(p).sampled.functions[0].label == "0x1");
  p.run.samples = p.run.sample_period = ~0ull;
  CHECK(summarise(p).sampled.all == ~0ull);
}

TEST_CASE("a root inside another's time adds work, but no time") {
  profile p;
  p.run.wall = 100;
  p.roots = {root_of(0, 100, 100, 90), root_of(20, 30, 10, 10)};
  const summary s = summarise(p);
  CHECK(s.outside == 0);
  CHECK(s.roots.span_high == 90);
  CHECK(s.roots.work == 110);
}

TEST_CASE("a process that never forks is serial") {
  profile p;
  p.run.wall = 100;
  const summary s = summarise(p);
  CHECK(s.process.work == 100);
  CHECK(s.process.span_low == 100);
  CHECK(s.serial_share == 1);
  CHECK(s.process.parallelism().low == 1);
  CHECK(s.roots.parallelism().high == 1);
  CHECK(speed_up(s.process, 64).high == 1);
  CHECK(speed_up(s.process, 64).low == 1);  // no part of it is ever stolen
  CHECK(!s.critical.has_value());
  const summary empty = summarise({});
  CHECK(empty.serial_share == 0);
  CHECK(speed_up(empty.process, 8).low == 1);
}

TEST_CASE("sums stop at the largest number") {
  profile p;
  const auto most = ~std::uint64_t{0};
  p.run.wall = most;
  p.roots = {root_of(0, 10, most, most), root_of(most - 1, most, most, most)};
  const summary s = summarise(p);
  CHECK(s.roots.work == most);
  CHECK(s.process.span_high == most);
}

TEST_CASE("costs are counts times the cost of one") {
  profile p;
  p.run.fork_cost = 2;
  p.run.profiled_fork_cost = 30;
  p.run.profiled_loop_cost = 50;
  p.roots = {{0, 10, 0, {.work = 10'000, .forks = 10, .loops = 4}, false}};
  const summary s = summarise(p);
  CHECK(s.costs.forking == doctest::Approx(20));
  CHECK(s.costs.forking_share == doctest::Approx(20.0 / 9'500));
  CHECK_FALSE(s.costs.forking_share_is_bound);
  CHECK(s.costs.profiling == doctest::Approx(500));
  CHECK(s.costs.profiling_share == doctest::Approx(0.05));
  CHECK(s.costs.doubt == "");
}

TEST_CASE("a profile that cost a quarter of the work is no ground for a verdict, and says what to run instead") {
  profile p;
  p.run.analyses = tine::trace::work_span | tine::trace::grain;
  p.run.burden_is_measured = true;
  p.run.fork_cost = 2;
  p.run.profiled_fork_cost = 100;
  p.roots = {{0, 10, 0, {.work = 400, .forks = 1}, false}};
  CHECK(summarise(p).costs.doubt == "");
  p.roots[0].all.work = 200;
  CHECK(summarise(p).costs.doubt ==
        "this profile's own cost is 50 % of the work that it measured, more than 25 %, so its times say little of the "
        "program; a fork or loop has at most 200 ns of work. Instead, profile with `--analyses work,span`, which costs "
        "least");
  p.run.analyses = tine::trace::work_span;
  p.run.burden_is_measured = false;
  p.roots[0].all.work = 50;  // the predicted cost is more than the work
  const std::string doubt = summarise(p).costs.doubt;
  CHECK(doubt.find("200 %") != std::string::npos);
  CHECK(doubt.find("run `tine calibrate`, because this cost is a usual value, and compare the time") !=
        std::string::npos);
  CHECK(doubt.find("TINE_NUM_THREADS=1") != std::string::npos);
  CHECK(summarise(p).costs.forking_share == doctest::Approx(2.0 / 50));
  CHECK(summarise(p).costs.forking_share_is_bound);
}

TEST_CASE("time outside of roots is neither divided nor burdened") {
  const extent e{1100, 200, 200, 300, 100};
  CHECK(speed_up(e, 4).high == doctest::Approx(4));
  CHECK(speed_up(e, 4).low == doctest::Approx(1100 / (100 + 250 + 1.7 * 0.75 * 200)));
  CHECK(speed_up(e, 1).low == doctest::Approx(1));
}

// The table is one that Cilkview printed for a program with these figures. It was published with Cilkview.
TEST_CASE("the band is Cilkview's") {
  const extent e{307'502'918, 5'866'402, 5'866'402, 29'393'897};
  const struct {
    unsigned workers;
    double low, high;
  } printed[] = {{2, 1.72, 2.00},   {4, 2.69, 4.00},   {8, 3.74, 8.00},    {16, 4.65, 16.00},
                 {32, 5.30, 32.00}, {64, 5.70, 52.42}, {128, 5.92, 52.42}, {256, 6.03, 52.42}};
  for (const auto& row : printed) {
    CAPTURE(row.workers);
    CHECK(std::abs(speed_up(e, row.workers).low - row.low) < 0.006);
    CHECK(std::abs(speed_up(e, row.workers).high - row.high) < 0.006);
  }
}
