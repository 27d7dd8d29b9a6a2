// resume_policy::same_thread: a strand that has waited continues on the thread that it left. thread_local_ref is for
// code that may continue on another thread. The file is compiled as code for shared libraries, in which compilers keep
// the addresses of thread-locals.
#include <tine/base/thread_local_ref.hpp>
#include <tine/tine.hpp>

#include <pthread.h>
#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using tine::options;
using tine::pool;
using tine::resume_policy;

thread_local int mine;
[[gnu::noinline]] int& mine_now() {
  asm volatile("" ::: "memory");
  return mine;
}

options with(resume_policy resume, unsigned workers) {
  return {.workers = workers, .resume = resume, .promote = tine::promotion::eager(), .pin = tine::affinity::none};
}

/// Counts of what strands find out about their thread after a fork.
struct findings {
  std::atomic<long> forks{0}, moved{0}, stale{0}, not_unlocked{0};

  void add(bool has_moved, bool is_stale, bool is_locked) {
    forks.fetch_add(1);
    moved.fetch_add(has_moved);
    stale.fetch_add(is_stale);
    not_unlocked.fetch_add(is_locked);
  }
  bool is_clean() const { return moved == 0 && stale == 0 && not_unlocked == 0; }
};

/// A mutex that says whether it is unlocked by the thread that has locked it.
class checked_mutex {
 public:
  checked_mutex() {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex_, &kind);
    pthread_mutexattr_destroy(&kind);
    pthread_mutex_lock(&mutex_);
  }
  bool unlock() { return pthread_mutex_unlock(&mutex_) == 0; }

 private:
  pthread_mutex_t mutex_;
};

[[gnu::noinline]] pthread_t this_thread() {
  asm volatile("" ::: "memory");
  return pthread_self();
}

long tree(int depth, findings& found) {
  if (depth == 0) {
    for (int i = 0; i < 2000; ++i) tine::base::pause();
    return 1;
  }
  const pthread_t before = this_thread();
  const int* const kept = &mine;
  checked_mutex m;
  const auto [l, r] = tine::par([&] { return tree(depth - 1, found); }, [&] { return tree(depth - 1, found); });
  found.add(this_thread() != before, &mine_now() != kept, !m.unlock());
  return l + r;
}

TEST_CASE("with same_thread a fork, a loop and a nested run end on the thread on which they begin") {
  for (const unsigned workers : {2u, 4u, 16u}) {
    pool p{with(resume_policy::same_thread, workers)};
    findings found;
    for (int i = 0; i < 5; ++i) CHECK(p.run([&] { return tree(9, found); }) == 512);
    p.run([&] {
      tine::par_for(0, 64, [&](int) {
        const pthread_t before = this_thread();
        CHECK(tree(3, found) == 8);
        found.add(this_thread() != before, false, false);
      });
    });
    CHECK(found.forks > 0);
    CHECK(found.is_clean());
    CHECK(p.counters().suspensions > 0);
  }
}

TEST_CASE("a caller of run stays until the work that its thread has begun for others has ended") {
  pool p{with(resume_policy::same_thread, 2)};
  findings found;
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&, c] {
      for (int i = 0; i < 40; ++i) p.run([&] { return tree(c < 2 ? 2 : 7, found); });
    });
  }
  for (std::thread& t : callers) t.join();
  CHECK(found.is_clean());
}

tine::task<long> grow(int depth, findings* found) {
  if (depth == 0) co_return tree(2, *found) / 4;
  long l = 0;
  co_await tine::fork(&l, grow, depth - 1, found);
  const long r = co_await tine::call(grow, depth - 1, found);
  co_await tine::join;
  co_return l + r;
}

long runs_coroutines(int depth, findings& found) {
  if (depth == 0) {
    const pthread_t before = this_thread();
    const long n = tine::run(grow, 5, &found);
    found.add(this_thread() != before, false, false);
    return n;
  }
  const auto [l, r] =
      tine::par([&] { return runs_coroutines(depth - 1, found); }, [&] { return runs_coroutines(depth - 1, found); });
  return l + r;
}

TEST_CASE("with same_thread a plain function that runs coroutines keeps its thread, and so does one that they call") {
  pool p{with(resume_policy::same_thread, 4)};
  findings found;
  for (int i = 0; i < 5; ++i) CHECK(p.run([&] { return runs_coroutines(4, found); }) == 512);
  CHECK(found.is_clean());
}

TEST_CASE("with same_thread pools that run in each other do not wait for ever") {
  pool a{with(resume_policy::same_thread, 3)}, b{with(resume_policy::same_thread, 3)};
  findings found;
  std::atomic<int> ended{0};
  const auto inner = [&] { b.run([&] { tree(3, found), a.run([&] { tree(3, found); }), tree(3, found); }); };
  for (int i = 0; i < 10; ++i) {
    a.run([&] {
      tine::par_for(0, 16, [&](int) {
        tree(2, found);
        inner();
        tree(2, found);
        ended.fetch_add(1);
      });
    });
  }
  CHECK(ended == 160);
  CHECK(found.is_clean());
}

/// A pointer to mine_now about which compilers know nothing. In a direct call compilers see that mine_now returns the
/// address of `mine`, and would use the address that they have kept.
int& (*volatile opaque_mine_now)() = &mine_now;

/// Runs a fork that ends on another thread, if the policy allows it: its second branch ends after the strand has left.
[[gnu::noinline]] void fork_that_moves(pool& p) {
  std::atomic<bool> begun{false};
  const std::uint64_t suspended = p.counters().suspensions;
  tine::par(
      [&] {
        while (!begun.load()) tine::base::pause();
      },
      [&] {
        begun = true;
        while (p.counters().suspensions == suspended) tine::base::pause();
        for (int i = 0; i < 20000; ++i) tine::base::pause();
      });
}

/// Returns true if the thread changed. `is_right` receives true if thread_local_ref gave the variable of the thread
/// afterwards.
[[gnu::noinline]] bool moves(pool& p, bool& is_right) {
  const auto get = []() -> int& { return mine; };
  const int* const before = &tine::thread_local_ref(get);
  fork_that_moves(p);
  const int* const after = &tine::thread_local_ref(get);
  is_right = after == &opaque_mine_now();
  return after != before;
}

/// Does in a task what `moves` does. A plain fork in the body does not suspend the coroutine, so compilers keep
/// addresses over it.
tine::task<bool> moves_in_task(pool& p, bool& is_right) {
  const auto get = []() -> int& { return mine; };
  const int* const before = &tine::thread_local_ref(get);
  fork_that_moves(p);
  const int* const after = &tine::thread_local_ref(get);
  is_right = after == &opaque_mine_now();
  co_return after != before;
}

TEST_CASE("thread_local_ref gives the variable of the thread on which a strand continues") {
  pool p{with(resume_policy::finisher, 2)};
  for (const bool in_task : {false, true}) {
    int moved = 0;
    for (int i = 0; i < 200; ++i) {
      bool is_right = false;
      moved += in_task ? p.run(moves_in_task, p, is_right) : p.run([&] { return moves(p, is_right); });
      CHECK(is_right);
    }
    CHECK(moved > 0);
  }
}

tine::task<> waits_for(std::atomic<bool>& parent) {
  while (!parent.load()) tine::base::pause();
  co_return;
}

/// A task that continues on another thread after its fork, and perhaps on a third one after its join. Returns true if
/// thread_local_ref gave the variable of the thread each time. `has_moved` receives true if the thread changed at the
/// fork.
tine::task<bool> moves_at_its_fork(bool& has_moved) {
  const auto get = []() -> int& { return mine; };
  std::atomic<bool> may_continue{false};
  const int* const before = &tine::thread_local_ref(get);
  bool is_right = before == &opaque_mine_now();
  co_await tine::fork(waits_for, may_continue);
  const int* const after = &tine::thread_local_ref(get);
  is_right = is_right && after == &opaque_mine_now();
  has_moved = after != before;
  may_continue = true;
  co_await tine::join;
  const int* const in_the_end = &tine::thread_local_ref(get);
  co_return is_right&& in_the_end == &opaque_mine_now();
}

TEST_CASE("thread_local_ref gives the variable of the thread on which a task continues after its fork") {
  for (const auto resume : {resume_policy::finisher, resume_policy::same_thread}) {
    pool p{with(resume, 2)};
    for (int i = 0; i < 100; ++i) {
      bool has_moved = false;
      CHECK(p.run(moves_at_its_fork, has_moved));
      CHECK(has_moved);  // its child occupied the first thread
    }
  }
}

}  // namespace
