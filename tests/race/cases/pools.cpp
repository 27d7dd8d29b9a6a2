// Memory that a pool reuses without a call of free: pools of the program that are annotated, and those of the standard
// library.
#include "../race_case.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <memory_resource>

namespace {

using race_test::keep;

constexpr int n = 50;

/// Gives out blocks of twelve bytes, of which free ones hold the number of the next free one. The numbers in `first_`
/// are its own business. It runs in a serial order, so it needs no lock.
class block_pool {
 public:
  using block = std::array<int, 3>;

  block_pool() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      blocks_[i][0] = static_cast<int>(i) + 1;
      tine::memory_released(&blocks_[i], sizeof(block));
    }
  }
  block& acquire() {
    const std::size_t i = first();
    set_first(static_cast<std::size_t>(blocks_[i][0]));
    tine::memory_acquired(&blocks_[i], sizeof(block));
    return blocks_[i];
  }
  void release(block& b) {
    tine::memory_released(&b, sizeof b);
    b[0] = static_cast<int>(first());
    set_first(static_cast<std::size_t>(&b - blocks_.data()));
  }

 private:
  std::size_t first() const {
    const tine::races_ignored here;
    return first_;
  }
  void set_first(std::size_t i) {
    const tine::races_ignored here;
    first_ = i;
  }

  alignas(8) std::array<block, 8> blocks_{};
  std::size_t first_ = 0;
};

CLEAN_CASE(blocks_of_a_pool) {
  block_pool pool;
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    block_pool::block &a = pool.acquire(), &b = pool.acquire();
    a = {i, i, i};
    b = {1, 2, 3};
    seen[static_cast<std::size_t>(i)] = a[1] + b[1];
    pool.release(a);
    pool.release(b);
  });
  keep(seen);
}

// The pool gives the block back later, as free would.
RACE_CASE(release_to_a_pool_beside_a_use) {
  block_pool pool;
  block_pool::block& a = pool.acquire();
  a = {1, 2, 3};
  int seen = 0;
  its.races_on(a);
  tine::par([&] { seen = a[2]; },
            [&] {
              if (its.racy) pool.release(a);
            });
  keep(seen);
}

RACE_CASE(use_of_a_block_beside_another_use) {
  block_pool pool;
  block_pool::block &a = pool.acquire(), &b = pool.acquire();
  its.races_on(a[1]);
  tine::par([&] { a[1] = 1; }, [&] { (its.racy ? a : b)[1] = 2; });
  keep(a);
  keep(b);
}

// A block ends in the middle of a word. Its acquisition says nothing about the rest of the word. No other access to the
// page has a smaller size, so the detector remembers whole words of it.
RACE_CASE(word_of_two_blocks) {
  struct alignas(4096) page {
    std::array<int, 1024> of;
  };
  const auto memory = std::make_unique<page>();
  int* const p = memory->of.data();
  its.races_on(p[2]);
  tine::par([&] { std::memset(p, 1, 6 * sizeof(int)); },
            [&] {
              tine::memory_acquired(p + 3, 3 * sizeof(int));
              p[its.racy ? 2 : 3] = 1;
            });
  keep(*p);
}

CLEAN_CASE(synchronized_pool_of_several_strands) {
  std::pmr::synchronized_pool_resource pool;
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    auto* const p = static_cast<int*>(pool.allocate(20, alignof(int)));
    p[4] = i;
    keep(*p);
    seen[static_cast<std::size_t>(i)] = p[4];
    pool.deallocate(p, 20, alignof(int));
  });
  keep(seen);
}

RACE_CASE(deallocate_beside_a_use) {
  std::pmr::synchronized_pool_resource pool;
  auto* const p = static_cast<int*>(pool.allocate(20, alignof(int)));
  p[4] = 1;
  int seen = 0;
  its.races_in(p, 20);
  tine::par([&] { seen = p[4]; },
            [&] {
              if (its.racy) pool.deallocate(p, 20, alignof(int));
            });
  keep(seen);
}

RACE_CASE(unsynchronized_pool_of_two_strands) {
  std::pmr::unsynchronized_pool_resource first, second;
  its.races_on(first);
  const auto use = [](std::pmr::memory_resource& pool) {
    auto* const p = static_cast<int*>(pool.allocate(20, alignof(int)));
    *p = 1;
    keep(*p);
    pool.deallocate(p, 20, alignof(int));
  };
  tine::par([&] { use(first); }, [&] { use(its.racy ? first : second); });
}

// One strand after the other uses the pool.
CLEAN_CASE(unsynchronized_pool_in_series) {
  std::pmr::unsynchronized_pool_resource pool;
  std::array<int*, 4> blocks{};
  for (int round = 0; round < 3; ++round) {
    for (int*& block : blocks) block = static_cast<int*>(pool.allocate(20, alignof(int)));
    tine::par_for(0, 4, [&](int i) { blocks[static_cast<std::size_t>(i)][4] = i; });
    for (int* const block : blocks) pool.deallocate(block, 20, alignof(int));
  }
}

}  // namespace
