// See samples.hpp. The handler uses system calls, and the table of its own thread, which no other thread writes. So it
// is async-signal-safe and takes no lock.
#include "augment/samples.hpp"

#include "base/interrupted.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

constexpr std::size_t callers_kept = 3;

/// The address after the interrupted instruction, so that it is like a return address, and the return addresses above
/// it; 0: none.
using chain = std::array<std::uint64_t, callers_kept + 1>;

/// One row of a thread's table. The handler writes the key once, before the first count.
struct counted_place {
  chain key;
  base::atomic<std::uint64_t> count;  ///< in periods; 0: the row is free
};

/// The table of a thread that is or was sampled. After the thread's end the next thread takes the table over and adds
/// to its counts.
struct sampled_thread {
  static constexpr std::size_t places = 8192;
  static constexpr std::size_t most_probes = 32;
  /// With more periods between two signals, the signal was blocked, and the interrupted place is not where the time was
  /// spent.
  static constexpr std::uint64_t longest_gap = 100;

  std::array<counted_place, places> table;
  base::atomic<std::uint64_t> unlocated;  ///< periods without a place: after a gap, or when the table was full
  base::atomic<std::uint64_t> ticks;      ///< periods whose signal came in time, in roots and outside
  base::atomic<bool> in_use;
  base::atomic<bool> had_none;  ///< a thread whose timer has ended lacked ticks: see lacks_ticks
  base::atomic<pid_t> process;  ///< the process in which the thread has a timer; 0: none
  sampled_thread* next;         ///< never changes
  timer_t timer;
  clockid_t clock;      ///< the thread's processor time
  std::uint64_t begin;  ///< the processor time when the timer began, in nanoseconds
  std::uint64_t ticks_at_begin;
  std::uint64_t stack_low, stack_high;
};

struct sampler {
  base::atomic<sampled_thread*> threads{nullptr};
  base::atomic<int> open_roots{0};
  base::atomic<pid_t> process{0};  ///< the process that is sampled
  base::atomic<int> signal{0};     ///< the timers' signal; 0: no signal is free
  base::atomic<std::uint32_t> state_number{0};

  trace::sampling state() const noexcept { return static_cast<trace::sampling>(state_number.load(base::relaxed)); }
  void set_state(trace::sampling s) noexcept { state_number.store(static_cast<std::uint32_t>(s), base::relaxed); }
};
constinit sampler the_sampler;

std::uint64_t nanoseconds(const timespec& t) noexcept {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

/// Returns the nanoseconds on the clock of a thread; 0 if the thread has ended.
std::uint64_t time_on(clockid_t clock) noexcept {
  timespec t{};
  return clock_gettime(clock, &t) == 0 ? nanoseconds(t) : 0;
}

void add(base::atomic<std::uint64_t>& to, std::uint64_t n) noexcept {
  // relaxed: only the handler of one thread writes, and the number publishes no other data to its readers
  to.store(to.load(base::relaxed) + n, base::relaxed);
}

/// Follows the chain of frame pointers. Code without frame pointers leaves any number in the register, so the function
/// reads nothing outside of the thread's stack, and each frame must be above the last frame.
__attribute__((no_sanitize("address", "thread"))) chain interrupted_at(const sampled_thread& t,
                                                                       const void* where) noexcept {
  chain found{base::interrupted::program_counter(where) + 1};
  std::uint64_t low = base::interrupted::stack_pointer(where), frame = base::interrupted::frame_pointer(where);
  if (low < t.stack_low || low >= t.stack_high) return found;
  for (std::size_t i = 1; i <= callers_kept; ++i) {
    if (frame < low || frame % 8 != 0 || t.stack_high - 16 < frame) break;
    const auto* const words = base::from_word<const std::uint64_t>(frame);
    if (words[1] < 4096) break;
    found[i] = words[1];
    low = frame + 16;
    frame = words[0];
  }
  return found;
}

void count(sampled_thread& t, const chain& where, std::uint64_t periods) noexcept {
  std::uint64_t hash = 0;
  for (const std::uint64_t address : where) hash = (hash ^ address) * 0x9E3779B97F4A7C15u;
  for (std::size_t probe = 0; probe < sampled_thread::most_probes; ++probe) {
    counted_place& p = t.table[((hash >> 40) + probe) % sampled_thread::places];
    const std::uint64_t before = p.count.load(base::relaxed);
    if (before == 0) p.key = where;
    if (before == 0 || p.key == where) {
      // release pairs with the acquire in places_of, so that a reader of the count sees the key
      p.count.store(before + periods, base::release);
      return;
    }
  }
  add(t.unlocated, periods);
}

void on_tick(int, siginfo_t* info, void* where) {
  const int error = errno;
  if (info->si_code == SI_TIMER) {
    auto& t = *static_cast<sampled_thread*>(info->si_value.sival_ptr);
    const std::uint64_t periods = 1 + static_cast<std::uint64_t>(std::max(0, info->si_overrun));
    const bool is_late = periods > sampled_thread::longest_gap;
    if (!is_late) add(t.ticks, periods);
    // relaxed: a root that begins or ends on another thread at the same time may or may not be seen
    if (the_sampler.open_roots.load(base::relaxed) == 0) {
      is_late ? add(t.unlocated, periods) : count(t, interrupted_at(t, where), periods);
    }
    base::interrupted::continue_call(where);
  }
  errno = error;
}

bool is_handled_here(int number) noexcept {
  struct sigaction now{};
  return sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_tick;
}

bool is_blocked(int number) noexcept {
  sigset_t blocked;
  return pthread_sigmask(SIG_BLOCK, nullptr, &blocked) != 0 || sigismember(&blocked, number) == 1;
}

/// Installs the handler for a signal that the program does not use. Programs take real-time signals from the lowest up.
int take_signal() noexcept {
  for (int number = SIGRTMAX; number >= SIGRTMIN; --number) {
    struct sigaction before{};
    if (is_blocked(number) || sigaction(number, nullptr, &before) != 0) continue;
    if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action{};
    action.sa_sigaction = &on_tick;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    return sigaction(number, &action, nullptr) == 0 ? number : 0;
  }
  return 0;
}

void forget(sampled_thread& t) noexcept {
  for (counted_place& p : t.table) {
    if (p.count.load(base::relaxed) != 0) p.count.store(0, base::relaxed);  // unused pages are not written
  }
  t.unlocated.store(0, base::relaxed);
  t.ticks.store(0, base::relaxed);
  t.had_none.store(false, base::relaxed);
  t.process.store(0, base::relaxed);  // timers are not inherited
  t.in_use.store(false, base::relaxed);
}

template <class F>
void for_each_thread(F f) {
  // acquire pairs with the release that publishes the table in table_for_this_thread, so that `next` is seen
  for (sampled_thread* t = the_sampler.threads.load(base::acquire); t != nullptr; t = t->next) f(*t);
}

sampled_thread* table_for_this_thread() noexcept {
  sampled_thread* free = nullptr;
  for_each_thread([&](sampled_thread& t) {
    // acquire pairs with the release in end_of_thread, so that the counts of the former thread are seen
    if (free == nullptr && !t.in_use.exchange(true, base::acquire)) free = &t;
  });
  if (free != nullptr) return free;
  // pages of zeros; the kernel provides memory only for pages that are written
  void* const memory =
      mmap(nullptr, sizeof(sampled_thread), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const made = base::object_at<sampled_thread>(memory);
  made->in_use.store(true, base::relaxed);
  made->next = the_sampler.threads.load(base::relaxed);
  // release pairs with the acquire in for_each_thread, so that a thread that finds the table sees `next`
  while (!the_sampler.threads.compare_exchange_weak(made->next, made, base::release, base::relaxed)) {
  }
  return made;
}

void note_stack(sampled_thread& t) noexcept {
  t.stack_low = t.stack_high = 0;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
    t.stack_low = base::to_word(low);
    t.stack_high = t.stack_low + bytes;
  }
  pthread_attr_destroy(&attributes);
}

bool start_timer(sampled_thread& t, int number) noexcept {
  note_stack(t);
  pthread_getcpuclockid(pthread_self(), &t.clock);
  t.begin = time_on(t.clock);
  t.ticks_at_begin = t.ticks.load(base::relaxed);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = number;
  event.sigev_value.sival_ptr = &t;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &t.timer) != 0) return false;
  constexpr timespec period{0, static_cast<long>(sample_period)};
  const itimerspec every{period, period};
  t.process.store(getpid(), base::relaxed);
  if (timer_settime(t.timer, 0, &every, nullptr) == 0) return true;
  timer_delete(t.timer);
  t.process.store(0, base::relaxed);
  return false;
}

/// Returns true if the signal did not arrive for at least half of the thread's time.
bool lacks_ticks(const sampled_thread& t) noexcept {
  if (t.process.load(base::relaxed) != getpid()) return false;
  const std::uint64_t now = time_on(t.clock);
  const std::uint64_t expected = now > t.begin ? (now - t.begin) / sample_period : 0;
  const std::uint64_t came = t.ticks.load(base::relaxed) - t.ticks_at_begin;
  return expected > sampled_thread::longest_gap && came < expected / 2;
}

void stop_timer(sampled_thread& t) noexcept {
  if (lacks_ticks(t)) t.had_none.store(true, base::relaxed);
  // relaxed: of two threads that stop the same timer, only one gets the process from the exchange
  if (t.process.exchange(0, base::relaxed) == getpid()) timer_delete(t.timer);
}

void stop_because(trace::sampling why) noexcept {
  the_sampler.set_state(why);
  for_each_thread(&stop_timer);
}

/// Stops sampling if the program has installed a handler of its own for the signal.
void look_at_signal() noexcept {
  const int number = the_sampler.signal.load(base::relaxed);
  if (the_sampler.state() != trace::sampling::on || is_handled_here(number)) return;
  stop_because(trace::sampling::replaced);
}

/// Ends the thread's timer with the thread.
struct end_of_thread {
  sampled_thread* of = nullptr;
  ~end_of_thread() {
    if (of == nullptr) return;
    stop_timer(*of);
    // release pairs with the acquire in table_for_this_thread
    of->in_use.store(false, base::release);
  }
};

TINE_NOINLINE end_of_thread& this_thread() noexcept {
  static thread_local end_of_thread t;
  return t;
}

void begin_in_this_process() noexcept {
  sampler& s = the_sampler;
  for_each_thread(&forget);
  if constexpr (base::interrupted::knows_registers) {
    const int number = is_handled_here(s.signal.load(base::relaxed)) ? s.signal.load(base::relaxed) : take_signal();
    s.signal.store(number, base::relaxed);
    s.set_state(number != 0 ? trace::sampling::on : trace::sampling::replaced);
  } else {
    s.set_state(trace::sampling::no_registers);
  }
  s.process.store(getpid(), base::relaxed);
  this_thread().of = nullptr;
}

struct address_range {
  const trace::profile& p;
  bool has(std::uint64_t address) const noexcept {
    return std::ranges::any_of(p.modules,
                               [&](const trace::module& m) { return m.begin < address && address <= m.end; });
  }
};

using places = std::map<chain, std::uint64_t>;

/// Returns the counts of all threads. Each chain ends before the first number that is not a return address.
places places_of(const trace::profile& p, std::uint64_t& unlocated) {
  places all;
  const address_range code{p};
  for_each_thread([&](const sampled_thread& t) {
    unlocated += t.unlocated.load(base::relaxed);
    for (const counted_place& place : t.table) {
      // acquire pairs with the release in count, so that the key of a row that counts is seen
      const std::uint64_t count = place.count.load(base::acquire);
      if (count == 0) continue;
      chain key = place.key;
      std::fill(std::find_if_not(key.begin() + 1, key.end(), [&](std::uint64_t a) { return code.has(a); }), key.end(),
                0);
      all[key] += count;
    }
  });
  return all;
}

places without_callers(const places& all) {
  places bare;
  for (const auto& [key, count] : all) bare[{key[0]}] += count;
  return bare;
}

}  // namespace

void sample_this_thread() noexcept {
  sampler& s = the_sampler;
  // relaxed: a process begins with one thread, and a forked one with the thread that forked it
  s.process.load(base::relaxed) != getpid() ? begin_in_this_process() : look_at_signal();
  end_of_thread& here = this_thread();
  if (here.of != nullptr || s.state() != trace::sampling::on) return;
  here.of = table_for_this_thread();
  if (here.of == nullptr || !start_timer(*here.of, s.signal.load(base::relaxed)))
    stop_because(trace::sampling::refused);
}

void stop_sampling() noexcept { stop_because(trace::sampling::none); }

// relaxed: the handler on the same thread sees them in program order
void root_opened() noexcept { the_sampler.open_roots.fetch_add(1, base::relaxed); }
void root_closed() noexcept { the_sampler.open_roots.fetch_sub(1, base::relaxed); }
void set_open_roots(int now) noexcept { the_sampler.open_roots.store(now, base::relaxed); }

void merge_samples(trace::profile& into, std::size_t most) {
  look_at_signal();
  bool is_blocked_somewhere = false;
  for_each_thread(
      [&](const sampled_thread& t) { is_blocked_somewhere |= t.had_none.load(base::relaxed) || lacks_ticks(t); });
  const trace::sampling state = the_sampler.state();
  into.run.sampled = state == trace::sampling::on && is_blocked_somewhere ? trace::sampling::blocked : state;
  into.run.sample_period = sample_period;
  places all = places_of(into, into.run.unlocated);
  if (all.size() > most) all = without_callers(all);
  for (const auto& [at, count] : all) into.samples.push_back({at[0], at[1], at[2], at[3], count});
  std::ranges::sort(into.samples, {}, [](const trace::sample& s) { return std::pair{~s.count, s.address}; });
  for (; into.samples.size() > most; into.samples.pop_back()) into.run.unlocated += into.samples.back().count;
  into.run.samples = into.run.unlocated;
  for (const trace::sample& s : into.samples) into.run.samples += s.count;
}

}  // namespace tine::detail
