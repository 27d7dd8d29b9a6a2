// How much memory the stacks of a whole program take on P workers: libfork, Theorem 2.
#include "unit/coro/stacklet_count.hpp"

#include <tine/coro.hpp>

#include <tine/coro/segmented_stack.hpp>

#include <malloc.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace tine::test {
stacklet_count stacklets;
}

extern "C" {
void* __real_malloc(std::size_t bytes);
void __real_free(void* p);

void* __wrap_malloc(std::size_t bytes) {
  void* p = __real_malloc(bytes);
  if (p != nullptr) tine::test::stacklets.add(static_cast<long>(malloc_usable_size(p)));
  return p;
}
void __wrap_free(void* p) {
  if (p != nullptr) tine::test::stacklets.remove(static_cast<long>(malloc_usable_size(p)));
  __real_free(p);
}
}

namespace {

using tine::promotion;
using tine::task;
using tine::test::stacklets;

constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

struct tree {
  int depth;
  std::uint64_t ballast;  ///< bytes of scratch in a node, at most
};

/// A node and its random children, each with a stack frame of random size.
task<long> node(std::uint64_t h, int depth, tree t) {
  auto ballast = co_await tine::scratch<unsigned char>(mix(h) % t.ballast);
  std::fill(ballast.begin(), ballast.end(), static_cast<unsigned char>(h));
  if (depth == 0) {
    volatile double x = 1;
    for (std::uint64_t i = h % 64; i > 0; --i) x = x * 1.01;
    co_return 1;
  }
  std::array<long, 4> results{};
  const unsigned children = 1 + static_cast<unsigned>((h >> 20) & 3);
  for (unsigned i = 0; i + 1 < children; ++i) co_await tine::fork<node>(&results[i], mix(h + i), depth - 1, t);
  results[3] = co_await tine::call<node>(mix(h + 3), depth - 1, t);
  co_await tine::join;
  long sum = 1;
  for (const long r : results) sum += r;
  co_return sum;
}

struct measured {
  long nodes;
  long peak;
};

/// In a thread of its own, so that no spare stacks are there at first.
measured measure(std::uint64_t seed, tree t, unsigned workers, promotion policy) {
  measured m{};
  std::thread{[&] {
    const long before = stacklets.bytes();
    tine::pool p{{.workers = workers, .promote = policy, .pin = tine::affinity::none}};
    stacklets.forget_peak();
    for (int i = 0; i < 3; ++i) m.nodes += p.run(node, mix(seed), t.depth, t);
    m.peak = stacklets.peak() - before;
  }}.join();
  return m;
}

}  // namespace

TEST_CASE("libfork, Theorem 2: P workers take at most (2c + 3) P times the memory of one") {
  const long c = sizeof(tine::detail::stacklet);
  const long first = tine::detail::segmented_stack::first_bytes;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const tree t{5 + static_cast<int>(seed % 5), seed % 2 == 0 ? 200U : 3000U};
    const measured one = measure(seed, t, 1, promotion::on_demand());
    CHECK(one.peak >= first);
    for (const unsigned workers : {1U, 2U, 8U}) {
      for (const auto policy : {promotion::on_demand(0.2, 1000), promotion::eager()}) {
        const measured many = measure(seed, t, workers, policy);
        const long p = workers;
        CAPTURE(seed);
        CAPTURE(workers);
        CAPTURE(one.peak);
        CAPTURE(many.peak);
        CHECK(many.nodes == one.nodes);
        CHECK(many.peak <= (2 * c + 3) * p * one.peak);
        // The theorem's factor is generous. On each worker's path every node may have a stack of its own, of which none
        // is smaller than `first`; and every thread keeps two spare ones.
        CHECK(many.peak <= p * ((t.depth + 4) * (first + 64) + 4 * one.peak));
      }
    }
  }
}

TEST_CASE("all stacks are given back") { CHECK(stacklets.bytes() < 1 << 20); }
