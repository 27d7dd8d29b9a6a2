// integer_sort against std::sort, by the key and the place where an item was.
#include <tine/algo/integer_sort.hpp>

#include <rapidcheck.h>

#include <deque>
#include <iterator>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

/// A length for which several blocks of 65,536 items scatter theirs.
constexpr std::size_t many = 140'000;

/// Returns `n` random integers of all bits of a `T`, shifted left and masked.
template <class T>
std::vector<T> integers(std::size_t n, unsigned shift, std::uint64_t mask) {
  std::mt19937_64 random{n + shift};
  std::vector<T> all(n);
  for (T& k : all) k = static_cast<T>((random() & mask) << shift);
  return all;
}

template <class T>
void check_integers(std::vector<T> v) {
  std::vector<T> right = v;
  std::sort(right.begin(), right.end());
  CHECK(tine::integer_sort(v) == v.end());
  CHECK(v == right);
}

/// Sorts as a stable sort by key does.
void sort_by_place(std::vector<keyed>& v) {
  std::ranges::sort(v,
                    [](const keyed& a, const keyed& b) { return a.key != b.key ? a.key < b.key : a.place < b.place; });
}

TEST_CASE("integer_sort sorts integers of all widths and signs") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{31}, std::size_t{33},
                                std::size_t{1000}, std::size_t{25'000}}) {
      CAPTURE(n);
      constexpr std::uint64_t all = ~std::uint64_t{0};
      check_integers(integers<std::int8_t>(n, 0, all));
      check_integers(integers<std::uint64_t>(n, 0, all));
      check_integers(integers<std::int64_t>(n, 0, all));
      check_integers(integers<std::int64_t>(n, 63, 1));
      check_integers(integers<std::uint64_t>(n, 30, 0xff'ffff));
      check_integers(integers<std::uint64_t>(n, 7, 0xff00'0000'0000'00ff));
      check_integers(integers<std::uint32_t>(n, 5, 7));
    }
  });
}

TEST_CASE("integer_sort is stable") {
  const auto check = [](const std::vector<int>& from) {
    for (const int step : {1, 50}) {
      std::vector<keyed> given = with_places(from);
      for (keyed& k : given) k.key = k.key / step - 1000;
      std::vector<keyed> right = given;
      sort_by_place(right);
      in_pools([&] {
        std::vector<keyed> v = given;
        tine::integer_sort(v, &keyed::key);
        CHECK(v == right);
        v = given;
        tine::integer_sort(v.begin(), v.end(), &keyed::key);
        CHECK(v == right);
      });
    }
  };
  for_each_input(check);
  check(keys(many, pattern::random));
}

TEST_CASE("integer_sort sorts few and skewed keys") {
  in_pools([] {
    std::vector<std::uint64_t> v = integers<std::uint64_t>(many, 0, 0xff);
    for (std::size_t i = 0; i < v.size(); i += 1000) v[i] <<= 50;
    check_integers(v);  // one bucket holds nearly all items, in many digits
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::uint64_t{1} << (i % 64);
    check_integers(v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = ~std::uint64_t{0} >> (i * i % 64);
    check_integers(v);
    check_integers(std::vector<int>(100'000, 7));
  });
}

TEST_CASE("integer_sort moves items that need code, in any container") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      std::vector<move_only> v;
      std::deque<std::string> texts;
      std::vector<int> right = keys(n, pattern::random);
      std::vector<std::pair<int, std::size_t>> pairs;
      for (const int k : right) {
        v.emplace_back(k);
        texts.emplace_back(static_cast<std::size_t>(k % 100), 'x');
        pairs.emplace_back(k % 1000, pairs.size());
      }
      std::ranges::sort(right);
      tine::integer_sort(v, &move_only::key);
      CHECK(std::ranges::equal(v, right, {}, &move_only::key));
      std::deque<std::string> texts_right = texts;
      std::ranges::sort(texts_right, {}, &std::string::size);
      tine::integer_sort(texts, &std::string::size);
      CHECK(texts == texts_right);
      tine::integer_sort(pairs, [](const std::pair<int, std::size_t>& p) { return p.first; });
      CHECK(std::is_sorted(pairs.begin(), pairs.end()));
    }
  });
}

TEST_CASE("integer_sort takes sentinels, and touches nothing outside of the range") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{20}, std::size_t{1001}, std::size_t{100'001}}) {
      const at_page_end<keyed> items{n, n % 2 == 0};
      const std::vector<int> from = keys(n, pattern::random);
      for (std::size_t i = 0; i < n; ++i) items.begin()[i] = {from[i], i};
      tine::integer_sort(std::counted_iterator{items.begin(), static_cast<std::ptrdiff_t>(n)}, std::default_sentinel,
                         &keyed::key);
      CHECK(std::ranges::is_sorted(items.begin(), items.end(), {}, &keyed::key));
    }
  });
}

TEST_CASE("an exception of a key leaves the range unchanged, and one of a move leaves all items alive") {
  const long before = throwing::alive;
  in_pools([] {
    const std::vector<int> right = keys(65'537, pattern::reversed);
    std::vector<int> v = right;
    CHECK_THROWS_WITH(
        tine::integer_sort(v, [](int k) -> int { return k == 100 ? throw std::runtime_error{"key"} : k; }), "key");
    CHECK(v == right);
    for (const long uses : {1L, 2L, 1000L, 3000L, 5999L}) {
      std::vector<throwing> items;
      items.reserve(3000);
      for (const int k : keys(3000, pattern::random)) items.emplace_back(k);
      throwing::throw_after(uses);
      CHECK_THROWS_AS(tine::integer_sort(items, &throwing::key), std::runtime_error);
      throwing::throw_after(0);
    }
  });
  CHECK(throwing::alive == before);
}

TEST_CASE("any vector: integer_sort, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("integer_sort", [](const std::vector<std::int16_t>& from) {
      std::vector<keyed> given = with_places({from.begin(), from.end()}), right = given;
      sort_by_place(right);
      const auto sort = [&] {
        std::vector<keyed> v = given;
        tine::integer_sort(v, &keyed::key);
        RC_ASSERT(v == right);
      };
      run_in_all_ways(sort);
    }));
  });
}

}  // namespace
