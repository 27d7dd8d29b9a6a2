// parallel_for_each, parallel_invoke, parallel_pipeline, task_group, and what runs beside them: suspended strands,
// oneTBB's containers and its flow graph. The text is compiled twice, as that of loops_test.cpp. A container comes
// first, because its header includes oneTBB's blocked_range.h and not ours.
#include <tbb/concurrent_vector.h>

#include "parallelism.hpp"

#include <tbb/concurrent_hash_map.h>
#include <tbb/flow_graph.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task.h>
#include <tbb/task_group.h>
#include <tbb/tbb.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <forward_list>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tbb_test::workers;

long fib(int n) {
  if (n < 2) return n;
  long a = 0, b = 0;
  tbb::task_group g;
  g.run([&] { a = fib(n - 1); });
  g.run_and_wait([&] { b = fib(n - 2); });
  return a + b;
}

/// Adds the children of a node of a binary tree of that depth.
struct tree_of_items {
  std::atomic<int>& nodes;
  void operator()(int depth, tbb::feeder<int>& feeder) const {
    ++nodes;
    if (depth == 0) return;
    feeder.add(depth - 1);
    const int other = depth - 1;
    feeder.add(other);
  }
};

void wait_until_cancelled() {
  while (!tbb::is_current_task_group_canceling()) {
    tbb_test::poll();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

/// Counts who is inside at once.
class visitors {
 public:
  class visit {
   public:
    explicit visit(visitors& v) : of_{v} {
      const int now = ++v.now_;
      for (int m = v.most_; now > m && !v.most_.compare_exchange_weak(m, now);) {
      }
    }
    ~visit() { --of_.now_; }

   private:
    visitors& of_;
  };
  int most() const { return most_; }

 private:
  std::atomic<int> now_{0}, most_{0};
};

}  // namespace

TEST_CASE("parallel_for_each calls its body for each item of each kind of sequence") {
  for (const int n : {0, 1, 100, 20'000}) {
    std::vector<int> v(static_cast<std::size_t>(n), 1);
    std::list<int> l(v.begin(), v.end());
    tbb::parallel_for_each(v.begin(), v.end(), [](int& x) { x += 2; });
    tbb::parallel_for_each(v, [](int& x) { ++x; });
    tbb::parallel_for_each(l.begin(), l.end(), [](int& x) { x += 3; });
    CHECK(std::accumulate(v.begin(), v.end(), 0) == 4 * n);
    CHECK(std::accumulate(l.begin(), l.end(), 0) == 4 * n);
    std::atomic<int> sum{0};
    const std::forward_list<int> f(l.begin(), l.end());
    tbb::parallel_for_each(f, [&](int x) { sum += x; });
    CHECK(sum == 4 * n);
  }
  std::istringstream text{"one two three four five six seven eight nine ten"};
  std::atomic<std::size_t> letters{0};
  tbb::parallel_for_each(std::istream_iterator<std::string>{text}, std::istream_iterator<std::string>{},
                         [&](const std::string& word) { letters += word.size(); });
  CHECK(letters == 39);
}

namespace {

/// Counts its copies. A vector would copy it, because its move may throw.
struct counts_copies {
  std::atomic<int>* copies;
  explicit counts_copies(std::atomic<int>& c) : copies{&c} {}
  counts_copies(const counts_copies& other) : copies{other.copies} { ++*copies; }
  counts_copies(counts_copies&& other) noexcept(false) : copies{other.copies} {}
};

}  // namespace

TEST_CASE("items that move iterators give away are moved, and not copied") {
  std::atomic<int> copies{0}, called{0};
  std::vector<counts_copies> items;
  items.reserve(100);
  for (int i = 0; i < 100; ++i) items.emplace_back(copies);
  tbb::parallel_for_each(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()),
                         [&](counts_copies&&) { ++called; });
  CHECK(called == 100);
  if (tbb_test::on_tine) CHECK(copies == 0);  // oneTBB copies some
}

TEST_CASE("the items that a feeder adds are processed, too") {
  std::atomic<int> nodes{0};
  const std::vector<int> roots{10, 0, 3};
  tbb::parallel_for_each(roots.begin(), roots.end(), tree_of_items{nodes});
  CHECK(nodes == 2047 + 1 + 15);
  nodes = 0;
  const std::list<int> others{4, 4};
  tbb::parallel_for_each(others, tree_of_items{nodes});
  CHECK(nodes == 2 * 31);

  std::atomic<int> ran{0};
  CHECK_THROWS_AS(tbb::parallel_for_each(roots,
                                         [&](int i, tbb::feeder<int>& feeder) {
                                           if (++ran == 50) throw std::runtime_error{"fifty"};
                                           feeder.add(i + 1);
                                           feeder.add(i + 1);
                                         }),
                  std::runtime_error);
  tbb::task_group_context context;
  ran = 0;
  tbb::parallel_for_each(
      roots,
      [&](int i, tbb::feeder<int>& feeder) {
        if (++ran == 50) context.cancel_group_execution();
        feeder.add(i);
        feeder.add(i);
      },
      context);
  CHECK(context.is_group_execution_cancelled());
}

TEST_CASE("parallel_invoke calls all functions, and throws what one of them throws") {
  std::atomic<int> sum{0};
  tbb::parallel_invoke([&] { sum += 1; }, [&] { sum += 2; });
  CHECK(sum == 3);
  tbb::task_group_context context;
  tbb::parallel_invoke([&] { sum += 1; }, [&] { sum += 2; }, [&] { sum += 4; }, [&] { sum += 8; }, [&] { sum += 16; },
                       [&] { sum += 32; }, [&] { sum += 64; }, context);
  CHECK(sum == 130);
  std::atomic<int> begun{0};
  const auto one = [&] {
    if (++begun == 2 || workers == 1) throw std::runtime_error{"one"};
    wait_until_cancelled();
  };
  CHECK_THROWS_AS(tbb::parallel_invoke(one, one), std::runtime_error);
  context.cancel_group_execution();
  sum = 0;
  tbb::parallel_invoke([&] { ++sum; }, [&] { ++sum; }, context);
  CHECK(sum == 0);
}

TEST_CASE("a pipeline keeps orders, limits and types") {
  constexpr int n = 3000;
  for (const tbb::filter_mode input : {tbb::filter_mode::serial_in_order, tbb::filter_mode::serial_out_of_order}) {
    for (const std::size_t tokens : {1U, 3U, 16U}) {
      int next = 0;
      visitors reading, squaring, writing, unordered;
      std::atomic<std::size_t> live{0}, most_live{0};
      std::vector<long> ordered;
      long sum = 0;
      const auto read = [&](tbb::flow_control& control) -> int {
        const visitors::visit here{reading};
        if (next == n) {
          control.stop();
          return 0;
        }
        const std::size_t now = ++live;
        for (std::size_t m = most_live; now > m && !most_live.compare_exchange_weak(m, now);) {
        }
        return next++;
      };
      const auto square = [&](int i) {
        const visitors::visit here{squaring};
        return std::make_unique<std::string>(std::to_string(long{i} * i));
      };
      const auto add = [&](std::unique_ptr<std::string> text) {
        const visitors::visit here{unordered};
        const long value = std::stol(*text);
        sum += value;
        return value;
      };
      const auto write = [&](long value) {
        const visitors::visit here{writing};
        ordered.push_back(value);
        --live;
      };
      tbb::parallel_pipeline(
          tokens, tbb::make_filter<void, int>(input, read) &
                      tbb::make_filter<int, std::unique_ptr<std::string>>(tbb::filter_mode::parallel, square) &
                      tbb::make_filter<std::unique_ptr<std::string>, long>(tbb::filter_mode::serial_out_of_order, add) &
                      tbb::make_filter<long, void>(tbb::filter_mode::serial_in_order, write));
      REQUIRE(ordered.size() == n);
      // only an input in order gives its items an order
      if (input != tbb::filter_mode::serial_in_order) std::sort(ordered.begin(), ordered.end());
      for (int i = 0; i < n; ++i) CHECK(ordered[static_cast<std::size_t>(i)] == long{i} * i);
      CHECK(sum == std::accumulate(ordered.begin(), ordered.end(), 0L));
      CHECK((reading.most() == 1 && unordered.most() == 1 && writing.most() == 1));
      CHECK(squaring.most() <= static_cast<int>(tokens));
      CHECK(most_live <= tokens);
    }
  }
}

TEST_CASE("a pipeline whose first filter is parallel numbers its items at the first filter in order") {
  std::atomic<int> left{500}, ended{0};
  tbb::filter<void, int> source(tbb::filter_mode::parallel, [&](tbb::flow_control& control) {
    const int i = --left;
    if (i < 0) control.stop();
    return i;
  });
  int before = -1, out_of_order = 0;
  std::atomic<int> counter{0};
  tbb::parallel_pipeline(8, source,
                         tbb::make_filter<int, int>(tbb::filter_mode::serial_in_order, [&](int) { return counter++; }),
                         tbb::filter(tbb::filter_mode::parallel, [](const int& i) { return i; }),
                         tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int i) {
                           out_of_order += i != before + 1 ? 1 : 0;
                           before = i;
                           ++ended;
                         }));
  CHECK((ended == 500 && out_of_order == 0));
  int calls = 0;
  tbb::parallel_pipeline(
      4, tbb::filter<void, void>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) -> void {
        if (++calls == 10) control.stop();
      }));
  CHECK(calls == 10);
}

TEST_CASE("an exception or a cancellation ends a pipeline") {
  for (const int stage : {0, 1, 2}) {
    int next = 0;
    tbb::filter<void, int> source(tbb::filter_mode::serial_in_order, [&](tbb::flow_control&) {
      if (stage == 0 && next == 40) throw std::runtime_error{"source"};
      return next++;
    });
    tbb::filter<int, std::string> middle(tbb::filter_mode::parallel, [&](int i) {
      if (stage == 1 && i == 40) throw std::runtime_error{"middle"};
      return std::to_string(i);
    });
    tbb::filter<std::string, void> sink(tbb::filter_mode::serial_in_order, [&](const std::string& text) {
      if (stage == 2 && text == "40") throw std::runtime_error{"sink"};
    });
    CHECK_THROWS_AS(tbb::parallel_pipeline(6, source & middle & sink), std::runtime_error);
  }
  tbb::task_group_context context;
  int read = 0;
  tbb::parallel_pipeline(5,
                         tbb::filter<void, void>(tbb::filter_mode::serial_in_order,
                                                 [&](tbb::flow_control&) {
                                                   if (++read == 7) context.cancel_group_execution();
                                                 }),
                         context);
  CHECK(context.is_group_execution_cancelled());
}

TEST_CASE("a task group runs its tasks, and those that they add") {
  CHECK(fib(16) == 987);
  tbb::task_group g;
  CHECK(g.wait() == tbb::complete);
  std::atomic<int> ran{0};
  const std::function<void(int)> spread = [&](int n) {
    ++ran;
    for (int i = 0; i < n; ++i) g.run([&spread, i] { spread(i); });
  };
  spread(8);
  CHECK(g.wait() == tbb::complete);
  CHECK(ran == 256);
  ran = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) g.run([&] { ++ran; });
    });
  }
  for (std::thread& t : threads) t.join();
  g.wait();
  CHECK(ran == 300);
}

TEST_CASE("a deferred task runs once it is added") {
  std::atomic<int> ran{0};
  tbb::task_group g;
  tbb::task_handle h;
  CHECK((!h && h == nullptr));
  h = g.defer([&] { ++ran; });
  CHECK((h && h != nullptr && ran == 0));
  g.run(std::move(h));
  CHECK(h == nullptr);
  CHECK(g.wait() == tbb::complete);
  CHECK(ran == 1);
  h = g.defer([&] { ran += 10; });
  CHECK(g.run_and_wait(std::move(h)) == tbb::complete);
  CHECK(h == nullptr);
  CHECK(ran == 11);
  {
    const tbb::task_handle dropped = g.defer([&] { ++ran; });
  }
  g.wait();
  CHECK(ran == 11);
  h = g.defer([&] { ran += 100; });  // `wait` returns when the handle has lost its task
  std::thread other{[&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{3});
    g.run(std::move(h));
  }};
  g.wait();
  CHECK(ran == 111);
  other.join();
  h = g.defer([&] { ran += 1'000; });
  bool has_dropped = false;
  other = std::thread{[&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{3});
    has_dropped = true;
    h = tbb::task_handle{};
  }};
  g.wait();
  CHECK(has_dropped);
  CHECK(ran == 111);
  other.join();
}

TEST_CASE("cancelling a group ends its tasks, and an exception cancels it") {
  tbb::task_group g;
  for (int i = 0; i < 4; ++i) g.run([] { wait_until_cancelled(); });
  g.cancel();
  CHECK(g.wait() == tbb::canceled);
  std::atomic<int> ran{0};
  g.run([&] { ++ran; });  // the wait has reset it
  CHECK(g.wait() == tbb::complete);
  CHECK(ran == 1);

  g.cancel();
  g.run([&] { ++ran; });
  CHECK(g.run_and_wait([&] { ++ran; }) == tbb::canceled);
  CHECK(ran == 1);

  const auto waits = [] { tbb::parallel_for(0, 4, [](int) { wait_until_cancelled(); }); };
  if (tbb_test::workers == 1) g.run(waits);  // `wait` runs the newest task first
  g.run([] { throw std::runtime_error{"task"}; });
  if (tbb_test::workers != 1) g.run(waits);
  CHECK_THROWS_AS(g.wait(), std::runtime_error);
  CHECK(g.wait() == tbb::complete);
  CHECK_THROWS_AS(g.run_and_wait([] { throw 3; }), int);

  tbb::task_group_context context;
  tbb::task_group of_context(context);
  of_context.run([] { wait_until_cancelled(); });
  context.cancel_group_execution();
  CHECK(of_context.wait() == tbb::canceled);
}

TEST_CASE("a group is cancelled with the algorithm around it") {
  tbb::task_group_context outer;
  std::atomic<bool> was_cancelled{false};
  tbb::parallel_for(
      0, 1,
      [&](int) {
        tbb::task_group g;
        g.run([] { wait_until_cancelled(); });
        outer.cancel_group_execution();
        was_cancelled = g.wait() == tbb::canceled;
      },
      outer);
  CHECK(was_cancelled);
  // A group may be used after the algorithm that has made it.
  std::unique_ptr<tbb::task_group> kept;
  tbb::parallel_for(0, 1, [&](int) {
    kept = std::make_unique<tbb::task_group>();
    kept->run([] {});
    kept->wait();
  });
  std::atomic<int> ran{0};
  kept->run([&] { ++ran; });
  CHECK(kept->wait() == tbb::complete);
  CHECK(ran == 1);
}

TEST_CASE("a group that was not waited for joins its tasks, and says so") {
  std::atomic<bool> has_begun{false}, has_ended{false};
  const auto forget = [&] {
    tbb::task_group g;
    std::thread other{[&] {
      g.run([&] {
        has_begun = true;
        wait_until_cancelled();
        has_ended = true;
      });
    }};
    other.join();
  };
  CHECK_THROWS_AS(forget(), tbb::missing_wait);
  CHECK(has_begun == has_ended);
  const auto leave = [] {
    tbb::task_group g;
    g.run([] { wait_until_cancelled(); });
    throw 4;
  };
  CHECK_THROWS_AS(leave(), int);
}

TEST_CASE("a strand suspends until it is resumed") {
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 4, [&](int) {
    tbb::task::suspend([](tbb::task::suspend_point point) { tbb::task::resume(point); });
    ++ran;
  });
  CHECK(ran == 4);
  std::thread other;
  tbb::task::suspend(
      [&](tbb::task::suspend_point point) { other = std::thread{[point] { tbb::task::resume(point); }}; });
  other.join();
}

TEST_CASE("oneTBB's containers and flow graph work beside the algorithms") {
  tbb::concurrent_vector<int> numbers;
  tbb::concurrent_hash_map<int, int> squares;
  tbb::parallel_for(0, 5000, [&](int i) {
    numbers.push_back(i);
    tbb::concurrent_hash_map<int, int>::accessor a;
    squares.insert(a, i);
    a->second = i * i;
  });
  using vector_range = tbb::concurrent_vector<int>::const_range_type;
  const auto sum = [](const auto& r, long so_far, auto of) {
    for (auto i = r.begin(); i != r.end(); ++i) so_far += of(*i);
    return so_far;
  };
  const tbb::concurrent_vector<int>& all = numbers;
  CHECK(tbb::parallel_reduce(
            all.range(), 0L, [&](const vector_range& r, long s) { return sum(r, s, [](int i) { return i; }); },
            std::plus<>{}) == 5000L * 4999 / 2);
  CHECK(tbb::parallel_reduce(
            squares.range(10), 0L,
            [&](const auto& r, long s) { return sum(r, s, [](const auto& pair) { return pair.first; }); },
            std::plus<>{}) == 5000L * 4999 / 2);

  tbb::flow::graph g;
  std::atomic<int> total{0};
  int next = 0;
  tbb::flow::input_node<int> source(g, [&](tbb::flow_control& control) {
    if (next == 100) control.stop();
    return next++;
  });
  tbb::flow::function_node<int, int> doubled(g, tbb::flow::unlimited, [](int i) {
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, i), 0, [](const auto& r, int s) { return s + 2 * static_cast<int>(r.size()); },
        std::plus<>{});
  });
  tbb::flow::function_node<int> sink(g, tbb::flow::serial, [&](int i) { total += i; });
  tbb::flow::make_edge(source, doubled);
  tbb::flow::make_edge(doubled, sink);
  source.activate();
  g.wait_for_all();
  CHECK(total == 100 * 99);
}
