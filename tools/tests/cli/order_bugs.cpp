// Twenty programs with an error in the order of their strands, for perturb_test.py: order_bugs N. Each is right in
// serial order. The exit code is 1 if the error showed; two of them hang instead.
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

bool failed = false;
void require(bool holds) {
  if (!holds) failed = true;
}

/// A place at which other strands may come in between.
void point() {
  tine::par([] {}, [] {});
}

tine::task<void> async_nothing() { co_return; }
tine::task<void> async_point() {
  co_await tine::fork(async_nothing);
  co_await tine::call(async_nothing);
  co_await tine::join;
}

// --- order between two branches ----------------------------------------------------------------------------------

int published = 0;
void publication() {
  tine::par([] { published = 1; }, [] { require(published == 1); });
}

int balance = 0;
void deposit() {
  const int read = balance;
  point();
  balance = read + 1;
}
void lost_update() {
  tine::par(deposit, deposit);
  require(balance == 2);
}

bool is_alive = true;
void use_after_end() {
  tine::par(
      [] {
        point();
        require(is_alive);
      },
      [] { is_alive = false; });
}

int initialisations = 0;
bool is_initialised = false;
void initialise() {
  if (is_initialised) return;
  point();
  ++initialisations;
  is_initialised = true;
}
void double_initialisation() {
  tine::par(initialise, initialise);
  require(initialisations == 1);
}

bool has_committed = false;
void commit_before_failure() {
  try {
    tine::par(
        [] {
          point();
          throw std::runtime_error{"no"};
        },
        [] { has_committed = true; });
  } catch (const std::runtime_error&) {
  }
  require(!has_committed);
}

/// A list of free indices, whose pop reads the next index before it takes the first one.
struct free_list {
  int head = 0, next[3] = {1, 2, -1}, users[3] = {0, 0, 0};
  int pop(bool slowly) {
    const int taken = head;
    const int after = next[taken];
    if (slowly) point();
    if (head == taken) head = after;
    ++users[taken];
    return taken;
  }
  void push(int i) {
    --users[i];
    next[i] = head;
    head = i;
  }
};
free_list indices;
void aba() {
  tine::par([] { indices.pop(true); },
            [] {
              const int a = indices.pop(false);
              indices.pop(false);
              indices.push(a);
            });
  for (int i = 0; i < 3 && indices.head >= 0; ++i) {
    require(indices.users[indices.head] == 0);
    indices.head = indices.next[indices.head];
  }
}

int produced = 0, consumed = 0;
void early_consumer() {
  tine::par(
      [] {
        for (int i = 0; i < 3; ++i) {
          point();
          ++produced;
        }
      },
      [] {
        for (int i = 0; i < 3; ++i) {
          require(consumed < produced);
          ++consumed;
        }
      });
}

// --- trees -------------------------------------------------------------------------------------------------------

int next_leaf = 0;
void visit(int first, int count) {
  if (count == 1) return require(next_leaf++ == first);
  tine::par([=] { visit(first, count / 2); }, [=] { visit(first + count / 2, count - count / 2); });
}
void order_of_leaves() { visit(0, 8); }

int depth = 0;
void descend(int level) {
  require(depth == level);
  if (level == 3) return;
  ++depth;
  tine::par([=] { descend(level + 1); }, [=] { descend(level + 1); });
  --depth;
}
void shared_depth() { descend(0); }

// --- loops -------------------------------------------------------------------------------------------------------

int last_seen = -1;
void order_of_iterations() {
  tine::par_for(0, 64, [](int i) {
    require(last_seen < i);
    last_seen = i;
  });
}

int chain[64];
void carried_dependence() {
  tine::par_for(0, 64, [](int i) { chain[i] = i == 0 ? 1 : chain[i - 1] + 1; });
  require(chain[63] == 64);
}

std::vector<int> buffer;
void first_iteration_allocates() {
  tine::par_for(0, 64, [](int i) {
    if (i == 0) buffer.resize(64);
    require(!buffer.empty());
  });
}

int sum = 0, total = 0;
void last_iteration_publishes() {
  tine::par_for(0, 64, [](int i) {
    sum += i;
    if (i == 63) total = sum;
  });
  require(total == 63 * 32);
}

thread_local int block_sum = 0;
[[gnu::noinline]] int& sum_of_block() { return block_sum; }
void thread_local_block() {
  tine::par_for(0, 64, [](int i) {
    int& s = sum_of_block();
    if (i % 16 == 0) s = 0;
    s += i;
    if (i % 16 == 15) require(s == 16 * (i - 15) + 120);
  });
}

// --- threads -----------------------------------------------------------------------------------------------------

thread_local int cached = 0;
[[gnu::noinline]] int& cache() { return cached; }
void thread_local_cache() {
  tine::par([] { cache() = 7; }, [] { require(cache() == 7); });
}

// --- coroutines --------------------------------------------------------------------------------------------------

int child_result = 0;
tine::task<void> child() {
  child_result = 1;
  co_return;
}
tine::task<void> reads_before_join() {
  co_await tine::fork(child);
  require(child_result == 1);
  co_await tine::join;
}
void coroutine_reads_early() { tine::run(reads_before_join); }

tine::task<void> async_deposit() {
  const int read = balance;
  co_await tine::call(async_point);
  balance = read + 1;
}
tine::task<void> two_deposits() {
  co_await tine::fork(async_deposit);
  co_await tine::call(async_deposit);
  co_await tine::join;
}
void coroutine_lost_update() {
  tine::run(two_deposits);
  require(balance == 2);
}

tine::task<void> expect_turn(int k) {
  require(next_leaf++ == k);
  co_return;
}
tine::task<void> fan() {
  for (int i = 0; i < 6; ++i) co_await tine::fork(expect_turn, i);
  co_await tine::join;
}
void coroutine_order() { tine::run(fan); }

// --- locks, which hang -------------------------------------------------------------------------------------------

template <class Mutex>
struct two_locks {
  Mutex a, b;
  static void take(Mutex& first, Mutex& second) {
    const std::lock_guard outer{first};
    point();
    const std::lock_guard inner{second};
  }
  void run() {
    tine::par([&] { take(a, b); }, [&] { take(b, a); });
  }
};
two_locks<tine::mutex> suspending;
two_locks<std::mutex> blocking;
void lock_order() { suspending.run(); }
void lock_order_of_threads() { blocking.run(); }

using program = void (*)();
constexpr program programs[] = {publication,
                                lost_update,
                                use_after_end,
                                double_initialisation,
                                commit_before_failure,
                                aba,
                                early_consumer,
                                order_of_leaves,
                                shared_depth,
                                order_of_iterations,
                                carried_dependence,
                                first_iteration_allocates,
                                last_iteration_publishes,
                                thread_local_block,
                                thread_local_cache,
                                coroutine_reads_early,
                                coroutine_lost_update,
                                coroutine_order,
                                lock_order,
                                lock_order_of_threads};
static_assert(std::size(programs) == 20);

}  // namespace

int main(int argc, char** argv) {
  const int chosen = argc > 1 ? std::atoi(argv[1]) : -1;
  if (chosen < 0 || chosen >= static_cast<int>(std::size(programs))) return 2;
  tine::pool workers{{.workers = 4, .pin = tine::affinity::none}};
  workers.run([=] { programs[chosen](); });
  if (failed) std::fprintf(stderr, "program %d: the order is wrong\n", chosen);
  return failed ? 1 : 0;
}
