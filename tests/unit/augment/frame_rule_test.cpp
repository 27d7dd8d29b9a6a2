// Steps from frame to frame, beside libgcc's: through frames of each kind that compilers make.
#include "augment/frame_rule.hpp"

#include <tine/tine.hpp>

#include <unwind.h>
#include <doctest/doctest.h>

#include <alloca.h>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

using namespace tine::detail;
using addresses = std::vector<std::uintptr_t>;

constexpr std::size_t most = 100;

/// Returns the return addresses above the caller of this function, by our rules.
[[gnu::noinline]] addresses by_rules() {
  addresses found;
  calling_frame f = frame_here();
  while (found.size() < most && f.pc != 0 && step(f, rule_for(f.pc)) && f.pc != 0) found.push_back(f.pc);
  return found;
}

/// Returns those addresses by libgcc, whose first one is in this function.
[[gnu::noinline]] addresses by_libgcc() {
  addresses found;
  _Unwind_Backtrace(
      [](_Unwind_Context* at, void* to) {
        auto& all = *static_cast<addresses*>(to);
        all.push_back(_Unwind_GetIP(at));
        return all.size() <= most && all.back() != 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &found);
  while (!found.empty() && found.back() == 0) found.pop_back();
  found.erase(found.begin());
  return found;
}

/// Checks that ours are the first of libgcc's, at least `depth` of them. Both calls return to other places in here.
[[gnu::noinline]] void compare(std::size_t depth) {
  addresses ours = by_rules(), theirs = by_libgcc();
  REQUIRE(ours.size() > depth);
  REQUIRE(theirs.size() >= ours.size());
  theirs.resize(ours.size());
  ours.erase(ours.begin());
  theirs.erase(theirs.begin());
  CHECK(ours == theirs);
}

// Nothing may end in a tail call, so each function does something behind its call.
thread_local volatile long sink = 0;

[[gnu::noinline]] void plain(std::size_t depth) {
  compare(depth + 1);
  sink = 1;
}
[[gnu::noinline]] void large(std::size_t depth) {
  volatile char local[5'000];
  local[depth] = 1;
  plain(depth + 1);
  sink = local[depth];
}
[[gnu::noinline]] void dynamic(std::size_t depth) {
  auto* const local = static_cast<volatile char*>(alloca(100 * (depth + 1)));
  local[0] = 1;
  large(depth + 1);
  sink = local[0];
}
[[gnu::noinline]] void aligned(std::size_t depth) {
  alignas(64) volatile char local[64];
  local[0] = 1;
  dynamic(depth + 1);
  sink = local[0];
}
/// An aligned frame of unknown size: g++ then finds the caller's frame through a word of its own.
[[gnu::noinline]] void aligned_and_dynamic(std::size_t depth) {
  alignas(64) volatile char local[64];
  auto* const more = static_cast<volatile char*>(alloca(100 * (depth + 1)));
  local[0] = 1;
  more[0] = 1;
  aligned(depth + 1);
  sink = local[0] + more[0];
}
[[gnu::noinline]] long with_registers(std::size_t depth, long a, long b, long c, long d, long e) {
  aligned_and_dynamic(depth + 1);
  return a * b + c * d + e + sink;
}
[[gnu::noinline]] void recursive(std::size_t depth, int levels) {
  if (levels == 0) {
    sink = with_registers(depth + 1, sink, 2, sink, 4, sink);
  } else {
    recursive(depth + 1, levels - 1);
  }
  sink = levels;
}

TEST_CASE("our rules lead to the same callers as libgcc's") {
  recursive(0, 0);
  recursive(0, 20);
  const std::function<void()> erased = [] {
    try {
      recursive(1, 3);
    } catch (int) {
      sink = 2;
    }
  };
  erased();
}

TEST_CASE("the frames of forks are stepped over, and a fiber's first frame ends the walk") {
  tine::pool p{{.workers = 2}};
  p.run([] {
    tine::par([] { recursive(1, 3); }, [] { recursive(1, 3); });
    tine::par_for(0, 4, [](int) { recursive(1, 3); });
  });
}

TEST_CASE("code without unwind tables has no rule") {
  CHECK(rule_for(16).base == frame_rule::from::unknown);
  CHECK(rule_for(tine::base::to_word(&sink)).base == frame_rule::from::unknown);
  calling_frame f{16, 0, 0};
  CHECK_FALSE(step(f, frame_rule{}));
}

}  // namespace
