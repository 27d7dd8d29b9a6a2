// stdexec's parallel scheduler on tine: senders that stdexec composes run on tine's workers.
#include <tine/parallel_scheduler_backend.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace ex = stdexec;

TEST_CASE("the scheduler is tine's, and all its copies are equal") {
  CHECK(ex::get_parallel_scheduler() == ex::get_parallel_scheduler());
  bool is_on_worker = false;
  ex::sync_wait(ex::schedule(ex::get_parallel_scheduler()) |
                ex::then([&] { is_on_worker = static_cast<bool>(tine::this_worker()); }));
  CHECK(is_on_worker);
}

TEST_CASE("a chain of senders passes values on, and its code may fork") {
  auto work = ex::schedule(ex::get_parallel_scheduler()) |
              ex::then([] { return tine::par_reduce(0, 1000, 0L, [](int i) { return long{i}; }, std::plus<>{}); }) |
              ex::then([](long sum) { return sum + 1; });
  CHECK(std::get<0>(ex::sync_wait(std::move(work)).value()) == 499'501);
}

TEST_CASE("bulk algorithms call each index once") {
  for (const std::size_t n : {1U, 1000U, 100'000U}) {
    std::vector<std::atomic<int>> calls(n);
    const auto is_right = [&](int expected) {
      return std::ranges::all_of(calls, [&](const std::atomic<int>& c) { return c == expected; });
    };
    const auto begin = [] { return ex::schedule(ex::get_parallel_scheduler()); };
    ex::sync_wait(begin() | ex::bulk(ex::par, n, [&](std::size_t i) { ++calls[i]; }));
    CHECK(is_right(1));
    ex::sync_wait(begin() | ex::bulk_chunked(ex::par, n, [&](std::size_t b, std::size_t e) {
                    for (; b < e; ++b) ++calls[b];
                  }));
    CHECK(is_right(2));
    ex::sync_wait(begin() | ex::bulk_unchunked(ex::par, n, [&](std::size_t i) { ++calls[i]; }));
    CHECK(is_right(3));
  }
}

TEST_CASE("an exception comes out of sync_wait") {
  std::string caught;
  try {
    ex::sync_wait(ex::schedule(ex::get_parallel_scheduler()) | ex::then([] { throw std::runtime_error{"inside"}; }));
  } catch (const std::runtime_error& e) {
    caught = e.what();
  }
  CHECK(caught == "inside");
}

TEST_CASE("many senders at once") {
  std::atomic<int> done{0};
  for (int round = 0; round < 100; ++round) {
    auto one = [&] { return ex::schedule(ex::get_parallel_scheduler()) | ex::then([&] { ++done; }); };
    ex::sync_wait(ex::when_all(one(), one(), one(), one()));
  }
  CHECK(done == 400);
}
