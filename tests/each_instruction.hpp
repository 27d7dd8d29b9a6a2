// Interrupts a thread after each of its instructions, as a thief's signal may.
#pragma once

#include "sched/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace tine::test {

#if defined(__x86_64__) && TINE_TSAN == 0
inline constexpr bool can_step = true;
#else
inline constexpr bool can_step = false;  // tine sends no signals under ThreadSanitizer
#endif

/// From `start` to `stop` on a thread, or for at most `at_most` instructions, a signal of tine's comes after each
/// instruction of the thread, or only after those for which `when` returns true, unless it is null. `look`, unless it
/// is null, is called before and after each signal. One object exists at a time. An instruction takes 20 microseconds,
/// most of which are the kernel's.
class each_instruction {
 public:
  using observer = void (*)(bool after);
  using condition = bool (*)();

  each_instruction(int number, observer look, long at_most, condition when = nullptr) noexcept {
    signal = number;
    observe = look;
    wanted = when;
    limit = at_most;
    struct sigaction action{};
    action.sa_sigaction = [](int, siginfo_t*, void* where) { step(*static_cast<ucontext_t*>(where)); };
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGTRAP, &action, nullptr);
    is_on.store(true);
  }
  /// The handler of SIGTRAP stays, because a thread may still be between `start` and `stop`; its next instruction ends
  /// that.
  ~each_instruction() { is_on.store(false); }
  each_instruction(const each_instruction&) = delete;
  each_instruction& operator=(const each_instruction&) = delete;

  [[gnu::noinline]] static void start() noexcept {
    left = limit;
#if defined(__x86_64__)
    asm volatile("pushfq; orq %0, (%%rsp); popfq" : : "i"(trap_flag) : "memory", "cc");
#endif
  }
  /// Does nothing if the thread has not called `start`.
  [[gnu::noinline]] static void stop() noexcept {
#if defined(__x86_64__)
    asm volatile("pushfq; andq %0, (%%rsp); popfq" : : "i"(~trap_flag) : "memory", "cc");
#endif
  }
  /// Returns the number of signals of all threads so far.
  static long steps() noexcept { return all.load(); }

 private:
  static constexpr long trap_flag = 0x100;

  static void step([[maybe_unused]] ucontext_t& at) noexcept {
#if defined(__x86_64__)
    if (!is_on.load() || --left <= 0) at.uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
#endif
    if (!is_on.load()) return;
    if (wanted != nullptr && !wanted()) return;
    all.fetch_add(1);
    if (observe != nullptr) observe(false);
    sched::interrupt_this_thread(signal);
    if (observe != nullptr) observe(true);
  }

  static inline int signal;
  static inline observer observe;
  static inline condition wanted;
  static inline long limit;
  static inline thread_local long left;
  static inline std::atomic<bool> is_on{false};
  static inline std::atomic<long> all{0};
};

}  // namespace tine::test
