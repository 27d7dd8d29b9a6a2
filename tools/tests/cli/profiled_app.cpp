// An application whose forks, loops and allocations are known, for end_to_end_test.py: profiled_app WAY. The test finds
// its sites by the comments at the ends of their lines.
#include <tine/tine.hpp>

#include <malloc.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

/// 2^depth - 1 forks.
[[gnu::noinline]] long split(int depth) {
  if (depth == 0) return 1;
  return tine::par([=] { return split(depth - 1); }, [=] { return split(depth - 1); }, std::plus<long>{});  // in split
}

/// One loop.
[[gnu::noinline]] void fill_rows(std::vector<long>& rows, long value) {
  tine::par_for(rows, [value](long& row) { row += value; });  // in fill_rows
}

/// 2^depth - 1 forks.
tine::task<long> grow(int depth) {
  if (depth == 0) co_return 1;
  long left = 0;
  co_await tine::fork(&left, grow, depth - 1);  // in grow
  const long right = co_await tine::call(grow, depth - 1);
  co_await tine::join;
  co_return left + right;
}

long processor_time_us() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<long>(t.tv_sec) * 1'000'000 + t.tv_nsec / 1'000;
}

/// Works for much longer than a profile's threshold.
void work() {
  const long until = processor_time_us() + 3'000;
  while (processor_time_us() < until) {
  }
}

/// Two serial phases, outside of roots as a rule.
[[gnu::noinline]] void read_input() {
  const long until = processor_time_us() + 300'000;
  while (processor_time_us() < until) {
    for (int i = 0; i < 100'000; ++i) asm volatile("" ::: "memory");  // in read_input
  }
}
[[gnu::noinline]] void write_output() {
  const long until = processor_time_us() + 100'000;
  while (processor_time_us() < until) {
    for (int i = 0; i < 100'000; ++i) asm volatile("" ::: "memory");  // in write_output
  }
}

/// Allocates a block of `bytes` bytes and frees it at once. Returns its usable size.
[[gnu::noinline]] std::size_t hold(std::size_t bytes) {
  void* const block = std::malloc(bytes);
  const std::size_t usable = malloc_usable_size(block);
  std::free(block);
  return usable;
}

constexpr std::size_t small = 10'000, large = 1'000'000;

int count() {
  std::vector<long> rows(1'000);
  long leaves = 0;
  tine::run([&] {
    leaves = split(6);
    for (long value = 1; value <= 3; ++value) fill_rows(rows, value);
    leaves += tine::run(grow, 5);
  });
  std::printf("leaves %ld, rows %ld\n", leaves, std::accumulate(rows.begin(), rows.end(), 0L));
  return 3;
}

int two_roots() {
  std::printf("leaves %ld\n", split(2) + split(3));
  return 0;
}

int allocate() {
  std::size_t left = 0, right = 0;
  tine::run([&] { tine::par([&] { left = hold(large); }, [&] { right = hold(small); }); });
  std::printf("%zu %zu\n", left, right);
  return 0;
}

/// A tree of frames with an array in each. `own` receives the bytes that a frame with its array takes if it is the
/// first on its stacklet.
tine::task<> grow_arrays(int depth, std::ptrdiff_t* own) {
  const auto array = co_await tine::scratch<std::byte>(48);
  if (own != nullptr) {
    *own = reinterpret_cast<std::ptrdiff_t>(array.end()) +
           static_cast<std::ptrdiff_t>(tine::detail::fiber_state::get<tine::detail::stacklet_begin>());  // negated
  }
  if (depth == 0) co_return;
  co_await tine::fork(grow_arrays, depth - 1, nullptr);  // in grow_arrays
  co_await tine::call(grow_arrays, depth - 1, nullptr);
  co_await tine::join;
}

/// Two roots that hold only frames: one frame, and a tree of 127 frames.
int frames() {
  std::ptrdiff_t own = 0;
  tine::run(grow_arrays, 0, &own);
  tine::run(grow_arrays, 6, nullptr);
  std::printf("%td\n", own);
  return 0;
}

/// A loop in each iteration of a loop, to a depth: 3 + 9 + ... + 3^depth iterations.
[[gnu::noinline]] void nest(int depth) {
  if (depth == 0) return;
  tine::par_for(0, 3, [=](int) { nest(depth - 1); });  // in nest
}

[[gnu::noinline]] void columns() {
  tine::par_for(0, 100, [](int) { asm volatile("" ::: "memory"); });  // in columns
}
[[gnu::noinline]] void table() {
  tine::par_for(0, 10, [](int) { columns(); });  // in table
}

/// A chain of forks with a long branch each.
[[gnu::noinline]] void chain(int links) {
  for (int i = 0; i < links; ++i) tine::par(work, [] {});  // in chain
}

[[gnu::noinline]] void chains() {
  tine::par_for(0, 4, [](int) { chain(1); });  // in chains
}

/// Everything in one root, some of it in another pool, and a second root.
int parts() {
  tine::pool other{{.workers = 2}};
  tine::run([&] {
    chain(3);
    chains();
    table();
    nest(4);
    other.run([] { split(3); });
    tine::run(grow, 4);
  });
  split(2);
  return 0;
}

int throw_in_branch() {
  tine::run([] {
    split(3);
    tine::par([] { throw std::runtime_error{"thrown in a branch"}; }, [] {});
  });
  return 0;
}

void throw_error() { throw std::runtime_error{"thrown where nothing may be"}; }
void broken_promise() noexcept { throw_error(); }

int terminate_in_branch() {
  split(3);
  tine::run([] { tine::par([] { split(4); }, broken_promise); });
  return 0;
}

int exit_in_branch() {
  split(3);
  tine::run([] { tine::par([] { split(4); }, [] { std::exit(5); }); });
  return 0;
}

/// Exits on a worker, while the other workers count forks.
int exit_amid_forks() {
  split(3);
  tine::pool p{{.workers = 8, .promote = tine::promotion::eager()}};
  p.run([] {
    tine::par_for(0, 64, [](int i) {
      if (i == 40) std::exit(6);
      for (int k = 0; k < 20; ++k) split(10);
    });
  });
  return 0;
}

int quick_exit() {
  split(3);
  std::quick_exit(7);
}

int abort_after_forks() {
  split(3);
  std::abort();
}

/// A root that has ended, and one that forks until a signal comes.
int fork_until(bool (*is_over)()) {
  split(3);
  tine::run([&] {
    split(8);
    std::puts("ready");
    std::fflush(stdout);
    while (!is_over()) split(8);
  });
  return 0;
}
int fork_for_ever() {
  return fork_until([] { return false; });
}

volatile std::sig_atomic_t told_to_end = 0;

/// A program with a signal handler of its own, which ends the program in order.
int end_in_order() {
  std::signal(SIGTERM, [](int) { told_to_end = 1; });
  return fork_until([] { return told_to_end != 0; });
}

int raise_term() {
  split(3);
  std::raise(SIGTERM);
  std::puts("still here");
  return 0;
}

int abort_in_branch() {
  split(3);
  tine::run([] { tine::par([] { split(4); }, [] { std::abort(); }); });
  return 0;
}

/// A child process that becomes this program again, one that is only forked, and tine forks in the parent before and
/// after.
int start_children() {
  split(3);
  const pid_t other = fork();
  if (other == 0) {
    execl("/proc/self/exe", "profiled_app", "two-roots", static_cast<char*>(nullptr));
    _exit(1);
  }
  waitpid(other, nullptr, 0);
  const pid_t same = fork();
  if (same == 0) std::exit(0);
  waitpid(same, nullptr, 0);
  split(4);
  return 0;
}

/// 2^depth - 1 forks with much more work than the threshold. Prints the number of leaves.
int fork_often(int depth) {
  std::printf("leaves %ld\n", tine::run([=] { return split(depth); }));
  return 0;
}

/// A loop with forks in its iterations, 15 in each, and a loop around it.
int loop_often() {
  tine::run([] { tine::par_for(0, 100, [](int) { tine::par_for(0, 100, [](int) { split(4); }); }); });
  return 0;
}

/// A child process that is forked in the middle of a root, continues there, and calls into a pool of its own.
int fork_amid_root() {
  tine::run([] {
    split(4);
    const pid_t child = fork();
    if (child == 0) {
      tine::pool own{{.workers = 1}};
      own.run([] { split(3); });
      std::exit(0);
    }
    waitpid(child, nullptr, 0);
    split(2);
  });
  return 0;
}

/// Many roots, of a fork each.
int many_roots() {
  long leaves = 0;
  for (int i = 0; i < 3'000; ++i) leaves += split(1);
  std::printf("leaves %ld\n", leaves);
  return 0;
}

int serial_phases() {
  read_input();
  split(3);
  write_output();
  return 0;
}

int serial_in_root() {
  tine::run([] {
    split(3);
    read_input();
  });
  return 0;
}

/// A root of another thread, and a serial phase after it.
int serial_on_a_thread() {
  std::thread{[] {
    split(3);
    write_output();
  }}.join();
  return 0;
}

/// The program handles each signal that profiles could use.
int handle_all_signals() {
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) std::signal(number, [](int) {});
  return serial_phases();
}

int block_all_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  return serial_phases();
}

int serial_child() {
  read_input();
  split(3);
  const pid_t child = fork();
  if (child == 0) {
    split(2);
    write_output();
    std::exit(0);
  }
  waitpid(child, nullptr, 0);
  return 0;
}

int serial_for_ever() {
  read_input();
  return fork_for_ever();
}

/// Sleeps that a signal must not cut short, while the thread is sampled. Prints the number of sleeps that were cut
/// short.
int sleep_often() {
  split(3);
  int interrupted = 0;
  for (int i = 0; i < 2'000; ++i) {
    const timespec shortly{0, 1'000};
    interrupted += nanosleep(&shortly, nullptr) != 0;
    for (int k = 0; k < 100'000; ++k) asm volatile("" ::: "memory");
  }
  std::printf("interrupted %d\n", interrupted);
  return 0;
}

/// Prints how many real-time signals have a handler when `main` has begun.
int count_handlers() {
  int handlers = 0;
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) {
    struct sigaction now{};
    sigaction(number, nullptr, &now);
    handlers += now.sa_handler != SIG_DFL;
  }
  std::printf("handlers %d\n", handlers);
  split(3);
  return 0;
}

const std::map<std::string, std::function<int()>> ways{
    {"signals", count_handlers},
    {"serial", serial_phases},
    {"serial-in-root", serial_in_root},
    {"serial-thread", serial_on_a_thread},
    {"serial-handled", handle_all_signals},
    {"serial-blocked", block_all_signals},
    {"serial-child", serial_child},
    {"serial-for-ever", serial_for_ever},
    {"serial-sleeps", sleep_often},
    {"count", count},
    {"two-roots", two_roots},
    {"allocate", allocate},
    {"frames", frames},
    {"parts", parts},
    {"throw", throw_in_branch},
    {"terminate", terminate_in_branch},
    {"exit", exit_in_branch},
    {"exit-amid", exit_amid_forks},
    {"quick-exit", quick_exit},
    {"abort", abort_after_forks},
    {"for-ever", fork_for_ever},
    {"in-order", end_in_order},
    {"raise", raise_term},
    {"abort-in-branch", abort_in_branch},
    {"children", start_children},
    {"many-forks", [] { return fork_often(20); }},
    {"many-roots", many_roots},
    {"many-loops", loop_often},
    {"child-amid-root", fork_amid_root},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && ways.contains(argv[1])) return ways.at(argv[1])();
  std::fputs("usage: profiled_app WAY, one of", stderr);
  for (const auto& [name, run] : ways) std::fprintf(stderr, " %s", name.c_str());
  std::fputs("\n", stderr);
  return 2;
}
