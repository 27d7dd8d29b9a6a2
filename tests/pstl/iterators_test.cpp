// Algorithms with execution policies on other iterators: pointers, reverse iterators, and iterators without random
// access, whose algorithms libstdc++ runs sequentially.
#include "pstl/compare.hpp"
#include "unit/algo/observed.hpp"

#include <forward_list>
#include <list>
#include <ranges>

namespace {

using namespace tine::test;

TEST_CASE("lists run sequentially") {
  const std::vector<int> k = keys(1001, pattern::random);
  in_all_pools([&k] {
    std::list<int> both(k.begin(), k.end());
    std::forward_list<int> forward(k.begin(), k.end());
    const auto sum = std::reduce(k.begin(), k.end(), 0L);
    CHECK(std::reduce(std::execution::par, both.begin(), both.end(), 0L) == sum);
    CHECK(std::reduce(std::execution::par_unseq, forward.begin(), forward.end(), 0L) == sum);
    std::for_each(std::execution::par, forward.begin(), forward.end(), [](int& i) { i = -i; });
    std::transform(std::execution::par, both.begin(), both.end(), forward.begin(), both.begin(), std::plus<>{});
    CHECK(std::count(std::execution::par, both.begin(), both.end(), 0) == 1001);
    CHECK(std::is_sorted(std::execution::par, both.begin(), both.end()));
    std::vector<int> out(k.size());
    CHECK(std::copy_if(std::execution::par, forward.begin(), forward.end(), out.begin(), is_odd{}) - out.begin() ==
          std::count_if(k.begin(), k.end(), is_odd{}));
    std::reverse(std::execution::par, both.begin(), both.end());
    CHECK(std::find(std::execution::par_unseq, forward.begin(), forward.end(), 1) == forward.end());
  });
}

TEST_CASE("reverse iterators") {
  const std::vector<int> k = keys(20'000, pattern::random);
  in_all_pools([&k] {
    std::vector<int> v = k, expected = k, out(k.size()), expected_out(k.size());
    std::sort(expected.rbegin(), expected.rend());
    std::sort(std::execution::par, v.rbegin(), v.rend());
    CHECK(v == expected);
    std::inclusive_scan(k.rbegin(), k.rend(), expected_out.begin(), std::bit_xor<>{});
    std::inclusive_scan(std::execution::par, k.rbegin(), k.rend(), out.begin(), std::bit_xor<>{});
    CHECK(out == expected_out);
    CHECK(std::find_if(std::execution::par_unseq, k.rbegin(), k.rend(), is_odd{}) ==
          std::find_if(k.rbegin(), k.rend(), is_odd{}));
    std::copy_if(k.rbegin(), k.rend(), expected_out.rbegin(), is_odd{});
    std::copy_if(std::execution::par, k.rbegin(), k.rend(), out.rbegin(), is_odd{});
    CHECK(out == expected_out);
  });
}

TEST_CASE("algorithms touch nothing outside of their ranges") {
  const std::vector<int> k = keys(5000, pattern::random);
  in_all_pools([&k] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<int> in{k.size(), at_begin}, out{k.size(), at_begin};
      const auto par = std::execution::par;
      std::copy(par, k.begin(), k.end(), in.begin());
      std::transform(par, in.begin(), in.end(), out.begin(), changed{});
      std::transform(par, in.begin(), in.end(), out.begin(), out.begin(), joined{});
      std::inclusive_scan(par, in.begin(), in.end(), out.begin(), std::bit_xor<>{});
      std::exclusive_scan(par, in.begin(), in.end(), out.begin(), 0, std::bit_xor<>{});
      std::adjacent_difference(par, in.begin(), in.end(), out.begin());
      CHECK(std::adjacent_find(par, in.begin(), in.end(), [](int, int) { return false; }) == in.end());
      CHECK(std::search_n(par, in.begin(), in.end(), 3, -1) == in.end());
      CHECK(std::find_end(par, in.begin(), in.end(), k.end() - 3, k.end()) == in.end() - 3);
      std::stable_sort(par, in.begin(), in.end());
      CHECK(std::is_sorted(par, in.begin(), in.end()));
      CHECK(std::unique(par, in.begin(), in.end()) <= in.end());
      std::reverse_copy(par, in.begin(), in.end(), out.begin());
      std::partial_sort(par, out.begin(), out.begin() + 10, out.end());
      std::nth_element(par, out.begin(), out.begin() + 2500, out.end());
      std::stable_partition(par, out.begin(), out.end(), is_odd{});
      std::set_union(par, in.begin(), in.begin() + 2500, in.begin() + 2500, in.end(), out.begin());
      std::merge(par, in.begin(), in.begin() + 2500, in.begin() + 2500, in.end(), out.begin());
    }
  });
}

/// An iterator whose items are computed when they are read, so that its references are temporary objects.
struct squares {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::string;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = std::string;

  std::ptrdiff_t at = 0;

  std::string operator*() const { return std::to_string(at * at) + std::string(30, '!'); }
  std::string operator[](std::ptrdiff_t n) const { return *(*this + n); }
  squares& operator++() { return *this += 1; }
  squares operator++(int) { return {at++}; }
  squares& operator--() { return *this += -1; }
  squares operator--(int) { return {at--}; }
  squares& operator+=(std::ptrdiff_t n) { return at += n, *this; }
  squares& operator-=(std::ptrdiff_t n) { return at -= n, *this; }
  friend squares operator+(squares s, std::ptrdiff_t n) { return s += n; }
  friend squares operator-(squares s, std::ptrdiff_t n) { return s -= n; }
  friend std::ptrdiff_t operator-(squares a, squares b) { return a.at - b.at; }
  friend auto operator<=>(const squares&, const squares&) = default;
};

TEST_CASE("iterators whose references are temporary objects") {
  in_all_pools([] {
    const squares first{0}, last{3000};
    const auto longer = [](const std::string& a, const std::string& b) { return a.size() < b.size() ? b : a; };
    std::vector<std::string> out(3000), expected(3000);
    std::inclusive_scan(first, last, expected.begin(), longer);
    std::inclusive_scan(std::execution::par, first, last, out.begin(), longer);
    CHECK(out == expected);
    std::exclusive_scan(first, last, expected.begin(), std::string{}, longer);
    std::exclusive_scan(std::execution::par, first, last, out.begin(), std::string{}, longer);
    CHECK(out == expected);
    CHECK(std::reduce(std::execution::par, first, last, std::string{}, longer).size() == 37);
    CHECK(std::transform_reduce(std::execution::par, first, last, first, std::string{}, longer, longer).size() == 37);
    CHECK(std::find(std::execution::par, first, last, *squares{2000}).at == 2000);
    CHECK(std::max_element(std::execution::par, first, last, [](const std::string& a, const std::string& b) {
            return a.size() < b.size();
          }).at == 1000);
    CHECK(std::copy_if(std::execution::par, first, last, out.begin(), is_odd{}) - out.begin() == 3000);
    CHECK(std::adjacent_find(std::execution::par, first, last) == last);
  });
}

/// Compares algorithms over a view with the sequential ones over its items, and checks that each is a loop or forks.
template <class View>
void check_view(const View& view) {
  const auto first = view.begin(), last = view.end();
  using item = std::remove_cvref_t<decltype(*first)>;
  const std::vector<item> v(first, last);
  const auto n = v.size();
  const item some = v[n / 2];
  std::vector<item> out(2 * n), right(2 * n);
  const auto par = std::execution::par;
  const auto check = [&](const auto& run, const auto& run_right) {
    CHECK(forks_of([&] { CHECK((run() == run_right() && out == right)); }) > 0);
  };
  const auto has = [&](item i) { return i == some; };
  const auto less = [](item i) { return i < item(5000); };
  check([&] { return std::transform(par, first, last, out.begin(), std::negate<>{}) - out.begin(); },
        [&] { return std::transform(v.begin(), v.end(), right.begin(), std::negate<>{}) - right.begin(); });
  check([&] { return std::copy_if(std::execution::par_unseq, first, last, out.begin(), less) - out.begin(); },
        [&] { return std::copy_if(v.begin(), v.end(), right.begin(), less) - right.begin(); });
  check([&] { return std::inclusive_scan(par, first, last, out.begin()) - out.begin(); },
        [&] { return std::inclusive_scan(v.begin(), v.end(), right.begin()) - right.begin(); });
  check([&] { return std::merge(par, first, last, first, last, out.begin()) - out.begin(); },
        [&] { return std::merge(v.begin(), v.end(), v.begin(), v.end(), right.begin()) - right.begin(); });
  check([&] { return std::set_intersection(par, first, last, first, last, out.begin()) - out.begin(); },
        [&] { return std::set_intersection(v.begin(), v.end(), v.begin(), v.end(), right.begin()) - right.begin(); });
  check([&] { return std::adjacent_difference(par, first, last, out.begin()) - out.begin(); },
        [&] { return std::adjacent_difference(v.begin(), v.end(), right.begin()) - right.begin(); });
  check([&] { return std::partial_sort_copy(par, first, last, out.begin(), out.begin() + 9) - out.begin(); },
        [&] { return std::partial_sort_copy(v.begin(), v.end(), right.begin(), right.begin() + 9) - right.begin(); });
  check([&] { return static_cast<std::ptrdiff_t>(std::find_if(par, first, last, has) - first); },
        [&] { return std::find_if(v.begin(), v.end(), has) - v.begin(); });
  check([&] { return static_cast<std::ptrdiff_t>(std::max_element(par, first, last) - first); },
        [&] { return std::max_element(v.begin(), v.end()) - v.begin(); });
  check([&] { return static_cast<std::ptrdiff_t>(std::count_if(std::execution::par_unseq, first, last, less)); },
        [&] { return std::count_if(v.begin(), v.end(), less); });
  const auto digits = [](item a, item b) { return item(a * b % item(1000)); };  // no sum of them overflows
  check([&] { return std::transform_reduce(par, first, last, first, item{}, std::plus<>{}, digits); },
        [&] { return std::inner_product(v.begin(), v.end(), v.begin(), item{}, std::plus<>{}, digits); });
  check([&] { return std::equal(par, first, last, v.begin(), v.end()) && std::is_sorted(par, first, last); },
        [] { return true; });
  std::atomic<long> calls{0};
  check([&] { return std::for_each(par, first, last, [&](item) { ++calls; }), calls.load(); },
        [&] { return static_cast<long>(n); });
}

TEST_CASE("views whose iterators are random access in C++20 only run in parallel") {
  all_pools().front().run([] {
    check_view(std::views::iota(0, 7000));
    check_view(std::views::iota(std::size_t{0}, std::size_t{7000}));
    check_view(std::views::iota(0L, 9000L) | std::views::transform([](long i) { return i / 3; }) | std::views::drop(7));
  });
}

TEST_CASE("a scan of bits without an initial value has sums that are no references to the bits") {
  in_all_pools([] {
    std::vector<bool> bits(3000);
    bits[1234] = true;
    const std::vector<bool> before = bits;
    std::vector<int> out(bits.size());
    std::inclusive_scan(std::execution::par, bits.begin(), bits.end(), out.begin(), std::logical_or<>{});
    CHECK(std::count(out.begin(), out.end(), 1) == 3000 - 1234);
    CHECK(std::is_sorted(out.begin(), out.end()));
    CHECK(bits == before);
  });
}

}  // namespace
