// copy_if, partition_copy, remove_if and unique against the standard library.
#include <tine/algo/copy_if.hpp>
#include <tine/algo/partition_copy.hpp>
#include <tine/algo/remove_if.hpp>
#include <tine/algo/unique.hpp>

#include <rapidcheck.h>

#include <deque>
#include <iterator>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

/// Predicates that choose none, few, half, most, all, and long runs.
const std::vector<std::function<bool(int)>> predicates{
    [](int) { return false; }, [](int k) { return k % 100 == 3; }, [](int k) { return k % 2 == 1; },
    [](int) { return true; },  [](int k) { return k % 100 != 3; }, [](int k) { return k % 3000 < 1000; },
};

void check_packs(const std::vector<int>& v, const std::function<bool(int)>& pred) {
  std::vector<int> right, other;
  std::ranges::partition_copy(v, std::back_inserter(right), std::back_inserter(other), pred);
  in_pools([&] {
    std::vector<int> out(right.size());  // a place for each item that is copied, and for no more
    const auto copied = tine::copy_if(v, out.begin(), pred);
    CHECK(copied.in == v.end());
    CHECK(copied.out == out.end());
    CHECK(out == right);

    std::vector<int> yes(right.size()), no(other.size());
    const auto parts = tine::partition_copy(v.begin(), v.end(), yes.begin(), no.begin(), pred);
    CHECK(parts.in == v.end());
    CHECK(parts.out1 == yes.end());
    CHECK(parts.out2 == no.end());
    CHECK(yes == right);
    CHECK(no == other);

    std::vector<int> own = v;
    const auto rest = tine::remove_if(own, pred);
    CHECK(rest.end() == own.end());
    own.erase(rest.begin(), rest.end());
    CHECK(own == other);
  });
}

TEST_CASE("packs choose the items that the standard library chooses") {
  for_each_input([](const std::vector<int>& v) {
    for (const auto& pred : predicates) check_packs(v, pred);
  });
  const std::vector<int> many = keys(large_length, pattern::random);
  for (const int bound : {0, 1 << 20, 1 << 29, (1 << 30) - (1 << 20), (1 << 30) - 2000}) {
    CAPTURE(bound);
    check_packs(many, [bound](int k) { return k < bound; });
  }
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

TEST_CASE("packs keep the order, take projections and sentinels, and touch nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<keyed> items{20'001, at_begin}, zeros{6'667, at_begin}, others{13'334, at_begin};
      for (std::size_t i = 0; i < items.size(); ++i) items.begin()[i] = {static_cast<int>(i % 3), i};
      const auto is_zero = [](int k) { return k == 0; };
      const auto in_order = [](const keyed* first, const keyed* last) {
        return std::ranges::adjacent_find(first, last, std::greater_equal<>{}, &keyed::place) == last;
      };
      const std::counted_iterator counted{items.begin(), 20'001};
      CHECK(tine::copy_if(counted, std::default_sentinel, zeros.begin(), is_zero, &keyed::key).out == zeros.end());
      CHECK(in_order(zeros.begin(), zeros.end()));
      tine::partition_copy(counted, std::default_sentinel, zeros.begin(), others.begin(), is_zero, &keyed::key);
      CHECK(in_order(zeros.begin(), zeros.end()));
      CHECK(in_order(others.begin(), others.end()));
      const auto rest = tine::remove_if(counted, std::default_sentinel, is_zero, &keyed::key);
      CHECK(rest.size() == 6'667);
      CHECK(in_order(items.begin(), items.begin() + 13'334));
    }
    std::deque<int> items(70'000);
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<int>(i / 3);
    CHECK(tine::unique(items).begin() - items.begin() == 23'334);
    CHECK(tine::remove_if(items, [](int k) { return k < 70; }).size() >= 70);
  });
}

void check_unique(const std::vector<int>& v) {
  std::vector<int> right = v;
  right.erase(std::unique(right.begin(), right.end()), right.end());
  const std::vector<keyed> from = with_places(v);
  std::vector<keyed> kept_right = from;
  const auto is_near = [](int a, int b) { return a / 10 == b / 10; };
  const auto dropped = std::ranges::unique(kept_right, is_near, &keyed::key);
  kept_right.erase(dropped.begin(), dropped.end());
  in_pools([&] {
    std::vector<int> own = v;
    const auto rest = tine::unique(own);
    own.erase(rest.begin(), rest.end());
    CHECK(own == right);
    std::vector<keyed> kept = from;
    const auto near = tine::unique(kept.begin(), kept.end(), is_near, &keyed::key);
    kept.erase(near.begin(), near.end());
    CHECK(kept == kept_right);
  });
}

TEST_CASE("unique keeps the first item of each group of equal ones") {
  for_each_input(check_unique);
  for (const int length : {1, 2, 3, 1000, 30'000, 600'000}) {
    CAPTURE(length);
    std::vector<int> groups = keys(large_length, pattern::sorted);
    for (int& k : groups) k = k / length * 10;
    check_unique(groups);
  }
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
    const auto pred = [](int k) -> bool {
      if (k >= 1000) throw std::runtime_error{std::to_string(k)};
      return k % 3 == 0;
    };
    std::vector<int> out(v.size()), other(v.size()), own = v;
    CHECK_THROWS_WITH(tine::copy_if(v, out.begin(), pred), "1000");
    CHECK_THROWS_WITH(tine::partition_copy(v, out.begin(), other.begin(), pred), "1000");
    CHECK_THROWS_WITH(tine::remove_if(own, pred), "1000");
  });
}

TEST_CASE("exceptions of copies, moves and comparisons leave all items alive") {
  const long before = throwing::alive;
  in_pools([] {
    for (const long uses : {1L, 2L, 5L, 100L, 4000L, 9000L, 15'000L, 20'000L}) {
      CAPTURE(uses);
      std::vector<throwing> v, out(20'000), other(20'000);
      for (const int k : keys(20'000, pattern::sorted)) v.emplace_back(k / 2);
      const auto is_odd = [](int k) { return k % 2 != 0; };
      const auto run = [uses](auto algorithm) {
        throwing::throw_after(uses);
        try {
          algorithm();
        } catch (const std::runtime_error&) {
        }
        throwing::throw_after(0);
      };
      run([&] { tine::copy_if(v, out.begin(), is_odd, &throwing::key); });
      run([&] { tine::partition_copy(v, out.begin(), other.begin(), is_odd, &throwing::key); });
      run([&] { tine::remove_if(v, is_odd, &throwing::key); });
      run([&] { tine::unique(v); });
    }
  });
  CHECK(throwing::alive == before);
}

TEST_CASE("any vector: packs, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("packs", [](const std::vector<int>& v, int wanted) {
      const auto is_wanted = [wanted](int k) { return k % 3 == wanted % 3; };
      std::vector<int> yes, no, groups = v;
      std::ranges::partition_copy(v, std::back_inserter(yes), std::back_inserter(no), is_wanted);
      const auto is_like = [](int a, int b) { return a % 2 == b % 2; };
      groups.erase(std::unique(groups.begin(), groups.end(), is_like), groups.end());
      const auto pack = [&] {
        std::vector<int> out(yes.size()), other(no.size()), own = v, like = v;
        tine::copy_if(v, out.begin(), is_wanted);
        RC_ASSERT(out == yes);
        tine::partition_copy(v, out.begin(), other.begin(), is_wanted);
        RC_ASSERT(out == yes);
        RC_ASSERT(other == no);
        const auto rest = tine::remove_if(own, is_wanted);
        own.erase(rest.begin(), rest.end());
        RC_ASSERT(own == no);
        const auto unlike = tine::unique(like, is_like);
        like.erase(unlike.begin(), unlike.end());
        RC_ASSERT(like == groups);
      };
      run_in_all_ways(pack);
    }));
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
