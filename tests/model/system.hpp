// The operating system of the model threads: futexes, the barrier on every thread, signals, and the end of threads.
// README.md says why these models are right.
#pragma once

#include "model/exploration.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/assert.hpp>
#include <tine/detail/sched/hot_words.hpp>

#include "base/futex.hpp"

namespace tine::model {

/// The system's state of one thread. It orders no memory: its members are plain words, used between two steps.
struct system_thread {
  std::unique_ptr<sched::hot_words> words;  ///< its thread-locals; freed when it ends
  bool signalled = false;                   ///< a signal is under way
  bool handles = false;                     ///< its handler runs, and further signals wait
  bool in_long_code = false;                ///< in a long piece of user code, without a fork
  unsigned barriers = 0;                    ///< number of barriers that have reached it
  void* exceptions[2]{};                    ///< __cxa_eh_globals: caught exceptions and the uncaught count
};

struct system {
  unsigned thread_count;
  unsigned members_at_start;          ///< members of the pool at its start; the others come later
  void (*fence_in)(unsigned thread);  ///< executes a full fence in the place of that thread
  base::ticks time = 0;
  unsigned one_deep_in = 0;  ///< one call in so many seems too deep; 0: none
  unsigned barrier_gap =
      0;  ///< at most so many steps lie between the moments at which a barrier reaches one thread and the next
  std::array<system_thread, 4> threads{};
};

/// `system::fence_in` for a suite of `Threads` threads. Every thread but the running one stands before one of its own
/// steps, or sleeps.
template <rl::thread_id_t Threads>
void fence_in(unsigned thread) {
  using thread_info = rl::thread_info<Threads>;
  rl::context& c = rl::ctx();
  auto* me = static_cast<thread_info*>(c.threadx_);
  auto* all = reinterpret_cast<rl::aligned<thread_info>*>(me) - me->index_;
  all[thread].atomic_thread_fence_seq_cst(c.seq_cst_fence_order_);
}

/// The system of the current iteration. A model's suite constructs it first and destroys it last.
inline system* os;

/// Lets a random number of steps pass, fewer than `at_most`, so that other threads get far.
inline void dawdle(unsigned at_most) {
  for (unsigned n = rl::rand(at_most); n != 0; --n) rl::ctx().sched();
}

/// Lets steps pass until the condition holds, but not more than `at_most`.
template <class Condition>
void dawdle_until(unsigned at_most, Condition holds) {
  for (unsigned n = at_most; n != 0 && !holds(); --n) rl::ctx().sched();
}

inline system_thread& this_thread() noexcept { return os->threads[rl::thread_index()]; }

inline sched::hot_words& words_of_this_thread() noexcept {
  system_thread& t = this_thread();
  if (t.words == nullptr) t.words = std::make_unique<sched::hot_words>();
  return *t.words;
}

/// Thread-locals die with their thread; a later look at them is an access to freed memory.
inline void end_thread() noexcept { this_thread().words.reset(); }

/// Does what the product's signal handler does. pool_suite.hpp defines it, because system.hpp knows no worker.
void handle_signal() noexcept;

/// Runs the handler if a signal is under way. A signal that comes while the handler runs arrives when the handler
/// returns.
inline void take_signal() noexcept {
  system_thread& t = this_thread();
  while (t.signalled && !t.handles) {
    t.signalled = false;
    t.handles = true;
    handle_signal();
    t.handles = false;
  }
}

/// A signal that is under way arrives here or later.
inline void between_instructions() noexcept {
  if (this_thread().signalled && rl::rand(2) == 0) take_signal();
}

inline bool feels_deep() noexcept { return os->one_deep_in != 0 && rl::rand(os->one_deep_in) == 0; }

/// Wakes the thread if it is in such code, because something happened that it must see. Orders no memory.
inline void stir(unsigned thread) noexcept {
  system_thread& t = os->threads[thread];
  if (!t.in_long_code) return;
  t.in_long_code = false;
  rl::ctx().unpark_thread(static_cast<rl::thread_id_t>(thread), false, RL_INFO);
}

inline void stir_all() noexcept {
  for (unsigned i = 0; i < os->thread_count; ++i) stir(i);
}

/// Returns true if a signal to that thread is under way.
inline bool is_signalled(unsigned thread) noexcept { return os->threads[thread].signalled; }

/// Sends a signal. The target must not have ended, because its number might already belong to another thread.
inline void send_signal(unsigned thread) noexcept {
  claim(os->threads[thread].words != nullptr, "a signal is sent to a thread that has ended");
  os->threads[thread].signalled = true;
  stir(thread);
}

/// Stands for long user code that neither forks nor polls, until `over()` holds. Signals arrive meanwhile. If no thread
/// ever makes `over()` true, Relacy sees a deadlock: a resting thread does not wake up by itself.
template <class Predicate>
void rest_until(Predicate over) noexcept {
  for (;;) {
    take_signal();
    if (over()) return;
    this_thread().in_long_code = true;
    rl::ctx().park_current_thread(false, false, false, RL_INFO);
    this_thread().in_long_code = false;
  }
}

}  // namespace tine::model

namespace tine::base {

inline void pause() noexcept {
  if (rl::rand(4) == 0) rl::yield(1, RL_INFO);
}

/// The comparison and the sleep are one step, and the comparison reads the newest value: the kernel holds a lock over
/// both, and the waker takes the same lock. In the model the system calls have no other effect on memory.
inline void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint32_t at_most_us) noexcept {
  rl::context& c = rl::ctx();
  c.sched();
  if (word.cell_.debug_value() != expected) return;
  word.cell_.wait(c, at_most_us != 0, true, RL_INFO);
}

inline bool futex_wait_until(atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t) noexcept {
  futex_wait(word, expected, 1);
  return rl::rand(2) == 0;
}

inline void futex_wake(atomic<std::uint32_t>& word) noexcept {
  rl::context& c = rl::ctx();
  c.sched();
  word.cell_.wake(c, 1, RL_INFO);
}

inline bool enable_barrier_everywhere() noexcept { return true; }

/// Executes a full fence for every thread, each between two instructions of that thread and at a moment of its own.
inline void barrier_everywhere() noexcept {
  const unsigned first = rl::rand(model::os->thread_count);
  fence(seq_cst);
  for (unsigned i = 0; i < model::os->thread_count; ++i) {
    rl::ctx().sched();
    const unsigned thread = (first + i) % model::os->thread_count;
    model::os->fence_in(thread);
    ++model::os->threads[thread].barriers;
    if (model::os->barrier_gap != 0) model::dawdle(model::os->barrier_gap);
  }
  fence(seq_cst);
}

inline ticks now() noexcept {
  model::os->time += rl::rand(3) == 0 ? 1000 : 1;
  return model::os->time;
}

[[noreturn]] inline void give_up(const char* why) noexcept {
  model::claim(false, why);
  std::abort();
}
void fatal(const char* message) noexcept { give_up(message); }
void warn(const char* message) noexcept { give_up(message); }
void assertion_failed(const char* what, const char*, int) noexcept { give_up(what); }

}  // namespace tine::base

namespace tine::detail {
inline std::exception_ptr caught_exception() noexcept { return std::current_exception(); }
}  // namespace tine::detail
