// A pending branch begins elsewhere, whatever the application does with signal masks and handlers. Where that is
// impossible, a counter and a message say so. Other tests check the effects of tine's signals on user code: on its
// mask, and on calls that wait. Cases that change handlers run in processes of their own.
//
// Not under ThreadSanitizer, in whose builds tine sends no signals.
#include <tine/tine.hpp>

#include "base/interrupted.hpp"
#include "emulated.hpp"
#include "sched/worker.hpp"
#include "unit/run_child.hpp"
#include "unit/sched/starvation.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using tine::par;
using tine::pool;
using tine::test::child_end;
using tine::test::claim;
using tine::test::prelude;
using tine::test::run_child;

constexpr double give_up_us = 10e6;
constexpr auto without_signals = TINE_TSAN != 0;

sigset_t mask_of_this_thread() {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return now;
}

bool blocks(int signal) {
  const sigset_t now = mask_of_this_thread();
  return sigismember(&now, signal) == 1;
}

void change_mask(int how, int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(how, &one, nullptr);
}

/// Runs `f` on a thread that has blocked every signal.
template <class F>
void with_all_blocked(F f) {
  std::thread{[&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    f();
  }}.join();
}

bool starves(pool& p) { return !tine::test::starvation{prelude::none, give_up_us, 50}.run(p); }

void spin(double us) {
  const tine::base::ticks from = tine::base::now();
  while (tine::base::now() - from < tine::base::to_ticks(us)) tine::base::pause();
}

/// Runs `leaf`, which must not poll, while a branch is pending beside it and the other worker of the pool becomes idle:
/// tine has to interrupt the leaf. Returns what `leaf` returns. This function is not a template, because a template's
/// forks would be compiled twenty times.
int run_wanted(pool& p, const std::function<int()>& leaf) {
  return p.run([&] {
    int result = 0;
    std::atomic<bool> busy{false}, waiting{false};
    par(
        [&] {
          while (!busy.load()) tine::poll();
          par(
              [&] {
                waiting.store(true);
                result = leaf();
              },
              [] {});
        },
        [&] {
          busy.store(true);
          while (!waiting.load()) spin(10);
          spin(2000);
        });
    return result;
  });
}

volatile std::sig_atomic_t seen = 0;
void count_seen(int) { seen = seen + 1; }

struct sigaction replaced_action;
volatile std::sig_atomic_t depth = 0;
void count_and_chain(int number, siginfo_t* info, void* where) {
  seen = seen + 1;
  if (depth > 10) claim(false, "the handlers call each other for ever");
  depth = depth + 1;
  if ((replaced_action.sa_flags & SA_SIGINFO) != 0) replaced_action.sa_sigaction(number, info, where);
  depth = depth - 1;
}

void install(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

TINE_IN_CHILD("a handler installed after the pool's") {
  pool p{{.workers = 2}};
  claim(!starves(p), "begins before");
  for (int i = 0; i < 20; ++i) {
    install(SIGURG, count_seen);
    claim(!starves(p), "begins with a later handler");
  }
  claim(p.counters().handlers_replaced > 0, "the counter says so");
  claim(seen == 0, "the handler sees no signal of tine's");
  raise(SIGURG);
  claim(seen == 1, "the handler sees those of the program");
  for (void (*none)(int) : {SIG_IGN, SIG_DFL}) {
    install(SIGURG, none);
    claim(!starves(p), "begins when the signal is ignored");
    raise(SIGURG);
  }
  claim(seen == 1, "a handler that was taken away is not called");
}

TINE_IN_CHILD("a handler that calls the one before") {
  install(SIGURG, count_seen);  // before the pool
  pool p{{.workers = 2}};
  struct sigaction action{};
  action.sa_sigaction = count_and_chain;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGURG, &action, &replaced_action);
  for (int i = 0; i < 5; ++i) claim(!starves(p), "begins with a chain of handlers");
  seen = 0;
  raise(SIGURG);
  claim(seen == 2, "a signal of the program's goes through the chain, once each");
  sigaction(SIGURG, &replaced_action, nullptr);
  for (int i = 0; i < 5; ++i) claim(!starves(p), "begins when the chain is undone");
  seen = 0;
  raise(SIGURG);
  claim(seen == 1, "what was taken out of the chain is not called");
}

template <int>
void one_of_many(int) {}

template <int... I>
void install_all(pool& p, std::integer_sequence<int, I...>) {
  (
      [&] {
        install(SIGURG, one_of_many<I>);
        run_wanted(p, [&] {
          const std::uint64_t before = p.counters().signals_prevented;
          for (int i = 0; i < 1000 && p.counters().signal_promotions <= I && p.counters().signals_prevented == before;
               ++i)
            spin(1000);
          return 0;
        });
      }(),
      ...);
}

TINE_IN_CHILD("ever new handlers") {
  pool p{{.workers = 2}};
  install_all(p, std::make_integer_sequence<int, 20>{});
  claim(p.counters().handlers_replaced > 3, "some were replaced");
  claim(p.counters().signals_prevented > 0, "the counter says when no more are");
}

TINE_IN_CHILD("a branch that blocks the signal") {
  pool p{{.workers = 2}};
  run_wanted(p, [&] {
    change_mask(SIG_BLOCK, SIGURG);
    for (int i = 0; i < 20'000 && p.counters().signals_prevented < 4; ++i) spin(1000);
    spin(50'000);  // gives time for the message
    change_mask(SIG_UNBLOCK, SIGURG);
    return 0;
  });
  claim(p.counters().signals_prevented >= 4, "the counter says so");
}

}  // namespace

TEST_CASE("a pending branch begins when the caller has blocked all signals, and the pool's creator perhaps too" *
          doctest::skip(without_signals)) {
  pool p{{.workers = 2}};
  with_all_blocked([&] {
    pool of_blocked{{.workers = 2}};
    for (int i = 0; i < 10; ++i) CHECK_FALSE((starves(p) || starves(of_blocked)));
  });
}

TEST_CASE("after run the caller's mask is restored; inside only tine's signals are unblocked") {
  for (const bool blocked : {true, false}) {
    std::thread{[&] {
      for (const int s : {SIGURG, SIGUSR1, SIGSEGV}) change_mask(blocked ? SIG_BLOCK : SIG_UNBLOCK, s);
      const sigset_t before = mask_of_this_thread();
      pool p{{.workers = 1}};
      bool outer = true, inner = true, other = !blocked;
      p.run([&] {
        outer = blocks(SIGURG);
        other = blocks(SIGUSR1);
        pool q{{.workers = 1}};
        inner = q.run([] { return blocks(SIGURG); }) || blocks(SIGURG);
      });
      if (!without_signals) CHECK_FALSE(outer);
      if (!without_signals) CHECK_FALSE(inner);
      CHECK(other == blocked);
      const sigset_t after = mask_of_this_thread();
      for (int s = 1; s < NSIG; ++s) CHECK(sigismember(&before, s) == sigismember(&after, s));
      CHECK_THROWS(p.run([] { throw std::runtime_error{"any"}; }));
      CHECK(blocks(SIGURG) == blocked);
    }}.join();
  }
}

TEST_CASE("user code's changes to its thread's mask stay, except for the signals that run has changed") {
  with_all_blocked([] {
    pool p{{.workers = 1}};
    p.run([] { change_mask(SIG_UNBLOCK, SIGUSR2); });
    CHECK_FALSE(blocks(SIGUSR2));
    CHECK(blocks(SIGURG));
  });
}

TEST_CASE("the pool's threads have their creator's mask, with tine's signals unblocked") {
  with_all_blocked([] {
    pool p{{.workers = 2, .promote = tine::promotion::eager()}};
    bool urgent = true, other = false;
    p.run([&] {
      std::atomic<bool> begun{false};
      par(
          [&] {
            while (!begun.load()) sched_yield();
          },
          [&] {
            urgent = blocks(SIGURG);
            other = blocks(SIGUSR1);
            begun.store(true);
          });
    });
    if (!without_signals) CHECK_FALSE(urgent);
    CHECK(other);
  });
}

TEST_CASE("handlers that the program installs later do not take tine's signals away" * doctest::skip(without_signals)) {
  for (const char* what :
       {"a handler installed after the pool's", "a handler that calls the one before", "ever new handlers"}) {
    tine::test::check_child(what);
  }
}

TEST_CASE("a signal that is blocked in a branch is counted and reported" * doctest::skip(without_signals)) {
  const child_end end = run_child("a branch that blocks the signal");
  CHECK_MESSAGE(end.exited_with(0), end.said);
  CHECK_MESSAGE(end.says("has blocked signal 23 (SIGURG)"), end.said);
}

TEST_CASE("a handler at work is not taken for a branch that blocks the signal" * doctest::skip(without_signals)) {
  pool p{{.workers = 2}};
  run_wanted(p, [] {
    tine::sched::worker& self = *tine::sched::hot::self();
    self.signals.set_handling(true);
    change_mask(SIG_BLOCK, SIGURG);
    spin(100'000);
    change_mask(SIG_UNBLOCK, SIGURG);
    self.signals.set_handling(false);
    return 0;
  });
  CHECK(p.counters().signals_prevented == 0);
}

TEST_CASE("sleeps are not cut short, and the branch beside them begins" *
          doctest::skip(without_signals || !tine::base::interrupted::knows_registers)) {
  if (tine::test::skips_emulated("qemu has no restart_syscall")) return;
  pool p{{.workers = 2}};
  CHECK(run_wanted(p, [] { return static_cast<int>(sleep(1)); }) == 0);
  for (int i = 0; i < 5; ++i) {
    CHECK(run_wanted(p, [] { return usleep(50'000); }) == 0);
    if (tine::base::interrupted::continues_poll) CHECK(run_wanted(p, [] { return poll(nullptr, 0, 50); }) == 0);
    CHECK(run_wanted(p, [] {
            const timespec length{0, 50'000'000};
            return nanosleep(&length, nullptr);
          }) == 0);
  }
  const tine::counters done = p.counters();
  CHECK(done.sleeps_continued > 0);
  CHECK(done.calls_interrupted == 0);
}

TEST_CASE("a sleep that the program's own signal interrupts ends as ever" * doctest::skip(without_signals)) {
  struct sigaction action{}, before{};
  action.sa_handler = count_seen;
  sigaction(SIGUSR1, &action, &before);
  pool p{{.workers = 2}};
  const pthread_t caller = pthread_self();
  std::atomic<bool> asleep{false}, over{false};
  std::thread sender{[&] {
    while (!asleep.load() || p.counters().signal_promotions == 0) usleep(1000);
    while (!over.load()) {  // a signal may come before the sleep begins
      usleep(20'000);
      pthread_kill(caller, SIGUSR1);
    }
  }};
  timespec left{};
  int error = 0;
  const int result = run_wanted(p, [&] {
    const timespec length{60, 0};
    asleep.store(true);
    const int r = nanosleep(&length, &left);
    error = errno;
    over.store(true);
    return r;
  });
  sender.join();
  CHECK(result == -1);
  CHECK(error == EINTR);
  CHECK(left.tv_sec > 0);
  CHECK(left.tv_sec < 60);
  sigaction(SIGUSR1, &before, nullptr);
}
