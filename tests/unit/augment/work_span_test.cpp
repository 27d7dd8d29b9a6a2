// Work and span of programs with given times, compared with values computed by hand.
#include <tine/augment/work_span.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using tine::fork_burden;
using tine::work_span;
using tine::base::ticks;
using tine::sched::branch_end;

work_span strand(ticks t) {
  work_span v;
  v.start(1000);
  v.stop(1000 + t);
  return v;
}

void run(work_span& v, ticks t) {
  v.start(5);
  v.stop(5 + t);
}

work_span subrange_of(std::uint64_t n) {
  work_span subrange;
  work_span{}.loop(subrange, n);
  subrange.start(0);
  return subrange;
}

}  // namespace

TEST_CASE("work and span of nested forks, with work before, between and after") {
  work_span inner = strand(3);
  inner.join(strand(10), strand(20), branch_end::unpromoted);
  run(inner, 4);
  CHECK(inner.work == 37);
  CHECK(inner.span_high() == 27);

  work_span v = strand(1);
  v.join(inner, strand(28), branch_end::stolen);
  run(v, 2);
  CHECK(v.work == 68);
  CHECK(v.span_low() == 31);
  CHECK(v.span_high() == 31);
  CHECK(v.forks == 2);
  CHECK(v.promoted == 1);
  CHECK(v.stolen == 1);
  // with the burden of its own fork the inner branch is the longer one, if the burden is more than a tick
  CHECK(v.burdened_span() == 3 + std::max<ticks>(27 + fork_burden(), 28) + fork_burden());
}

TEST_CASE("burdens may be longer than all work") {
  work_span v;
  for (int i = 0; i != 10; ++i) v.join(strand(0), strand(1), branch_end::unpromoted);
  CHECK(v.work == 10);
  CHECK(v.span_high() == 10);
  CHECK(v.burdened_span() == 10 + 10 * fork_burden());
  work_span all;
  all.join(v, strand(20), branch_end::unpromoted);
  CHECK(all.span_high() == 20);
  CHECK(all.burdened_span() == std::max<ticks>(v.burdened_span(), 20) + fork_burden());
}

TEST_CASE("a loop's span lies between the average and the whole of its longest chunk") {
  work_span first = subrange_of(19);
  first.chunk(4, 8);
  first.chunk(10, 38);
  first.stop(38);
  work_span second = subrange_of(19);
  second.chunk(5, 20);
  second.stop(20);
  first.append(second, tine::sched::branch_end::stolen);

  work_span v = strand(7);
  v.join_loop(first);
  run(v, 5);
  CHECK(v.work == 7 + 58 + 5);
  CHECK(v.span_low() == 7 + 4 + 5);
  CHECK(v.span_high() == 7 + 30 + 5);
  CHECK(v.burdened_span() == 7 + 30 + 4 * fork_burden() + 5);  // three chunks: two halvings, down and up
  CHECK(v.loops == 1);
  CHECK(v.iterations == 19);
  CHECK(v.promoted == 1);
  CHECK(v.stolen == 1);
}

TEST_CASE("forks in an iteration are on the chain of its chunk") {
  work_span subrange = subrange_of(2);
  subrange.stop(3);
  subrange.join(strand(10), strand(4), branch_end::unpromoted);
  subrange.start(17);
  subrange.chunk(2, 18);
  subrange.stop(18);
  work_span v;
  v.join_loop(subrange);
  CHECK(v.work == 18);
  CHECK(v.span_low() == 7);
  CHECK(v.span_high() == 14);
  CHECK(v.forks == 1);
}

namespace {

/// Runs a strand of `t` ticks with short loops in it.
template <class Loops>
void run_short(work_span& v, ticks t, Loops loops) {
  v.start(5);
  loops(v);
  v.stop(5 + t);
}

/// Returns the rate at which an iteration takes `t` ticks.
constexpr std::uint64_t per_iteration(std::uint64_t t) { return t * tine::sched::short_loops::fractions; }

/// A rate at which a short loop is longer than every stretch in these tests.
constexpr std::uint64_t slow = per_iteration(10'000);

/// Returns a function that runs a short loop of `n` iterations.
auto short_loop(std::uint64_t n, std::uint64_t rate = slow) {
  return [n, rate](work_span& v) {
    v.begin(n, rate);
    v.end(n);
  };
}

/// The most ticks that a short loop of `n` iterations takes: a quarter more than its kind's rate says, and the time to
/// count it.
constexpr ticks most_time(std::uint64_t n, std::uint64_t each) { return n * each * 5 / 4 + 8; }

}  // namespace

TEST_CASE("a stretch with short loops may have been run by as many as the largest has iterations") {
  work_span v = strand(100);
  run_short(v, 64, [](work_span& w) {
    short_loop(3)(w);
    short_loop(16)(w);
    short_loop(2)(w);
  });
  run(v, 10);
  CHECK(v.work == 174);
  CHECK(v.span_low() == 100 + 4 + 10);
  CHECK(v.span_high() == 174);
  CHECK(v.burdened_span() == 174);
  CHECK(v.loops == 3);
  CHECK(v.iterations == 21);
}

TEST_CASE("short loops in short ones: their iterations multiply, each as the next power of two") {
  work_span v;
  run_short(v, 640, [](work_span& w) {
    w.begin(5, slow);
    for (int i = 0; i != 5; ++i) short_loop(3)(w);
    w.end(5);
  });
  CHECK(v.span_low() == 640 / 32);
  CHECK(v.loops == 6);
  CHECK(v.iterations == 20);
}

TEST_CASE("a fork in a short loop is shared like the work before and after it") {
  work_span v = strand(1000);
  v.start(0);
  v.begin(4, slow);
  v.stop(8);
  v.join(strand(40), strand(24), branch_end::unpromoted);
  v.start(80);
  v.end(4);
  v.stop(92);
  run(v, 7);
  CHECK(v.work == 1000 + 8 + 64 + 12 + 7);
  CHECK(v.span_low() == 1000 + 2 + (40 + 12) / 4 + 7);
  CHECK(v.span_high() == 1000 + 8 + 40 + 12 + 7);
  CHECK(v.loops == 1);
  CHECK(v.iterations == 4);
}

TEST_CASE("a short loop that an exception has left is open for the rest of its strand") {
  work_span v;
  run_short(v, 80, [](work_span& w) { w.begin(8, slow); });
  run_short(v, 160, short_loop(2));
  run(v, 8);
  CHECK(v.span_low() == 80 / 8 + 160 / 16 + 8 / 8);
  CHECK(v.span_high() == 248);
  CHECK(v.loops == 2);
  CHECK(v.iterations == 10);
  for (int i = 0; i != 100; ++i) run_short(v, 1000, [](work_span& w) { w.begin(1'000'000, slow); });
  CHECK(v.span_low() <= 1000);
}

TEST_CASE("short loops in a chunk: the average of its iterations, and a share of it") {
  work_span subrange = subrange_of(6);
  short_loop(8)(subrange);
  subrange.chunk(4, 320);
  subrange.chunk(2, 330);
  subrange.stop(330);
  work_span v;
  v.join_loop(subrange);
  CHECK(v.span_low() == 320 / 8 / 4);
  CHECK(v.span_high() == 320);
  CHECK(v.loops == 2);
  CHECK(v.iterations == 14);
}

TEST_CASE("a short loop that an exception has left in one chunk is open in the next") {
  work_span subrange = subrange_of(100);
  subrange.begin(8, slow);
  subrange.chunk(1, 80);
  subrange.chunk(1, 160);
  subrange.stop(160);
  work_span v;
  v.join_loop(subrange);
  CHECK(v.loops == 2);
  CHECK(v.iterations == 100 + 8);  // both loops count as a whole
  CHECK(v.span_low() == 80 / 8);
  CHECK(v.span_high() == 80);
}

TEST_CASE("only the time of a stretch's short loops is shared") {
  constexpr ticks inside = 10 * most_time(8, 4);
  work_span v = strand(100);
  run_short(v, 10'000, [](work_span& w) {
    for (int i = 0; i != 10; ++i) short_loop(8, per_iteration(4))(w);
  });
  CHECK(v.span_low() == 100 + 10'000 - inside + inside / 8);
  CHECK(v.span_high() == 10'100);
  CHECK(v.loops == 10);
  CHECK(v.iterations == 80);
  run_short(v, 1'000, short_loop(16, per_iteration(4)));  // this estimate no longer includes the loops before
  CHECK(v.span_low() == 100 + 11'000 - inside + inside / 8 - most_time(16, 4) + most_time(16, 4) / 16);
}

TEST_CASE("short loops that are estimated to be longer than their stretch share all of it") {
  work_span v;
  run_short(v, 320, short_loop(8, per_iteration(33)));
  CHECK(v.span_low() == 320 / 8);
  CHECK(v.span_high() == 320);
}

TEST_CASE("the rate of a short loop contains the short loops in it") {
  constexpr ticks inside = 4 * 100 * 5 / 4 + 5 * 8;
  work_span v;
  run_short(v, 6'400, [](work_span& w) {
    w.begin(4, per_iteration(100));
    for (int i = 0; i != 4; ++i) short_loop(8, per_iteration(11))(w);
    w.end(4);
  });
  CHECK(v.span_low() == 6'400 - inside + inside / 32);
  CHECK(v.iterations == 36);
}

TEST_CASE("a short loop that was timed counts its measured time") {
  work_span v;
  run_short(v, 6'400, [](work_span& w) {
    w.begin_timed(4);
    w.begin_timed(8);
    w.end(8);
    w.add_timed(50);  // for the inner loop
    w.end(4);
    w.add_timed(400);
  });
  constexpr ticks inside = 400 * 5 / 4 + 2 * 8;
  CHECK(v.span_low() == 6'400 - inside + inside / 32);
  CHECK(v.loops == 2);
  CHECK(v.iterations == 12);
}

TEST_CASE("a stretch that ends in a short loop is shared entirely, and so is the work until the loop ends") {
  work_span v;
  v.start(0);
  short_loop(4, per_iteration(1))(v);
  v.begin(4, per_iteration(1));
  v.stop(800);
  run_short(v, 400, [](work_span& w) { w.end(4); });
  CHECK(v.span_low() == 800 / 4 + 400 / 4);
  constexpr ticks inside = most_time(4, 1);
  run_short(v, 1'000, short_loop(4, per_iteration(1)));
  CHECK(v.span_low() == 300 + 1'000 - inside + inside / 4);
}
