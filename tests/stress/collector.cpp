// Random forks and loops that build linked objects in the collected heap while other workers collect: every object is
// held only by strands until its parent has it, and every sum is that of an oracle, which computes without memory. A
// thread collects all the time. Some rounds let several callers enter the pool at once, and some enter a second pool.
//
// Long form: 20,000 rounds at 1, 2, 8 and 32 workers each.
#include "command.hpp"
#include "ml/runtime/ml.h"
#include "settings.hpp"

#include <tine/detail/base/macros.hpp>

#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <thread>

#include <gc/gc.h>

namespace {

using namespace tine::stress;

constexpr std::int64_t cells = 5;

struct node {
  node* left;
  node* right;
  std::int64_t* numbers;  // two, in an allocation of numbers
  node** many;            // of a loop; an array with `count` nodes
  std::int64_t count;
};
static_assert(sizeof(node) == cells * 8);

enum class kind : unsigned char { leaf, fork, second_alone, loop };

kind kind_of(std::uint64_t h, int depth) {
  if (depth == 0) return kind::leaf;
  return h % 11 == 0 ? kind::leaf : h % 7 == 0 ? kind::loop : h % 5 == 0 ? kind::second_alone : kind::fork;
}

std::int64_t children(std::uint64_t h) { return static_cast<std::int64_t>(mix(h) % 12); }

/// The sum of the tree without the tree.
std::uint64_t expected(std::uint64_t h, int depth) {
  std::uint64_t sum = h;
  switch (kind_of(h, depth)) {
    case kind::leaf:
      return sum;
    case kind::fork:
      return sum + expected(mix(h), depth - 1) * 3 + expected(mix(h + 1), depth - 1) * 5;
    case kind::second_alone:
      return sum + expected(mix(h + 1), depth - 1) * 5;
    case kind::loop:
      for (std::int64_t i = 0; i < children(h); ++i)
        sum += expected(mix(h + static_cast<std::uint64_t>(i)), depth / 3) * static_cast<std::uint64_t>(i);
      return sum;
  }
  return 0;
}

node* new_node(std::uint64_t h) {
  auto* const n = static_cast<node*>(tine_ml_allocate(cells));
  n->numbers = static_cast<std::int64_t*>(tine_ml_allocate_numbers(2));
  n->numbers[1] = static_cast<std::int64_t>(h);
  return n;
}

// NOLINTBEGIN(misc-no-recursion)
node* build(std::uint64_t h, int depth) {
  node* const n = new_node(h);
  switch (kind_of(h, depth)) {
    case kind::leaf:
      break;
    case kind::fork: {
      auto [left, right] =
          tine::par([=] { return build(mix(h), depth - 1); }, [=] { return build(mix(h + 1), depth - 1); });
      n->left = left;
      n->right = right;
      break;
    }
    case kind::second_alone:  // the closure, with the node in it, is in the record alone
      tine::par([] { tine_ml_allocate(40); },
                [n, h, depth, a = h, b = h, c = h] {
                  n->right = build(mix(h + 1), depth - 1);
                  n->numbers[0] = static_cast<std::int64_t>(a ^ b ^ c);
                });
      break;
    case kind::loop: {
      n->count = children(h);
      n->many = static_cast<node**>(tine_ml_allocate(n->count));
      tine::par_for(std::int64_t{0}, n->count,
                    [=](std::int64_t i) { n->many[i] = build(mix(h + static_cast<std::uint64_t>(i)), depth / 3); });
      break;
    }
  }
  return n;
}

std::uint64_t found(const node* n) {
  if (n == nullptr) return 0;
  auto sum = static_cast<std::uint64_t>(n->numbers[1]);
  auto [left, right] = tine::par([=] { return found(n->left); }, [=] { return found(n->right); });
  sum += left * 3 + right * 5;
  for (std::int64_t i = 0; i < n->count; ++i) sum += found(n->many[i]) * static_cast<std::uint64_t>(i);
  return sum;
}
// NOLINTEND(misc-no-recursion)

void build_and_compare(std::uint64_t h, const char* setting, std::uint64_t seed) {
  const int depth = static_cast<int>(5 + h % 9);
  node* const tree = build(h, depth);
  const std::uint64_t sum = found(tree), right = expected(h, depth);
  if (sum != right) {
    fail("%s, seed %llu: the sum of a tree is %llx instead of %llx", setting, static_cast<unsigned long long>(seed),
         static_cast<unsigned long long>(sum), static_cast<unsigned long long>(right));
  }
}

void compare(tine::pool& p, std::uint64_t seed, const char* setting) {
  const std::uint64_t h = mix(seed);
  const auto round = [=, &p] { p.run([=] { build_and_compare(h, setting, seed); }); };
  if (h % 8 == 1) {
    std::thread other{[=, &p] { p.run([=] { build_and_compare(mix(h), setting, seed); }); }};
    round();
    other.join();
  } else if (h % 8 == 2) {
    tine::pool inner{{.workers = 2, .stack_bytes = 256 << 10}};
    p.run([&] {
      node* const outer = build(h, 6);
      inner.run([=] { build_and_compare(mix(h), setting, seed); });
      if (found(outer) != expected(h, 6)) fail("%s: the tree of an outer pool is lost", setting);
    });
  } else {
    round();
  }
}

void try_workers(unsigned workers, const command& c, watchdog& dog) {
  constexpr bool slow = TINE_ASAN != 0;
  const long enough = c.is_long ? 20'000 : slow ? 100 : 800;
  const long rounds = play(
      workers, c, dog, c.is_long ? 1000 : 20, [&](long played) { return played < enough; },
      [](tine::pool& p, std::uint64_t seed, const char* name, int) { compare(p, seed, name); });
  std::printf("%u workers: %ld rounds, %zu collections, heap of %zu MiB\n", workers, rounds,
              static_cast<std::size_t>(GC_get_gc_no()), GC_get_heap_size() >> 20);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  tine_ml_start();
  std::atomic<bool> over{false};
  std::thread collects{[&] {
    tine_ml_allocate(1);  // so that the collector knows the thread
    for (; !over; usleep(100)) GC_gcollect();
  }};
  watchdog dog{"collector"};
  if (c.workers != 0) {
    try_workers(c.workers, c, dog);
  } else {
    for (const unsigned workers : {1U, 2U, 8U, 32U}) try_workers(workers, c, dog);
  }
  over = true;
  collects.join();
  return 0;
}
