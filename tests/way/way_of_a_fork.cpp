// Makes one fork whose second branch is stolen, and prints the offsets in this program of all functions that the two
// workers enter from the moment at which the owner waits for a work request until the fork returns: `way_of_a_fork
// finished` (the thief ends before the owner comes to the join) or `way_of_a_fork suspended` (the owner comes first).
#include "entered.hpp"

#include <tine/detail/sched/hot_words.hpp>
#include <tine/tine.hpp>

#include <dlfcn.h>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#define TINE_UNCOUNTED __attribute__((no_instrument_function))

// Its members would otherwise be looked for in the standard library, which has none that call the hook.
template class std::allocator<char>;

namespace {

std::atomic<bool> began{false};

TINE_UNCOUNTED void spin(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Makes the fork. `counted`: collects the functions.
TINE_UNCOUNTED void fork(bool owner_waits, bool counted) {
  spin(std::chrono::milliseconds{2});  // meanwhile the other worker begins to look for work
  began = false;
  const auto* const limit = &tine::sched::hot::words().limit;
  if (counted) way::begin_entered();
  while (__atomic_load_n(reinterpret_cast<void* const*>(limit), __ATOMIC_RELAXED) != nullptr) {
  }
  const auto first = [=]() TINE_UNCOUNTED {
    while (!began) {
    }
    if (!owner_waits) spin(std::chrono::milliseconds{2});
    return 1;
  };
  const auto second = [=]() TINE_UNCOUNTED {
    began = true;
    if (owner_waits) spin(std::chrono::milliseconds{10});
    return 2;
  };
  const int both = tine::par(first, second, [](int a, int b) TINE_UNCOUNTED { return a + b; });
  way::end_entered();
  if (both != 3) std::abort();
}

/// Returns the functions of the attempt that entered the fewest: an interruption by the system brings signals, or a
/// search that takes longer.
TINE_UNCOUNTED std::vector<void*> fewest(bool owner_waits) {
  std::vector<void*> best;
  for (int good = 0, attempt = 0; good < 5 && attempt < 200; ++attempt) {
    tine::pool p{{.workers = 2, .idle = tine::idle_policy::busy}};
    for (int i = 0; i < 3; ++i) p.run([=]() TINE_UNCOUNTED { fork(owner_waits, false); });
    const tine::counters before = p.counters();
    p.run([=]() TINE_UNCOUNTED { fork(owner_waits, true); });
    const tine::counters after = p.counters();
    if (after.steals != before.steals + 1 || after.signals != before.signals ||
        after.suspensions != before.suspensions + (owner_waits ? 1 : 0))
      continue;
    ++good;
    std::vector<void*> now = way::entered();
    if (best.empty() || now.size() < best.size()) best = std::move(now);
  }
  return best;
}

}  // namespace

TINE_UNCOUNTED int main(int, char** words) {
  Dl_info here;
  dladdr(reinterpret_cast<void*>(&fewest), &here);
  for (void* f : fewest(std::string_view{words[1]} == "suspended")) {
    std::printf("%#zx\n", static_cast<std::size_t>(static_cast<char*>(f) - static_cast<char*>(here.dli_fbase)));
  }
}
