// The memory that the stacks of a whole program take on P workers: libfork, Theorem 2. The test compares it with two
// figures of one worker: the stacklets that the worker holds, and the paper's M1, which counts frames and scratch only.
#include "unit/coro/stacklet_count.hpp"

#include <tine/coro.hpp>

#include <tine/detail/coro/segmented_stack.hpp>

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
  std::uint64_t ballast;  ///< upper bound of the bytes of scratch in a node
  long* frame = nullptr;  ///< receives the size of a node's frame, if the node is alone on its stack
};

unsigned children_of(std::uint64_t h) noexcept { return 1 + static_cast<unsigned>((h >> 20) & 3); }
std::uint64_t child_of(std::uint64_t h, unsigned i, unsigned children) noexcept {
  return mix(h + (i + 1 < children ? i : 3));
}

/// Returns the number of bytes in use on the newest stacklet of the strand.
long used() noexcept {
  const std::uintptr_t top = tine::detail::fiber_state::get<tine::detail::stack_top>();
  return static_cast<long>(top + tine::detail::fiber_state::get<tine::detail::stacklet_begin>());
}

/// Runs a node and its random children. Each has a scratch array of random size.
task<long> node(std::uint64_t h, int depth, tree t) {
  if (t.frame != nullptr) *t.frame = used();
  auto ballast = co_await tine::scratch<unsigned char>(mix(h) % t.ballast);
  std::fill(ballast.begin(), ballast.end(), static_cast<unsigned char>(h));
  if (depth == 0) {
    volatile double x = 1;
    for (std::uint64_t i = h % 64; i > 0; --i) x = x * 1.01;
    co_return 1;
  }
  std::array<long, 4> results{};
  const unsigned children = children_of(h);
  for (unsigned i = 0; i + 1 < children; ++i) {
    co_await tine::fork<node>(&results[i], child_of(h, i, children), depth - 1, t);
  }
  results[3] = co_await tine::call<node>(child_of(h, children - 1, children), depth - 1, t);
  co_await tine::join;
  long sum = 1;
  for (const long r : results) sum += r;
  co_return sum;
}

/// Returns the size of a node's frame, which is the same for every node.
long frame_bytes() {
  tine::pool p{{.workers = 1, .pin = tine::affinity::none}};
  long frame = 0;
  p.run(node, std::uint64_t{0}, 0, tree{0, 1, &frame});
  return frame;
}

/// Returns the paper's M1 (libfork, Definition 2): the largest sum of task sizes along a path from the root. The size
/// of a task is the size of its frame plus its scratch, without the overhead of stacklets.
long serial_bytes(std::uint64_t h, int depth, const tree& t, long frame) {
  const auto scratch = static_cast<long>((mix(h) % t.ballast + 15) & ~std::uint64_t{15});
  long below = 0;
  for (unsigned i = 0, n = children_of(h); depth > 0 && i < n; ++i) {
    below = std::max(below, serial_bytes(child_of(h, i, n), depth - 1, t, frame));
  }
  return frame + scratch + below;
}

struct measured {
  long nodes;
  long peak;
};

/// Measures a tree in a thread of its own, which has no spare stacks at first.
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

TEST_CASE("libfork, Theorem 2: P workers take at most (2c + 3) P M1") {
  const long c = sizeof(tine::detail::stacklet);
  const long first = tine::detail::segmented_stack::first_bytes;
  const long frame = frame_bytes();
  REQUIRE(frame > static_cast<long>(4 * sizeof(long)));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const tree t{5 + static_cast<int>(seed % 5), seed % 2 == 0 ? 200U : 3000U};
    const measured one = measure(seed, t, 1, promotion::on_demand());
    const long m1 = serial_bytes(mix(seed), t.depth, t, frame);
    CHECK(one.peak >= first);
    CHECK(one.peak > m1);  // the stacklets of one worker contain all that M1 counts
    for (const unsigned workers : {1U, 2U, 8U}) {
      for (const auto policy : {promotion::on_demand(0.2, 1000), promotion::eager()}) {
        const measured many = measure(seed, t, workers, policy);
        const long p = workers;
        CAPTURE(seed);
        CAPTURE(workers);
        CAPTURE(one.peak);
        CAPTURE(many.peak);
        CHECK(many.nodes == one.nodes);
        CAPTURE(m1);
        CHECK(many.peak <= (2 * c + 3) * p * one.peak);
        CHECK(many.peak <= (2 * c + 3) * p * m1);
        // Lemma 2 bounds the number of tasks on a path by M1 bytes, which is generous. By Lemma 1 alone, a path of n
        // tasks takes at most 2nc + 3 M1, where each task has a stack of its own. No stack of tine is shorter than
        // `first`, and every thread keeps two spare stacks.
        CHECK(many.peak <= p * ((t.depth + 3) * (2 * c + 3 * first) + 3 * m1));
        // This bound uses the stacklets of one worker in the place of M1.
        CHECK(many.peak <= p * ((t.depth + 4) * (first + 64) + 4 * one.peak));
      }
    }
  }
}

TEST_CASE("all stacks are released") { CHECK(stacklets.bytes() < 1 << 20); }
