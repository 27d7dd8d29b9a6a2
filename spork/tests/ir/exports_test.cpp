// Calls exported functions with several results, and functions that raise, through the header that `tine ir build
// --header` writes.
#include "exports.h"

#include <tine/sched/pool.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace {

TEST_CASE("the header has the types of C") {
  static_assert(std::is_same_v<decltype(quotient), void*(std::int64_t, std::int64_t, std::int64_t*, std::int64_t*)>);
  static_assert(std::is_same_v<decltype(moments), double(void*, std::int64_t, double*, std::int64_t*)>);
  static_assert(std::is_same_v<decltype(parts), void*(double, void*, double*, void**)>);
  static_assert(std::is_same_v<decltype(attempt), void*(std::int64_t)>);
}

TEST_CASE("a function that raises returns the exception, or null and its results through pointers") {
  std::int64_t q = -1, r = -1;
  CHECK(quotient(17, 5, &q, &r) == nullptr);
  CHECK(q == 3);
  CHECK(r == 2);
  const char* const exception = static_cast<const char*>(quotient(17, 0, &q, &r));
  REQUIRE(exception != nullptr);
  CHECK(std::string{exception} == "division by zero");
  CHECK(q == 0);
  CHECK(r == 0);
}

TEST_CASE("several results, in pools and outside of them") {
  std::vector<double> x(10'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 16) / 4;
  double squares = 0, sum = 0;
  std::int64_t count = 0;
  const auto check = [&] {
    CHECK(sum == 18750);
    CHECK(squares == 48437.5);
    CHECK(count == 10'000);
  };
  sum = moments(x.data(), std::ssize(x), &squares, &count);
  check();
  for (const unsigned workers : {1u, 3u}) {
    tine::options o;
    o.workers = workers;
    o.promote = tine::promotion::eager();
    tine::pool{o}.run([&] { sum = moments(x.data(), std::ssize(x), &squares, &count); });
    check();
  }
  double cells[2] = {}, fraction = 0;
  void* same = nullptr;
  CHECK(parts(2.75, cells, &fraction, &same) == cells + 1);
  CHECK(fraction == 0.75);
  CHECK(same == cells);
}

}  // namespace
