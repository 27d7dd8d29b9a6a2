// Runs each algorithm of the standard library without a policy and with one, on the same data, and compares everything that it returns and
// writes. No file of this folder names the back end: tine::pstl includes it before everything else.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <execution>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unit/algo/inputs.hpp"

namespace tine::test {

/// The data of one call. Algorithms may change all of it.
template <class Container>
struct data {
  Container in, other, out;

  auto first() { return in.begin(); }
  auto last() { return in.end(); }
  friend bool operator==(const data&, const data&) = default;
};

inline void set(int& item, int key) { item = key; }
inline void set(double& item, int key) { item = key; }
inline void set(std::string& item, int key) {
  const std::string digits = std::to_string(key);
  item = std::string(30 - digits.size(), '0') + digits;  // too long for the object itself
}

/// Questions about items, and changes of items.
struct is_odd {
  bool operator()(int k) const { return k % 2 != 0; }
  bool operator()(double k) const { return static_cast<int>(k) % 2 != 0; }
  bool operator()(const std::string& s) const { return s.back() % 2 != 0; }
};
struct changed {
  int operator()(int k) const { return k ^ 1; }
  double operator()(double k) const { return k / 2 + 3; }
  std::string operator()(const std::string& s) const { return "<" + s; }
};
struct joined {
  int operator()(int a, int b) const { return a / 3 + b / 5; }
  double operator()(double a, double b) const { return a / 2 + b; }
  std::string operator()(const std::string& a, const std::string& b) const { return a.substr(10) + b.substr(10); }
};
/// An order in which different items are equal.
struct less_of_tens {
  bool operator()(int a, int b) const { return a / 10 < b / 10; }
  bool operator()(const std::string& a, const std::string& b) const {
    return a.substr(0, a.size() - 1) < b.substr(0, b.size() - 1);
  }
};
struct equal_parity {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return is_odd{}(a) == is_odd{}(b);
  }
};

/// The pools of all tests: with one, two and eight workers, and with eager promotion.
inline std::span<pool> all_pools() {
  static pool pools[]{pool{{.workers = 1}}, pool{{.workers = 2}}, pool{{.workers = 8}},
                      pool{{.workers = 8, .promote = promotion::eager()}}};
  return pools;
}

/// Calls `body` in each of these pools, and outside every pool.
template <class Body>
void in_all_pools(Body body) {
  for (pool& p : all_pools()) {
    CAPTURE(&p - all_pools().data());
    p.run(body);
  }
  body();
}

/// Returns data with keys from 0 up to, but not including, `bound`.
template <class Container>
data<Container> make_data(std::size_t n, pattern p, int bound, bool is_sorted) {
  std::vector<int> k = keys(n, p), other = keys(n / 2 + 1, pattern::random, 2);
  for (int& i : k) i %= bound;
  for (int& i : other) i %= bound;
  if (is_sorted) {
    std::sort(k.begin(), k.end());
    std::sort(other.begin(), other.end());
  }
  data<Container> d{Container(n), Container(other.size()), Container(2 * n + 4)};
  auto at = d.in.begin();
  for (const int i : k) set(*at++, i);
  at = d.other.begin();
  for (const int i : other) set(*at++, i);
  return d;
}

/// Runs `body(data)` and `body(data, policy)`, and compares their results and data.
template <class Container, class Policy, class Body>
void compare(const Policy& policy, bool is_sorted, Body body) {
  struct input {
    std::size_t n;
    pattern p;
    int bound;
  };
  static const std::vector<input> inputs{{0, pattern::random, 9},         {1, pattern::random, 9},
                                         {2, pattern::reversed, 9},       {3, pattern::random, 2},
                                         {64, pattern::random, 1000},     {1001, pattern::random, 4},
                                         {7000, pattern::random, 1000},   {7000, pattern::equal, 9},
                                         {9000, pattern::sorted, 10'000}, {9000, pattern::reversed, 1 << 20}};
  for (const input& i : inputs) {
    CAPTURE(i.n);
    CAPTURE(std::string{name_of(i.p)});
    const data<Container> from = make_data<Container>(i.n, i.p, i.bound, is_sorted);
    data<Container> expected = from;
    const auto result = body(expected);
    in_all_pools([&] {
      data<Container> d = from;
      const bool is_same_result = body(d, policy) == result;
      CHECK(is_same_result);
      const bool is_same_data = d == expected;
      CHECK(is_same_data);
    });
  }
}

/// Compares for items and iterators of two kinds.
template <class Body>
void compare_all(Body body, bool is_sorted = false) {
  compare<std::vector<int>>(std::execution::par, is_sorted, body);
  compare<std::deque<std::string>>(std::execution::par_unseq, is_sorted, body);
}

}  // namespace tine::test
