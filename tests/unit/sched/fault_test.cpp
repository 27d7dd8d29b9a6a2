// A stack overflow ends the program with a message that says so. Other faults, and signals that tine did not send, go
// where they went before. Every case runs in a process of its own.
#include <tine/tine.hpp>

#include "base/interrupted.hpp"
#include "emulated.hpp"
#include "unit/run_child.hpp"
#include "unit/sched/starvation.hpp"
#include "unit/ways.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>

namespace {

using tine::par;
using tine::pool;
using tine::test::child_end;
using tine::test::claim;
using tine::test::run_child;

// Sanitizers handle faults themselves: with them, a fault without a handler does not end the process by the bare
// signal.
constexpr bool sanitized = TINE_ASAN != 0 || TINE_TSAN != 0;

volatile int sink;

[[gnu::noinline]] int endless(int n) {
  volatile char frame[200];
  frame[0] = static_cast<char>(n);
  const int below = par([=] { return endless(n + 1); }, [=] { return n; }, [](int a, int b) { return a + b; });
  return below + frame[0];
}

/// Recurses endlessly, without a fork on the way down.
[[gnu::noinline]] int bottomless(int n) {
  volatile char frame[200];
  frame[0] = static_cast<char>(n);
  return (sink != 12345 ? bottomless(n + 1) : 0) + frame[0];
}

[[gnu::noinline]] long deep_forks(long n) {
  if (n == 0) return 1;
  return par([&] { return deep_forks(n - 1); }, [] { return 1L; }, [](long a, long b) { return a + b; });
}

// UndefinedBehaviorSanitizer would stop the read.
__attribute__((no_sanitize("undefined"))) void read_null() {
  const volatile int* nothing = nullptr;
  asm("" : "+r"(nothing));  // the compiler must not know what it points to
  static_cast<void>(*nothing);
}

TINE_IN_CHILD("endless recursion under par") {
  pool p{{.workers = 2}};
  p.run([] { return endless(0); });
}

TINE_IN_CHILD("endless recursion in a stolen branch") {
  pool p{{.workers = 2, .promote = tine::promotion::eager(), .stack_bytes = std::size_t{1} << 20}};
  std::atomic<bool> begun{false};
  p.run([&] {
    par(
        [&] {
          while (!begun.load()) sched_yield();
          for (;;) pause();
        },
        [&] {
          begun.store(true);
          bottomless(0);
        });
  });
}

TINE_IN_CHILD("endless recursion in the default pool") { endless(0); }

TINE_IN_CHILD("forks a million deep") {
  pool p{{.workers = 2, .stack_bytes = std::size_t{8} << 20}};
  p.run([] { return deep_forks(1'000'000); });
}

[[gnu::noinline]] void touch(std::byte* at) { *static_cast<volatile std::byte*>(at) = std::byte{1}; }

/// Returns an address in the guard above the records. The stack of a fiber reaches up to its first record; a guard lies
/// above all its records.
std::byte* guard_above_the_records(std::size_t record_bytes) {
  std::byte* records = nullptr;
  par([&] { records = tine::sched::hot::words().bot.load(tine::base::relaxed); }, [] {});
  return records + record_bytes;  // no record is promoted, so `records` is less than a guard above their begin
}

TINE_IN_CHILD("an element past the end of an array") {
  pool p{{.workers = 1, .record_bytes = std::size_t{1} << 20}};
  p.run([] { touch(guard_above_the_records(std::size_t{1} << 20)); });
}

TINE_IN_CHILD("an element past the end of an array, outside the pool") {
  pool p{{.workers = 1, .record_bytes = std::size_t{1} << 20}};
  std::byte* at = nullptr;
  p.run([&] { at = guard_above_the_records(std::size_t{1} << 20); });
  touch(at);
}

TINE_IN_CHILD("an element past the end of an array, with a handler") {
  std::signal(SIGSEGV, [](int) { std::_Exit(42); });
  pool p{{.workers = 1, .record_bytes = std::size_t{1} << 20}};
  p.run([] { touch(guard_above_the_records(std::size_t{1} << 20)); });
}

TINE_IN_CHILD("a wild pointer to the guard of the stack that runs") {
  pool p{{.workers = 1, .stack_bytes = std::size_t{1} << 20}};
  p.run([] {
    std::byte here{};
    std::byte* at = &here;
    asm("" : "+r"(at));  // the compiler must not know what it points to
    touch(at - (std::size_t{1} << 20));
  });
}

void block_all() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

TINE_IN_CHILD("endless recursion where all signals are blocked") {
  block_all();
  pool p{{.workers = 1}};
  p.run([] { return endless(0); });
}

TINE_IN_CHILD("forks deeper than the records") { deep_forks(1'000'000); }

void limit_address_space(rlim_t bytes) {
  mallopt(M_ARENA_MAX, 1);  // by default each thread that allocates may take 128 MiB of address space
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

TINE_IN_CHILD("a pool in 600 MiB of address space") {
  limit_address_space(rlim_t{600} << 20);
  pool p{{.workers = 8, .promote = tine::promotion::eager(), .stack_bytes = std::size_t{8} << 20}};
  claim(p.run([] { return deep_forks(20'000); }) == 20'001, "the answer is right");
}

TINE_IN_CHILD("a pool in hardly any address space") {
  limit_address_space(rlim_t{300} << 20);
  pool p{{.workers = 4, .stack_bytes = std::size_t{1} << 30}};
  p.run([] {});
}

TINE_IN_CHILD("null dereferenced in a task") {
  pool p{{.workers = 2}};
  p.run([] { par([] { read_null(); }, [] {}); });
}

TINE_IN_CHILD("null dereferenced outside, after a run") {
  pool p{{.workers = 2}};
  p.run([] {});
  read_null();
}

void exit_42(int) { std::_Exit(42); }
void exit_43(int, siginfo_t* info, void*) { std::_Exit(info->si_addr == nullptr ? 43 : 44); }

TINE_IN_CHILD("a program's own SIGSEGV handler") {
  std::signal(SIGSEGV, exit_42);
  pool p{{.workers = 2}};
  p.run([] { par([] { read_null(); }, [] {}); });
}

TINE_IN_CHILD("a program's own SIGSEGV handler with details") {
  struct sigaction action{};
  action.sa_sigaction = exit_43;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  pool p{{.workers = 2}};
  p.run([] { read_null(); });
}

TINE_IN_CHILD("null dereferenced where SIGSEGV is ignored") {
  std::signal(SIGSEGV, SIG_IGN);
  pool p{{.workers = 2}};
  alarm(10);  // ends a child that would fault for ever
  p.run([] { read_null(); });
}

TINE_IN_CHILD("SIGSEGV sent by kill") {
  pool p{{.workers = 2}};
  p.run([] { kill(getpid(), SIGSEGV); });
  for (int i = 0; i < 1000; ++i) usleep(1000);
}

volatile std::sig_atomic_t urgent = 0;
void count_urgent(int) { urgent = urgent + 1; }

/// Forks `depth` levels deep, and then waits without a poll until a signal has promoted one of the forks.
void wait_for_beat(const pool& p, int depth) {
  if (depth > 0) return static_cast<void>(par([&p, depth] { wait_for_beat(p, depth - 1); }, [] {}));
  const tine::base::ticks from = tine::base::now();
  while (p.counters().signal_promotions == 0 && tine::base::now() - from < tine::base::to_ticks(10e6)) {
    tine::base::pause();
  }
}

TINE_IN_CHILD("a program's own SIGURG handler") {
  std::signal(SIGURG, count_urgent);
  pool p{{.workers = 2}};
  kill(getpid(), SIGURG);
  for (int i = 0; i < 5000 && urgent < 1; ++i) usleep(1000);
  claim(urgent == 1, "called outside the pool");
  p.run([] {
    kill(getpid(), SIGURG);
    for (int i = 0; i < 5000 && urgent < 2; ++i) usleep(1000);
  });
  claim(urgent == 2, "called inside the pool");
}

volatile std::sig_atomic_t own_urgent_count = 0;
volatile std::sig_atomic_t foreign_count = 0;

/// Counts the signals that this program sends by raise and pthread_kill, and all other signals, which it should never
/// see.
void count_own_urgent(int, siginfo_t* info, void*) {
  if (info->si_code == SI_TKILL && info->si_pid == getpid()) {
    own_urgent_count = own_urgent_count + 1;
  } else {
    foreign_count = foreign_count + 1;
  }
}

/// Claims that a signal arrives. Sends it again and again, because a signal may merge with one of tine's.
template <class Send>
void claim_it_arrives(Send send, const char* what) {
  const int before = own_urgent_count;
  for (int i = 0; i < 5000 && own_urgent_count == before; ++i) {
    send();
    usleep(1000);
  }
  claim(own_urgent_count > before, what);
}

TINE_IN_CHILD("SIGURG that the program sends to its workers") {
  struct sigaction action{};
  action.sa_sigaction = count_own_urgent;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGURG, &action, nullptr);
  pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  claim_it_arrives([] { raise(SIGURG); }, "raise outside the pool");
  p.run([] {
    claim_it_arrives([] { raise(SIGURG); }, "raise in a root");
    claim_it_arrives([] { pthread_kill(pthread_self(), SIGURG); }, "pthread_kill in a root");
    tine::test::meeting m{true};
    const pthread_t origin = pthread_self();
    par([&] { m.first(); }, m.second([&] {
      claim_it_arrives([] { raise(SIGURG); }, "raise in a stolen branch");
      // ThreadSanitizer delivers a signal at the next call that it intercepts, and an idle worker makes no such call
      if (TINE_TSAN == 0) claim_it_arrives([&] { pthread_kill(origin, SIGURG); }, "pthread_kill from another worker");
    }));
  });
  claim(foreign_count == 0, "no signal but its own");
}

TINE_IN_CHILD("tine's signals beside a program's own handler") {
  struct sigaction action{};
  action.sa_sigaction = count_own_urgent;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGURG, &action, nullptr);
  pool asking{{.workers = 2}};
  for (int i = 0; i < 20; ++i) {
    tine::test::starvation one{tine::test::prelude::none, 10e6, 50};
    claim(one.run(asking), "an interrupt reaches a leaf that never polls");
  }
  claim(asking.counters().signal_promotions > 0, "promoted by interrupts");
  pool beating{{.workers = 1, .promote = tine::promotion::heartbeat(100, 1)}};
  beating.run([&] { wait_for_beat(beating, 50); });
  claim(beating.counters().signal_promotions > 0, "promoted by heartbeats");
  claim(own_urgent_count == 0 && foreign_count == 0, "the handler saw none of them");
}

TINE_IN_CHILD("SIGURG from outside without a handler") {
  pool p{{.workers = 2}};
  p.run([] {
    for (int i = 0; i < 100; ++i) kill(getpid(), SIGURG);
  });
}

}  // namespace

TEST_CASE("a stack overflow ends with a message that names the stack's size and its option") {
  struct overflow {
    const char* how;
    const char* size;
    bool in_tsan =
        false;  // the record of calls that ThreadSanitizer keeps, some 65,000 deep, overflows before the rest
  };
  for (const overflow& o : {
           overflow{"endless recursion under par", "65536 KiB"},
           {"endless recursion in the default pool", "65536 KiB"},
           {"endless recursion in a stolen branch", "1024 KiB", true},
           {"endless recursion where all signals are blocked", "65536 KiB"},
           {"forks a million deep", "8192 KiB"},
       }) {
    if (TINE_TSAN != 0 && !o.in_tsan) continue;
    CAPTURE(std::string{o.how});
    const child_end end = run_child(o.how);
    CAPTURE(end.said);
    CHECK(end.died_of(SIGABRT));
    CHECK(end.says("stack overflow"));
    CHECK(end.says(o.size));
    CHECK(end.says("tine::options::stack_bytes"));
  }
}

TEST_CASE("a fault on a guard page is reported, and its signal does not change" * doctest::skip(sanitized)) {
  for (const char* where :
       {"an element past the end of an array", "an element past the end of an array, outside the pool",
        "a wild pointer to the guard of the stack that runs"}) {
    CAPTURE(std::string{where});
    // Without the stack pointer the last one cannot be told from a stack overflow.
    if (!tine::base::interrupted::knows_registers && std::string{where}.starts_with("a wild pointer")) continue;
    const child_end end = run_child(where);
    CHECK(end.died_of(SIGSEGV));
    CHECK_MESSAGE(end.says("access beyond an allocation, at tine's guard page: 0x"), end.said);
    CHECK_FALSE(end.says("stack overflow"));
  }
  CHECK(run_child("an element past the end of an array, with a handler").exited_with(42));
}

TEST_CASE("forks deeper than the records end with a message that names their option" * doctest::skip(TINE_TSAN != 0)) {
  // the default pool takes these sizes only from the environment
  const child_end end =
      run_child("forks deeper than the records", {{"TINE_RECORD_BYTES", "128K"}, {"TINE_STACK_BYTES", "256M"}});
  CHECK(end.died_of(SIGABRT));
  CHECK_MESSAGE(end.says("the 128 KiB that a fiber has for the records of open forks are used up"), end.said);
  CHECK_MESSAGE(end.says("tine::options::record_bytes (or TINE_RECORD_BYTES)"), end.said);
}

TEST_CASE("fibers take little address space before they are deep" * doctest::skip(sanitized)) {
  // not with sanitizers, which need terabytes of address space for themselves
  if (tine::test::skips_emulated("qemu does not limit the address space of the program")) return;
  tine::test::check_child("a pool in 600 MiB of address space");
  const child_end fails = run_child("a pool in hardly any address space");
  CHECK(fails.died_of(SIGABRT));
  CHECK_MESSAGE(fails.says("tine::options::stack_bytes (or TINE_STACK_BYTES)"), fails.said);
  CHECK_MESSAGE(fails.says("1048576 KiB for its native stack and from 1024 KiB on for the records"), fails.said);
}

TEST_CASE("another fault keeps its usual effect" * doctest::skip(sanitized)) {
  for (const char* where : {"null dereferenced in a task", "null dereferenced outside, after a run",
                            "null dereferenced where SIGSEGV is ignored", "SIGSEGV sent by kill"}) {
    CAPTURE(std::string{where});
    const child_end end = run_child(where);
    CHECK(end.died_of(SIGSEGV));
    CHECK_MESSAGE(end.said.empty(), end.said);
  }
}

TEST_CASE("a program's own handlers are still called") {
  CHECK(run_child("a program's own SIGSEGV handler").exited_with(42));
  CHECK(run_child("a program's own SIGSEGV handler with details").exited_with(43));
  tine::test::check_child("a program's own SIGURG handler");
  CHECK(run_child("SIGURG from outside without a handler").exited_with(0));
}

TEST_CASE("signals that the program sends to its own workers reach its handler") {
  tine::test::check_child("SIGURG that the program sends to its workers");
}

TEST_CASE("a program's own handler does not see tine's signals" * doctest::skip(TINE_TSAN != 0)) {
  // not under ThreadSanitizer, in whose builds tine sends none
  tine::test::check_child("tine's signals beside a program's own handler");
}
