// Ranges, parallel_for, the reductions, parallel_scan and parallel_sort, as oneTBB's specification describes them. The
// text is compiled twice: on tine's headers, and on oneTBB's own, which tells whether we expect the right thing.
#define TBB_PREVIEW_BLOCKED_RANGE_ND 1
#include "parallelism.hpp"

#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/blocked_rangeNd.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tbb_test::workers;
using ints = tbb::blocked_range<int>;

/// Counts how many times each number was seen.
class seen {
 public:
  explicit seen(std::size_t n) : counts_(n) {}
  void operator()(std::size_t i) { ++counts_[i]; }
  bool once() const {
    return std::all_of(counts_.begin(), counts_.end(), [](const std::atomic<int>& c) { return c == 1; });
  }
  std::size_t total() const { return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0}); }

 private:
  std::vector<std::atomic<int>> counts_;
};

/// Tells if another thread than that which made it has called `note`.
class helpers {
 public:
  void note() {
    if (std::this_thread::get_id() != caller_) came_ = true;
  }
  /// Returns true if no part of a loop was stolen. oneTBB may split a body before another thread comes.
  bool none() const { return !came_ && (tbb_test::on_tine || workers == 1); }

 private:
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> came_{false};
};

/// A range of a type of our own: its parts are no halves, and it has no proportional split.
class thirds {
 public:
  thirds(int begin, int end) : begin_{begin}, end_{end} {}
  thirds(thirds& r, tbb::split) : begin_{r.begin_ + (r.end_ - r.begin_) / 3}, end_{r.end_} { r.end_ = begin_; }
  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return end_ - begin_ > 2; }
  int begin() const { return begin_; }
  int end() const { return end_; }

 private:
  int begin_, end_;
};

/// Calls `run(part, partitioner...)` with each partitioner, and without one.
template <class F>
void with_each_partitioner(const F& run) {
  run();
  run(tbb::auto_partitioner{});
  run(tbb::simple_partitioner{});
  run(tbb::static_partitioner{});
  tbb::affinity_partitioner affine;
  run(affine);
  run(affine);
}

struct rows_and_columns {
  seen& all;
  int width;
  void operator()(const tbb::blocked_range2d<int>& r) const {
    for (int i = r.rows().begin(); i != r.rows().end(); ++i) {
      for (int k = r.cols().begin(); k != r.cols().end(); ++k) all(static_cast<std::size_t>(i * width + k));
    }
  }
};

/// Waits until the innermost context is cancelled.
void wait_until_cancelled() {
  while (!tbb::is_current_task_group_canceling()) {
    tbb_test::poll();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace

TEST_CASE("ranges are split in halves, by proportions, and along their longest dimension") {
  ints r(3, 20, 4);
  CHECK((r.size() == 17 && r.grainsize() == 4 && r.is_divisible() && !r.empty()));
  ints right(r, tbb::split());
  CHECK((r.begin() == 3 && r.end() == 11 && right.begin() == 11 && right.end() == 20 && right.grainsize() == 4));
  tbb::proportional_split one_to_two(1, 2);
  ints rest(right, one_to_two);
  CHECK((right.begin() == 11 && right.end() == 14 && rest.begin() == 14 && rest.end() == 20));
  CHECK((ints(5, 5).empty() && ints(5, 4).empty() && !ints(5, 6).is_divisible()));

  tbb::blocked_range2d<int, long> plane(0, 8, 2, 0L, 10L, 1);
  CHECK(plane.is_divisible());
  tbb::blocked_range2d<int, long> columns(plane, tbb::split());
  CHECK((plane.rows().size() == 8 && plane.cols().end() == 5 && columns.cols().begin() == 5));
  tbb::blocked_range2d<int> square(0, 8, 0, 8);
  tbb::blocked_range2d<int> lower(square, tbb::split());
  CHECK((square.rows().end() == 4 && lower.rows().begin() == 4 && lower.cols().size() == 8));

  tbb::blocked_range3d<int> box(0, 4, 0, 4, 0, 6);
  tbb::blocked_range3d<int> behind(box, one_to_two);
  CHECK((box.cols().end() == 2 && behind.cols().begin() == 2 && behind.pages().size() == 4 && box.rows().size() == 4));

  tbb::blocked_rangeNd<int, 4> hyper({0, 2}, {0, 9, 3}, {0, 4}, {1, 3});
  tbb::blocked_rangeNd<int, 4> other(hyper, tbb::split());
  CHECK((hyper.ndims() == 4 && hyper.dim(2).end() == 2 && other.dim(2).begin() == 2 && other.dim(1).size() == 9));
}

TEST_CASE("parallel_for passes each value of each kind of range once") {
  for (const int n : {0, 1, 7, 1000, 20'011}) {
    CAPTURE(n);
    const auto count = static_cast<std::size_t>(n);
    with_each_partitioner([&](auto&&... partitioner) {
      seen numbers(count), others(count);
      tbb::parallel_for(
          ints(0, n, 3),
          [&](const ints& r) {
            CHECK(!r.empty());
            for (int i = r.begin(); i != r.end(); ++i) numbers(static_cast<std::size_t>(i));
          },
          partitioner...);
      CHECK(numbers.once());
      tbb::parallel_for(
          thirds(0, n),
          [&](const thirds& r) {
            for (int i = r.begin(); i != r.end(); ++i) others(static_cast<std::size_t>(i));
          },
          partitioner...);
      CHECK(others.once());
    });
    seen indices(count), pointers(count);
    tbb::parallel_for(0, n, [&](int i) { indices(static_cast<std::size_t>(i)); }, tbb::static_partitioner{});
    CHECK(indices.once());
    const std::vector<int> v(count);
    tbb::parallel_for(tbb::blocked_range<std::vector<int>::const_iterator>(v.begin(), v.end()), [&](const auto& r) {
      for (const int& x : r) pointers(static_cast<std::size_t>(&x - v.data()));
    });
    CHECK(pointers.once());
  }
  using plane = tbb::blocked_range2d<int>;
  seen all(60 * 45);
  tbb::parallel_for(plane(0, 60, 2, 0, 45, 3), rows_and_columns{all, 45});
  CHECK(all.once());
}

TEST_CASE("parallel_for over indices takes steps, and integers of any type up to their limits") {
  std::mutex lock;
  const auto indices = [&](auto first, auto last, auto step) {
    std::multiset<decltype(first)> found;
    tbb::parallel_for(first, last, step, [&](decltype(first) i) {
      const std::lock_guard guard{lock};
      found.insert(i);
    });
    return found;
  };
  CHECK(indices(-7, 8, 5) == std::multiset<int>{-7, -2, 3});
  CHECK(indices(0, 10, 20) == std::multiset<int>{0});
  CHECK(indices(5, 5, 1).empty());
  CHECK(indices(6, 5, 1).empty());
  CHECK(indices(std::size_t{1}, std::size_t{4}, std::size_t{2}) == std::multiset<std::size_t>{1, 3});
  CHECK(indices(INT64_MAX - 4, INT64_MAX, INT64_C(2)) == std::multiset<std::int64_t>{INT64_MAX - 4, INT64_MAX - 2});
  CHECK_THROWS_AS(tbb::parallel_for(0, 5, 0, [](int) {}), std::invalid_argument);
  CHECK_THROWS_AS(tbb::parallel_for(0, 5, -1, [](int) {}), std::invalid_argument);
}

TEST_CASE("the grain size bounds the parts, and the partitioner says how far") {
  const int n = 10'000;
  const std::size_t grain = 70;
  std::atomic<std::size_t> least{SIZE_MAX}, most{0}, parts{0};
  const auto note = [&](const ints& r) {
    ++parts;
    for (std::size_t l = least; r.size() < l && !least.compare_exchange_weak(l, r.size());) {
    }
    for (std::size_t m = most; r.size() > m && !most.compare_exchange_weak(m, r.size());) {
    }
  };
  tbb::parallel_for(ints(0, n, grain), note, tbb::simple_partitioner{});
  CHECK((least >= grain / 2 && most <= grain));
  least = SIZE_MAX;
  tbb::parallel_for(ints(0, n, grain), note);
  CHECK(least >= grain / 2);
  parts = 0;
  tbb::parallel_for(ints(0, n), note, tbb::static_partitioner{});
  CHECK((parts <= workers && parts > 0));
}

TEST_CASE("one exception is rethrown, and it cancels the other bodies") {
  for (const int bad : {0, 5000, 9999}) {
    std::atomic<int> ran{0};
    try {
      tbb::parallel_for(0, 10'000, [&](int i) {
        if (i == bad) throw std::runtime_error{"bad"};
        ++ran;
      });
      FAIL("no exception");
    } catch (const std::runtime_error& e) {
      CHECK(std::string{e.what()} == "bad");
    }
    CHECK(ran < 10'000);
  }
  // If the bodies run at the same time, each sees the other's exception, and none waits for ever.
  std::atomic<int> begun{0};
  CHECK_THROWS_AS(tbb::parallel_for(
                      ints(0, 2),
                      [&](const ints&) {
                        if (++begun == 2 || workers == 1) throw 42;
                        wait_until_cancelled();
                      },
                      tbb::simple_partitioner{}),
                  int);
  // A body in which every iteration throws gives one exception, too.
  CHECK_THROWS_AS(tbb::parallel_for(0, 1000, [](int i) { throw i; }, tbb::simple_partitioner{}), int);
}

TEST_CASE("a cancelled context starts nothing until it is reset") {
  tbb::task_group_context context;
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 100'000,
      [&](int) {
        ++ran;
        context.cancel_group_execution();
      },
      context);
  CHECK((ran > 0 && ran < 100'000));
  CHECK(context.is_group_execution_cancelled());
  CHECK(!context.cancel_group_execution());
  ran = 0;
  tbb::parallel_for(0, 100, [&](int) { ++ran; }, tbb::simple_partitioner{}, context);
  CHECK(tbb::parallel_reduce(ints(0, 100), 0, [&](const ints&, int) { return ++ran; }, std::plus<>{}, context) == 0);
  CHECK(ran == 0);
  context.reset();
  CHECK(!context.is_group_execution_cancelled());
  tbb::parallel_for(0, 100, [&](int) { ++ran; }, context);
  CHECK(ran == 100);
}

TEST_CASE("cancelling reaches bound contexts inside, and stops at isolated ones") {
  for (const bool isolated : {false, true}) {
    CAPTURE(isolated);
    std::atomic<int> inside{0}, after{0};
    tbb::task_group_context outer;
    tbb::parallel_for(
        0, 1,
        [&](int) {
          outer.cancel_group_execution();
          tbb::task_group_context inner(isolated ? tbb::task_group_context::isolated : tbb::task_group_context::bound);
          // no exception leaves the inner loop, and the body runs to its end
          tbb::parallel_for(0, 1000, [&](int) { ++inside; }, inner);
          CHECK(inner.is_group_execution_cancelled() == !isolated);
          ++after;
        },
        outer);
    CHECK(after == 1);
    CHECK(inside == (isolated ? 1000 : 0));
  }
  // An exception in one body ends the loops inside the others.
  std::atomic<int> begun{0};
  CHECK_THROWS_AS(tbb::parallel_for(
                      ints(0, 2),
                      [&](const ints&) {
                        if (++begun == 2 || workers == 1) throw 1;
                        tbb::parallel_for(0, 2, [](int) { wait_until_cancelled(); });
                      },
                      tbb::simple_partitioner{}),
                  int);
}

namespace {

/// Appends the numbers of its ranges, so that a wrong order shows.
struct appended {
  std::vector<int> numbers;
  std::atomic<int>* splits;
  helpers* others;
  int joins = 0;

  appended(std::atomic<int>& s, helpers& o) : splits{&s}, others{&o} {}
  appended(appended& b, tbb::split) : splits{b.splits}, others{b.others} { ++*splits; }
  template <class Range>
  void operator()(const Range& r) {
    others->note();
    for (int i = r.begin(); i != r.end(); ++i) numbers.push_back(i);
  }
  void join(appended& right) {
    numbers.insert(numbers.end(), right.numbers.begin(), right.numbers.end());
    joins += 1 + right.joins;
  }
};

std::vector<int> numbers_to(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}

/// Takes a few microseconds, so that thieves come.
void work() {
  for (int i = 0; i < 300; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// The tree of the joins over a range, as text.
std::string tree_of(ints r) {
  if (!r.is_divisible()) return std::to_string(r.begin());
  ints right(r, tbb::split());
  return "(" + tree_of(r) + tree_of(right) + ")";
}

/// The body whose result is the tree of its joins.
struct tree_body {
  std::string tree;
  tree_body() = default;
  tree_body(tree_body&, tbb::split) {}
  void operator()(const ints& r) { tree += std::to_string(r.begin()); }
  void join(tree_body& right) { tree = "(" + tree + right.tree + ")"; }
};

}  // namespace

namespace {

/// A range of up to 8 parts that counts which of its splitting constructors are called.
struct counted_splits {
  int parts;
  std::atomic<int>*plain, *proportional;
  counted_splits(std::atomic<int>& p, std::atomic<int>& q) : parts{8}, plain{&p}, proportional{&q} {}
  counted_splits(counted_splits& r, tbb::split) : counted_splits{r} {
    ++*plain;
    parts = r.parts /= 2;
  }
  counted_splits(counted_splits& r, tbb::proportional_split&) : counted_splits{r} {
    ++*proportional;
    parts = r.parts /= 2;
  }
  counted_splits(const counted_splits&) = default;
  static bool empty() { return false; }
  bool is_divisible() const { return parts > 1; }
};

/// A body that can't be copied, although it is trivially copyable.
struct unique_body {
  std::atomic<int>* called;
  explicit unique_body(std::atomic<int>& c) : called{&c} {}
  unique_body(const unique_body&) = delete;
  unique_body& operator=(const unique_body&) = delete;
  void operator()(int) const { ++*called; }
};

}  // namespace

TEST_CASE("affinity_partitioner and static_partitioner split by proportions, the others don't") {
  std::atomic<int> plain{0}, proportional{0};
  const auto body = [](const counted_splits&) {};
  const auto run = [&](auto&& partitioner) {
    plain = proportional = 0;
    tbb::parallel_for(counted_splits{plain, proportional}, body, partitioner);
  };
  tbb::affinity_partitioner affine;
  run(affine);
  CHECK(proportional > 0);
  if (tbb_test::on_tine) CHECK(plain == 0);  // oneTBB does so for the first cuts only
  run(tbb::static_partitioner{});
  CHECK(plain == 0);
  run(tbb::simple_partitioner{});
  CHECK((plain == 7 && proportional == 0));
  run(tbb::auto_partitioner{});
  CHECK(proportional == 0);
}

TEST_CASE("the body of a loop over indices need not be copyable") {
  std::atomic<int> called{0};
  const unique_body body{called};
  tbb::parallel_for(0, 100, body);
  tbb::parallel_for(0, 100, 1, body, tbb::simple_partitioner{});
  CHECK(called == 200);
}

TEST_CASE("parallel_reduce keeps the order, and splits a body only for stolen parts") {
  for (const int n : {0, 1, 1000, 50'000}) {
    CAPTURE(n);
    std::atomic<int> splits{0};
    with_each_partitioner([&](auto&&... partitioner) {
      splits = 0;
      helpers others;
      appended body{splits, others};
      tbb::parallel_reduce(ints(0, n, 7), body, partitioner...);
      CHECK(body.numbers == numbers_to(n));
      CHECK(body.joins == splits);
      if (others.none()) CHECK(splits == 0);
    });
    helpers others;
    appended other{splits, others};
    tbb::parallel_reduce(thirds(0, n), other);
    CHECK(other.numbers == numbers_to(n));
    const std::vector<int> all = tbb::parallel_reduce(
        ints(0, n), std::vector<int>{},
        [](const ints& r, std::vector<int> so_far) {
          for (int i = r.begin(); i != r.end(); ++i) so_far.push_back(i);
          return so_far;
        },
        [](std::vector<int> left, const std::vector<int>& right) {
          left.insert(left.end(), right.begin(), right.end());
          return left;
        });
    CHECK(all == numbers_to(n));
  }
  const auto sum = [](auto f) { return tbb::parallel_reduce(ints(0, 10'000), 0, f, std::plus<>{}); };
  CHECK_THROWS_AS(sum([](const ints&, int) -> int { throw std::runtime_error{"no"}; }), std::runtime_error);
  CHECK_THROWS_AS(tbb::parallel_deterministic_reduce(
                      ints(0, 1000), 0, [](const ints&, int) { return 1; }, [](int, int) -> int { throw 7; }),
                  int);
}

TEST_CASE("parallel_deterministic_reduce has the tree of joins of its splits") {
  for (const std::size_t grain : {1U, 3U, 40U}) {
    for (const int n : {1, 2, 37, 400}) {
      const ints r(0, n, grain);
      tree_body body;
      tbb::parallel_deterministic_reduce(r, body);
      CHECK(body.tree == tree_of(r));
      const auto leaf = [](const ints& part, const std::string& so_far) {
        return so_far + std::to_string(part.begin());
      };
      const auto join = [](const std::string& a, const std::string& b) { return "(" + a + b + ")"; };
      CHECK(tbb::parallel_deterministic_reduce(r, std::string{}, leaf, join) == tree_of(r));
    }
  }
  const auto parts = [](const ints&, int so_far) { return so_far + 1; };
  CHECK(tbb::parallel_deterministic_reduce(ints(0, 1000), 0, parts, std::plus<>{}, tbb::static_partitioner{}) <=
        static_cast<int>(workers));
}

namespace {

/// Prefixes of a sequence of functions x -> a x + b, whose composition isn't commutative. Notes which numbers were
/// scanned with their prefix.
struct affine {
  std::uint32_t a = 1, b = 0;
  affine then(const affine& next) const { return {next.a * a, next.a * b + next.b}; }
  friend bool operator==(const affine&, const affine&) = default;
};
affine nth(int i) { return {static_cast<std::uint32_t>(2 * i + 3), static_cast<std::uint32_t>(i)}; }

struct scan_of_affine {
  affine sum;
  std::vector<affine>& out;
  seen& finals;
  std::atomic<int>& pre_scans;
  helpers& others;

  scan_of_affine(std::vector<affine>& o, seen& f, std::atomic<int>& p, helpers& h)
      : out{o}, finals{f}, pre_scans{p}, others{h} {}
  scan_of_affine(scan_of_affine& s, tbb::split)
      : out{s.out}, finals{s.finals}, pre_scans{s.pre_scans}, others{s.others} {}
  template <class Range, class Tag>
  void operator()(const Range& r, Tag tag) {
    others.note();
    if (!tag.is_final_scan()) ++pre_scans;
    for (int i = r.begin(); i != r.end(); ++i) {
      sum = sum.then(nth(i));
      if (!tag.is_final_scan()) continue;
      finals(static_cast<std::size_t>(i));
      out[static_cast<std::size_t>(i)] = sum;
      work();
    }
  }
  void reverse_join(scan_of_affine& left) { sum = left.sum.then(sum); }
  void assign(scan_of_affine& s) { sum = s.sum; }
};

std::vector<affine> prefixes(int n) {
  std::vector<affine> all;
  affine sum;
  for (int i = 0; i < n; ++i) all.push_back(sum = sum.then(nth(i)));
  return all;
}

}  // namespace

TEST_CASE("parallel_scan gives each value its prefix once") {
  for (const int n : {0, 1, 2, 100, 3000, 20'000}) {
    CAPTURE(n);
    const std::vector<affine> expected = prefixes(n);
    const auto check = [&](const auto& range, auto&&... partitioner) {
      std::vector<affine> out(expected.size());
      seen finals(expected.size());
      std::atomic<int> pre_scans{0};
      helpers others;
      scan_of_affine body{out, finals, pre_scans, others};
      tbb::parallel_scan(range, body, partitioner...);
      CHECK(finals.once());
      CHECK(out == expected);
      CHECK(body.sum == (n == 0 ? affine{} : expected.back()));
      if (others.none()) CHECK(pre_scans == 0);
    };
    check(ints(0, n));
    check(ints(0, n, 16), tbb::simple_partitioner{});
    check(thirds(0, n));
    std::vector<affine> out(expected.size());
    const affine total = tbb::parallel_scan(
        ints(0, n), affine{},
        [&](const ints& r, affine sum, bool is_final) {
          for (int i = r.begin(); i != r.end(); ++i) {
            sum = sum.then(nth(i));
            if (is_final) out[static_cast<std::size_t>(i)] = sum;
            work();
          }
          return sum;
        },
        [](const affine& left, const affine& right) { return left.then(right); });
    CHECK(out == expected);
    CHECK(total == (n == 0 ? affine{} : expected.back()));
  }
  CHECK_THROWS_AS(
      tbb::parallel_scan(ints(0, 1000), 0, [](const ints&, int, bool) -> int { throw 5; }, std::plus<>{}), int);
}

TEST_CASE("parallel_sort sorts iterators and containers, and throws what a comparison throws") {
  std::uint32_t word = 12345;
  const auto next = [&] { return word = word * 1664525 + 1013904223; };
  for (const std::size_t n : {0U, 1U, 5U, 1000U, 100'000U}) {
    std::vector<std::uint32_t> v(n);
    std::generate(v.begin(), v.end(), next);
    std::vector<std::uint32_t> expected = v;
    std::sort(expected.begin(), expected.end());
    std::vector<std::uint32_t> own = v;
    tbb::parallel_sort(own.begin(), own.end());
    CHECK(own == expected);
    own = v;
    tbb::parallel_sort(own);
    CHECK(own == expected);
    own = v;
    tbb::parallel_sort(own, [](std::uint32_t a, std::uint32_t b) { return a > b; });
    CHECK(std::equal(own.begin(), own.end(), expected.rbegin()));
    own = v;
    tbb::parallel_sort(own.data(), own.data() + n, std::greater<std::uint32_t>{});
    CHECK(std::equal(own.begin(), own.end(), expected.rbegin()));
    if (n < 1000) continue;
    std::atomic<int> left{500};
    own = v;
    CHECK_THROWS_AS(
        tbb::parallel_sort(own, [&](std::uint32_t a, std::uint32_t b) { return --left < 0 ? throw 3 : a < b; }), int);
    std::sort(own.begin(), own.end());
    CHECK(own == expected);
  }
}
