// Event sources: workers look when they are idle, at forks when they are asked to, and at intervals while the source is
// open.
#include <tine/coro.hpp>
#include <tine/sched/event_source.hpp>

#include "unit/fib.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using tine::test::fib;
using moment = tine::sched::event_source::moment;

/// Counts the calls. As long as it is open it resumes tasks one after the other.
class counting final : public tine::sched::event_source {
 public:
  void look(moment when) noexcept override {
    (when == moment::idle ? idle : busy).fetch_add(1);
    std::optional<tine::resumption> next;
    {
      const std::lock_guard guard{lock_};
      if (waiting_.empty() || !resumes) return;
      next = waiting_.front();
      waiting_.pop_front();
      open.fetch_sub(1);
    }
    next->resume();
  }
  bool is_open() const noexcept override { return open.load() != 0; }

  void add(tine::resumption r) {
    const std::lock_guard guard{lock_};
    waiting_.push_back(r);
    open.fetch_add(1);
  }

  std::atomic<int> idle{0}, busy{0}, open{0};
  std::atomic<bool> resumes{true};

 private:
  std::mutex lock_;
  std::deque<tine::resumption> waiting_;
};

struct event {
  counting& of;
  bool await_ready() const noexcept { return false; }
  void await_suspend(tine::resumption r) const { of.add(r); }
  void await_resume() const noexcept {}
};

tine::task<int> wait_often(counting& source, int n) {
  int done = 0;
  for (int i = 0; i < n; ++i) {
    co_await event{source};
    ++done;
  }
  co_return done;
}

}  // namespace

TEST_CASE("idle_workers_look_and_resume_tasks") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    counting source;
    {
      tine::pool p{{.workers = workers}};
      p.attach(source);
      CHECK(p.run(wait_often, std::ref(source), 200) == 200);
      CHECK(source.idle.load() > 0);
      CHECK(source.open.load() == 0);
    }
  }
}

TEST_CASE("a_pool_has_one_source") {
  counting source, other;
  tine::pool p{{.workers = 1}};
  p.attach(source);
  p.attach(source);
  CHECK_THROWS_AS(p.attach(other), std::logic_error);
}

TEST_CASE("a_busy_worker_looks_at_its_next_fork") {
  counting source;
  tine::pool p{{.workers = 1}};
  p.attach(source);
  p.run([&] {
    const int before = source.busy.load();
    CHECK(fib(10) == 55);
    CHECK(source.busy.load() == before);  // the source is not open, and no thread has requested a look
    const tine::worker_ref me = tine::this_worker();
    std::jthread{[me] { tine::sched::request_look(me); }}.join();
    CHECK(fib(3) == 2);
    CHECK(source.busy.load() == before + 1);
    tine::sched::request_looks(p);
    tine::par_for(0, 2, [](int) {});
    CHECK(source.busy.load() == before + 2);
  });
}

TEST_CASE("a_look_that_is_due_needs_no_signal") {
  counting source;
  const tine::base::ticks gap = tine::base::to_ticks(500);
  tine::sched::look_if_due(gap);  // outside every pool
  tine::pool p{{.workers = 1, .interrupt = false}};
  p.attach(source);
  p.run([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    const int before = source.busy.load();
    tine::sched::look_if_due(gap);
    CHECK(source.busy.load() == before + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    tine::sched::look_if_due(gap);
    CHECK(source.busy.load() == before + 2);
    for (int i = 0; i < 1000; ++i) tine::sched::look_if_due(tine::base::to_ticks(1e9));
    CHECK(source.busy.load() == before + 2);
    for (int i = 0; i < 3; ++i) tine::sched::look_if_due(0);
    CHECK(source.busy.load() == before + 5);
  });
}

// ThreadSanitizer keeps a signal back until the thread calls the system.
TEST_CASE("a_busy_worker_looks_at_intervals_while_the_source_is_open" * doctest::skip(TINE_TSAN != 0)) {
  counting source;
  source.resumes = false;
  tine::pool p{{.workers = 1}};
  p.attach(source);
  p.run([&] {
    source.open = 1;
    tine::sched::request_look(tine::this_worker());  // from here on the timer beats
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (source.busy.load() < 20 && std::chrono::steady_clock::now() < until) fib(15);
    CHECK(source.busy.load() >= 20);
    source.open = 0;
    for (int i = 0; i < 3; ++i) {  // a beat that is under way, and the look that stops the timer
      tine::sched::request_look(tine::this_worker());
      fib(5);
    }
    const int after = source.busy.load();
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() < begin + std::chrono::milliseconds{50}) fib(15);
    CHECK(source.busy.load() == after);
  });
}

TEST_CASE("a_sleeping_worker_looks_when_it_is_asked_to") {
  counting source;
  tine::pool p{{.workers = 2}};
  p.attach(source);
  std::atomic<tine::worker_ref> other{tine::worker_ref{}};
  p.run([&] {
    tine::par([] { std::this_thread::sleep_for(std::chrono::milliseconds{50}); }, [&] { other = tine::this_worker(); });
    // whichever worker ran the branch, all workers but this one soon sleep
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    const int before = source.idle.load();
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (source.idle.load() == before && std::chrono::steady_clock::now() < until) {
      if (other.load() == tine::this_worker()) break;  // the branch was not stolen
      tine::sched::request_look(other.load());
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    if (other.load() != tine::this_worker()) CHECK(source.idle.load() > before);
  });
}

TEST_CASE("callers_beside_other_roots_look") {
  counting source;
  tine::pool p{{.workers = 2}};
  p.attach(source);
  std::vector<std::jthread> threads;
  std::atomic<int> done{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { done += p.run(wait_often, std::ref(source), 50); });
  }
  threads.clear();
  CHECK(done.load() == 200);
}
