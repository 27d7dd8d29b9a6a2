// Tests of ranges by themselves: the subranges that are promoted and their sizes, and that there is always space for
// one more half.
#include <tine/detail/sched/splittable_range.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using tine::sched::descriptor;
using tine::sched::promoted_subrange;
using tine::sched::splittable_range;

constexpr std::size_t most = 4096;
constexpr descriptor kind{nullptr, 0, true};

struct memory {
  alignas(16) std::array<std::byte, most + 64> bytes{};
  splittable_range& open(std::uint64_t from, std::uint64_t to, std::size_t stride = sizeof(promoted_subrange)) {
    auto& r = *reinterpret_cast<splittable_range*>(bytes.data());
    r.open(kind, from, to, sizeof(splittable_range), stride, most);
    return r;
  }
};

TEST_CASE("half of the iterations that have not begun is promoted: the last ones") {
  memory m;
  splittable_range& r = m.open(10, 21);
  r.next = 12;
  promoted_subrange* p = r.promote_subrange(1);
  CHECK(p->of == &r);
  CHECK(p->what == &kind);
  CHECK(p->begin == 16);
  CHECK(p->end == 21);
  CHECK(r.end == 16);
  CHECK(r.touched);
  CHECK(r.rest() == 4);
}

TEST_CASE("all of it, if there are no takers to count") {
  memory m;
  splittable_range& r = m.open(3, 9);
  promoted_subrange* p = r.promote_subrange(0);
  CHECK(p->begin == 3);
  CHECK(p->end == 9);
  CHECK(r.is_spent());
}

TEST_CASE("a single iteration can be promoted, and then nothing") {
  memory m;
  splittable_range& r = m.open(0, 2);
  r.next = 1;
  CHECK_FALSE(r.is_spent());
  CHECK(r.promote_subrange(1)->begin == 1);
  CHECK(r.is_spent());
}

TEST_CASE("an owner that has announced more than there is leaves nothing") {
  memory m;
  splittable_range& r = m.open(0, 5);
  r.next = 8;
  CHECK(r.rest() == 0);
  CHECK(r.is_spent());
}

TEST_CASE("several takers get equal shares") {
  memory m;
  splittable_range& r = m.open(0, 800);
  std::vector<std::uint64_t> shares;
  for (unsigned idle = 7; idle > 0; --idle) {
    const promoted_subrange* p = r.promote_subrange(idle);
    shares.push_back(p->end - p->begin);
  }
  CHECK(r.rest() == 100);
  CHECK(std::all_of(shares.begin(), shares.end(), [](std::uint64_t n) { return n == 100; }));
}

TEST_CASE("a reclaimed subrange belongs to the owner again") {
  memory m;
  splittable_range& r = m.open(0, 100);
  r.promote_subrange(1);
  r.promote_subrange(1);
  r.next = r.end;
  CHECK(r.is_spent());
  r.reclaim_newest();
  CHECK(r.next == 25);
  CHECK(r.end == 50);
  CHECK(r.promoted == 1);
  CHECK_FALSE(r.is_spent());
}

TEST_CASE("a record fits its bytes, however long the range and however large a promoted subrange") {
  memory m;
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{1000}, ~std::uint64_t{0}}) {
    for (const std::size_t stride : {sizeof(promoted_subrange), std::size_t{96}, std::size_t{1000}}) {
      splittable_range& r = m.open(0, n, stride);
      CHECK(r.max_promoted > 0);
      CHECK(r.end_address() <= r.begin_address() + most);
    }
  }
}

// As long as there is a rest, half of it can be promoted: whatever the owner has done, however many thieves share it,
// and whatever is reclaimed. The range has 2^48 iterations, so that it needs many promoted subranges.
TEST_CASE("there is always space for another half") {
  std::mt19937_64 random{20'261'121};
  for (int trial = 0; trial < 200; ++trial) {
    memory m;
    splittable_range& r = m.open(0, (std::uint64_t{1} << 48) - random() % 1000);
    for (int step = 0; step < 400; ++step) {
      if (r.rest() > 0) {
        REQUIRE_FALSE(r.is_spent());
        if (random() % 4 == 0) r.next += random() % (r.rest() + 1) / 2;
        if (r.rest() > 0) r.promote_subrange(random() % 3 == 0 ? static_cast<unsigned>(random() % 8) : 1);
      } else if (r.promoted > 0) {
        if (random() % 2 == 0) {
          r.reclaim_newest();
        } else {
          r.forget_newest();
        }
      } else {
        break;
      }
    }
  }
}

}  // namespace
