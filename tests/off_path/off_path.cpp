// Runs forks and loops that are not observed, and forks in a recorded or observed region, for callgrind to count their
// instructions: `off_path CONSTRUCT N`. Callgrind counts only the instructions of `measured`, and not those of `wait`.
#include <tine/augment.hpp>
#include <tine/augment/phase.hpp>
#include <tine/base/ticks.hpp>
#include <tine/c.h>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

[[gnu::noinline]] long fork(long n) {
  if (n < 2) return n;
  return tine::par([=] { return fork(n - 1); }, [=] { return fork(n - 2); }, [](long a, long b) { return a + b; });
}

[[gnu::noinline]] long pair(long n) {
  if (n < 2) return n;
  auto [a, b] = tine::par([=] { return pair(n - 1); }, [=] { return pair(n - 2); });
  return a + b;
}

tine::task<long> coroutine(long n) {
  if (n < 2) co_return n;
  long a;
  co_await tine::fork<coroutine>(&a, n - 1);
  const long b = co_await tine::call<coroutine>(n - 2);
  co_await tine::join;
  co_return a + b;
}

[[gnu::noinline]] long short_loop(long n) {
  long x[4] = {};
  for (long i = 0; i < n; ++i) tine::par_for(0, 3, [&x](int j) { x[j] += 1; });
  return x[0];
}

[[gnu::noinline]] long group(long n) {
  if (n < 2) return n;
  long a = 0;
  tine::task_group g;
  g.run([&a, n] { a = group(n - 1); });
  const long b = group(n - 2);
  g.wait();
  return a + b;
}

[[gnu::noinline]] long group_task(long n) {
  long sum = 0;
  tine::task_group g;
  for (long i = 0; i < n; ++i) g.run([&sum] { ++sum; });
  g.wait();
  return sum;
}

struct number {
  long n, result;
};

[[gnu::noinline]] int c_fork(void* data) {
  number& x = *static_cast<number*>(data);
  if (x.n < 2) return x.result = x.n, 0;
  number a{x.n - 1, 0}, b{x.n - 2, 0};
  const int status = tine_par2(c_fork, &a, c_fork, &b);
  x.result = a.result + b.result;
  return status;
}

[[gnu::noinline]] long c_loop(long n) {
  long x[4] = {};
  const tine_iteration body = [](void* numbers, std::int64_t j) { return ++static_cast<long*>(numbers)[j], 0; };
  for (long i = 0; i < n; ++i) tine_par_for(0, 3, body, x);
  return x[0];
}

[[gnu::noinline]] long phases(long n) {
  long x = 0;
  for (long i = 0; i < n; ++i) {
    const tine::phase named{"a phase"};
    asm volatile("" : "+r"(x));
  }
  return x;
}

}  // namespace

// Takes longer than a chunk ought to take, so that the loop keeps the length of its chunks: one iteration each.
extern "C" [[gnu::noinline]] void wait() {
  const tine::base::ticks until = tine::base::now() + 100'000;
  while (tine::base::now() < until) {
  }
}

namespace {

[[gnu::noinline]] long chunk(long n) {
  tine::par_for(0L, n, [](long) { wait(); });
  return n;
}

/// The first `columns` columns of a board with ten rows, one queen in each.
struct board {
  signed char row[10];
};

bool is_peaceful(const board& b, int column, int row) {
  for (int i = 0; i != column; ++i) {
    if (b.row[i] == row || b.row[i] - row == column - i || row - b.row[i] == column - i) return false;
  }
  return true;
}

/// Counts the ways to place queens in the next columns. Each call has one loop. Rows beyond the board take no time, so a
/// call with many of them lets the loop learn that ten iterations are few.
[[gnu::noinline]] long queens(const board& b, int column, int columns, int rows = 10) {
  if (column == columns) return 1;
  return tine::par_reduce(
      0, rows, 0L,
      [&b, column, columns](int row) {
        if (row >= 10 || !is_peaceful(b, column, row)) return 0L;
        board next = b;
        next.row[column] = static_cast<signed char>(row);
        return queens(next, column + 1, columns);
      },
      [](long x, long y) { return x + y; });
}

/// Loops of ten iterations that are not short: each iteration is a chunk.
[[gnu::noinline]] long loop(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    sum += tine::par_reduce(
        0, 10, 0L,
        [](int j) {
          wait();
          return static_cast<long>(j);
        },
        [](long x, long y) { return x + y; });
  }
  return sum;
}

long call(std::string_view construct, long n) {
  if (construct == "c_fork") {
    number x{n, 0};
    return c_fork(&x) + x.result;
  }
  if (construct == "fork") return fork(n);
  if (construct == "pair") return pair(n);
  if (construct == "group") return group(n);
  if (construct == "group_task") return group_task(n);
  if (construct == "short_loop") return short_loop(n);
  if (construct == "chunk") return chunk(n);
  if (construct == "c_loop") return c_loop(n);
  if (construct == "queens") return queens({}, 0, static_cast<int>(n));
  if (construct == "loop") return loop(n);
  if (construct == "phase") return phases(n);
  std::abort();
}

}  // namespace

extern "C" [[gnu::noinline]] long measured(std::string_view construct, long n) {
  return construct == "coroutine" ? tine::run(coroutine, n) : call(construct, n);
}

int main(int, char** words) {
  const long n = std::atol(words[2]);
  tine::pool alone{{.workers = 1, .pin = tine::affinity::none}};
  return static_cast<int>(alone.run([&] {
    // afterwards the loops have learned that they are short, there is memory for tasks, and phases have learned that
    // nothing is profiled
    static_cast<void>(short_loop(100) + c_loop(100) + group_task(400) + queens({}, 0, 1, 10'000) + phases(1));
    std::string_view construct = words[1];
    const auto is_in = [&](std::string_view region) {
      const bool is = construct.starts_with(region);
      if (is) construct.remove_prefix(region.size());
      return is;
    };
    const bool is_recorded = is_in("recorded_"), is_observed = is_in("observed_");
    bool failed = false;
    const auto measure = [&] { failed = measured(construct, n) < 0; };
    if (is_recorded) {
      static_cast<void>(tine::record(measure));
    } else if (is_observed) {
      static_cast<void>(tine::augment<tine::work_span>(measure));
    } else {
      measure();
    }
    return failed;
  }));
}
