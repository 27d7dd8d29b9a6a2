// Pools: the results of run, several pools at once, one pool inside another, many callers, start and stop.
#include <tine/tine.hpp>

#include "unit/fib.hpp"
#include "unit/run_child.hpp"
#include "unit/ways.hpp"

#include <tine/base/ticks.hpp>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using tine::par;
using tine::pool;
using tine::promotion;
using tine::test::child_end;
using tine::test::fib;
using tine::test::run_child;

/// Waits for `flag` without forking or polling. Returns false if it is still false after ten seconds.
bool comes_true(const std::atomic<bool>& flag) {
  const tine::base::ticks from = tine::base::now();
  while (!flag.load() && tine::base::now() - from < tine::base::to_ticks(10e6)) sched_yield();
  return flag.load();
}

TINE_IN_CHILD("a pool destroyed from inside") {
  auto* p = new pool{{.workers = 2}};
  p->run([&] { delete p; });
}

TINE_IN_CHILD("a pool destroyed from a fork inside") {
  auto* p = new pool{{.workers = 2, .promote = promotion::eager()}};
  p->run([&] {
    tine::test::meeting m{true};
    par([&] { m.first(); }, m.second([&] { delete p; }));
  });
}

TINE_IN_CHILD("a pool destroyed from inside another") {
  auto* p = new pool{{.workers = 2}};
  pool other{{.workers = 2}};
  pool third{{.workers = 1}};
  alarm(20);
  p->run([&] { other.run([&] { third.run([&] { delete p; }); }); });
}

TINE_IN_CHILD("a pool destroyed from a stolen branch inside another") {
  auto* p = new pool{{.workers = 2}};
  pool other{{.workers = 2, .promote = promotion::eager()}};
  alarm(20);
  p->run([&] {
    other.run([&] {
      tine::test::meeting m{true};
      par([&] { m.first(); }, m.second([&] { delete p; }));
    });
  });
}

std::string name_of_this_thread() {
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  return name;
}

/// Returns the name of a thread that the pool has started.
std::string name_in(pool& p) { return p.submit(name_of_this_thread).get(); }

}  // namespace

/// From now on the process gets that many more threads; run in a child, as a user that has no other process. Returns false if that
/// can't be had.
bool allow_threads(unsigned more) {
  const uid_t alone = 59'999;
  if (geteuid() == 0 && setresuid(alone, alone, alone) != 0) return false;
  if (geteuid() != alone) return false;
  const rlim_t most = 1 + more + (TINE_TSAN != 0);  // ThreadSanitizer has a thread of its own
  const rlimit limit{most, most};
  return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

TINE_IN_CHILD("no threads") {
  if (!allow_threads(0)) return;
  using tine::test::claim;
  for (int round = 0; round < 3; ++round) {
    claim(tine::par_reduce(0L, 1000L, 0L, [](long i) { return i; }, std::plus<>{}) == 499500, "the loop is right");
  }
  claim(tine::worker_count() == 1, "the default pool has the caller alone");
  auto sum = tine::submit([] { return fib(10); });
  claim(sum.get() == 55, "a root runs on the thread that waits");
  std::atomic<int> ended{0};
  {
    pool p{{.workers = 4}};
    claim(p.workers() == 1 && p.counters().threads_refused == 1, "a pool counts what it was refused");
    claim(p.run([&] { return p.submit([] { return fib(10); }).get(); }) == 55, "a strand waits for a root");
    pool waits{{.workers = 2, .callers = tine::caller_policy::wait}};
    claim(waits.run([] { return fib(10); }) == 55, "a caller that was to wait works");
    for (int i = 0; i < 10; ++i) p.submit([&] { ++ended; }).detach();
    tine::task_group group;
    group.run([&] { ++ended; });
    group.wait();
  }
  claim(ended == 11, "the end of a pool runs the roots that nobody waits for");
}

TINE_IN_CHILD("two threads") {
  if (!allow_threads(2)) return;
  pool p{{.workers = 8, .promote = promotion::eager()}};
  tine::test::claim(p.workers() == 3 && p.counters().threads_refused == 1, "the pool has the threads that there are");
  tine::test::meeting m{true};
  const auto index = [] { return tine::worker_index(); };
  const auto [ours, stolen] = p.run([&] { return par(m.first(index), m.second(index)); });
  tine::test::claim(ours == 0 && (stolen == 1 || stolen == 2), "these work");
}

TINE_IN_CHILD("default pool with options") {
  using tine::test::claim;
  const pool& started = tine::start_default_pool({.workers = 2, .max_callers = 1});
  claim(&started == &tine::default_pool() && tine::worker_count() == 2 && tine::worker_slots() == 3,
        "it has the options");
  bool refused = false;
  try {
    tine::start_default_pool({});
  } catch (const std::logic_error&) {
    refused = true;
  }
  claim(refused, "it does not start again");
  std::atomic<unsigned> highest{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 6; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        tine::par_for(0, 100, [&](int) {
          for (unsigned seen = highest;
               tine::worker_index() > seen && !highest.compare_exchange_weak(seen, tine::worker_index());) {
          }
          for (int k = 0; k < 300; ++k) std::atomic_signal_fence(std::memory_order_seq_cst);
        });
      }
    });
  }
  for (std::thread& t : callers) t.join();
  claim(highest < 2, "callers come in turn");
}

TEST_CASE("a program chooses the options of the default pool") { tine::test::check_child("default pool with options"); }

TEST_CASE("a pool works with the threads that the system gives, and says so once") {
  for (const char* name : {"no threads", "two threads"}) {
    const child_end end = run_child(name);
    CAPTURE(end.said);
    CHECK(end.exited_with(0));
    const std::size_t first = end.said.find("the system gives no more threads");
    if (geteuid() == 0 && !TINE_TSAN) CHECK(first != std::string::npos);
    CHECK((first == std::string::npos || end.said.find("no more threads", first + 30) == std::string::npos));
  }
}

TEST_CASE("a pool has the requested number of workers") {
  for (const unsigned n : {1U, 2U, 3U, 32U}) CHECK(pool{{.workers = n}}.workers() == n);
}

TEST_CASE("run returns the result of its function") {
  pool p{{.workers = 2}};
  int x = 0;
  CHECK(p.run([] { return 5; }) == 5);
  CHECK(*p.run([] { return std::make_unique<int>(6); }) == 6);
  decltype(auto) r = p.run([&]() -> int& { return x; });
  static_assert(std::is_same_v<decltype(r), int&>);
  CHECK(&r == &x);
  static_assert(std::is_void_v<decltype(p.run([] {}))>);
  p.run([&] { x = 7; });
  CHECK(x == 7);
  const auto owner = [y = std::make_unique<int>(8)] { return *y; };
  CHECK(p.run(owner) == 8);
}

TEST_CASE("run throws the exception of its function") {
  pool p{{.workers = 2}};
  for (int i = 0; i < 50; ++i) {
    CHECK_THROWS_WITH_AS(p.run([] { throw std::runtime_error{"root"}; }), "root", std::runtime_error);
    CHECK_THROWS_AS(p.run([]() -> int { throw 5; }), int);
    CHECK_THROWS_AS(p.run([]() -> int& { throw 'c'; }), char);
  }
  CHECK(p.run([] { return fib(15); }) == 610);
}

/// The workers of a fork whose second branch is stolen, and ends after the first worker has left the strand.
struct way_back {
  tine::worker_ref origin, finisher, after;
};
way_back wait_for_branch(pool& p) {
  std::atomic<bool> begun{false};
  const std::uint64_t suspended = p.counters().suspensions;
  way_back went{tine::this_worker(), {}, {}};
  par([&] { CHECK(comes_true(begun)); },
      [&] {
        begun = true;
        while (p.counters().suspensions == suspended) sched_yield();
        // gives the first worker time to look for work
        const tine::base::ticks from = tine::base::now();
        while (tine::base::now() - from < tine::base::to_ticks(100)) tine::base::pause();
        went.finisher = tine::this_worker();
      });
  went.after = tine::this_worker();
  return went;
}

/// Returns true if one of at most `tries` strands continues on that worker.
bool may_continue(tine::resume_policy who, tine::worker_ref way_back::* where, int tries) {
  pool p{{.workers = 2, .idle = tine::idle_policy::busy, .resume = who, .promote = promotion::eager()}};
  for (int i = 0; i < tries; ++i) {
    const way_back went = p.run([&] { return wait_for_branch(p); });
    CHECK(went.origin != went.finisher);
    if (went.after == went.*where) return true;
    CHECK((went.after == went.origin || went.after == went.finisher));
  }
  return false;
}

TEST_CASE(
    "with resume_policy::origin a strand that has waited continues on the worker that it left, if that one is idle") {
  cpu_set_t mine;
  REQUIRE(sched_getaffinity(0, sizeof(mine), &mine) == 0);
  if (CPU_COUNT(&mine) < 2) return;  // with one processor, a worker that looks for work may wait for it
  // a worker that loses its processor meanwhile loses the strand, too: on a busy machine this may happen in nearly all
  // tries
  CHECK(may_continue(tine::resume_policy::origin, &way_back::origin, 20'000));
  CHECK(may_continue(tine::resume_policy::finisher, &way_back::finisher, 20'000));
}

TEST_CASE("run inside the same pool just calls") {
  pool p{{.workers = 2}};
  const auto inside = [&] {
    const pid_t here = gettid();
    const long x = p.run([&] { return gettid() == here ? 1L : 0L; });
    CHECK_THROWS_AS(p.run([]() -> int { throw 5; }), int);
    return x + par([&] { return p.run([] { return fib(10); }); }, [&] { return p.run([] { return fib(11); }); },
                   [](long a, long b) { return a + b; });
  };
  CHECK(p.run(inside) == 1 + 55 + 89);
}

TEST_CASE("forks pending at a run into another pool do not wait for it") {
  pool a{{.workers = 2}};
  pool b{{.workers = 1}};
  for (int i = 0; i < 60; ++i) {
    std::atomic<bool> begun{false};
    if (i % 2 != 0) usleep(1000);  // the other worker of `a` falls asleep before or during the run, or not at all
    a.run([&] {
      if (i % 3 == 0) usleep(1000);
      // the inner root waits, without any fork in between, for the second branch of the outer fork
      par([&] { b.run([&] { CHECK(comes_true(begun)); }); }, [&] { begun.store(true); });
    });
  }
  CHECK(a.counters().steals >= 60);
}

TEST_CASE("forks pending at a run into another pool do not wait for it where only other callers are idle") {
  pool b{{.workers = 1}};
  // the other caller is idle, because its strand waits for a branch that was stolen
  pool c{{.workers = 2, .promote = promotion::eager()}};
  for (int i = 0; i < 5; ++i) {
    std::atomic<bool> taken{false}, end{false}, begun{false};
    std::thread waits{[&] {
      c.run([&] {
        par([&] { CHECK(comes_true(taken)); },
            [&] {
              taken = true;
              CHECK(comes_true(end));
            });
      });
    }};
    CHECK(comes_true(taken));
    usleep(1000);
    c.run([&] { par([&] { b.run([&] { CHECK(comes_true(begun)); }); }, [&] { begun = true; }); });
    end = true;
    waits.join();
  }
}

TEST_CASE("run inside sequential, inside another pool, keeps the outer forks sequential") {
  pool a{{.workers = 2, .promote = promotion::eager()}};
  pool b{{.workers = 2, .promote = promotion::eager()}};
  const long sum = a.run([&] {
    return tine::sequential([&] {
      const long inside = b.run([] { return fib(10); });
      return inside + fib(10);
    });
  });
  CHECK(sum == 110);
  CHECK(a.counters().promotions == 0);
  CHECK(b.counters().promotions == 88);
}

namespace {

/// A root that a thread of its own calls. The first branch waits on that thread until another worker has begun the
/// second branch. The second branch waits until `end`, and then the root ends.
class two_part_root {
 public:
  explicit two_part_root(pool& p)
      : caller_{[this, &p] {
          p.run([this] { par([this] { CHECK(comes_true(begun)); }, [this] { run_second(); }); });
          returned = true;
        }} {}
  ~two_part_root() { caller_.join(); }

  std::atomic<bool> begun{false}, end{false}, returned{false};

 private:
  void run_second() {
    begun = true;
    CHECK(comes_true(end));
  }
  std::thread caller_;
};

}  // namespace

TEST_CASE("run returns when its root has ended, though there is work of another root") {
  for (const auto policy : {tine::caller_policy::own_root, tine::caller_policy::wait}) {
    pool p{{.workers = 3, .callers = policy, .promote = promotion::eager(), .pin = tine::affinity::none}};
    for (int i = 0; i < 10; ++i) {
      two_part_root a{p};
      CHECK(comes_true(a.begun));
      // three long subranges: the caller of this root and one worker run two of them, and the third subrange waits for
      // either of them
      std::atomic<int> subranges{0};
      std::thread other{[&] {
        const auto subrange = [&] {
          ++subranges;
          CHECK(comes_true(a.returned));
        };
        p.run([&] { par(subrange, subrange, subrange); });
      }};
      while (subranges.load() < 2) sched_yield();
      usleep(3000);  // so that the first caller sees the third subrange
      a.end = true;
      CHECK(comes_true(a.returned));
      other.join();
    }
  }
}

TEST_CASE("a caller works for its own root beside other roots") {
  // eager: without signals, a fork that meets no request would never be promoted
  pool p{{.workers = 2, .promote = promotion::eager(), .pin = tine::affinity::none}};
  for (int i = 0; i < 10; ++i) {
    std::atomic<bool> inside{false}, met{false};
    std::thread other{[&] {
      p.run([&] {
        inside = true;
        CHECK(comes_true(met));
      });
    }};
    CHECK(comes_true(inside));
    p.run([&] {
      std::atomic<bool> begun{false};
      par([&] { CHECK(comes_true(begun)); },
          [&] {  // runs on the only worker; only the caller can run the second branch below
            begun = true;
            tine::test::meeting m{true};
            par([&] { m.first(); }, [&] { m.second(); });
          });
      met = true;
    });
    other.join();
  }
}

TEST_CASE("callers that only wait leave the work to the pool's threads") {
  pool p{{.workers = 3, .callers = tine::caller_policy::wait, .promote = promotion::eager()}};
  const pid_t origin = gettid();
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> begun{false}, here{false};
    p.run([&] {
      par([&] { CHECK(comes_true(begun)); },
          [&] {
            begun = true;
            tine::par_for(0, 64, [&](int) {
              if (gettid() == origin) here = true;
            });
          });
    });
    CHECK_FALSE(here.load());
    CHECK(gettid() == origin);
    CHECK(p.run([] { return fib(16); }) == 987);
  }
}

TINE_IN_CHILD("another pool serves") {
  using tine::test::claim;
  pool two{{.workers = 2}}, three{{.workers = 3}};
  claim(tine::replace_default_pool(&two) == nullptr, "none has replaced it before");
  claim(&tine::default_pool() == &two && tine::worker_count() == 2, "it serves");
  tine::par([&] { claim(two.has_this_thread(), "first"); }, [&] { claim(two.has_this_thread(), "second"); });
  two.run([&] {
    claim(tine::replace_default_pool(&three) == &two, "it was replaced");
    claim(tine::worker_count() == 2 && two.has_this_thread() && !three.has_this_thread(), "its callers stay");
    claim(&tine::pool_settings() == &two.settings(), "these have its options");
  });
  claim(&tine::pool_settings() == &three.settings(), "others have those of the new one");
  claim(tine::replace_default_pool(nullptr) == &three, "it was replaced, too");
  pool& own = tine::default_pool();
  claim(&own != &two && &own != &three, "the own one serves");
  claim(tine::replace_default_pool(&two) == nullptr && tine::replace_default_pool(nullptr) == &two, "and again");
  claim(&tine::default_pool() == &own, "it has not started again");
}

TINE_IN_CHILD("another pool serves in a child of fork(2)") {
  using tine::test::claim;
  pool& two = *new pool{{.workers = 2}};
  tine::replace_default_pool(&two);
  claim(tine::run([] { return fib(16); }) == 987, "it works");
  const pid_t child = fork();
  if (child == 0) {
    const bool right = &tine::default_pool() == &two && tine::run([] { return fib(16); }) == 987;
    _exit(right && tine::run([] { return tine::worker_count(); }) == 2 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  claim(status == 0, "it works in the child");
}

TEST_CASE("another pool serves the threads outside of every pool") {
  tine::test::check_child("another pool serves");
  // ThreadSanitizer ends a child of fork(2) that starts a thread
  if (!TINE_TSAN) tine::test::check_child("another pool serves in a child of fork(2)");
}

TEST_CASE("without a thread for roots the numbers are below the workers") {
  for (const unsigned workers : {2U, 4U}) {
    pool p{{.workers = workers, .pin = tine::affinity::none, .max_callers = 1, .thread_for_roots = false}};
    std::atomic<unsigned> highest{0};
    const auto note = [&] {
      tine::par_for(0, 100, [&](int) {
        for (unsigned seen = highest;
             tine::worker_index() > seen && !highest.compare_exchange_weak(seen, tine::worker_index());) {
        }
        fib(3);
      });
    };
    std::vector<tine::handle<void>> roots;
    for (int i = 0; i < 20; ++i) {
      roots.push_back(p.submit(note));
      p.run(note);
    }
    for (tine::handle<void>& r : roots) r.get();
    CHECK(highest < workers);
  }
  pool one{{.workers = 1, .thread_for_roots = false}};
  const tine::handle<void> root = one.submit([] {});
  while (!root.has_ended()) sched_yield();  // no thread waits for it, so one of the pool must have run it
}

TEST_CASE("workers have numbers below the slots, one each") {
  CHECK_THROWS_WITH_AS(static_cast<void>(tine::worker_index()),
                       "tine::worker_index: the calling thread works for no pool, so it has no number; call it inside "
                       "tine::run, or in what that forks",
                       std::logic_error);
  CHECK(tine::worker_slots() == tine::default_pool().worker_slots());
  pool p{{.workers = 4, .promote = promotion::eager(), .max_callers = 3}};
  CHECK(p.worker_slots() == 7);
  std::vector<std::atomic<int>> users(p.worker_slots());
  std::atomic<bool> wrong{false};
  std::vector<std::thread> callers;
  for (int c = 0; c < 8; ++c) {  // more callers than may be inside at once
    callers.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        p.run([&] {
          if (tine::worker_slots() != 7) wrong = true;
          tine::par_for(0, 200, [&](int) {
            const unsigned mine = tine::worker_index();
            if (mine > 6 || users[mine].fetch_add(1) != 0) wrong = true;
            if (tine::this_worker().index() != mine) wrong = true;
            fib(0);
            users[mine].fetch_sub(1);
          });
        });
      }
    });
  }
  for (std::thread& t : callers) t.join();
  CHECK_FALSE(wrong.load());
  // callers that come one at a time always have the same number
  for (int i = 0; i < 3; ++i) {
    const unsigned number = p.run([] { return tine::worker_index(); });
    CHECK(number == p.run([] { return tine::worker_index(); }));
  }
  CHECK(pool{{.workers = 2}}.run([] { return tine::worker_index(); }) == 0);
}

template <class F, class... Args>
concept runs = requires(pool p, F f, Args... args) {
  tine::run(f, args...);
  p.run(f, args...);
};
static_assert(runs<void (*)(int), int> && !runs<void (*)(int)> && !runs<void (*)(int), std::string> && !runs<int>);

TEST_CASE("small stacks, other signals and unpinned threads work too") {
  pool p{{.workers = 3,
          .promote = promotion::on_demand(1, 100),
          .pin = tine::affinity::none,
          .stack_bytes = 65536,
          .seed = 99,
          .signal = SIGUSR2}};
  for (int i = 0; i < 20; ++i) CHECK(p.run([] { return fib(18); }) == 2584);
}

TEST_CASE("a bad option is refused before anything starts") {
  CHECK_THROWS_WITH_AS(pool{{.workers = 513}},
                       "options::workers is 513: give 1 to 512, or 0 for TINE_NUM_THREADS or one worker per processor",
                       std::invalid_argument);
}

TEST_CASE("a pool destroyed from inside ends the program with a clear message") {
  for (const char* how :
       {"a pool destroyed from inside", "a pool destroyed from a fork inside", "a pool destroyed from inside another",
        "a pool destroyed from a stolen branch inside another"}) {
    CAPTURE(std::string{how});
    const child_end end = run_child(how);
    CHECK(end.died_of(SIGABRT));
    CHECK_MESSAGE(end.says("tine: a pool is destroyed from inside itself"), end.said);
  }
}

TEST_CASE("a pool may be destroyed from inside another that was not entered from it") {
  pool outer{{.workers = 2, .promote = promotion::eager()}};
  // also after its own root has entered another pool and come back, and while other workers work for both pools
  outer.run([&] {
    auto p = std::make_unique<pool>(tine::options{.workers = 2});
    CHECK(p->run([&] { return outer.run([] { return fib(8); }); }) == 21);
    CHECK(outer.is_entered_here());
    CHECK(p->run([&] { return p->is_entered_here() && outer.is_entered_here(); }));
    CHECK(!p->is_entered_here());
    tine::test::meeting m{true};
    par([&] { m.first(); }, m.second([&] { p.reset(); }));
    CHECK(p == nullptr);
  });
}

TEST_CASE("a pool entered from another may be destroyed by a root of its own that came from elsewhere") {
  pool meeting_place{{.workers = 1}};
  auto p = std::make_unique<pool>(tine::options{.workers = 2});
  std::atomic<bool> inside{false}, leave{false};
  std::thread other{[&, p = p.get()] {
    p->run([&] {
      meeting_place.run([&] {
        inside.store(true);
        CHECK(comes_true(leave));
      });
    });
  }};
  CHECK(comes_true(inside));
  meeting_place.run([&] {
    leave.store(true);
    p.reset();  // waits for the other thread
  });
  other.join();
  CHECK(p == nullptr);
}

TEST_CASE("threads of a pool have its name and their worker's number, and callers keep theirs") {
  const std::string own = name_of_this_thread();
  {
    pool p{{.workers = 2}};
    CHECK(name_in(p).substr(0, 5) == "tine-");
    CHECK(p.run(name_of_this_thread) == own);
  }
  pool one{{.workers = 1, .thread_name = "ten bytes."}};
  CHECK(name_in(one) == "ten bytes.-0");
  pool plain{{.workers = 2, .thread_name = ""}};
  CHECK(name_in(plain) == own);
}
