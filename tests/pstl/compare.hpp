// Runs each algorithm of the standard library without a policy and with one, on the same data, and compares everything
// that it returns and writes. No file of this folder names the back end: tine::pstl includes it before everything else.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <execution>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
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

/// Calls `body` in each of the pools of all tests, and outside every pool.
inline void in_all_pools(const std::function<void()>& body) {
  in_pools(body);
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

/// The positions, lengths and answers that an algorithm returned. Items that it returned are in the data.
using results = std::vector<std::ptrdiff_t>;
template <class Container>
using run = std::function<results(data<Container>&)>;

/// Compares the results and the data of two runs. It knows no algorithm, so that it is compiled once for each
/// container.
template <class Container>
void compare_runs(bool is_sorted, const run<Container>& without_policy, const run<Container>& with_policy) {
  struct input {
    std::size_t n;
    pattern p;
    int bound;
  };
  static constexpr input inputs[]{{0, pattern::random, 9},           {1, pattern::random, 9},
                                  {3, pattern::random, 2},           {64, pattern::random, 1000},
                                  {1001, pattern::equal, 9},         {7000, pattern::random, 1000},
                                  {5000, pattern::reversed, 1 << 20}};
  for (const input& i : inputs) {
    CAPTURE(i.n);
    CAPTURE(std::string{name_of(i.p)});
    const data<Container> from = make_data<Container>(i.n, i.p, i.bound, is_sorted);
    data<Container> expected = from;
    const results right = without_policy(expected);
    in_all_pools([&] {
      data<Container> d = from;
      CHECK(with_policy(d) == right);
      const bool is_same_data = d == expected;
      CHECK(is_same_data);
    });
  }
}

/// Runs `body(data)` and `body(data, policy)`, and compares their results and data.
template <class Container, class Policy, class Body>
void compare(const Policy& policy, bool is_sorted, Body body) {
  compare_runs<Container>(
      is_sorted, [&](data<Container>& d) { return body(d); }, [&](data<Container>& d) { return body(d, policy); });
}

/// Compares for numbers and pointers. This suffices for an algorithm that libstdc++ makes from a loop of tine's, and
/// for one form of an algorithm, if `compare_texts` compares another form: an instantiation takes the compiler a
/// second.
template <class Body>
void compare_numbers(Body body, bool is_sorted = false) {
  compare<std::vector<int>>(std::execution::par, is_sorted, body);
}
/// Compares for items that need code, and iterators that are no pointers. This suffices for an algorithm that libstdc++
/// makes from a loop of tine's and that moves items.
template <class Body>
void compare_texts(Body body, bool is_sorted = false) {
  compare<std::deque<std::string>>(std::execution::par_unseq, is_sorted, body);
}
/// Compares for both: for the algorithms that tine itself has, in one form.
template <class Body>
void compare_all(Body body, bool is_sorted = false) {
  compare_numbers(body, is_sorted);
  compare_texts(body, is_sorted);
}

/// Collects what several algorithms write to `out`.
template <class Data>
class collector {
 public:
  explicit collector(Data& d) : data_{&d}, all_{d.in} {}
  void add(auto end) {
    found_.push_back(end - data_->out.begin());
    all_.insert(all_.end(), data_->out.begin(), end);
  }
  /// Moves the items to `in`, and returns the lengths.
  results take() {
    data_->in = std::move(all_);
    return found_;
  }

 private:
  Data* data_;
  decltype(Data::in) all_;
  results found_;
};

/// Orders and equalities as pointers to functions: an algorithm with two of them is compiled once.
template <class T>
using relation = bool (*)(const T&, const T&);
template <class T, class Relation>
relation<T> as_relation() {
  return [](const T& a, const T& b) -> bool { return Relation{}(a, b); };
}
/// The type of the items of `data`.
template <class Container>
typename Container::value_type item_type(const data<Container>&);
template <class Data>
using item_of = decltype(item_type(std::declval<Data>()));

}  // namespace tine::test
