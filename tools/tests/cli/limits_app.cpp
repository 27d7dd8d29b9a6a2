// Programs with one known limit each: limits_app CASE. A comment at the end of a line names the place to look at.
#include <tine/tine.hpp>

#include <time.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace {

/// Uses `microseconds` of the thread's processor time.
[[gnu::noinline]] void work(std::int64_t microseconds) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000'000 + t.tv_nsec;
  };
  for (const auto end = now() + 1000 * microseconds; now() < end;) {
  }
}

volatile long sink = 0;

// --- serial time between calls ---------------------------------------------------------------------------------------

[[gnu::noinline]] void read_input() {
  for (long i = 0; i < 150'000'000; ++i) sink = i;
}
[[gnu::noinline]] void merge_results() {
  for (long i = 0; i < 60'000'000; ++i) sink = i;
}
[[gnu::noinline]] void write_output() {
  for (long i = 0; i < 150'000'000; ++i) sink = i;
}

void read_first() {
  read_input();
  tine::par_for(0, 400, [](int) { work(100); });
}

void merge_between() {
  for (int round = 0; round < 5; ++round) {
    tine::par_for(0, 80, [](int) { work(100); });
    merge_results();
  }
}

void write_last() {
  tine::par_for(0, 400, [](int) { work(100); });
  write_output();
}

// --- serial strands of a call ---------------------------------------------------------------------------------------

void serial_before() {
  tine::run([] {
    work(200'000);
    tine::par_for(0, 400, [](int) { work(100); });
  });
}

void serial_after() {
  tine::run([] {
    tine::par_for(0, 400, [](int) { work(100); });
    work(200'000);
  });
}

void serial_between() {
  tine::run([] {
    for (int i = 0; i < 5; ++i) {
      tine::par_for(0, 100, [](int) { work(100); });
      work(40'000);
    }
  });
}

// --- too little parallelism -----------------------------------------------------------------------------------------

void long_branch() {
  tine::run([] {
    tine::par([] { work(200'000); }, [] { work(10'000); });  // in long_branch
  });
}

void two_iterations() {
  tine::par_for(0, 2, [](int) { work(100'000); });  // in two_iterations
}

void long_iteration() {
  tine::par_for(0, 500, [](int i) { work(i == 77 ? 200'000 : 100); });  // in long_iteration
}

void partition_then_fork(int n) {
  work(n);
  if (n < 200) return;
  tine::par([=] { partition_then_fork(n / 2); }, [=] { partition_then_fork(n / 2); });  // in serial_partition
}

void serial_partition() {
  tine::run([] { partition_then_fork(50'000); });
}

void walk(int left) {
  if (left == 0) return;
  work(1000);
  tine::par([=] { walk(left - 1); }, [] { work(300); });  // in long_chain
}

void long_chain() {
  tine::run([] { walk(150); });
}

void uneven_rows() {
  tine::par_for(0, 4, [](int row) { work(row == 0 ? 200'000 : 10'000); });  // in uneven_rows
}

// --- too fine -------------------------------------------------------------------------------------------------------

long fib(long n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); },  // in fine_fib
                   [](long a, long b) { return a + b; });
}

void fine_fib() {
  tine::run([] { sink = fib(30); });
}

long nodes_below(unsigned depth) {
  if (depth == 0) return 1;
  return tine::par([=] { return nodes_below(depth - 1); }, [=] { return nodes_below(depth - 1); },  // in fine_tree
                   [](long a, long b) { return a + b + 1; });
}

void fine_tree() {
  tine::run([] { sink = nodes_below(20); });
}

long sum(const int* from, std::int64_t n) {
  if (n == 1) return *from;
  return tine::par([=] { return sum(from, n / 2); }, [=] { return sum(from + n / 2, n - n / 2); },  // in fine_sum
                   [](long a, long b) { return a + b; });
}

void fine_sum() {
  const std::vector<int> all(1'000'000, 1);
  tine::run([&] { sink = sum(all.data(), static_cast<std::int64_t>(all.size())); });
}

// --- too short ------------------------------------------------------------------------------------------------------

void short_branches() {
  tine::run([] {
    const auto piece = [] { work(2); };
    for (int i = 0; i < 8'000; ++i)
      tine::par(piece, piece, piece, piece, piece, piece, piece, piece);  // in short_branches
  });
}

void short_groups() {
  tine::run([] {
    const auto piece = [] { work(1); };
    const auto pair = [=] { tine::par(piece, piece); };  // in short_groups
    for (int i = 0; i < 5'000; ++i) tine::par(pair, pair, pair, pair, pair, pair, pair, pair, pair, pair);
  });
}

// --- no limit -------------------------------------------------------------------------------------------------------

void even_loop() {
  tine::par_for(0, 8'000, [](int) { work(100); });
}

void halves(int depth) {
  if (depth == 0) return work(400);
  tine::par([=] { halves(depth - 1); }, [=] { halves(depth - 1); });
}

void even_tree() {
  tine::run([] { halves(11); });
}

void no_fork() {
  tine::run([] { work(100'000); });
}

}  // namespace

int main(int, char** argv) {
  constexpr struct {
    const char* name;
    void (*run)();
  } cases[] = {{"read_first", read_first},
               {"merge_between", merge_between},
               {"write_last", write_last},
               {"serial_before", serial_before},
               {"serial_after", serial_after},
               {"serial_between", serial_between},
               {"long_branch", long_branch},
               {"two_iterations", two_iterations},
               {"long_iteration", long_iteration},
               {"serial_partition", serial_partition},
               {"long_chain", long_chain},
               {"uneven_rows", uneven_rows},
               {"fine_fib", fine_fib},
               {"fine_tree", fine_tree},
               {"fine_sum", fine_sum},
               {"short_branches", short_branches},
               {"short_groups", short_groups},
               {"even_loop", even_loop},
               {"even_tree", even_tree},
               {"no_fork", no_fork}};
  for (const auto& c : cases) {
    if (argv[1] == nullptr || std::strcmp(c.name, argv[1]) != 0) continue;
    c.run();
    return 0;
  }
  return 2;
}
