// Tests of the deque: order, growth, and that every item is taken exactly once when an owner and thieves compete for
// it. These tests run real threads; tests/model explores the behaviours that weaker memory models would allow.
#include "sched/deque.hpp"

#include <sched.h>
#include <atomic>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace {

using tine::sched::deque;
using tine::sched::steal_result;

/// Steals and returns the oldest item. Returns null if the steal fails.
template <class T>
T* stolen_from(deque<T>& d) {
  T* item = nullptr;
  return d.steal(item) == steal_result::stolen ? item : nullptr;
}

}  // namespace

TEST_CASE("an empty deque gives nothing") {
  deque<int> d;
  int* item = nullptr;
  CHECK(d.pop() == nullptr);
  CHECK(d.steal(item) == steal_result::empty);
  CHECK(item == nullptr);
  CHECK(d.seems_empty());
  CHECK(d.pop() == nullptr);
  CHECK(d.seems_empty());
  CHECK_FALSE(d.full());
}

TEST_CASE("the owner pops the newest, a thief steals the oldest") {
  deque<int> d;
  int items[5];
  for (int& i : items) d.push(&i);
  CHECK_FALSE(d.seems_empty());
  CHECK(d.pop() == &items[4]);
  CHECK(stolen_from(d) == &items[0]);
  CHECK(stolen_from(d) == &items[1]);
  CHECK(d.pop() == &items[3]);
  CHECK(d.pop() == &items[2]);
  CHECK(d.pop() == nullptr);
  CHECK(stolen_from(d) == nullptr);
  d.push(&items[0]);
  CHECK(stolen_from(d) == &items[0]);
  CHECK(d.seems_empty());
}

TEST_CASE("a deque says when it is full, and grows at the next push") {
  deque<int> d{4};
  int items[100];
  for (int i = 0; i < 4; ++i) {
    CHECK_FALSE(d.full());
    d.push(&items[i]);
  }
  CHECK(d.full());
  CHECK(stolen_from(d) == &items[0]);
  CHECK_FALSE(d.full());
  for (int i = 4; i < 100; ++i) d.push(&items[i]);
  for (int i = 1; i < 50; ++i) CHECK(stolen_from(d) == &items[i]);
  for (int i = 99; i >= 50; --i) CHECK(d.pop() == &items[i]);
  CHECK(d.seems_empty());
}

namespace {

struct item {
  std::uint64_t written = 0;  // not atomic: a thief may read it only because of the deque's orderings
  std::atomic<int> taken{0};
};

/// An owner and thieves compete for `n` items. Afterwards every item must have been taken exactly once.
void fight(std::size_t n, unsigned thieves, unsigned burst, std::int64_t capacity) {
  deque<item> d{capacity};
  const std::unique_ptr<item[]> items{new item[n]};
  std::atomic<std::size_t> taken{0};
  std::atomic<std::size_t> wrong{0};
  const auto take = [&](item* i) {
    if (i->written != static_cast<std::uint64_t>(i - items.get()) + 1) ++wrong;
    ++i->taken;
    ++taken;
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < thieves; ++t) {
    threads.emplace_back([&] {
      while (taken.load() < n) {
        item* i = nullptr;
        if (d.steal(i) == steal_result::stolen) {
          take(i);
        } else {
          sched_yield();
        }
      }
    });
  }
  std::uint64_t random = n + burst;
  for (std::size_t next = 0; taken.load() < n;) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    for (unsigned k = 0; k < 1 + (random >> 33) % burst && next < n; ++k, ++next) {
      items[next].written = next + 1;
      d.push(&items[next]);
    }
    for (unsigned k = 0; k < (random >> 45) % (burst + 1); ++k) {
      if (item* i = d.pop()) take(i);
    }
    if (next == n) {
      while (item* i = d.pop()) take(i);
    }
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(taken == n);
  std::size_t once = 0;
  for (std::size_t i = 0; i < n; ++i) once += items[i].taken.load() == 1 ? 1 : 0;
  CHECK(once == n);
}

}  // namespace

TEST_CASE("every item is taken exactly once") {
  fight(50'000, 1, 1, 4);   // the deque stays nearly empty
  fight(50'000, 3, 2, 4);   // thieves compete with each other
  fight(50'000, 2, 50, 4);  // the deque grows
  fight(20'000, 7, 8, 64);
}
