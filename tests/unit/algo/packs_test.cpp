// copy_if, partition_copy, remove_if and unique against the standard library.
#include <tine/algo/copy_if.hpp>
#include <tine/algo/partition_copy.hpp>
#include <tine/algo/remove_if.hpp>
#include <tine/algo/unique.hpp>

#include <deque>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(copy_if);
TINE_SIDES(partition_copy);
TINE_SIDES(remove_if);
TINE_SIDES(unique);

/// Copies with a place for each item that is copied, and for no more.
template <bool Ours>
outcome copies(std::span<int> v, unsigned k) {
  const chosen is{v, k};
  const auto n = static_cast<std::size_t>(std::ranges::count_if(v, is));
  const at_page_end<int> out{n, true}, yes{n}, no{v.size() - n};
  const auto copied = copy_if<Ours>(v, out.begin(), is);
  const auto parts = partition_copy<Ours>(counted(v), std::default_sentinel, yes.begin(), no.begin(), is);
  outcome found{copied.in - v.begin(), copied.out - out.begin(), parts.out1 - yes.begin(), parts.out2 - no.begin()};
  for (const auto* written : {&out, &yes, &no}) append(found, *written);
  return found;
}

/// Fills the items behind the ones that stay, which are unspecified.
template <class Rest>
std::ptrdiff_t cleared(const Rest& rest) {
  for (auto&& item : rest) item = {};
  return std::ranges::distance(rest);
}

template <bool Ours>
outcome removals(std::span<int> v, unsigned k) {
  const chosen is{v, k};
  std::vector<keyed> items = with_places({v.begin(), v.end()});
  outcome found{cleared(remove_if<Ours>(items, is, &keyed::key)),
                cleared(remove_if<Ours>(counted(v), std::default_sentinel, is))};
  for (const keyed& item : items) found.push_back(static_cast<long>(item.place));
  return found;
}

/// Groups of equal neighbours of many lengths, of which the first item stays.
template <bool Ours>
outcome first_of_groups(std::span<int> v, unsigned k) {
  constexpr std::array<int, variants> lengths{1, 1, 2, 3, 10, 1000, 3000, 30'000, 600'000};
  std::deque<keyed> items;
  for (const int x : v) items.push_back({x, items.size()});
  for (std::size_t i = 0; k > 0 && i < v.size(); ++i) v[i] = items[i].key = static_cast<int>(i) / lengths[k];
  const auto is_near = [](int a, int b) { return a / 10 == b / 10; };
  outcome found{cleared(unique<Ours>(v)), cleared(unique<Ours>(items.begin(), items.end(), is_near, &keyed::key))};
  for (const keyed& item : items) found.push_back(static_cast<long>(item.place));
  return found;
}

TEST_CASE("packs choose the items that the standard library chooses") {
  check_laws({TINE_LAW(copies), TINE_LAW(removals), TINE_LAW(first_of_groups)});
}

TEST_CASE("each predicate is called once for each item") {
  in_pools([] {
    const std::vector<int> v = keys(65'537, pattern::random);
    std::vector<int> out(v.size()), other(v.size()), own = v;
    std::atomic<long> calls = 0;
    const auto is_odd = [&calls](int k) {
      ++calls;
      return k % 2 != 0;
    };
    tine::copy_if(v, out.begin(), is_odd);
    CHECK(calls == 65'537);
    tine::partition_copy(v, out.begin(), other.begin(), is_odd);
    CHECK(calls == 2 * 65'537);
    tine::remove_if(own, is_odd);
    CHECK(calls == 3 * 65'537);
    tine::unique(own, [&calls](int a, int b) {
      ++calls;
      return a == b;
    });
    CHECK(calls == 4 * 65'537 - 1);
  });
}

TEST_CASE("items that can be moved only are compacted") {
  in_pools([] {
    std::vector<move_only> v;
    for (const int k : keys(65'537, pattern::sorted)) v.emplace_back(k / 2);
    auto rest = tine::unique(v);
    v.erase(rest.begin(), rest.end());
    REQUIRE(v.size() == 32'769);
    rest = tine::remove_if(v, [](int k) { return k % 64 == 63; }, &move_only::key);
    v.erase(rest.begin(), rest.end());
    REQUIRE(v.size() == 32'769 - 512);
    CHECK(std::is_sorted(v.begin(), v.end()));
    bool is_right = true;
    for (std::size_t i = 0; i < v.size(); ++i) is_right = is_right && v[i].key() == static_cast<int>(i + i / 63);
    CHECK(is_right);
  });
}

TEST_CASE("the first exception of a predicate wins") {
  in_pools([] {
    const std::vector<int> v = keys(65'537, pattern::sorted);
    const auto pred = [](int k) { return below_1000(k) % 3 == 0; };
    std::vector<int> out(v.size()), other(v.size()), own = v;
    CHECK_THROWS_WITH(tine::copy_if(v, out.begin(), pred), "1000");
    CHECK_THROWS_WITH(tine::partition_copy(v, out.begin(), other.begin(), pred), "1000");
    CHECK_THROWS_WITH(tine::remove_if(own, pred), "1000");
  });
}

TEST_CASE("exceptions of copies, moves and comparisons leave all items alive") {
  in_pools([] {
    const auto from = keys(10'000, pattern::sorted);
    const auto is_odd = [](int k) { return k % 2 != 0; };
    check_lives(from, 20'000, [=](auto& v) {
      const auto half = v.begin() + 5000;
      tine::copy_if(v.begin(), half, half, is_odd, &throwing::key);
      tine::partition_copy(half, v.end(), v.begin(), v.begin() + 3750, is_odd, &throwing::key);
    });
    check_lives(from, 20'000, [=](auto& v) { tine::remove_if(v, is_odd, &throwing::key); });
    check_lives(from, 20'000, [](auto& v) { tine::unique(v); });
  });
}

TEST_CASE("items move left over gaps of any length") {
  in_pools([] {
    for (const std::uint64_t n :
         {std::uint64_t{1}, std::uint64_t{16'384}, std::uint64_t{16'385}, std::uint64_t{33'000}}) {
      for (const std::uint64_t gap :
           {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{77}, n / 9 + 1, n / 8 + 1, n / 2 + 1, n, 2 * n}) {
        CAPTURE(n);
        CAPTURE(gap);
        std::vector<std::string> items(n + gap + 1);
        for (std::size_t i = 0; i < n; ++i) items[i + gap] = std::to_string(i);
        tine::detail::move_left(items.begin() + static_cast<std::ptrdiff_t>(gap), n, gap);
        bool is_right = items.back().empty();
        for (std::size_t i = 0; i < n; ++i) is_right = is_right && items[i] == std::to_string(i);
        CHECK(is_right);
      }
    }
  });
}

TEST_CASE("bits are appended and read across words") {
  std::vector<bool> right;
  tine::detail::bit_sequence bits;
  std::mt19937_64 random{7};
  for (int i = 0; i < 300; ++i) {
    const auto count = static_cast<unsigned>(random() % 64 + 1);
    const std::uint64_t word = count == 64 ? random() : random() & ((std::uint64_t{1} << count) - 1);
    tine::detail::bit_sequence more;
    more.append(word, count);
    if (i % 2 == 0) {
      bits.append(word, count);
    } else {
      bits.append(more);
    }
    for (unsigned k = 0; k < count; ++k) right.push_back(((word >> k) & 1) != 0);
  }
  REQUIRE(bits.size() == right.size());
  bool is_right = true;
  for (std::uint64_t at = 0; at + 64 <= right.size(); ++at) {
    const auto count = static_cast<unsigned>(random() % 64 + 1);
    std::uint64_t word = 0;
    for (unsigned k = 0; k < count; ++k) word |= std::uint64_t{right[at + k]} << k;
    is_right = is_right && bits.bits(at, count) == word;
  }
  CHECK(is_right);
}

}  // namespace
