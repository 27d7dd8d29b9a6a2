// task_arena, this_task_arena, global_control, info and tick_count, as the specification of oneTBB describes them.
#define TBB_PREVIEW_ISOLATED_TASK_GROUP 1

#include "parallelism.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>
#include <tbb/tick_count.h>

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using tbb::task_arena;

/// Keeps the processor busy, so that other threads come to take part.
void work() {
  for (int k = 0; k < 2'000; ++k) std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Counts the threads that work at once, and checks that their numbers are different and below the limit.
class head_count {
 public:
  explicit head_count(int limit) : users_(static_cast<std::size_t>(limit)) {}

  void work_here() {
    const int now = inside_.fetch_add(1) + 1;
    for (int seen = most_; now > seen && !most_.compare_exchange_weak(seen, now);) {
    }
    const auto me = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
    CHECK(me < users_.size());
    CHECK(users_[me].fetch_add(1) == 0);
    work();
    users_[me].fetch_sub(1);
    inside_.fetch_sub(1);
  }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0}, most_{0};
  std::vector<std::atomic<int>> users_;
};

/// Returns the most threads that were inside of the loop's body at once, and checks their numbers.
int run_and_count(int limit) {
  head_count threads{limit};
  tbb::parallel_for(0, 3'000, [&](int) { threads.work_here(); });
  return threads.most();
}

void wait_until(const std::atomic<bool>& done) {
  while (!done) std::this_thread::yield();
}

}  // namespace

TEST_CASE("execute returns what the function returns") {
  task_arena arena;
  CHECK(arena.execute([] { return 7; }) == 7);
  int x = 0;
#if __has_include(<oneapi/tbb/tine/split.hpp>)  // oneTBB's doesn't compile for references
  int& same = arena.execute([&]() -> int& { return x; });
  CHECK(&same == &x);
#endif
  arena.execute([&] { x = 3; });
  CHECK(x == 3);
  CHECK(*arena.execute([] { return std::make_unique<int>(5); }) == 5);
  for (const int limit : {1, 2, 3}) {
    task_arena limited{limit};
    CHECK(limited.execute([&] { return limit; }) == limit);
    CHECK_THROWS_AS(limited.execute([] { throw std::runtime_error{"out"}; }), std::runtime_error);
    CHECK_THROWS_AS(limited.execute([] {
      tbb::parallel_for(0, 100, [](int i) {
        if (i == 50) throw std::runtime_error{"out"};
      });
    }),
                    std::runtime_error);
    CHECK(limited.execute([&] { return limit; }) == limit);
  }
}

TEST_CASE("an arena bounds the threads that work in it") {
  for (const int limit : {1, 2, 3, 5}) {
    task_arena arena{limit};
    CHECK(arena.max_concurrency() == limit);
    for (int round = 0; round < 3; ++round) {
      const int most = arena.execute([&] { return run_and_count(limit); });
      CHECK(most >= 1);
      CHECK(most <= limit);
    }
  }
}

TEST_CASE("this_task_arena tells of the arena") {
  task_arena one{1};
  one.execute([] {
    CHECK(tbb::this_task_arena::max_concurrency() == 1);
    CHECK(tbb::this_task_arena::current_thread_index() == 0);
  });
  task_arena arena;
  arena.execute([&] {
    CHECK(tbb::this_task_arena::max_concurrency() == arena.max_concurrency());
    const int me = tbb::this_task_arena::current_thread_index();
    CHECK(me >= 0);
    tbb::parallel_for(0, 100, [](int) { work(); });
    CHECK(tbb::this_task_arena::current_thread_index() == me);
  });
}

TEST_CASE("a group of tasks brings no further threads") {
  const int limit = tbb::this_task_arena::max_concurrency();
  for (int round = 0; round < 10; ++round) {
    head_count threads{limit};
    tbb::task_group group;
    std::atomic<int> runs{0};
    for (int i = 0; i < 20; ++i) {
      group.run([&] {
        tbb::parallel_for(0, 20, [&](int) { threads.work_here(); });
        group.run([&] { threads.work_here(), ++runs; });
      });
    }
    tbb::parallel_for(0, 1'000, [&](int) { threads.work_here(); });
    group.wait();
    tbb::parallel_for(0, 1'000, [&](int) { threads.work_here(); });
    CHECK(runs == 20);
    CHECK(threads.most() <= limit);
  }
}

TEST_CASE("arenas inside of arenas") {
  task_arena two{2}, one{1}, all;
  std::atomic<int> runs{0};
  two.execute([&] {
    tbb::parallel_for(0, 20, [&](int) {
      one.execute([&] { tbb::parallel_for(0, 20, [&](int) { ++runs; }); });
      all.execute([&] {
        tbb::parallel_for(0, 20, [&](int) { ++runs; });
        // in oneTBB this may wait for ever: for a place in an arena whose threads wait for this one
        if (tbb_test::on_tine) two.execute([&] { ++runs; });
      });
    });
  });
  CHECK(runs == 20 * (tbb_test::on_tine ? 41 : 40));
}

TEST_CASE("an arena is initialised at its first use, or by hand") {
  task_arena arena{2};
  CHECK_FALSE(arena.is_active());
  arena.initialize();
  CHECK(arena.is_active());
  task_arena copy{arena};
  CHECK_FALSE(copy.is_active());
  CHECK(copy.max_concurrency() == 2);
  arena.terminate();
  CHECK_FALSE(arena.is_active());
  arena.initialize(3);
  CHECK(arena.max_concurrency() == 3);
  CHECK(arena.is_active());
  arena.terminate();
  arena.execute([] {});
  CHECK(arena.is_active());
  task_arena high{2, 1, task_arena::priority::high};
  CHECK(high.execute([] { return 1; }) == 1);
  task_arena by_constraints{task_arena::constraints{}.set_max_concurrency(2)};
  CHECK(by_constraints.max_concurrency() == 2);
  CHECK(by_constraints.execute([] { return run_and_count(2); }) <= 2);
}

TEST_CASE("many arenas, one after the other") {
  for (int i = 0; i < 50; ++i) {
    task_arena arena{1 + i % 3};
    std::atomic<int> runs{0};
    arena.execute([&] { tbb::parallel_for(0, 50, [&](int) { ++runs; }); });
    CHECK(runs == 50);
  }
}

TEST_CASE("an arena attached to that of the thread") {
  task_arena two{2};
  two.execute([] {
    task_arena here{task_arena::attach{}};
    CHECK(here.is_active());
    CHECK(here.max_concurrency() == tbb::this_task_arena::max_concurrency());
    CHECK(here.execute([] { return run_and_count(2); }) <= 2);
    task_arena also{tbb::attach{}};
    CHECK(also.max_concurrency() == here.max_concurrency());
    task_arena later;
    later.initialize(task_arena::attach{});
    CHECK(later.is_active());
  });
}

TEST_CASE("enqueued work runs without a wait") {
  for (const int limit : {task_arena::automatic, 1, 2, 4}) {
    std::atomic<int> runs{0};
    std::atomic<bool> done{false};
    {
      task_arena arena{limit};
      for (int i = 0; i < 100; ++i) {
        arena.enqueue([&] {
          tbb::parallel_for(0, 10, [](int) {});
          if (++runs == 100) done = true;
        });
      }
      arena.execute([] {});
    }  // the work may outlive the arena
    wait_until(done);
    CHECK(runs == 100);
  }
  std::atomic<bool> done{false};
  task_arena two{2};
  two.execute([&] { tbb::this_task_arena::enqueue([&] { done = true; }); });
  wait_until(done);
  done = false;
  tbb::this_task_arena::enqueue([&, owned = std::make_shared<int>(1)] { done = *owned == 1; });
  wait_until(done);
}

TEST_CASE("a task of a group runs in an arena, and the group waits for it") {
  for (const int limit : {task_arena::automatic, 1, 2}) {
    task_arena arena{limit};
    tbb::task_group group;
    std::atomic<int> runs{0};
    for (int i = 0; i < 20; ++i) {
      arena.enqueue(group.defer([&] {
        if (limit > 1) CHECK(tbb::this_task_arena::max_concurrency() <= limit);  // oneTBB adds a thread to 1
        ++runs;
      }));
    }
    arena.execute([&] { tbb::this_task_arena::enqueue(group.defer([&] { ++runs; })); });
    group.wait();
    CHECK(runs == 21);
  }
}

TEST_CASE("enqueued work runs beside other work of the arena") {
  task_arena arena{2};
  std::atomic<bool> stop{false}, stopped{false};
  arena.enqueue([&] {
    wait_until(stop);
    stopped = true;
  });
  arena.execute([&] {
    tbb::parallel_for(0, 100, [](int) { work(); });
    stop = true;
  });
  wait_until(stopped);
}

TEST_CASE("several threads use one arena") {
  const int all = tbb::this_task_arena::max_concurrency();
  for (const int limit : {1, 2, 4}) {
    const bool is_counted = limit < all && (limit > 1 || tbb_test::on_tine);  // oneTBB may add a thread to 1
    task_arena arena{limit};
    std::atomic<int> runs{0};
    head_count threads_of_arena{limit};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          CHECK(arena.execute([&] {
            tbb::parallel_for(0, 10, [&](int) {
              ++runs;
              if (is_counted) threads_of_arena.work_here();
            });
            return 5;
          }) == 5);
        }
      });
    }
    for (std::thread& t : threads) t.join();
    CHECK(runs == 6 * 20 * 10);
    CHECK(threads_of_arena.most() <= limit);
  }
}

TEST_CASE("threads in one arena may wait for each other") {
  task_arena arena{2};
  std::atomic<bool> first{false}, second{false};
  std::thread other{[&] {
    arena.execute([&] {
      first = true;
      wait_until(second);
    });
  }};
  wait_until(first);
  arena.execute([&] { second = true; });
  other.join();
}

namespace {

/// Makes the calling thread wait for a branch that another thread has taken, if one comes. Counts the branch.
void wait_for_a_branch(std::atomic<int>& branches) {
  std::atomic<bool> taken{false};
  tbb::parallel_invoke(
      [&] {
        for (int i = 0; i < 5 && !taken; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{1});
      },
      [&] {
        taken = true;
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
        ++branches;
      });
}

/// Calls `within(f)` in a loop, and checks that no thread runs two of the calls at the same time.
template <class F>
void check_isolation(F within) {
  thread_local bool is_inside = false;
  std::atomic<int> branches{0}, wrong{0};
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 16),
      [&](const tbb::blocked_range<int>&) {
        if (std::exchange(is_inside, true)) ++wrong;
        within([&] { wait_for_a_branch(branches); });
        is_inside = false;
      },
      tbb::simple_partitioner{});
  CHECK(branches == 16);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("inside of isolate a thread takes nothing from outside") {
  CHECK(tbb::this_task_arena::isolate([] { return 4; }) == 4);
  CHECK_THROWS_AS(tbb::this_task_arena::isolate([] { throw std::runtime_error{"out"}; }), std::runtime_error);
  check_isolation([](auto f) { tbb::this_task_arena::isolate(f); });
}

TEST_CASE("a thread that waits for an isolated group, or in its tasks, takes nothing from outside") {
  check_isolation([](auto f) {
    tbb::isolated_task_group g;
    g.run(f);
    CHECK(g.wait() == tbb::complete);
  });
  check_isolation([](auto f) {
    tbb::isolated_task_group g;
    CHECK(g.run_and_wait(f) == tbb::complete);
  });
  check_isolation([](auto f) {
    tbb::isolated_task_group g;
    g.run(g.defer(f));
    g.wait();
  });
}

TEST_CASE("an isolated group has all that a group has") {
  for (int round = 0; round < 100; ++round) {
    tbb::isolated_task_group g;
    std::atomic<int> sum{0};
    tbb::parallel_for(0, 20, [&](int i) { g.run([&sum, i] { sum += i; }); });
    CHECK(g.wait() == tbb::complete);
    CHECK(sum == 190);
    g.run([] { throw 4; });
    CHECK_THROWS_AS(g.wait(), int);
  }
}

TEST_CASE("execute takes nothing from outside, either") {
  task_arena all, two{2};
  check_isolation([&](auto f) { all.execute(f); });
  check_isolation([&](auto f) { two.execute(f); });
}

namespace {

thread_local int entered = 0;

class counting_observer : public tbb::task_scheduler_observer {
 public:
  counting_observer() { observe(true); }
  explicit counting_observer(task_arena& arena) : task_scheduler_observer{arena} { observe(true); }
  ~counting_observer() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override {
    ++entries;
    ++entered;
    if (is_worker == (std::this_thread::get_id() == made_by)) ++wrong;
  }
  void on_scheduler_exit(bool is_worker) override {
    ++exits;
    --entered;
    if (is_worker == (std::this_thread::get_id() == made_by)) ++wrong;
  }

  const std::thread::id made_by = std::this_thread::get_id();
  std::atomic<int> entries{0}, exits{0}, wrong{0};
};

}  // namespace

TEST_CASE("an observer sees the threads of its arena") {
  task_arena arena{3};
  {
    counting_observer threads{arena};
    CHECK(threads.is_observing());
    for (int round = 0; round < 5; ++round) {
      arena.execute([] {
        tbb::parallel_for(0, 1'000, [](int) {
          CHECK(entered == 1);
          work();
        });
      });
      CHECK(entered == 0);  // this thread has left
    }
    CHECK(threads.entries >= 5);
    CHECK(threads.exits <= threads.entries);
    CHECK(threads.wrong == 0);
    threads.observe(false);
    CHECK_FALSE(threads.is_observing());
    const int entries = threads.entries, exits = threads.exits;
    arena.execute([] { tbb::parallel_for(0, 1'000, [](int) { work(); }); });
    CHECK(threads.entries == entries);
    CHECK(threads.exits == exits);
  }
  entered = 0;
}

TEST_CASE("an observer without an arena sees those of its thread's arena") {
  tbb::parallel_for(0, 10, [](int) {});
  counting_observer threads;
  tbb::parallel_for(0, 1'000, [](int) { work(); });
  CHECK(threads.entries >= 1);
  CHECK(threads.wrong == 0);
  threads.observe(false);
  CHECK_FALSE(threads.is_observing());
  entered = 0;
}

TEST_CASE("global_control limits the threads") {
  using tbb::global_control;
  const auto active = [] { return global_control::active_value(global_control::max_allowed_parallelism); };
  const std::size_t before = active();
  CHECK(before >= 1);
  {
    const global_control more{global_control::max_allowed_parallelism, before + 3};
    CHECK(active() == (tbb_test::on_tine ? before + 3 : before));  // oneTBB runs the tests under a limit
  }
  CHECK(active() == before);
  {
    const global_control one{global_control::max_allowed_parallelism, 1};
    CHECK(active() == 1);
    {
      const global_control two{global_control::max_allowed_parallelism, 2};
      CHECK(active() == 1);  // the strictest holds
    }
    std::atomic<int> inside{0};
    tbb::parallel_for(0, 500, [&](int) {
      CHECK(inside.fetch_add(1) == 0);
      work();
      inside.fetch_sub(1);
    });
    task_arena arena{4};
    arena.execute([&] {
      tbb::parallel_for(0, 500, [&](int) {
        CHECK(inside.fetch_add(1) == 0);
        work();
        inside.fetch_sub(1);
      });
    });
  }
  CHECK(active() == before);
  for (std::size_t most = 1; most < 4; ++most) {
    const global_control limit{global_control::max_allowed_parallelism, most};
    CHECK(active() == (tbb_test::on_tine ? most : std::min(most, before)));
    std::atomic<int> inside{0}, seen{0};
    tbb::parallel_for(0, 500, [&](int) {
      // oneTBB keeps the places of the arena, without threads for them
      if (tbb_test::on_tine) CHECK(tbb::this_task_arena::max_concurrency() <= static_cast<int>(most));
      const int now = inside.fetch_add(1) + 1;
      if (now > seen) seen = now;
      work();
      inside.fetch_sub(1);
    });
    CHECK(static_cast<std::size_t>(seen) <= most);
  }
}

TEST_CASE("global_control asks for stacks") {
  using tbb::global_control;
  const auto active = [] { return global_control::active_value(global_control::thread_stack_size); };
  const std::size_t before = active();
  CHECK(before >= 1 << 20);
  {
    const global_control large{global_control::thread_stack_size, before * 2};
    CHECK(active() == before * 2);
    const global_control small{global_control::thread_stack_size, 1 << 20};
    CHECK(active() == before * 2);
    std::atomic<int> runs{0};
    tbb::parallel_for(0, 100, [&](int) { ++runs; });
    CHECK(runs == 100);
  }
  CHECK(active() == before);
  const global_control alone{global_control::thread_stack_size, 1 << 20};
  CHECK(active() == 1 << 20);
}

TEST_CASE("global_control makes exceptions end the program") {
  using tbb::global_control;
  const auto active = [] { return global_control::active_value(global_control::terminate_on_exception); };
  CHECK(active() == 0);
  {
    const global_control ends{global_control::terminate_on_exception, 1};
    const global_control goes_on{global_control::terminate_on_exception, 0};
    CHECK(active() == 1);
    if (tbb_test::on_tine) {  // oneTBB's threads don't survive fork(2)
      // without threads, because ThreadSanitizer doesn't support those of a forked child
      const global_control one{global_control::max_allowed_parallelism, 1};
      const pid_t child = fork();
      if (child == 0) {
        std::set_terminate([] { _exit(7); });
        try {
          tbb::parallel_for(0, 10, [](int) { throw std::runtime_error{"ends the program"}; });
        } catch (...) {
        }
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 7);
    }
  }
  CHECK(active() == 0);
  CHECK_THROWS_AS(tbb::parallel_for(0, 10, [](int) { throw std::runtime_error{"caught"}; }), std::runtime_error);
}

TEST_CASE("finalize refuses to wait inside of an algorithm") {
  tbb::task_scheduler_handle none;
  CHECK_FALSE(none);
  tbb::task_scheduler_handle handle{tbb::attach{}};
  CHECK(static_cast<bool>(handle));
  tbb::task_scheduler_handle moved{std::move(handle)};
  CHECK(static_cast<bool>(moved));
  moved.release();
  CHECK_FALSE(moved);
  tbb::parallel_for(0, 4, [](int) {
    tbb::task_scheduler_handle here{tbb::attach{}};
    CHECK_FALSE(tbb::finalize(here, std::nothrow));
    tbb::task_scheduler_handle again{tbb::attach{}};
    CHECK_THROWS_AS(tbb::finalize(again), tbb::unsafe_wait);
  });
}

TEST_CASE("info") {
  CHECK(!tbb::info::numa_nodes().empty());
  const int all = tbb::info::default_concurrency();
  CHECK(all >= 1);
  for (const tbb::numa_node_id node : tbb::info::numa_nodes()) {
    const int some = tbb::info::default_concurrency(node);
    CHECK(some >= 1);
    CHECK(some <= all);
    task_arena arena{task_arena::constraints{}.set_numa_id(node)};
    CHECK(arena.execute([] { return 1; }) == 1);
  }
}

TEST_CASE("tick_count") {
  const tbb::tick_count begin = tbb::tick_count::now();
  std::this_thread::sleep_for(std::chrono::milliseconds{2});
  const tbb::tick_count::interval_t length = tbb::tick_count::now() - begin;
  CHECK(length.seconds() >= 0.002);
  CHECK(length.seconds() < 60);
  CHECK((begin - begin).seconds() == 0);
  tbb::tick_count::interval_t sum{1.5};
  CHECK(sum.seconds() == 1.5);
  CHECK((sum + tbb::tick_count::interval_t{0.25}).seconds() == 1.75);
  CHECK((sum - tbb::tick_count::interval_t{0.25}).seconds() == 1.25);
  sum += tbb::tick_count::interval_t{0.5};
  CHECK(sum.seconds() == 2);
  CHECK(tbb::tick_count::resolution() > 0);
  CHECK(tbb::tick_count::interval_t{}.seconds() == 0);
}
