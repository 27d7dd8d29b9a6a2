// ParlayLib's scheduler interface on tine, behind a stand-in for ParlayLib's header. The compiler includes
// tine/parlay.hpp before this file, as in a user's program.
#include <parlay/parallel.h>

#include "unit/run_child.hpp"

#include <sched.h>
#include <atomic>
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::test::claim;
using tine::test::run_child;
using clock_type = std::chrono::steady_clock;

/// Runs a test in a scheduler of its own, with one worker, two, and more than processors.
template <class Body>
void with_each_scheduler(Body body) {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    parlay::execute_with_scheduler(workers, [&] { body(workers); });
  }
}

/// Waits for the other party of a fork, which ends the wait if it runs beside this one.
bool waits_for(const std::atomic<bool>& other) {
  const auto end = clock_type::now() + std::chrono::seconds{20};
  while (!other.load() && clock_type::now() < end) {
    tine::poll();  // a build for ThreadSanitizer has no signals that would promote the other branch
    sched_yield();
  }
  return other.load();
}

/// The number of iterations that the calling thread is inside of: code under a native lock needs at most one.
[[gnu::noinline]] int& open_here() {
  static thread_local int open;
  asm volatile("" ::: "memory");
  return open;
}

long tree(int depth, bool conservative) {
  if (depth == 0) return 1;
  long left = 0, right = 0;
  parlay::par_do([&] { left = tree(depth - 1, conservative); }, [&] { right = tree(depth - 1, conservative); },
                 conservative);
  return left + right;
}

void spin_for(std::chrono::microseconds time) {
  for (const auto end = clock_type::now() + time; clock_type::now() < end;) tine::poll();
}

TINE_IN_CHILD("callers of the default pool") {
  std::atomic<long> out_of_range{0}, shared{0};
  std::vector<std::atomic<int>> users(parlay::num_workers());
  std::vector<std::thread> callers;
  for (int c = 0; c < 12; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        parlay::parallel_for(0, 500, [&](std::size_t) {
          const std::size_t id = parlay::worker_id();
          if (id >= parlay::num_workers()) ++out_of_range;
          if (id >= users.size()) return;
          if (users[id].fetch_add(1) != 0) ++shared;
          users[id].fetch_sub(1);
        });
      }
    });
  }
  for (std::thread& c : callers) c.join();
  claim(out_of_range == 0, "every worker_id is below num_workers");
  claim(shared == 0, "no two threads have the same worker_id");
  claim(parlay::worker_id() == 0, "outside of parallel code the worker_id is 0");
}

TINE_IN_CHILD("three workers and eight callers") {
  claim(parlay::num_workers() == 3 + 8, "num_workers");
  claim(tine::default_pool().workers() == 3, "workers");
}

TINE_IN_CHILD("three workers and one caller") {
  claim(parlay::num_workers() == 3, "num_workers");
  std::atomic<bool> is_out{false};
  parlay::parallel_for(0, 10'000, [&](std::size_t) {
    if (parlay::worker_id() >= 3) is_out = true;
  });
  claim(!is_out, "worker_id");
}

TINE_IN_CHILD("the program's own default pool") {
  tine::start_default_pool({.workers = 2, .max_callers = 5});
  claim(parlay::num_workers() == 7, "num_workers");
}

TINE_IN_CHILD("a submitted root beside one caller") {
  tine::start_default_pool({.workers = 2, .max_callers = 1});
  std::atomic<int> running{0};  // both roots run at once, beside the caller: one gets the number that is left over
  const auto root = [&] {
    for (++running; running < 2;) sched_yield();
    parlay::worker_id();
  };
  parlay::par_do(
      [&] {
        auto one = tine::submit(root), other = tine::submit(root);
        one.get();
        other.get();
      },
      [] {});
}

}  // namespace

TEST_CASE("par_do runs both branches, and passes on the exception of the first one that throws") {
  with_each_scheduler([](unsigned) {
    for (const bool conservative : {false, true}) {
      CHECK(tree(10, conservative) == 1024);
      std::string caught;
      try {
        parlay::par_do([] { throw std::runtime_error{"left"}; }, [] { throw std::runtime_error{"right"}; },
                       conservative);
      } catch (const std::runtime_error& e) {
        caught = e.what();
      }
      CHECK(caught == "left");
    }
  });
}

TEST_CASE("parallel_for calls its body once for each index, by reference") {
  with_each_scheduler([](unsigned) {
    for (const bool conservative : {false, true}) {
      std::vector<std::atomic<int>> calls(3000);
      struct counting_body {
        counting_body(const counting_body&) = delete;
        explicit counting_body(std::vector<std::atomic<int>>& counts) : to{counts} {}
        int operator()(std::size_t i) { return to[i].fetch_add(1); }  // neither const nor void
        std::vector<std::atomic<int>>& to;
      } body{calls};
      parlay::parallel_for(1000, 3000, body, 0, conservative);
      parlay::parallel_for(7, 7, body, 1, conservative);
      parlay::parallel_for(7, 6, body, 1, conservative);
      for (std::size_t i = 0; i < calls.size(); ++i) REQUIRE(calls[i] == (i < 1000 ? 0 : 1));
      std::atomic<std::size_t> sum{0};
      parlay::blocked_for(
          0, 1003, 100, [&](std::size_t, std::size_t from, std::size_t to) { sum += to - from; }, conservative);
      CHECK(sum == 1003);
    }
  });
}

TEST_CASE("a loop runs in parallel whatever its granularity, and a conservative fork does, too") {
  parlay::execute_with_scheduler(2, [] {
    std::atomic<bool> is_helped{false};
    const std::thread::id caller = std::this_thread::get_id();
    const auto end = clock_type::now() + std::chrono::seconds{20};
    parlay::parallel_for(
        0, 1'000'000,
        [&](std::size_t) {
          if (std::this_thread::get_id() != caller) is_helped = true;
          while (!is_helped && clock_type::now() < end) tine::poll();
        },
        10'000'000);
    CHECK(is_helped);
    for (int round = 0; round < 100; ++round) {
      std::atomic<bool> has_begun{false};
      bool met = false;
      parlay::par_do([&] { met = waits_for(has_begun); }, [&] { has_begun = true; }, true);
      REQUIRE(met);
    }
  });
}

TEST_CASE("a thread that waits at a conservative join takes no other work") {
  parlay::execute_with_scheduler(2, [] {
    for (int round = 0; round < 40; ++round) {
      const std::thread::id waits = std::this_thread::get_id();
      std::atomic<bool> has_begun{false}, is_taken{false};
      const auto first = [&] { waits_for(has_begun); };
      const auto second = [&] {  // on the other worker, with a pending branch for this one
        has_begun = true;
        const auto end = clock_type::now() + std::chrono::milliseconds{25};
        parlay::par_do(
            [&] {
              while (!is_taken && clock_type::now() < end) tine::poll();
            },
            [&] {
              if (std::this_thread::get_id() == waits) is_taken = true;
            });
      };
      if (round % 2 == 0)
        parlay::par_do(first, second, true);
      else
        parlay::parallel_for(0, 2, [&](std::size_t i) { i == 0 ? first() : second(); }, 1, true);
      CHECK_FALSE(is_taken);
      CHECK(std::this_thread::get_id() == waits);
    }
  });
}

TEST_CASE("data of a thread stays as it is over conservative code") {
  with_each_scheduler([](unsigned workers) {
    std::vector<std::atomic<int>> scratch(parlay::num_workers());
    std::atomic<int> nested{0}, moved{0}, disturbed{0};
    parlay::parallel_for(0, 200 * workers, [&](std::size_t) {
      const std::size_t id = parlay::worker_id();
      const std::thread::id here = std::this_thread::get_id();
      if (open_here()++ != 0) ++nested;
      const int mine = ++scratch[id];
      parlay::par_do([] { spin_for(std::chrono::microseconds{20}); }, [] { spin_for(std::chrono::microseconds{40}); },
                     true);
      parlay::parallel_for(0, 8, [](std::size_t) { spin_for(std::chrono::microseconds{5}); }, 1, true);
      if (parlay::worker_id() != id || std::this_thread::get_id() != here) ++moved;
      if (scratch[id] != mine) ++disturbed;
      --open_here();
    });
    CHECK(nested == 0);
    CHECK(moved == 0);
    CHECK(disturbed == 0);
  });
}

TEST_CASE("a scheduler of its own has the workers that were asked for, also inside another") {
  const auto check = [](unsigned workers) {
    REQUIRE(parlay::num_workers() == workers);
    std::vector<std::atomic<int>> users(workers);
    std::atomic<int> wrong{0};
    parlay::parallel_for(0, 2000, [&](std::size_t) {
      const std::size_t id = parlay::worker_id();
      if (id >= users.size() || users[id].fetch_add(1) != 0) ++wrong;
      if (id < users.size()) users[id].fetch_sub(1);
    });
    CHECK(wrong == 0);
  };
  with_each_scheduler(check);
  parlay::execute_with_scheduler(2, [&] {
    parlay::par_do([&] { parlay::execute_with_scheduler(3, [&] { check(3); }); },
                   [&] { parlay::execute_with_scheduler(4, [&] { check(4); }); });
  });
}

TEST_CASE("threads outside call the default pool, whose numbers are bounded by options and variables") {
  tine::test::check_child("callers of the default pool", {{"TINE_NUM_THREADS", "3"}});
  tine::test::check_child("callers of the default pool", {{"TINE_NUM_THREADS", "3"}, {"TINE_MAX_CALLERS", "2"}});
  tine::test::check_child("three workers and eight callers", {{"TINE_NUM_THREADS", "3"}, {"PARLAY_NUM_THREADS", "5"}});
  tine::test::check_child("three workers and eight callers", {{"TINE_NUM_THREADS", ""}, {"PARLAY_NUM_THREADS", "3"}});
  tine::test::check_child("three workers and one caller", {{"TINE_NUM_THREADS", "3"}, {"TINE_MAX_CALLERS", "1"}});
  tine::test::check_child("the program's own default pool", {});
}

TEST_CASE("bad numbers end the program with a message") {
  const auto bad =
      run_child("three workers and eight callers", {{"TINE_NUM_THREADS", ""}, {"PARLAY_NUM_THREADS", "3x"}});
  CHECK(bad.exited_with(2));
  CHECK(bad.said == "tine: PARLAY_NUM_THREADS must be a whole number from 1 to 512.\n");
  const auto submitted = run_child("a submitted root beside one caller");
  CHECK(submitted.exited_with(2));
  CHECK(submitted.said ==
        "tine: a root that was submitted to a pool with max_callers = 1 uses ParlayLib: give it 2 or more.\n");
}
