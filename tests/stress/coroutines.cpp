// Random programs of coroutines, each compared with its serial elision: forks, calls, throws, handlers, scratch arrays,
// results that must be destroyed, managed forks and runs inside tasks, tasks that leave their worker and come back, and
// stop requests. Both must return the same value, or both must throw. No object is left alive, and every task ends as
// often as it begins.
//
// The time decides which of several exceptions is heard, and which tasks do not begin after an exception. So programs
// that throw are compared only by the fact that they throw, and handlers give a value that does not depend on the
// exception that they caught.
//
// Long form: a million random programs at 1, 2 and 8 workers each.
#include "census.hpp"
#include "command.hpp"
#include "settings.hpp"

#include <tine/coro.hpp>
#include <tine/stop.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <stop_token>
#include <utility>

namespace {

using namespace tine::stress;
using tine::task;

/// An element of a scratch array.
class slot {
 public:
  slot() { counts.alive.fetch_add(1, relaxed); }
  ~slot() { counts.alive.fetch_sub(1, relaxed); }
  slot(const slot&) = delete;
  slot& operator=(const slot&) = delete;
  long value = 0;
};

/// A request to stop that the nth task makes.
struct stop_request {
  std::stop_source source;
  std::atomic<long> tasks_left{0};
};
std::atomic<stop_request*> request{nullptr};

struct visit {
  visit() {
    counts.begun.fetch_add(1, relaxed);
    stop_request* const r = request.load(relaxed);
    if (r != nullptr && r->tasks_left.fetch_sub(1, relaxed) == 1) r->source.request_stop();
  }
  ~visit() { counts.ended.fetch_add(1, relaxed); }
};

/// The shape of a program. The number of a node alone decides what the node does.
struct shape {
  int rarity;  ///< one node in 2^rarity throws
  bool slow;   ///< some leaves take tens of microseconds
};

[[gnu::noinline]] void spend_time(std::uint64_t h, shape s) {
  std::uint64_t n = (h >> 40) & 1023;
  n = n > 1005 && s.slow ? n * 30 : n & 15;
  volatile double x = 1;
  for (std::uint64_t i = 0; i < n; ++i) x = x * 1.0000001 + 1e-9;
}

bool throws_here(std::uint64_t h, shape s) { return (mix(h ^ 99) & ((std::uint64_t{1} << s.rarity) - 1)) == 0; }
bool is_leaf(std::uint64_t h, int depth) { return depth <= 0 || ((h >> 20) & 7) == 0; }
long leaf_value(std::uint64_t h) { return static_cast<long>(h & 0xffff); }
constexpr std::uint64_t child(std::uint64_t h, unsigned i) { return mix(h + i * 0x1234567U + 1); }

/// The kinds of inner nodes.
enum class kind : unsigned { plain, owned, calls, array, managed, nested, guarded, pairs, moves, count };
kind kind_of(std::uint64_t h) { return static_cast<kind>((h >> 50) % static_cast<unsigned>(kind::count)); }
constexpr long handled = 4711;
unsigned width_of(std::uint64_t h) { return 1 + static_cast<unsigned>((h >> 30) & 3); }

// The serial elision.

long serial(std::uint64_t h, int depth, shape s);

long serial_inner(std::uint64_t h, int depth, shape s) {
  switch (kind_of(h)) {
    case kind::calls:
    case kind::array: {
      long sum = 0;
      for (unsigned i = 0; i < width_of(h); ++i) sum = fold(sum, serial(child(h, i), depth - 1, s));
      return sum;
    }
    case kind::guarded:
      try {
        const long a = serial(child(h, 0), depth - 1, s);
        return fold(a, serial(child(h, 1), depth - 2, s));
      } catch (const error&) {
        return fold(handled, serial(child(h, 2), depth - 2, {40, s.slow}));
      }
    case kind::pairs: {
      const long a = serial(child(h, 0), depth - 1, s);
      const long b = serial(child(h, 1), depth - 2, s);
      const long c = serial(child(h, 2), depth - 2, s);
      return fold(fold(a, b), serial(child(h, 3), c % 2 == 0 ? 1 : depth - 3, s));
    }
    case kind::plain:
    case kind::owned:
    case kind::managed:
    case kind::nested:
    case kind::moves:
    case kind::count:
      break;
  }
  const long a = serial(child(h, 0), depth - 1, s);
  return fold(a, serial(child(h, 1), depth - 1, s));
}

long serial(std::uint64_t h, int depth, shape s) {
  if (throws_here(h, s)) throw error{static_cast<long>(h)};
  return is_leaf(h, depth) ? leaf_value(h) : serial_inner(h, depth, s);
}

// The programs with tasks.

task<long> node(std::uint64_t h, int depth, shape s);

task<result> owned_node(std::uint64_t h, int depth, shape s, std::unique_ptr<std::uint64_t> same) {
  const visit v;
  if (*same != h) fail("an owning argument was damaged");
  co_return result{co_await tine::call(node, h, depth, s)};
}

task<> into_slot(slot& to, std::uint64_t h, int depth, shape s) {
  const visit v;
  to.value = co_await tine::call<node>(h, depth, s);
}

task<long> plain(std::uint64_t h, int depth, shape s) {
  const visit v;
  long a = 0;
  co_await tine::fork<node>(&a, child(h, 0), depth - 1, s);
  const long b = co_await tine::call(node, child(h, 1), depth - 1, s);
  co_await tine::join;
  co_return fold(a, b);
}

task<long> owned(std::uint64_t h, int depth, shape s) {
  const visit v;
  tine::eventually<result> a, b;
  co_await tine::fork(&a, owned_node, child(h, 0), depth - 1, s, std::make_unique<std::uint64_t>(child(h, 0)));
  co_await tine::fork(&b, owned_node, child(h, 1), depth - 1, s, std::make_unique<std::uint64_t>(child(h, 1)));
  spend_time(h, s);
  co_await tine::join;
  co_return fold(**a, **b);
}

task<long> calls(std::uint64_t h, int depth, shape s) {
  const visit v;
  long sum = 0;
  for (unsigned i = 0; i < width_of(h); ++i) {
    const result r =
        co_await tine::call(owned_node, child(h, i), depth - 1, s, std::make_unique<std::uint64_t>(child(h, i)));
    sum = fold(sum, *r);
  }
  co_return sum;
}

task<long> array(std::uint64_t h, int depth, shape s) {
  const visit v;
  auto slots = co_await tine::scratch<slot>(width_of(h));
  auto ballast = co_await tine::scratch<std::uint64_t>((h >> 8) & 255);
  for (std::uint64_t& word : ballast) word = h;
  for (unsigned i = 0; i < width_of(h); ++i) co_await tine::fork(into_slot, slots[i], child(h, i), depth - 1, s);
  co_await tine::join;
  long sum = 0;
  for (const slot& one : slots) sum = fold(sum, one.value);
  for (const std::uint64_t word : ballast) {
    if (word != h) fail("a scratch array was damaged");
  }
  co_return sum;
}

task<long> managed(std::uint64_t h, int depth, shape s) {
  const visit v;
  const auto branch = [=](unsigned i) { return tine::run(node, child(h, i), depth - 1, s); };
  auto [a, b] = tine::par([=] { return branch(0); }, [=] { return branch(1); });
  co_return fold(a, b);
}

task<long> nested(std::uint64_t h, int depth, shape s) {
  const visit v;
  tine::eventually<result> a;
  co_await tine::fork(&a, owned_node, child(h, 0), depth - 1, s, std::make_unique<std::uint64_t>(child(h, 0)));
  const long b = tine::run(node, child(h, 1), depth - 1, s);
  co_await tine::join;
  co_return fold(**a, b);
}

/// A call between a fork and its join may throw. After the handler the task joins first, so no fork is left open.
task<long> guarded(std::uint64_t h, int depth, shape s) {
  const visit v;
  bool caught = false;
  try {
    tine::eventually<result> a;
    co_await tine::fork(&a, owned_node, child(h, 0), depth - 1, s, std::make_unique<std::uint64_t>(child(h, 0)));
    const long b = co_await tine::call(node, child(h, 1), depth - 2, s);
    co_await tine::join;
    co_return fold(**a, b);
  } catch (const error& e) {
    if (!e.is_whole()) fail("a handled exception was damaged");
    caught = caught || e.is_whole();
  }
  try {
    co_await tine::join;  // joins the fork that was open when the call threw
  } catch (const error&) {
  }
  long after = 0;
  co_await tine::fork<node>(&after, child(h, 2), depth - 2, shape{40, s.slow});
  co_await tine::join;
  co_return fold(caught ? handled : 0, after);
}

task<long> pairs(std::uint64_t h, int depth, shape s) {
  const visit v;
  std::array<long, 4> r{};
  co_await tine::fork<node>(&r[0], child(h, 0), depth - 1, s);
  co_await tine::fork<node>(&r[1], child(h, 1), depth - 2, s);
  co_await tine::fork<node>(&r[2], child(h, 2), depth - 2, s);
  co_await tine::join;
  co_await tine::fork<node>(&r[3], child(h, 3), r[2] % 2 == 0 ? 1 : depth - 3, s);
  co_await tine::join;
  co_return fold(fold(r[0], r[1]), r[3]);
}

/// An awaiter that resumes the task on any idle worker.
struct elsewhere {
  bool await_ready() const noexcept { return false; }
  void await_suspend(tine::resumption r) const noexcept { r.resume(); }
  void await_resume() const noexcept {}
};

task<long> moves(std::uint64_t h, int depth, shape s) {
  const visit v;
  const tine::worker_ref here = tine::this_worker();
  if ((h >> 33) % 2 == 0) co_await elsewhere{};
  long a = 0;
  co_await tine::fork<node>(&a, child(h, 0), depth - 1, s);
  if ((h >> 34) % 2 == 0) co_await elsewhere{};
  const long b = co_await tine::call<node>(child(h, 1), depth - 1, s);
  if ((h >> 35) % 2 == 0) co_await tine::resume_on(here);
  co_await tine::join;
  co_await tine::resume_on(here);
  if (tine::this_worker() != here) fail("a task is not on the worker it asked for");
  co_return fold(a, b);
}

task<long> node(std::uint64_t h, int depth, shape s) {
  const visit v;
  spend_time(h, s);
  if (throws_here(h, s)) throw error{static_cast<long>(h)};
  if (is_leaf(h, depth)) co_return leaf_value(h);
  static constexpr std::array kinds{plain, owned, calls, array, managed, nested, guarded, pairs, moves};
  static_assert(kinds.size() == static_cast<std::size_t>(kind::count));
  co_return co_await tine::call(kinds[static_cast<std::size_t>(kind_of(h))], h, depth, s);
}

/// Returns a flag that tells if `f` threw, and the value.
template <class F>
std::pair<bool, long> outcome(F f) {
  try {
    return {false, f()};
  } catch (const error& e) {
    if (!e.is_whole()) fail("an exception was damaged");
    return {true, 0};
  }
}

void compare(tine::pool& p, std::uint64_t seed, int deepest, const char* setting) {
  const auto number = static_cast<unsigned long long>(seed);
  const int depth = 1 + static_cast<int>(mix(seed) % static_cast<unsigned>(deepest));
  const shape s{3 + static_cast<int>(mix(seed + 1) % 9), (mix(seed + 2) & 1) != 0};
  const std::uint64_t h = mix(seed * 77);
  const auto expected = outcome([=] { return serial(h, depth, s); });
  const auto found = outcome([&] { return p.run(node, h, depth, s); });
  if (found != expected) {
    fail("%s, seed %llu: %s %ld instead of %s %ld", setting, number, found.first ? "threw" : "gave", found.second,
         expected.first ? "throwing" : "giving", expected.second);
  }
  if (counts.begun.load() != counts.ended.load() || counts.alive.load() != 0) {
    fail("%s, seed %llu: %ld tasks begun, %ld ended, %ld objects left", setting, number, counts.begun.load(),
         counts.ended.load(), counts.alive.load());
  }
}

/// Plays a program that is asked to stop somewhere: it stops, or it had no fork left.
void stop(tine::pool& p, std::uint64_t seed, int deepest, const char* setting) {
  const int depth = 1 + static_cast<int>(mix(seed) % static_cast<unsigned>(deepest));
  const std::uint64_t h = mix(seed * 77);
  stop_request r;
  r.tasks_left.store(1 + static_cast<long>(mix(seed + 3) % 60));
  request.store(&r);
  try {
    const long found =
        p.run([&] { return tine::run_stoppable(r.source.get_token(), node, h, depth, shape{40, false}); });
    if (found != serial(h, depth, {40, false}))
      fail("%s, seed %llu, to be stopped: gave %ld", setting, static_cast<unsigned long long>(seed), found);
  } catch (const tine::stopped&) {
    if (!r.source.stop_requested()) fail("%s: stopped without a request", setting);
  }
  request.store(nullptr);
  if (counts.begun.load() != counts.ended.load() || counts.alive.load() != 0)
    fail("%s: a stop left something", setting);
}

void try_workers(unsigned workers, const command& c, watchdog& dog) {
  const long enough = c.is_long ? 1'000'000 : 1'600;
  const long programs = play(
      workers, c, dog, c.is_long ? 2'000 : 50, [&](long played) { return played < enough; },
      [](tine::pool& p, std::uint64_t seed, const char* name, int k) {
        compare(p, seed, 9, name);
        if (k % 4 == 0) stop(p, seed, 9, name);
      });
  std::printf("%u workers: %ld programs, all as in serial\n", workers, programs);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  watchdog dog{"coroutines"};
  if (c.workers != 0) {
    try_workers(c.workers, c, dog);
  } else {
    for (const unsigned workers : {1U, 2U, 8U}) try_workers(workers, c, dog);
  }
  return 0;
}
