// The algorithms of <numeric> and <memory>, with execution policies.
#include "pstl/compare.hpp"

#include <cstring>
#include <new>

namespace {

using namespace tine::test;

/// An operation that is associative for all items, and not commutative.
struct last_digits {
  int operator()(int a, int b) const { return (a + b) % 1'000'003; }
  double operator()(double a, double b) const { return a < b ? b : a; }
  std::string operator()(const std::string& a, const std::string& b) const {
    const std::string both = a + b;
    return both.size() > 40 ? both.substr(both.size() - 40) : both;
  }
};

/// A reduction may change the order of the items.
struct greater_of {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

TEST_CASE("reduce, transform_reduce") {
  const greater_of op;
  compare_texts([op](auto& d, const auto&... policy) {
    const auto init = d.other.front();
    d.out.front() = std::transform_reduce(policy..., d.first(), d.last(), init, op, changed{});
    auto copy = d.in;
    d.out.back() = std::transform_reduce(policy..., d.first(), d.last(), copy.begin(), init, op, joined{});
    return results{};
  });
  compare_numbers([op](auto& d, const auto&... policy) {
    results found{std::reduce(policy..., d.first(), d.last(), d.other.front(), op),
                  std::reduce(policy..., d.first(), d.last()), std::reduce(policy..., d.first(), d.last(), 5)};
    auto copy = d.in;
    for (int& i : copy) i %= 8;  // so that the sum of the products fits
    found.push_back(std::transform_reduce(policy..., d.first(), d.last(), copy.begin(), 5));
    return found;
  });
}

TEST_CASE("a reduction into another type, whose items do not convert to it") {
  struct sum {
    long value = 0;
    sum() = default;
    explicit sum(long v) : value{v} {}
  };
  struct add {
    sum operator()(const sum& a, const sum& b) const { return sum{a.value + b.value}; }
    sum operator()(const sum& a, int b) const { return sum{a.value + b}; }
    sum operator()(int a, const sum& b) const { return sum{a + b.value}; }
    sum operator()(int a, int b) const { return sum{long{a} + b}; }
  };
  const std::vector<int> v = keys(100'000, pattern::random);
  in_all_pools([&v] {
    CHECK(std::reduce(std::execution::par, v.begin(), v.end(), sum{7}, add{}).value ==
          std::accumulate(v.begin(), v.end(), 7L));
  });
}

TEST_CASE("inclusive_scan, exclusive_scan and their forms with transform") {
  const auto body = [](auto& d, const auto&... policy) {
    collector written{d};
    const last_digits op;
    written.add(std::inclusive_scan(policy..., d.first(), d.last(), d.out.begin(), op));
    written.add(
        std::transform_exclusive_scan(policy..., d.first(), d.last(), d.out.begin(), d.other.front(), op, changed{}));
    std::inclusive_scan(policy..., d.other.begin(), d.other.end(), d.other.begin(), op);  // in place
    return written.take();
  };
  compare_texts(body);
  compare<std::vector<double>>(std::execution::par, false, body);
  // The other forms, which libstdc++ makes from the same scan.
  compare_numbers([](auto& d, const auto&... policy) {
    collector written{d};
    const last_digits op;
    const int init = d.other.front();
    written.add(std::inclusive_scan(policy..., d.first(), d.last(), d.out.begin(), op, init));
    written.add(std::exclusive_scan(policy..., d.first(), d.last(), d.out.begin(), init, op));
    written.add(std::transform_inclusive_scan(policy..., d.first(), d.last(), d.out.begin(), op, changed{}));
    written.add(std::transform_inclusive_scan(policy..., d.first(), d.last(), d.out.begin(), op, changed{}, init));
    return written.take();
  });
}

TEST_CASE("scans of numbers with the default operation") {
  const auto body = [](auto& d, const auto&... policy) {
    std::inclusive_scan(policy..., d.first(), d.last(), d.out.begin());
    std::exclusive_scan(policy..., d.first(), d.last(), d.first(), d.other.front());  // in place
    return results{};
  };
  compare<std::vector<int>>(std::execution::par, false, body);
  compare<std::vector<double>>(std::execution::par, false, body);  // of integers, so that every grouping gives the same
}

TEST_CASE("a scan of floating-point numbers begins with its initial value, whatever the operation") {
  const std::vector<double> v(1000, 1.0);
  std::vector<double> out(v.size());
  in_all_pools([&] {
    std::exclusive_scan(std::execution::par, v.begin(), v.end(), out.begin(), 3.0, std::multiplies<>{});
    CHECK(std::count(out.begin(), out.end(), 3.0) == 1000);
  });
}

TEST_CASE("scans of many items, in place and not") {
  const std::vector<int> v = keys(50'000, pattern::random);
  std::vector<long> expected(v.size());
  std::inclusive_scan(v.begin(), v.end(), expected.begin(), std::plus<>{}, 0L);
  in_all_pools([&] {
    std::vector<long> out(v.begin(), v.end());
    std::inclusive_scan(std::execution::par, out.begin(), out.end(), out.begin());
    CHECK(out == expected);
    std::vector<double> fractions(v.begin(), v.end());
    std::inclusive_scan(std::execution::par, fractions.begin(), fractions.end(), fractions.begin());
    CHECK(std::equal(expected.begin(), expected.end(), fractions.begin(),
                     [](long a, double b) { return static_cast<double>(a) == b; }));
  });
}

TEST_CASE("adjacent_difference") {
  compare_texts([](auto& d, const auto&... policy) {
    const auto end = std::adjacent_difference(policy..., d.first(), d.last(), d.out.begin(), joined{});
    return results{end - d.out.begin()};
  });
  compare_numbers([](auto& d, const auto&... policy) {
    return results{std::adjacent_difference(policy..., d.first(), d.last(), d.out.begin()) - d.out.begin()};
  });
}

/// Memory for objects, without objects.
template <class T>
struct raw {
  explicit raw(std::size_t n) : at{static_cast<T*>(::operator new(n * sizeof(T)))} {
    std::memset(static_cast<void*>(at), 0x55, n * sizeof(T));
  }
  ~raw() { ::operator delete(at); }
  raw(const raw&) = delete;
  raw& operator=(const raw&) = delete;
  T* at;
};

/// Runs `construct(begin)` on raw memory, and destroys the objects.
template <class T>
void check_memory(const std::vector<T>& from, bool equals_source, const std::function<T*(T*)>& construct) {
  in_all_pools([&] {
    const raw<T> memory{from.size()};
    T* const end = construct(memory.at);
    CHECK(end == memory.at + from.size());
    if (equals_source) {
      const bool is_same = std::equal(from.begin(), from.end(), memory.at);
      CHECK(is_same);
    } else {
      const bool is_empty = std::all_of(memory.at, end, [](const T& item) { return item == T{}; });
      CHECK(is_empty);
    }
    std::destroy_n(std::execution::par, memory.at, from.size() / 2);
    std::destroy(std::execution::par, memory.at + from.size() / 2, end);
  });
}

/// Calls `check(items)` for some lengths.
template <class T>
void for_items(const std::function<void(const std::vector<T>&)>& check) {
  for (const std::size_t n : {0, 1, 3000}) {
    check(make_data<std::vector<T>>(n, pattern::random, 1 << 20, false).in);
  }
}

TEST_CASE("uninitialized_copy, _move, _fill, _default_construct, _value_construct, destroy") {
  const auto par = std::execution::par;
  for_items<std::string>([&](const std::vector<std::string>& v) {
    using text = std::string;
    const std::size_t n = v.size();
    std::vector<text> w;
    check_memory<text>(v, true, [&](text* at) { return std::uninitialized_copy(par, v.begin(), v.end(), at); });
    check_memory<text>(v, true, [&](text* at) { return std::uninitialized_copy_n(par, v.begin(), n, at); });
    check_memory<text>(v, true, [&](text* at) {
      w = v;
      return std::uninitialized_move(par, w.begin(), w.end(), at);
    });
    check_memory<text>(v, true, [&](text* at) {
      w = v;
      return std::uninitialized_move_n(par, w.begin(), n, at);  // libstdc++ 12 returns no pair
    });
    check_memory<text>(v, false, [&](text* at) { return std::uninitialized_fill(par, at, at + n, text{}), at + n; });
    check_memory<text>(v, false, [&](text* at) { return std::uninitialized_fill_n(par, at, n, text{}); });
    check_memory<text>(v, false, [&](text* at) { return std::uninitialized_value_construct(par, at, at + n), at + n; });
    check_memory<text>(v, false, [&](text* at) { return std::uninitialized_value_construct_n(par, at, n); });
    check_memory<text>(v, false,
                       [&](text* at) { return std::uninitialized_default_construct(par, at, at + n), at + n; });
    check_memory<text>(v, false, [&](text* at) { return std::uninitialized_default_construct_n(par, at, n); });
  });
}

TEST_CASE("functions for uninitialised memory, over items that libstdc++ assigns") {
  const auto par = std::execution::par;
  for_items<int>([&](const std::vector<int>& v) {
    const std::size_t n = v.size();
    check_memory<int>(v, true, [&](int* at) { return std::uninitialized_copy(par, v.begin(), v.end(), at); });
    check_memory<int>(v, true, [&](int* at) { return std::uninitialized_move(par, v.begin(), v.end(), at); });
    check_memory<int>(v, false, [&](int* at) { return std::uninitialized_fill(par, at, at + n, 0), at + n; });
    check_memory<int>(v, false, [&](int* at) { return std::uninitialized_value_construct_n(par, at, n); });
  });
}

TEST_CASE("nothing leaks, and everything is destroyed once") {
  CHECK(throwing::alive == 0);
  {
    const std::vector<throwing> from(5000);
    in_all_pools([&] {
      std::vector<throwing> v = from;
      const std::vector<int> k = keys(v.size(), pattern::random);
      std::transform(std::execution::par, k.begin(), k.end(), v.begin(), [](int i) { return throwing{i % 1000}; });
      std::sort(std::execution::par, v.begin(), v.end());
      std::stable_partition(std::execution::par, v.begin(), v.end(),
                            [](const throwing& t) { return t.key() % 2 == 0; });
      std::inplace_merge(std::execution::par, v.begin(),
                         std::partition_point(v.begin(), v.end(), [](const throwing& t) { return t.key() % 2 == 0; }),
                         v.end());
      std::rotate(std::execution::par, v.begin(), v.begin() + 100, v.end());
      std::vector<throwing> least(10);
      std::partial_sort_copy(std::execution::par, v.begin(), v.end(), least.begin(), least.end());
      CHECK(std::is_sorted(least.begin(), least.end()));
      v.erase(
          std::remove_if(std::execution::par, v.begin(), v.end(), [](const throwing& t) { return t.key() % 3 == 0; }),
          v.end());
      v.erase(std::unique(std::execution::par, v.begin(), v.end()), v.end());
    });
    CHECK(throwing::alive == 5000);
  }
  CHECK(throwing::alive == 0);
}

}  // namespace
