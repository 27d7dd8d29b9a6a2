// enumerable_thread_specific, combinable and flattened2d, as the specification of oneTBB describes them.
#include "parallelism.hpp"

#include <tbb/combinable.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

constexpr int n = 20'000;

template <class Copies>
void add_all(Copies& copies) {
  tbb::parallel_for(0, n, [&](int i) { copies.local() += i; });
}

constexpr long sum_of_all = long{n} * (n - 1) / 2;

/// Runs `f` on `count` threads, which exist at the same time.
template <class F>
void on_other_threads(int count, F f) {
  std::atomic<int> arrived{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&] {
      f();
      for (++arrived; arrived != count;) std::this_thread::yield();
    });
  }
  for (std::thread& t : threads) t.join();
}

template <class F>
void on_other_thread(F f) {
  on_other_threads(1, f);
}

}  // namespace

TEST_CASE("each thread has its own copy") {
  tbb::enumerable_thread_specific<long> sums;
  CHECK(sums.empty());
  CHECK(sums.size() == 0);
  add_all(sums);
  CHECK_FALSE(sums.empty());
  CHECK(sums.combine(std::plus<>{}) == sum_of_all);
  CHECK(sums.combine([](const long& a, const long& b) { return a + b; }) == sum_of_all);
  long total = 0;
  std::size_t calls = 0;
  sums.combine_each([&](long part) { total += part, ++calls; });
  CHECK(total == sum_of_all);
  CHECK(calls == sums.size());
  sums.combine_each([](long& part) { part = 1; });
  CHECK(sums.combine(std::plus<>{}) == static_cast<long>(calls));
  long* here = &sums.local();
  CHECK(here == &sums.local());
  on_other_thread([&] { CHECK(&sums.local() != here); });
}

TEST_CASE("a thread keeps its copy while many others come") {
  tbb::enumerable_thread_specific<int> ids;
  ids.local() = -1;
  std::vector<std::thread> threads;
  for (int t = 0; t < 60; ++t) {  // more than the first tables have places for
    threads.emplace_back([&ids, t] {
      ids.local() = t;
      for (int i = 0; i < 200; ++i) {
        CHECK(ids.local() == t);
        if (i % 50 == 0) std::this_thread::yield();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(ids.local() == -1);
}

TEST_CASE("how copies are made") {
  tbb::enumerable_thread_specific<int> zero;
  CHECK(zero.local() == 0);
  std::atomic<int> calls{0};
  tbb::enumerable_thread_specific<int> counted{[&] { return ++calls; }};
  CHECK(calls == 0);
  CHECK(counted.local() == 1);
  CHECK(counted.local() == 1);
  on_other_thread([&] { CHECK(counted.local() == 2); });
  CHECK(counted.size() == 2);
  const std::vector<int> exemplar{1, 2, 3};
  tbb::enumerable_thread_specific<std::vector<int>> like{exemplar};
  CHECK(like.local() == exemplar);
  like.local().push_back(4);
  on_other_thread([&] { CHECK(like.local() == exemplar); });
  tbb::enumerable_thread_specific<std::vector<int>> moved{std::vector<int>{5}};
  CHECK(moved.local() == std::vector<int>{5});
  tbb::enumerable_thread_specific<std::vector<int>> args{std::size_t{3}, 7};
  CHECK(args.local() == std::vector<int>(3, 7));
  struct pinned {  // neither copied nor moved
    explicit pinned(int v = 9) : value{v} {}
    pinned(const pinned&) = delete;
    pinned& operator=(const pinned&) = delete;
    int value;
  };
  tbb::enumerable_thread_specific<pinned> plain;
  CHECK(plain.local().value == 9);
  tbb::enumerable_thread_specific<pinned> with{11};
  CHECK(with.local().value == 11);
}

TEST_CASE("local tells whether the copy was there") {
  tbb::enumerable_thread_specific<int> copies{5};
  bool exists = true;
  CHECK(copies.local(exists) == 5);
  CHECK_FALSE(exists);
  copies.local(exists) = 6;
  CHECK(exists);
  copies.clear();
  CHECK(copies.size() == 0);
  CHECK(copies.local(exists) == 5);
  CHECK_FALSE(exists);
}

TEST_CASE("combine without copies makes one") {
  tbb::enumerable_thread_specific<int> copies{[] { return 42; }};
  CHECK(copies.combine(std::plus<>{}) == 42);
  CHECK(copies.empty());
  tbb::combinable<int> parts{[] { return 43; }};
  CHECK(parts.combine(std::plus<>{}) == 43);
}

TEST_CASE("copying and moving keeps the copies of the threads") {
  using by_key = tbb::enumerable_thread_specific<int, tbb::cache_aligned_allocator<int>, tbb::ets_key_per_instance>;
  using with_std = tbb::enumerable_thread_specific<int, std::allocator<int>>;
  tbb::enumerable_thread_specific<int> first{1};
  first.local() = 10;
  on_other_thread([&] { first.local() = 20; });
  const auto check = [](auto& copies, int mine, std::size_t size) {
    bool exists = false;
    CHECK(copies.local(exists) == mine);
    CHECK(exists);
    CHECK(copies.size() == size);
  };
  tbb::enumerable_thread_specific<int> copied{first};
  check(copied, 10, 2);
  copied.local() = 11;
  check(first, 10, 2);
  by_key other{first};
  check(other, 10, 2);
  with_std third{std::move(other)};
  check(third, 10, 2);
  tbb::enumerable_thread_specific<int> assigned{2};
  assigned.local() = 3;
  assigned = third;
  check(assigned, 10, 2);
  CHECK(assigned.combine(std::plus<>{}) == 30);
  assigned = copied;
  check(assigned, 11, 2);
  tbb::enumerable_thread_specific<int> taken{std::move(assigned)};
  check(taken, 11, 2);
  copied = std::move(taken);
  check(copied, 11, 2);
  by_key converted{7};
  converted = std::move(copied);
  check(converted, 11, 2);
  on_other_thread([&] {  // it may have the number of a thread that has ended, and then has its copy
    bool exists = true;
    const int value = converted.local(exists);
    CHECK((exists || value == 1));
  });
  tbb::enumerable_thread_specific<std::unique_ptr<int>> owns;
  owns.local() = std::make_unique<int>(4);
  const auto owner = std::move(owns);
  CHECK(**owner.begin() == 4);
}

TEST_CASE("iterators and ranges") {
  tbb::enumerable_thread_specific<int> copies;
  copies.local() = 100;
  on_other_threads(5, [&] { copies.local() = 1; });
  int k = 0;
  for (int& c : copies) c = ++k;
  const auto& constant = copies;
  const int size = static_cast<int>(copies.size());
  CHECK(size == 6);
  CHECK(std::accumulate(constant.begin(), constant.end(), 0) == size * (size + 1) / 2);
  auto i = copies.begin();
  CHECK(*i == 1);
  CHECK(*i++ == 1);
  CHECK(*++i == 3);
  i -= 1;
  CHECK(i[0] == 2);
  CHECK(*(i + 0) == 2);
  CHECK(i - copies.begin() == 1);
  CHECK(copies.end() - copies.begin() == size);
  CHECK(copies.begin() < copies.end());
  tbb::enumerable_thread_specific<int>::const_iterator c = copies.begin();
  CHECK(c == constant.begin());
  tbb::enumerable_thread_specific<int>::iterator back = constant.begin();
  CHECK(&*back == &*copies.begin());
  CHECK(*--(c += 1) == 1);
  CHECK(std::is_sorted(copies.begin(), copies.end()));
  const int doubled = tbb::parallel_reduce(
      constant.range(), 0, [](const auto& r, int so_far) { return std::accumulate(r.begin(), r.end(), so_far); },
      std::plus<>{});
  CHECK(doubled == size * (size + 1) / 2);
  tbb::parallel_for(copies.range(2), [](const auto& r) {
    for (int& v : r) v = 0;
  });
  CHECK(copies.combine(std::plus<>{}) == 0);
  using copies_of_int = tbb::enumerable_thread_specific<int>;
  static_assert(std::is_same_v<copies_of_int::iterator::value_type, int>);
  static_assert(std::is_same_v<copies_of_int::const_iterator::value_type, const int>);
}

TEST_CASE("a construction that throws leaves nothing") {
  int calls = 0;
  tbb::enumerable_thread_specific<int> copies{[&] {
    if (++calls == 1) throw std::runtime_error{"first"};
    return calls;
  }};
  CHECK_THROWS_AS(copies.local(), std::runtime_error);
  bool exists = true;
  CHECK(copies.local(exists) == 2);
  CHECK_FALSE(exists);
}

TEST_CASE("copies have cache lines of their own") {
  tbb::enumerable_thread_specific<char> copies;
  std::set<std::uintptr_t> lines;
  const auto note = [&] { lines.insert(reinterpret_cast<std::uintptr_t>(&copies.local()) / 64); };
  note();
  std::mutex one_at_a_time;
  on_other_threads(10, [&] {
    const std::lock_guard guard{one_at_a_time};
    note();
  });
  CHECK(lines.size() == 11);
  struct alignas(256) wide {
    int v = 1;
  };
  tbb::enumerable_thread_specific<wide> aligned;
  CHECK(reinterpret_cast<std::uintptr_t>(&aligned.local()) % 256 == 0);
}

// Strands keep their thread over a wait, so a reference from before the wait is to the copy of this thread.
TEST_CASE("a strand that waits finds its copy again") {
  tbb::enumerable_thread_specific<std::thread::id> owners{[] { return std::this_thread::get_id(); }};
  tbb::parallel_for(0, 200, [&](int) {
    std::thread::id& mine = owners.local();
    CHECK(mine == std::this_thread::get_id());
    std::atomic<int> items{0};
    tbb::parallel_for(0, 300, [&](int) {
      CHECK(owners.local() == std::this_thread::get_id());
      items.fetch_add(1, std::memory_order_relaxed);
    });
    CHECK(items == 300);
    CHECK(&mine == &owners.local());
    CHECK(mine == std::this_thread::get_id());
  });
}

TEST_CASE("an initialiser may run an algorithm") {
  tbb::enumerable_thread_specific<long> copies{[] {
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, 1000), 0L,
        [](const auto& r, long so_far) {
          for (int i = r.begin(); i != r.end(); ++i) so_far += i;
          return so_far;
        },
        std::plus<>{});
  }};
  tbb::parallel_for(0, 500, [&](int) { CHECK(copies.local() == 499'500); });
  if (!tbb_test::on_tine) return;  // oneTBB makes two copies
  int calls = 0;
  tbb::enumerable_thread_specific<int>* own = nullptr;
  tbb::enumerable_thread_specific<int> nested{[&] {
    if (++calls == 1) own->local() = 7;  // as a strand would that this thread runs while the first one waits
    return calls;
  }};
  own = &nested;
  CHECK(nested.local() == 7);
  CHECK(nested.size() == 1);
}

TEST_CASE("combinable") {
  tbb::combinable<long> sums;
  add_all(sums);
  CHECK(sums.combine(std::plus<>{}) == sum_of_all);
  long total = 0;
  sums.combine_each([&](long part) { total += part; });
  CHECK(total == sum_of_all);
  bool exists = true;
  sums.clear();
  CHECK(sums.local(exists) == 0);
  CHECK_FALSE(exists);
  tbb::combinable<int> parts{[] { return 3; }};
  CHECK(parts.local() == 3);
  parts.local() = 4;
  tbb::combinable<int> same = parts;
  CHECK(same.local() == 4);
  tbb::combinable<int> moved = std::move(parts);
  CHECK(moved.local() == 4);
  moved = same;
  CHECK(moved.local() == 4);
}

TEST_CASE("flattened2d") {
  using lists = tbb::enumerable_thread_specific<std::vector<int>>;
  lists made;
  tbb::parallel_for(0, 1000, [&](int i) { made.local().push_back(i); });
  on_other_thread([&] { made.local(); });  // an empty list
  tbb::flattened2d<lists> all = tbb::flatten2d(made);
  CHECK(all.size() == 1000);
  std::vector<int> items(all.begin(), all.end());
  std::sort(items.begin(), items.end());
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(items == expected);
  for (int& item : all) item = 1;
  const auto& constant = all;
  CHECK(std::accumulate(constant.begin(), constant.end(), 0) == 1000);
  tbb::flattened2d<lists>::iterator item = constant.begin();
  CHECK(item == constant.begin());
  CHECK(&*item == &*all.begin());
  const auto rest = tbb::flatten2d(made, made.begin() + 1, made.end());
  CHECK(rest.size() == 1000 - made.begin()->size());
  lists none;
  CHECK(tbb::flatten2d(none).size() == 0);
  CHECK(tbb::flatten2d(none).begin() == tbb::flatten2d(none).end());
#if __has_include(<oneapi/tbb/tine/split.hpp>)  // oneTBB's doesn't compile for other containers
  using outer = std::vector<std::vector<int>>;
  const outer some{{}, {1, 2}, {}, {}, {3}, {}};
  const auto flat = tbb::flatten2d(some);
  CHECK(std::vector<int>(flat.begin(), flat.end()) == std::vector<int>{1, 2, 3});
  const auto part = tbb::flatten2d(some, some.begin() + 2, some.end());
  CHECK(part.size() == 1);
  CHECK(*part.begin() == 3);
#endif
}

#if __has_include(<oneapi/tbb/tine/split.hpp>)
TEST_CASE("copies refuse a pool whose strands move to other threads") {
  tbb::enumerable_thread_specific<int> copies{3};
  tine::pool moving{{.workers = 2, .resume = tine::resume_policy::finisher}};
  moving.run([&] { CHECK_THROWS_AS(copies.local(), std::logic_error); });
  CHECK(copies.local() == 3);
}
#endif
