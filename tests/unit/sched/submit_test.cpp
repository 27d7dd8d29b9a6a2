// Submitted roots: handles, stops, priorities, the life of the pool, coroutines of tine's and of other libraries.
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include "unit/coro/outsider.hpp"
#include "unit/coro/task_fib.hpp"
#include "unit/fib.hpp"
#include "unit/run_child.hpp"
#include "unit/ways.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <coroutine>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::handle;
using tine::pool;
using tine::resumption;
using tine::root_priority;
using tine::submit;
using tine::task;
using tine::test::child_end;
using tine::test::fib;
using tine::test::outsider;
using tine::test::run_child;
using tine::test::task_fib;

TINE_IN_CHILD("failing root") {
  pool p{{.workers = 2}};
  p.submit([] { throw std::runtime_error{"the reason"}; }).detach();
}

struct move_only {
  explicit move_only(int n) : value{std::make_unique<int>(n)} {}
  std::unique_ptr<int> value;
};

}  // namespace

TEST_CASE("a submitted root runs in pools of every size, and its handle gives the result") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    handle<long> a = p.submit(fib, 18);
    handle<long> b = p.submit([] { return fib(15); });
    CHECK(a.valid());
    CHECK(b.get() == 610);
    CHECK_FALSE(b.valid());
    CHECK(a.get() == 2584);
    CHECK(p.run(fib, 12) == 144);  // callers still come and leave
    CHECK(p.submit(task_fib, 14).get() == 377);
  }
}

TEST_CASE("results of every kind") {
  static int there = 5;
  submit([] {}).get();
  CHECK(&submit([]() -> int& { return there; }).get() == &there);
  CHECK(*submit([](move_only m) { return m; }, move_only{7}).get().value == 7);
  CHECK(submit([](std::string a, const std::string& b) { return a + b; }, std::string(40, 'a'), "b").get().size() ==
        41);
  CHECK(*submit([](std::unique_ptr<int> p) -> task<std::unique_ptr<int>> { co_return p; }, std::make_unique<int>(9))
             .get() == 9);
  CHECK(&submit([]() -> task<int&> { co_return there; }).get() == &there);
  submit([]() -> task<> { co_return; }).get();
  CHECK_THROWS_WITH_AS(submit([] { throw std::runtime_error{"no"}; }).get(), "no", std::runtime_error);
  CHECK_THROWS_WITH_AS(submit([]() -> task<int> {
                         throw std::runtime_error{"neither"};
                         co_return 1;
                       }).get(),
                       "neither", std::runtime_error);
  static_assert(!std::is_copy_constructible_v<handle<int>>);
}

TEST_CASE("a root and its handle destroy the captured values, in any order") {
  const auto life = std::make_shared<int>(1);
  {
    pool p{{.workers = 2}};
    for (int i = 0; i < 40; ++i) {
      handle<std::shared_ptr<int>> taken = p.submit([life] { return life; });
      if (i % 4 == 0) CHECK(*taken.get() == 1);
      if (i % 4 == 1) taken.detach();
      if (i % 4 == 2) taken.wait();
    }
    for (int i = 0; i < 50; ++i) {
      auto h = p.submit([](std::shared_ptr<int> l) -> task<std::shared_ptr<int>> { co_return l; }, life);
      if (i % 2 == 0) h.detach();
    }
    for (int i = 0; i < 50; ++i) {
      auto h = p.submit([life]() -> std::shared_ptr<int> { throw life; });
      h.wait();
    }
  }
  CHECK(life.use_count() == 1);
  // a thread that has waited sees that the captured values are gone
  pool q{{.workers = 2}};
  for (int i = 0; i < 60; ++i) {
    q.submit([life] {}).get();
    q.submit([life]() -> task<> { co_return; }).get();
    CHECK(life.use_count() == 1);
  }
}

TEST_CASE("strands wait for roots, in the same pool and in others") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    pool q{{.workers = workers, .resume = tine::resume_policy::finisher}};
    const auto thread_of = [] { return std::this_thread::get_id(); };
    // the strand continues on its thread
    CHECK(p.run([&] {
      const auto before = thread_of();
      handle<long> h = tine::submit(fib, 12);
      const long f = h.get();
      return f == 144 && thread_of() == before;
    }));
    CHECK(p.run([&] { return q.submit(fib, 10).get() + p.submit(fib, 10).get(); }) == 110);
    CHECK(q.run([&] { return q.submit(fib, 10).get() + p.submit(fib, 10).get(); }) == 110);
    // a tree of roots, each of which waits for two
    struct tree {
      static long of(int n) {
        if (n < 2) return n;
        auto a = tine::submit(of, n - 1);
        auto b = tine::submit(of, n - 2);
        return a.get() + b.get();
      }
    };
    CHECK(p.submit(&tree::of, 10).get() == 55);
    CHECK(q.submit(&tree::of, 10).get() == 55);
    // from branches and iterations
    std::atomic<long> sum{0};
    p.run([&] { tine::par_for(0, 100, [&](int i) { sum += tine::submit([i] { return i; }).get(); }); });
    CHECK(sum.load() == 4950);
    CHECK(tine::sequential([&] { return p.submit(fib, 10).get(); }) == 55);
  }
}

TEST_CASE("a coroutine that waits outside holds no worker and no stack") {
  pool p{{.workers = 2}};
  constexpr int many = 3000;
  std::atomic<int> begun{0};
  std::counting_semaphore<> gate{0};
  {
    std::vector<handle<int>> all;
    struct held {
      std::vector<resumption>& list;
      std::mutex& lock;
      bool await_ready() const noexcept { return false; }
      void await_suspend(resumption r) const {
        const std::lock_guard guard{lock};
        list.push_back(r);
      }
      void await_resume() const noexcept {}
    };
    std::vector<resumption> list;
    std::mutex lock;
    const auto body = [&](int i) -> task<int> {
      ++begun;
      co_await held{list, lock};
      long f = 0;
      co_await tine::fork(&f, task_fib, 5);
      co_await tine::join;
      co_return i + static_cast<int>(f);
    };
    for (int i = 0; i < many; ++i) all.push_back(p.submit(body, i));
    const auto waiting = [&] {
      const std::lock_guard guard{lock};
      return list.size();
    };
    while (waiting() < many) std::this_thread::yield();
    CHECK(p.counters().fibers < 40);  // not one a coroutine
    for (const resumption r : list) r.resume();
    long sum = 0;
    for (handle<int>& h : all) sum += h.get();
    CHECK(sum == long{many} * (many - 1) / 2 + 5L * many);
  }
}

TEST_CASE("detached coroutines fork before and after they wait outside") {
  outsider far;
  pool p{{.workers = 2}};
  std::atomic<int> ended{0};
  for (int i = 0; i < 60; ++i) {
    p.submit([&]() -> task<> {
       long a = 0;
       long b = 0;
       co_await tine::fork(&a, task_fib, 8);
       co_await tine::fork(&b, task_fib, 7);
       co_await tine::join;
       co_await far.give(0);
       co_await tine::fork(&a, task_fib, 6);
       co_await tine::join;
       ended += a == 8 && b == 13 ? 1 : 1000;
     }).detach();
  }
  while (ended.load() < 60) std::this_thread::yield();
  CHECK(ended.load() == 60);
}

TEST_CASE("a handle is awaited by tasks, and by coroutines of another library") {
  pool p{{.workers = 2}};
  const auto waits = [&](int n) -> task<long> {
    const long a = co_await p.submit(fib, n);
    handle<long> later = p.submit(task_fib, n);
    const long b = co_await later;
    co_return a + b;
  };
  CHECK(p.submit(waits, 10).get() == 110);
  CHECK(tine::run(waits, 9) == 68);
  const auto fails = [&]() -> task<int> {
    try {
      co_return co_await p.submit([]() -> int { throw 3; });
    } catch (const int e) {
      co_return e;
    }
  };
  CHECK(p.run(fails) == 3);

  struct foreign {
    struct promise_type {
      foreign get_return_object() noexcept { return {}; }
      std::suspend_never initial_suspend() noexcept { return {}; }
      std::suspend_never final_suspend() noexcept { return {}; }
      void return_void() noexcept {}
      void unhandled_exception() noexcept { std::terminate(); }
    };
  };
  std::atomic<long> got{0};
  const auto other = [&]() -> foreign {
    const long a = co_await p.submit(fib, 11);
    const long b = co_await p.submit(task_fib, 11);
    got = a + b;
    got.notify_one();
  };
  for (int i = 0; i < 25; ++i) {
    got = 0;
    other();
    got.wait(0);
    CHECK(got.load() == 178);
  }
}

TEST_CASE("when_ended calls, before or after the end") {
  pool p{{.workers = 1}};
  for (int i = 0; i < 25; ++i) {
    std::atomic<int> called{0};
    handle<int> h = p.submit([] { return 4; });
    if (i % 2 == 0) h.wait();
    h.when_ended([&] { ++called; });
    h.when_ended([&] {
      ++called;
      called.notify_one();
    });
    CHECK(h.get() == 4);
    while (called.load() < 2) std::this_thread::yield();
  }
}

TEST_CASE("request_stop stops a root, wherever it is") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    std::atomic<int> forks{0};
    const auto endless = [&] {
      for (;;) tine::par([&] { ++forks; }, [&] { ++forks; });
    };
    handle<void> h = p.submit(endless);
    while (forks.load() < 1000) std::this_thread::yield();
    h.request_stop();
    CHECK_THROWS_AS(h.get(), tine::stopped);
    {
      handle<void> left = p.submit(endless);  // its destructor stops it
    }
    const auto endless_task = [&]() -> task<> {
      for (;;) {
        long a = 0;
        co_await tine::fork(&a, task_fib, 3);
        co_await tine::join;
        ++forks;
      }
    };
    forks = 0;
    handle<void> t = p.submit(endless_task);
    while (forks.load() < 1000) std::this_thread::yield();
    t.request_stop();
    CHECK_THROWS_AS(t.get(), tine::stopped);
    // one that has not begun does not begin
    std::binary_semaphore go{0};
    std::vector<handle<void>> blockers;
    for (unsigned i = 0; i < workers; ++i) {
      blockers.push_back(p.submit([&] {
        go.acquire();
        go.release();
      }));
    }
    std::atomic<bool> ran{false};
    handle<void> never = p.submit([&] { ran = true; });
    handle<void> neither = p.submit([&]() -> task<> {
      ran = true;
      co_return;
    });
    never.request_stop();
    neither.request_stop();
    go.release();
    CHECK_THROWS_AS(never.get(), tine::stopped);
    CHECK_THROWS_AS(neither.get(), tine::stopped);
    for (handle<void>& b : blockers) b.get();
    CHECK_FALSE(ran.load());
    // a stop after the end does nothing
    handle<int> done = p.submit([] { return 1; });
    done.wait();
    done.request_stop();
    CHECK(done.get() == 1);
    CHECK(p.run(fib, 10) == 55);
  }
}

TEST_CASE("urgent roots begin before normal ones") {
  pool p{{.workers = 1}};
  std::binary_semaphore go{0};
  handle<void> blocker = p.submit([&] { go.acquire(); });
  std::mutex lock;
  std::string order;
  std::vector<handle<void>> all;
  const auto note = [&](char c) {
    const std::lock_guard guard{lock};
    order += c;
  };
  for (const char c : {'a', 'b', 'c'}) {
    all.push_back(p.submit(root_priority::normal, note, c));
    all.push_back(p.submit(root_priority::urgent, note, static_cast<char>(c - 'a' + 'A')));
  }
  go.release();
  for (handle<void>& h : all) h.get();
  CHECK(order == "ABCabc");
  blocker.get();
}

TEST_CASE("callers of run do not run submitted roots") {
  for (const unsigned workers : {1U, 2U, 4U}) {
    pool p{{.workers = workers}};
    std::atomic<bool> stop{false};
    std::atomic<int> misplaced{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 3; ++c) {
      callers.emplace_back([&] {
        const auto me = std::this_thread::get_id();
        while (!stop) {
          p.run([&] {
            handle<void> h = p.submit([&] { misplaced += std::this_thread::get_id() == me ? 1 : 0; });
            fib(14);
            h.get();
          });
        }
      });
    }
    for (int i = 0; i < 50; ++i) CHECK(p.submit(fib, 12).get() == 144);
    stop = true;
    for (std::thread& t : callers) t.join();
    CHECK(misplaced.load() == 0);
  }
}

TEST_CASE("the destructor of a pool waits for roots that were given up") {
  std::atomic<int> ended{0};
  for (int i = 0; i < 10; ++i) {
    pool p{{.workers = 2}};
    for (int k = 0; k < 10; ++k) {
      p.submit([&ended, &p, k] {
         fib(10);
         if (k % 3 == 0) {
           p.submit([&ended] {
              fib(8);
              ++ended;
            }).detach();
         }
         ++ended;
       }).detach();
    }
  }
  CHECK(ended.load() == 10 * 14);
}

TEST_CASE("many threads submit, many threads wait") {
  pool p{{.workers = 4}};
  std::vector<std::thread> threads;
  std::atomic<long> sum{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::vector<handle<long>> mine;
      for (int i = 0; i < 100; ++i)
        mine.push_back(p.submit(i % 7 == t ? root_priority::urgent : root_priority::normal, fib, i % 10));
      for (handle<long>& h : mine) sum += h.get();
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(sum.load() == 8L * 10 * (0 + 1 + 1 + 2 + 3 + 5 + 8 + 13 + 21 + 34));
}

TEST_CASE("a detached root that fails ends the program; one that is stopped does not") {
  const child_end failed = run_child("failing root");
  CHECK(failed.died_of(SIGABRT));
  CHECK(failed.says("tine: a detached root ended by an exception, which no code could catch: the reason"));
  pool p{{.workers = 2}};
  p.submit([] { throw tine::stopped{}; }).detach();
}
