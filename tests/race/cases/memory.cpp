// Life of memory: blocks of the heap, frames and slots of stacks, mapped pages, thread-local variables.
#include "../race_case.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <alloca.h>
#include <sys/mman.h>

namespace {

using race_test::keep;

constexpr int n = 50;

// Blocks of different strands come to lie at the same address, one after the other.
CLEAN_CASE(blocks_of_strands) {
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    const auto p = std::make_unique<int>(i);
    keep(*p);
    *p += 1;
    seen[static_cast<std::size_t>(i)] = *p;
  });
  keep(seen);
}

CLEAN_CASE(malloc_and_free_in_both_branches) {
  const auto use = [](std::size_t bytes) {
    auto* const p = static_cast<char*>(std::malloc(bytes));
    std::memset(p, 1, bytes);
    keep(*p);
    std::free(p);
  };
  tine::par([&] { use(100); }, [&] { use(100); }, [&] { use(5'000'000); }, [&] { use(5'000'000); });
}

RACE_CASE(free_beside_a_use) {
  auto* const p = static_cast<int*>(std::calloc(8, sizeof(int)));
  int seen = 0;
  its.races_in(p, 8 * sizeof(int));
  tine::par([&] { seen = p[3]; },
            [&] {
              if (its.racy) std::free(p);
            });
  if (!its.racy) std::free(p);
  keep(seen);
}

// The serial order uses the block after its end; the read itself is harmless here, because the allocator keeps the
// block mapped.
RACE_CASE(delete_beside_a_write) {
  auto* const p = new std::array<long, 4>{};
  its.races_on(*p);
  tine::par([&] { (*p)[1] = 1; },
            [&] {
              if (its.racy) delete p;
            });
  if (!its.racy) delete p;
}

struct shape {
  virtual ~shape() = default;
  virtual int size() const { return 1; }
};
struct box : shape {
  int side = 2;
  int size() const override { return side; }
};

// A virtual call reads the object, which the end of the object frees.
RACE_CASE(destructor_beside_a_virtual_call) {
  auto a = std::make_unique<box>();
  const auto b = std::make_unique<box>();
  shape* used = its.racy ? a.get() : b.get();
  keep(used);
  int size = 0;
  its.races_on(*a);
  its.races_on(a);
  tine::par([&] { size = used->size(); }, [&] { a = nullptr; });
  keep(size);
}

// realloc reads the old block.
RACE_CASE(realloc_beside_a_write) {
  auto* const p = static_cast<int*>(std::malloc(16 * sizeof(int)));
  std::memset(p, 0, 16 * sizeof(int));
  int* q = nullptr;
  int other = 0;
  its.races_in(p, 16 * sizeof(int));
  tine::par([&] { (its.racy ? p[2] : other) = 1; }, [&] { q = static_cast<int*>(std::realloc(p, 4'000)); });
  keep(*q);
  std::free(q);
}

CLEAN_CASE(realloc_in_series) {
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    auto* p = static_cast<int*>(std::malloc(sizeof(int)));
    for (int k = 1; k <= i; ++k) {
      p = static_cast<int*>(std::realloc(p, static_cast<std::size_t>(k) * sizeof(int)));
      p[k - 1] = k;
    }
    if (i > 0) seen[static_cast<std::size_t>(i)] = p[i - 1];
    std::free(p);
  });
  keep(seen);
}

// The parent frees what a branch has made, and makes another block at the same place.
CLEAN_CASE(block_made_in_a_branch_and_freed_after_the_join) {
  std::array<int*, 4> blocks{};
  for (int round = 0; round < 3; ++round) {
    tine::par_for(0, 4, [&](int i) { blocks[static_cast<std::size_t>(i)] = new int{i}; });
    tine::par_for(0, 4, [&](int i) { ++*blocks[static_cast<std::size_t>(3 - i)]; });
    for (int* const p : blocks) delete p;
  }
}

CLEAN_CASE(aligned_blocks) {
  struct alignas(64) line {
    std::array<long, 8> of;
  };
  tine::par_for(0, n, [&](int i) {
    const auto p = std::make_unique<line>();
    p->of[7] = i;
    keep(*p);
  });
}

// Branches that are inlined into the same function share the slots of its frame.
CLEAN_CASE(slots_of_inlined_branches) {
  int first = 0, second = 0, third = 0;
  tine::par(
      [&] {
        std::array<int, 8> local{};
        keep(local);
        first = local[1] + 1;
      },
      [&] {
        std::array<int, 8> local{};
        keep(local);
        local[1] += 2;
        second = local[1];
      },
      [&] {
        std::array<int, 8> local{};
        keep(local);
        local[1] += 3;
        third = local[1];
      });
  keep(first);
  keep(second);
  keep(third);
}

// Local variables of an iteration, of which pointers are given to functions and to inner forks.
CLEAN_CASE(locals_of_iterations_with_inner_forks) {
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    std::array<int, 4> local{};
    tine::par_for(0, 4, [&](int k) { local[static_cast<std::size_t>(k)] = i + k; });
    int sum = 0;
    tine::par([&] { sum = local[0] + local[3]; }, [&] { keep(i); });
    seen[static_cast<std::size_t>(i)] = sum;
  });
  keep(seen);
}

CLEAN_CASE(memory_of_alloca) {
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    auto* const p = static_cast<int*>(alloca(static_cast<std::size_t>(i + 1) * sizeof(int)));
    for (int k = 0; k <= i; ++k) p[k] = k;
    keep(*p);
    seen[static_cast<std::size_t>(i)] = p[i];
  });
  keep(seen);
}

RACE_CASE(mapped_pages) {
  void* const pages = ::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const a = static_cast<int*>(pages);
  its.races_on(a[1500]);
  tine::par([&] { a[1500] = 1; }, [&] { a[its.racy ? 1500 : 1501] = 2; });
  ::munmap(pages, 8192);
}

// Strands that map and unmap pages of their own get the same addresses.
CLEAN_CASE(mapped_pages_of_strands) {
  tine::par_for(0, 10, [&](int i) {
    void* const pages = ::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static_cast<int*>(pages)[1500] = i;
    ::munmap(pages, 8192);
  });
}

thread_local int of_thread = 0;

// Both strands may run on one thread, and then share the variable.
RACE_CASE(thread_local_variable) {
  its.races_on(of_thread);
  tine::par([&] { of_thread = 1; },
            [&] {
              if (its.racy) of_thread = 2;
            });
}

// Objects of the heap that pass from one branch to the parent, and from there to another branch.
CLEAN_CASE(results_that_own_memory) {
  using vector = std::vector<int>;
  auto [a, b] = tine::par([] { return vector(100, 1); }, [] { return vector(100, 2); });
  tine::par([&] { a.push_back(3); }, [&] { b.clear(); });
  vector c = tine::par([x = std::move(a)] { return x; }, [y = std::move(b)] { return y; },
                       [](vector x, vector y) {
                         x.insert(x.end(), y.begin(), y.end());
                         return x;
                       });
  keep(c);
}

// An arena of the program: a block is used for objects of different strands, one after the other, without malloc in
// between.
RACE_CASE(object_made_in_place_of_another_one) {
  alignas(8) std::array<std::byte, 16> arena{};
  its.races_on(arena);
  tine::par([&] { keep(*::new (arena.data()) long{1}); },
            [&] { keep(*::new (arena.data() + (its.racy ? 0 : 8)) long{2}); });
}

}  // namespace
