// The scheduler itself, for models: everything from the fork's slow path to the thief's idle parker is the product's
// own code, compiled over Relacy's atomics. The model supplies only the edges: the system (system.hpp), starting and
// stopping a pool, and the fork, which `fork` below repeats.
#pragma once

#include "model/system.hpp"

#include <tine/detail/managed/fast_path.hpp>

#include <sys/mman.h>
#include <unistd.h>

namespace tine::model {

/// The mappings that `map` uses again. New mappings would be most of the cost of an iteration.
inline std::array<void*, 64> spare_mappings;
inline std::size_t spare_mapping_count = 0;

inline void* map(std::size_t bytes) noexcept {
  if (spare_mapping_count != 0) return spare_mappings[--spare_mapping_count];
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
inline void unmap(void* m) noexcept { spare_mappings[spare_mapping_count++] = m; }

}  // namespace tine::model

// replaces the calls of the scheduler to the processor and the system
#define mmap(at, bytes, ...) tine::model::map(bytes)
#define munmap(at, bytes) tine::model::unmap(at)
#define mprotect(at, bytes, what) 0
#define mincore(at, bytes, into) -1
#define madvise(at, bytes, what) 0

#include "sched/alert.cpp"
#include "sched/callers.cpp"
#include "sched/event_source.cpp"
#include "sched/external_wait.cpp"
#include "sched/fiber.cpp"
#include "sched/join.cpp"
#include "sched/join_counter.cpp"
#include "sched/observer.cpp"
#include "sched/promote.cpp"
#include "sched/skipped_stretch.cpp"
#include "sched/sleep.cpp"
#include "sched/steal.cpp"
#include "sched/stop.cpp"
#include "sched/submit.cpp"
#include "sched/submitted_root.cpp"
#include "sched/worker.cpp"

#undef mmap
#undef munmap
#undef mprotect
#undef mincore
#undef madvise

namespace tine::base {

// In place of ticks.cpp and thread_id.cpp.
double rough_rate() noexcept { return 1; }
pid_t thread_id() noexcept { return static_cast<pid_t>(rl::thread_index() + 1); }

}  // namespace tine::base

namespace tine::sched {

// In place of beat_timer.cpp, fault_handlers.cpp and guard_pages.cpp: a model has no heartbeats and no faults.
void beat_timer::start(int, double) noexcept {}
void beat_timer::rest() noexcept {}
void beat_timer::stop() noexcept {}
void ensure_signal_stack() noexcept {}
void guard_pages::enter(fiber&, const std::byte*, std::size_t, std::size_t) noexcept {}
const fiber* guard_pages::fiber_at(const void*) noexcept { return nullptr; }
void guard_pages::move_end(std::size_t) noexcept {}
void guard_pages::leave() noexcept {}
// In place of worker_listener.cpp.
void worker::tell_of_beginning() noexcept {}
void worker::tell_of_end() noexcept {}
// Mirrors pool.cpp: are_together. The functions after it are in place of interrupt.cpp: the model sends the signals.
bool are_together(const worker& a, const worker& b) noexcept { return &a.pool == &b.pool; }
bool take_handler_back(int) noexcept { return false; }
signal_fate inquire(const worker& victim, std::uint64_t, std::uint64_t&) noexcept {
  return model::is_signalled(static_cast<unsigned>(victim.thread.load(base::relaxed) - 1)) ? signal_fate::pending
                                                                                           : signal_fate::lost;
}
void send_interrupt(const worker& victim) noexcept {
  model::send_signal(static_cast<unsigned>(victim.thread.load(base::relaxed) - 1));
}

/// The pools of the current iteration.
inline pool_list* listed_pools;
pool_list& pools() noexcept { return *listed_pools; }

// Mirrors pool.cpp: pool_state::pool_state. There is one NUMA node. Every worker is a slot that a thread of the model
// takes, and no worker is present before its thread is.
pool_state::pool_state(const options& asked)
    : settings{asked},
      join_spin{0},
      spin{500},
      patience{500},
      request_gap{10},
      can_bar{true},
      signals{asked.interrupt},
      crowded{false},
      awake{new base::atomic<int>[2]},
      fibers{asked.stack_bytes, asked.record_bytes, &worker::on_fiber},
      table_{new std::unique_ptr<worker>[asked.workers]} {
  for (unsigned i = 0; i < model::os->members_at_start; ++i) add_member(i);
}
pool_state::~pool_state() = default;

// Mirrors pool.cpp: pool_state::add_member.
worker& pool_state::add_member(unsigned i) {
  table_[i] = std::make_unique<worker>(*this, i, processor{-1, 0, 0});
  members_.store(i + 1, base::release);
  return *table_[i];
}

// A model draws all victims alike.
victim_table pool_state::victims_of(unsigned) const { return {}; }

// Mirrors pool.cpp: pool_state::stop_threads.
void pool_state::stop_threads() noexcept {
  stopping.store(true, base::release);
  for (unsigned i = 0; i < members(); ++i) member(i).wake();
}

// Mirror pool.cpp: pool_state::submit, without the resident, because all threads of the model are there from the start;
// and end_submitted.
void pool_state::submit(submission& root, root_priority how) {
  ++submitted_;
  roots.put(root, how);
  wanted.force();
  wake_if_needed(member(0));
}
pool_state& pool_state::successor() { return *this; }  // no process of a model forks
void pool_state::end_submitted() noexcept {
  --submitted_;
  model::stir_all();
}

// A submitted root calls these only in a pool without threads, and no model has such a pool.
void run_root(pool_state&, task&, bool) { base::fatal("a root runs in a pool without threads"); }
bool works_for(const pool_state&) noexcept { return false; }
}  // namespace tine::sched

namespace tine::model {

/// Mirrors interrupt.cpp: on_interrupt.
void handle_signal() noexcept {
  sched::hot_words& h = words_of_this_thread();
  if (h.self == nullptr) return;
  if (h.in_scheduler != 0) {
    h.self->miss_signal(h, false);
    return;
  }
  h.in_scheduler = 1;
  h.self->serve_signal(h, false);
  h.in_scheduler = 0;
}

/// The second branch of a model's fork: a function from int to int.
using branch = int (*)(int);

/// The record of a fork. It is never constructed: its members come to life one by one, as in a record of the product.
struct record : sched::task {
  record() = delete;
  static sched::address end(sched::address at) noexcept { return at + sizeof(record); }
  void drop() noexcept {}

  branch function;
  race_checked<int> argument;
  race_checked<int> result;
  int runs;
};

/// Runs a stolen record.
inline bool run_record(sched::task& t) noexcept {
  auto& r = static_cast<record&>(t);
  claim(++r.runs == 1, "a record runs twice");
  r.result.set(r.function(r.argument.get()));
  return false;
}
inline constexpr sched::descriptor record_kind{&run_record, sizeof(record)};

inline record& write_record(sched::address at, branch function, int argument) {
  auto& r = *reinterpret_cast<record*>(at);
  r.what = &record_kind;
  r.function = function;
  ::new (static_cast<void*>(&r.argument)) race_checked<int>{argument};
  ::new (static_cast<void*>(&r.result)) race_checked<int>;
  r.runs = 0;
  return r;
}

/// Destroys the members that become_task has constructed.
inline void end_task(sched::task& t) {
  using flag = base::atomic<bool>;
  t.done.~completion();
  t.stopping.~flag();
}

/// Ends a record. Its memory may hold another record at once. A late look at the old one is an access to freed memory.
inline void forget_record(record& r, bool was_promoted) {
  if (was_promoted) end_task(r);
  r.result.~race_checked<int>();
  r.argument.~race_checked<int>();
}

/// The form of the model's fork, for the product's `fast_path`.
template <class First>
struct ways {
  using record = model::record;
  using first = void_result;
  using result = int;
  static constexpr bool reclaims_as_unpromoted = false;

  static bool forks_otherwise() noexcept {
    claim(sched::poll() != sched::polled::outside, "a fork outside every pool");
    return false;
  }
  static int elsewhere(sched::address) noexcept {
    claim(false, "a fork leaves the fast path");
    return 0;
  }
  static int stolen(first&&, record& r) noexcept {
    claim(r.done.is_finished() && r.runs == 1, "a stolen record was joined before it ran");
    const int result = r.result.get();
    forget_record(r, true);
    return result;
  }
  int reclaimed(first&&, record& r) const noexcept { return run_second(r, true); }
  int unpromoted(first&&, record& r) const noexcept { return run_second(r, false); }
  int run_second(record& r, bool was_promoted) const noexcept {
    claim(r.runs == 0, "a record that was not stolen has run");
    forget_record(r, was_promoted);
    return second(argument);
  }

  First& body;
  branch second;
  int argument;
};

/// One fork and its join. Runs `first` on this thread, and `second` on this or another one. Returns the result of
/// `second`.
template <class First>
int fork(First first, branch second, int argument) noexcept {
  const sched::address at = sched::hot::top();
  write_record(at, second, argument);
  ways<First> here{first, second, argument};
  return detail::fast_path(at, sched::hot::block{}, here);
}

/// The root that a caller of run brings (sched/pool.hpp: root_task).
struct root : sched::task {
  root(const sched::descriptor* d, sched::worker& slot)
      : sched::task{d, sched::completion{reinterpret_cast<sched::completion::word>(&slot) | sched::waits_for_root}, 0} {
  }
};

/// Takes the slot as a caller of run does, runs the root, leaves the slot and ends the thread. Mirrors pool.cpp:
/// run_root.
template <auto Program>
void run_root(sched::worker& slot) {
  static constexpr sched::descriptor kind{[](sched::task&) noexcept {
                                            Program();
                                            return false;
                                          },
                                          0};
  root r{&kind, slot};
  int error = 0;
  slot.take_part({.root = &r, .how = slot.pool.settings.callers, .error = &error});
  claim(r.done.is_finished(), "run returned before its root is finished");
  words_of_this_thread().self = nullptr;
  end_thread();
}

/// A pool with one worker for each thread of a suite.
template <class Suite, rl::thread_id_t Threads>
struct pool_suite : rl::test_suite<Suite, Threads> {
  static options settings() {
    options o;
    o.workers = Threads;
    o.promote = promotion::on_demand(100, 4);
    o.stack_bytes = 64 << 10;
    o.record_bytes = 64 << 10;
    o.callers = caller_policy::any_root;
    o.resume = resume_policy::origin;  // unbound submissions can fail in more ways than bound ones
    return o;
  }
  static options promoting(promotion p) {
    options o = settings();
    o.promote = p;
    return o;
  }

  static constexpr unsigned members_at_start = Threads;

  pool_suite() {
    os = new system{Threads, Suite::members_at_start, &fence_in<Threads>};
    sched::listed_pools = new sched::pool_list;
    pool = std::make_unique<sched::pool_state>(Suite::settings());
  }
  ~pool_suite() {
    pool.reset();
    delete std::exchange(sched::listed_pools, nullptr);
    delete std::exchange(os, nullptr);
  }

  /// Runs a thread of the pool's own.
  void work(unsigned index) {
    pool->member(index).take_part({});
    words_of_this_thread().self = nullptr;
    end_thread();
  }

  /// Thread 0 brings the root and stops the pool after it. The other threads are the pool's own.
  void thread(unsigned index) {
    words_of_this_thread();
    if (index != 0) return work(index);
    run_root<&Suite::program>(pool->member(0));
    pool->stop_threads();
  }

  void after() {
    claim(pool->asleep.load(base::relaxed) == 0, "a worker is counted asleep when all have left");
    claim(pool->awake[0].load(base::relaxed) == 0, "a worker is counted awake when all have left");
    claim(pool->wanted.unmet() == 0, "demand is left when all are gone");
    claim(pool->alerts.load(base::relaxed) == 0, "an alert is left when all are gone");
  }

  std::unique_ptr<sched::pool_state> pool;
};

}  // namespace tine::model
