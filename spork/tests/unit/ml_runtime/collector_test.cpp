// The collector keeps what strands hold, wherever they hold it, and frees the rest. Trees are checked by sums that the
// tests compute without them.
#include "started.hpp"
#include "unit/run_child.hpp"

#include <tine/managed.hpp>
#include <tine/sched/pool.hpp>

#include <doctest/doctest.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace tine;

const test::started is_started;

struct tree {
  tree* left;
  tree* right;
  std::int64_t depth;
};

tree* new_tree(std::int64_t depth) {
  auto* const t = static_cast<tree*>(tine_ml_allocate(3));
  t->depth = depth;
  return t;
}

/// Builds a complete tree by forks; its nodes are held only by strands until it is ready.
tree* build(std::int64_t depth) {
  tree* const t = new_tree(depth);
  if (depth == 0) return t;
  auto [left, right] = par([&] { return build(depth - 1); }, [&] { return build(depth - 1); });
  t->left = left;
  t->right = right;
  return t;
}

/// Returns the number of nodes; 0 if one of them is not what it was.
std::int64_t count(const tree* t, std::int64_t depth) {
  if (t == nullptr || t->depth != depth) return 0;
  if (depth == 0) return t->left == nullptr && t->right == nullptr ? 1 : 0;
  auto [left, right] = par([&] { return count(t->left, depth - 1); }, [&] { return count(t->right, depth - 1); });
  return left != 0 && right != 0 ? left + right + 1 : 0;
}

options of(unsigned workers) { return {.workers = workers, .stack_bytes = 256 << 10}; }

/// Spins until the condition holds.
template <class F>
void await(F condition) {
  while (!condition()) std::this_thread::yield();
}

void build_and_count(unsigned workers, int rounds, std::int64_t depth) {
  pool p{of(workers)};
  int wrong = 0;
  p.run([&] {
    for (int i = 0; i < rounds; ++i) wrong += count(build(depth), depth) == (std::int64_t{2} << depth) - 1 ? 0 : 1;
  });
  CHECK(wrong == 0);
}

/// Runs `collect` on one worker while the strand that called this is suspended.
template <class F>
void collect_while_suspended(pool& p, F collect) {
  const std::uint64_t before = p.counters().suspensions;
  std::atomic<bool> begun{false};
  par([&] { await([&] { return begun.load(); }); },
      [&] {
        begun = true;
        await([&] { return p.counters().suspensions != before; });
        collect();
      });
}

}  // namespace

TEST_CASE("trees that strands build while others collect stay whole") {
  for (const unsigned workers : {1U, 2U, 8U, 32U}) {
    CAPTURE(workers);
    build_and_count(workers, 12, 13);
  }
}

TEST_CASE("a suspended strand keeps what only its native stack holds") {
  pool p{of(2)};
  test::witnesses seen;
  p.run([&] {
    std::array<void*, 100> held;
    for (void*& h : held) seen.watch(h = tine_ml_allocate(2));
    collect_while_suspended(p, [] { GC_gcollect(); });
    CHECK(seen.freed() == 0);
    for (void* h : held) CHECK(GC_base(h) == h);
  });
}

TEST_CASE("a record keeps the result of a branch that another worker has finished") {
  pool p{of(2)};
  test::witnesses seen;
  std::atomic<int> wrong{0};
  p.run([&] {
    for (int i = 0; i < 50; ++i) {
      std::atomic<bool> ended{false};
      auto [freed, held] = par(
          [&] {
            await([&] { return ended.load(); });
            GC_gcollect();
            return seen.has_freed(i);
          },
          [&] {
            void* const h = tine_ml_allocate(2);
            seen.watch(h);
            ended = true;
            return h;
          });
      wrong += !freed && GC_base(held) == held ? 0 : 1;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("objects in overlooked memory are lost: the tests above can fail") {
  for (const auto what : {ml::overlooked::native_stacks, ml::overlooked::records}) {
    const test::child_end end =
        test::run_child(what == ml::overlooked::records ? "overlooks_records" : "overlooks_native_stacks");
    CHECK_FALSE(end.exited_with(0));
    CHECK_MESSAGE(end.says("lost"), end.said);
  }
}

namespace {

void lose_trees(ml::overlooked what) {
  tine_ml_start();
  ml::overlooks = what;
  pool p{of(8)};
  std::int64_t least = 0;
  p.run([&] {
    for (int i = 0; i < 1000 && least >= 0; ++i) {
      if (count(build(15), 15) != 65535) least = -1;
    }
  });
  if (least < 0) {
    std::fputs("lost\n", stderr);
    std::_Exit(3);
  }
}

void say_lost(int) {
  constexpr char text[] = "lost\n";
  static_cast<void>(!write(STDERR_FILENO, text, sizeof text - 1));
  _exit(3);
}

const test::child_body overlooks_native_stacks{"overlooks_native_stacks", [] {
                                                 std::signal(SIGSEGV, say_lost);
                                                 lose_trees(ml::overlooked::native_stacks);
                                               }};
const test::child_body overlooks_records{"overlooks_records", [] {
                                           std::signal(SIGSEGV, say_lost);
                                           lose_trees(ml::overlooked::records);
                                         }};

}  // namespace

TEST_CASE("a thread keeps what it held when it entered a pool, and what it holds in an outer pool") {
  pool outer{of(2)}, inner{of(2)};
  test::witnesses seen;
  std::array<void*, 50> before;
  for (void*& h : before) seen.watch(h = tine_ml_allocate(2));
  outer.run([&] {
    std::array<void*, 50> between;
    for (void*& h : between) seen.watch(h = tine_ml_allocate(2));
    par(
        [&] {
          inner.run([&] {
            std::array<void*, 50> inside;
            for (void*& h : inside) seen.watch(h = tine_ml_allocate(2));
            collect_while_suspended(inner, [] { GC_gcollect(); });
            for (void* h : inside) CHECK(GC_base(h) == h);
          });
        },
        [] {});
    for (void* h : between) CHECK(GC_base(h) == h);
  });
  for (void* h : before) CHECK(GC_base(h) == h);
  CHECK(seen.freed() == 0);
}

TEST_CASE("records of an outer pool keep results while the thread works for an inner one") {
  pool outer{of(2)}, inner{of(1)};
  test::witnesses seen;
  std::atomic<int> wrong{0};
  outer.run([&] {
    for (int i = 0; i < 50; ++i) {
      std::atomic<bool> ended{false};
      auto [freed, held] = par(
          [&] {
            await([&] { return ended.load(); });
            inner.run([] { GC_gcollect(); });
            return seen.has_freed(i);
          },
          [&] {
            void* const h = tine_ml_allocate(2);
            seen.watch(h);
            ended = true;
            return h;
          });
      wrong += !freed && GC_base(held) == held ? 0 : 1;
    }
  });
  CHECK(wrong == 0);
  CHECK(seen.freed() < 50);
}

TEST_CASE("threads outside of pools allocate, enter pools at once, and end") {
  pool p{of(2)};
  std::atomic<int> wrong{0};
  for (int round = 0; round < 5; ++round) {
    std::vector<std::thread> all;
    for (int i = 0; i < 6; ++i) {
      all.emplace_back([&, i] {
        tree* const own = new_tree(i);
        p.run([&] { wrong += count(build(9), 9) == 1023 ? 0 : 1; });
        wrong += own->depth == i ? 0 : 1;
      });
    }
    for (std::thread& t : all) t.join();
  }
  CHECK(wrong == 0);
}

TEST_CASE("pools and their fibers come and go while others collect") {
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  std::thread collects{[&] {
    tine_ml_allocate(1);
    for (; !over; usleep(500)) GC_gcollect();
  }};
  for (int i = 0; i < 40; ++i) {
    pool p{of(4)};
    p.run([&] { wrong += count(build(7), 7) == 255 ? 0 : 1; });
  }
  over = true;
  collects.join();
  CHECK(wrong == 0);
}

TEST_CASE("a thread that the collector does not know destroys pools during collections") {
  std::atomic<bool> over{false};
  std::thread collects{[&] {
    tine_ml_allocate(1);
    for (; !over; usleep(200)) GC_gcollect();
  }};
  std::thread stranger{[&] {
    for (int i = 0; i < 100; ++i) pool p{of(3)};
  }};
  stranger.join();
  over = true;
  collects.join();
}

namespace {

std::atomic<int> handlers{0};
std::atomic<bool> leave_handler{false};

// Waits on the alternate stack, while the interrupted code has its objects on the usual stack.
void wait_on_alternate_stack(int) {
  ++handlers;
  while (!leave_handler) usleep(100);
}

}  // namespace

TEST_CASE("a strand keeps its objects while a handler on the alternate stack runs") {
  struct sigaction action{};
  action.sa_handler = &wait_on_alternate_stack;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  struct sigaction old;
  sigaction(SIGUSR2, &action, &old);
  pool p{of(2)};
  test::witnesses seen;
  handlers = 0;
  leave_handler = false;
  p.run([&] {
    std::array<void*, 100> held;
    for (void*& h : held) seen.watch(h = tine_ml_allocate(2));
    const pthread_t self = pthread_self();
    std::thread collects{[&] {
      tine_ml_allocate(1);
      pthread_kill(self, SIGUSR2);
      await([] { return handlers.load() == 1; });
      GC_gcollect();
      GC_gcollect();
      leave_handler = true;
    }};
    collects.join();
    CHECK(handlers == 1);
    for (void* h : held) CHECK(GC_base(h) == h);
  });
  CHECK(seen.freed() == 0);
  sigaction(SIGUSR2, &old, nullptr);
}

TEST_CASE("the child of fork(2) collects and makes pools of its own") {
  pool p{of(4)};
  int status = -1;
  p.run([&] {
    tree* const before = build(8);
    const pid_t child = fork();
    if (child == 0) {
      GC_gcollect();
      bool good = count(before, 8) == 511;
      std::thread{[&] {
        pool own{of(3)};
        own.run([&] {
          for (int i = 0; i < 20; ++i) good = good && count(build(10), 10) == 2047;
        });
      }}.join();
      _exit(good ? 0 : 1);
    }
    waitpid(child, &status, 0);
    CHECK(count(before, 8) == 511);
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("the heap does not grow over rounds") {
  // 400 trees take 100 MiB together, and one takes 256 KiB. The bound leaves room for what conservative scanning keeps.
  constexpr std::size_t bound = std::size_t{32} << 20;
  pool p{of(8)};
  p.run([&] {
    for (int i = 0; i < 400; ++i) CHECK(count(build(12), 12) == 8191);
  });
  GC_gcollect();
  CHECK(GC_get_heap_size() + GC_get_unmapped_bytes() <= bound);
}

TEST_CASE("unreachable objects are freed, and a cell of numbers keeps nothing") {
  test::witnesses seen;
  constexpr int objects = 1000;
  auto* const hidden = static_cast<void**>(tine_ml_allocate_numbers(objects));
  auto* const kept = static_cast<void**>(tine_ml_allocate(objects));
  std::thread{[&] {
    test::witnesses& w = seen;
    for (int i = 0; i < objects; ++i) {
      w.watch(hidden[i] = tine_ml_allocate(2));
      w.watch(kept[i] = tine_ml_allocate(2));
    }
  }}.join();
  GC_gcollect();
  CHECK(seen.freed() > objects * 9 / 10);
  CHECK(seen.freed() <= objects);
  for (int i = 0; i < objects; ++i) CHECK(GC_base(kept[i]) == kept[i]);
}

TEST_CASE("a root outside of the heap keeps what is stored in it, and a pointer into the middle keeps all") {
  test::witnesses seen;
  auto** const root = static_cast<char**>(std::calloc(1, sizeof(char*)));
  tine_ml_add_root(root, 1);
  std::thread{[&] {
    void* const object = tine_ml_allocate(100);
    seen.watch(object);
    *root = static_cast<char*>(object) + 800;  // just behind the last cell
  }}.join();
  GC_gcollect();
  CHECK(seen.freed() == 0);
}

TEST_CASE("allocations are zero, and have addresses of their own") {
  for (int round = 0; round < 200; ++round) {
    for (const bool numbers : {false, true}) {
      auto* const p = static_cast<std::int64_t*>(numbers ? tine_ml_allocate_numbers(50) : tine_ml_allocate(50));
      for (int i = 0; i < 50; ++i) {
        CHECK(p[i] == 0);
        p[i] = -1;
      }
    }
  }
  CHECK(tine_ml_allocate(0) != tine_ml_allocate(0));
}

namespace {

const test::child_body asks_for_too_much{"asks_for_too_much", [] {
                                           tine_ml_start();
                                           tine_ml_allocate(std::int64_t{1} << 50);
                                         }};
const test::child_body asks_for_less_than_nothing{"asks_for_less_than_nothing", [] {
                                                    tine_ml_start();
                                                    tine_ml_allocate_numbers(-1);
                                                  }};
const test::child_body starts_late{"starts_late", [] {
                                     pool p{of(2)};
                                     tine_ml_start();
                                   }};

}  // namespace

TEST_CASE("misuse ends the program with a message") {
  const auto much = test::run_child("asks_for_too_much");
  CHECK(much.exited_with(1));
  CHECK(much.says("trap: alloc of 1125899906842624 cells; there is no memory for them"));
  const auto less = test::run_child("asks_for_less_than_nothing");
  CHECK(less.exited_with(1));
  CHECK(less.says("trap: alloc of -1 cells"));
  const auto late = test::run_child("starts_late");
  CHECK(late.died_of(SIGABRT));
  CHECK(late.says("the collector starts too late"));
}
