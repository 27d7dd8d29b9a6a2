// par_for_chunks, par over a range of callables, and per_worker.
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::pool;

}  // namespace

TEST_CASE("par_for_chunks covers every iteration once") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    for (const int n : {0, 1, 2, 7, 1000, 200000}) {
      CAPTURE(n);
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
      std::atomic<int> bad{0};
      p.run([&] {
        tine::par_for_chunks(-3, n - 3, [&](int begin, int end) {
          if (begin >= end) ++bad;
          for (int i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i + 3)];
        });
      });
      CHECK(bad.load() == 0);
      for (const auto& s : seen) bad += s.load() == 1 ? 0 : 1;
      CHECK(bad.load() == 0);
    }
    std::vector<long> v(10000, 1);
    p.run([&] {
      tine::par_for_chunks(v, [](auto begin, auto end) { std::partial_sum(begin, end, begin); });
      tine::par_for_chunks(v.begin(), v.end(), [](auto begin, auto end) { std::fill(begin, end, 2); });
    });
    CHECK(std::accumulate(v.begin(), v.end(), 0L) == 20000);
    CHECK_THROWS_WITH_AS(p.run([] {
      tine::par_for_chunks(0, 10000, [](int begin, int end) {
        if (begin <= 4321 && 4321 < end) throw std::runtime_error{"4321"};
      });
    }),
                         "4321", std::runtime_error);
    std::atomic<int> sum{0};
    p.run([&] {
      tine::par_for_chunks(0, 1000, [&](int begin, int end) -> tine::task<> {
        sum += end - begin;
        co_return;
      });
    });
    CHECK(sum.load() == 1000);
  }
}

TEST_CASE("par runs a range of callables and keeps the order of their results") {
  pool p{{.workers = 4}};
  p.run([] {
    std::vector<std::function<std::string()>> jobs;
    for (int i = 0; i < 300; ++i) jobs.emplace_back([i] { return std::to_string(i); });
    const std::vector<std::string> results = tine::par(jobs);
    REQUIRE(results.size() == 300);
    for (int i = 0; i < 300; ++i) CHECK(results[static_cast<std::size_t>(i)] == std::to_string(i));
    CHECK(tine::par(std::vector<std::function<int()>>{}).empty());

    std::atomic<int> ran{0};
    std::function<void()> plain[] = {[&] { ++ran; }, [&] { ran += 10; }, [&] { ran += 100; }};
    tine::par(plain);
    CHECK(ran.load() == 111);

    struct unique {
      int n;
      std::unique_ptr<int> operator()() const { return std::make_unique<int>(n); }
    };
    const std::vector<unique> makers{{1}, {2}, {3}};
    CHECK(*tine::par(makers)[2] == 3);

    std::vector<std::function<int()>> bad(50, [] { return 1; });
    bad[20] = []() -> int { throw std::runtime_error{"20"}; };
    bad[40] = []() -> int { throw std::runtime_error{"40"}; };
    CHECK_THROWS_WITH_AS(tine::par(bad), "20", std::runtime_error);
  });
}

TEST_CASE("per_worker has a copy for each worker that asks") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    p.run([&] {
      tine::per_worker<long> sums;
      std::atomic<int> made{0};
      tine::per_worker lists{[&] {
        ++made;
        return std::vector<int>{};
      }};
      tine::par_for(0, 10000, [&](int i) {
        sums.local() += i;
        lists.local().push_back(i);
      });
      CHECK(sums.combine(0L, std::plus<>{}) == 49995000);
      std::size_t n = 0;
      int lists_seen = 0;
      lists.for_each([&](std::vector<int>& l) {
        n += l.size();
        ++lists_seen;
      });
      CHECK(n == 10000);
      CHECK(lists_seen == made.load());
      CHECK(reinterpret_cast<std::uintptr_t>(&sums.local()) % 64 == 0);
      sums.clear();
      CHECK(sums.combine(5L, std::plus<>{}) == 5);
    });
  }
  tine::per_worker<int> of_default;
  CHECK_THROWS_AS(of_default.local(), std::logic_error);
  CHECK_THROWS_AS(pool{{.workers = 1}}.run([&] { return of_default.local(); }), std::logic_error);
  CHECK(tine::run([&] { return ++of_default.local(); }) == 1);
}
