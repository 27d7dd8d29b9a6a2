// Algorithms with execution policies under the runtime's tools: observers, schedules, exceptions, stop requests.
#include <tine/stop.hpp>

#include "pstl/compare.hpp"
#include "unit/algo/observed.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <new>
#include <stop_token>

namespace {

using namespace tine::test;

TEST_CASE("an analysis sees the loop of an algorithm") {
  std::vector<int> v(10'000, 1);
  in_all_pools([&v] {
    CHECK(forks_of([&v] { std::for_each(std::execution::par, v.begin(), v.end(), [](int& i) { ++i; }); }) == 9'999);
    CHECK(forks_of([&v] { std::sort(std::execution::par, v.begin(), v.end()); }) > 10);
  });
}

TEST_CASE("algorithms are right while they are observed, recorded and replayed") {
  const std::vector<int> k = keys(3000, pattern::random);
  in_all_pools([&k] {
    std::vector<int> v, out;
    const auto run = [&] {
      v = k;
      out.assign(v.size(), 0);
      std::sort(std::execution::par, v.begin(), v.end());
      CHECK(std::is_sorted(v.begin(), v.end()));
      std::inclusive_scan(std::execution::par, k.begin(), k.end(), out.begin(), std::bit_xor<>{});
      CHECK(out.back() == std::reduce(std::execution::par, k.begin(), k.end(), 0, std::bit_xor<>{}));
      const auto end = std::copy_if(std::execution::par, k.begin(), k.end(), out.begin(), is_odd{});
      CHECK(end - out.begin() == std::count_if(std::execution::par, k.begin(), k.end(), is_odd{}));
      CHECK(std::find(std::execution::par, k.begin(), k.end(), k[1500]) == std::find(k.begin(), k.end(), k[1500]));
      const auto middle = std::stable_partition(std::execution::par, v.begin(), v.end(), is_odd{});
      CHECK(std::is_sorted(v.begin(), middle));
      CHECK(std::is_sorted(middle, v.end()));
      std::inplace_merge(std::execution::par, v.begin(), middle, v.end());
      CHECK(std::is_sorted(v.begin(), v.end()));
      v.erase(std::unique(std::execution::par, v.begin(), v.end()), v.end());
      CHECK(std::adjacent_find(std::execution::par, v.begin(), v.end()) == v.end());
    };
    run_observed(run);
  });
}

TEST_CASE("algorithms nest, and their functions fork") {
  std::vector<std::vector<int>> rows(50, keys(500, pattern::random));
  in_all_pools([&rows] {
    auto v = rows;
    std::for_each(std::execution::par, v.begin(), v.end(),
                  [](std::vector<int>& row) { std::sort(std::execution::par, row.begin(), row.end()); });
    CHECK(std::all_of(std::execution::par, v.begin(), v.end(),
                      [](const auto& row) { return std::is_sorted(std::execution::par, row.begin(), row.end()); }));
    // The search ends early while other workers are in the middle of a predicate, whose loops must not throw.
    for (int round = 0; round < 20; ++round) {
      CHECK(std::any_of(std::execution::par, v.begin(), v.end(), [](const auto& row) {
        return tine::par_reduce(row, 0L, [](int i) { return long{i}; }, std::plus<>{}) > 0;
      }));
    }
  });
}

TEST_CASE("std::bad_alloc leaves an algorithm") {
  const std::vector<int> v = keys(10'000, pattern::random);
  in_all_pools([&v] {
    std::vector<int> w = v;
    CHECK_THROWS_AS(std::sort(std::execution::par, w.begin(), w.end(),
                              [](int a, int b) {
                                if (a % 1000 == 0) throw std::bad_alloc{};
                                return a < b;
                              }),
                    std::bad_alloc);
  });
}

/// Returns the status with which a child process ends that runs `body`.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] { _exit(77); });
    tine::pool one{{.workers = 1}};
    one.run(body);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("other exceptions end the program") {
  std::vector<int> v = keys(10'000, pattern::random);
  const auto throws = [](int i) {
    if (i % 100 == 0) throw std::runtime_error{"thrown"};
    return i < 0;
  };
  CHECK(status_of_child([] {}) == 0);
  CHECK(status_of_child([&] { std::for_each(std::execution::par, v.begin(), v.end(), throws); }) == 77);
  CHECK(status_of_child([&] {
          std::sort(std::execution::par, v.begin(), v.end(), [&](int a, int b) { return throws(a) || a < b; });
        }) == 77);
  CHECK(status_of_child([&] { std::stable_partition(std::execution::par, v.begin(), v.end(), throws); }) == 77);
  CHECK(status_of_child([&] { static_cast<void>(std::any_of(std::execution::par, v.begin(), v.end(), throws)); }) ==
        77);
}

TEST_CASE("a stop request does not stop an algorithm") {
  const std::vector<int> k = keys(20'000, pattern::random);
  in_all_pools([&k] {
    std::stop_source source;
    source.request_stop();
    std::vector<int> v = k;
    bool is_done = false;
    const auto result = tine::run_until_stopped(source.get_token(), [&] {
      std::sort(std::execution::par, v.begin(), v.end());
      std::vector<int> out(v.size());
      std::inclusive_scan(std::execution::par, v.begin(), v.end(), out.begin(), std::bit_xor<>{});
      std::for_each(std::execution::par_unseq, out.begin(), out.end(), [](int& i) { ++i; });
      std::stable_partition(std::execution::par, out.begin(), out.end(), is_odd{});
      is_done = std::any_of(std::execution::par, out.begin(), out.end(), is_odd{}) &&
                std::is_sorted(std::execution::par, v.begin(), v.end());
      tine::par_for(0, 10, [](int) {});  // throws
    });
    CHECK(!result.has_value());
    CHECK(is_done);
  });
}

TEST_CASE("an exception elsewhere does not stop an algorithm") {
  const std::vector<int> k = keys(50'000, pattern::random);
  in_all_pools([&k] {
    for (int round = 0; round < 5; ++round) {
      std::vector<int> v = k, w = k;
      CHECK_THROWS_WITH(tine::par(
                            [&] {
                              std::stable_sort(std::execution::par, w.begin(), w.end());
                              throw std::runtime_error{"thrown"};
                            },
                            [&] {
                              std::sort(std::execution::par, v.begin(), v.end());
                              std::transform(std::execution::par, v.begin(), v.end(), v.begin(), changed{});
                            }),
                        "thrown");
    }
  });
}

TEST_CASE("no oneTBB is in the process") {
  std::ifstream maps{"/proc/self/maps"};
  const std::string all{std::istreambuf_iterator<char>{maps}, {}};
  CHECK(all.find("libtbb") == std::string::npos);
  CHECK(all.find("libc") != std::string::npos);
}

}  // namespace
