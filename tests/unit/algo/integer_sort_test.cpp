// integer_sort against std::sort: integers of all kinds, and items that need code. stable_sort_test.cpp checks that it
// is stable.
#include <tine/algo/integer_sort.hpp>

#include <deque>

#include "unit/algo/inputs.hpp"

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

TEST_CASE("a long integer_sort is stable") {
  std::vector<keyed> right = with_places(keys(many, pattern::random));
  for (keyed& k : right) k.key = k.key / 50 - 1000;
  const std::vector<keyed> given = right;
  std::ranges::sort(right, {}, [](const keyed& k) { return std::pair{k.key, k.place}; });
  in_pools([&] {
    std::vector<keyed> v = given;
    tine::integer_sort(v.begin(), v.end(), &keyed::key);
    CHECK(v == right);
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

TEST_CASE("an exception of a key leaves the range of integer_sort unchanged") {
  in_pools([] {
    const std::vector<int> right = keys(65'537, pattern::reversed);
    std::vector<int> v = right;
    CHECK_THROWS_WITH(
        tine::integer_sort(v, [](int k) -> int { return k == 100 ? throw std::runtime_error{"key"} : k; }), "key");
    CHECK(v == right);
  });
}

}  // namespace
