// The scheduler itself, for models: everything from the fork's slow path to the thief's bed is the product's own code,
// compiled over Relacy's atomics. Only the edges are the model's: the system (kernel.hpp), starting and stopping a pool,
// and the fork, which is written down once more in `fork` below.
#pragma once

#include "model/kernel.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace tine::model {

/// Mappings are kept and given out again: they are most of the cost of an iteration otherwise.
inline std::array<void*, 64> spare_mappings;
inline std::size_t spare_mapping_count = 0;

inline void* map(std::size_t bytes) noexcept {
  if (spare_mapping_count != 0) return spare_mappings[--spare_mapping_count];
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
inline void unmap(void* m) noexcept { spare_mappings[spare_mapping_count++] = m; }

}  // namespace tine::model

// what the scheduler asks the machine for
#define __builtin_ia32_pause tine::model::pause
#define gettid() static_cast<pid_t>(rl::thread_index() + 1)
#define mmap(at, bytes, ...) tine::model::map(bytes)
#define munmap(at, bytes) tine::model::unmap(at)
#define mprotect(at, bytes, what) 0
#define mincore(at, bytes, into) -1
#define madvise(at, bytes, what) 0

#include "sched/alert.cpp"
#include "sched/callers.cpp"
#include "sched/fiber.cpp"
#include "sched/join.cpp"
#include "sched/promote.cpp"
#include "sched/rendezvous.cpp"
#include "sched/sleep.cpp"
#include "sched/steal.cpp"
#include "sched/stop.cpp"
#include "sched/submit.cpp"
#include "sched/watch.cpp"
#include "sched/worker.cpp"

// In place of augment/profile.cpp: no root is watched.
const tine::sched::root_watch& tine::sched::watch_of_roots() noexcept {
  static constexpr root_watch none{[](watch*) noexcept -> watch* { return nullptr; }, nullptr, nullptr};
  return none;
}

#undef gettid
#undef mmap
#undef munmap
#undef mprotect
#undef mincore
#undef madvise

namespace tine::sched {

// beat_timer.cpp, fault.cpp, guard_pages.cpp, interrupt.cpp: no heartbeats, no faults here, and signals are the model's
void beat_timer::start(const options&) noexcept {}
void beat_timer::rest() noexcept {}
void beat_timer::stop() noexcept {}
void ensure_signal_stack() noexcept {}
void guard_pages::enter(const std::byte*, std::size_t, std::size_t) noexcept {}
void guard_pages::move_end(std::size_t) noexcept {}
guard_pages::~guard_pages() = default;
// pool.cpp
bool are_together(const worker& a, const worker& b) noexcept { return &a.pool == &b.pool; }
bool take_handler_back(int) noexcept { return false; }
signal_fate inquire(const worker& victim, std::uint64_t, std::uint64_t&) noexcept {
  return model::is_signalled(static_cast<unsigned>(victim.thread.load(base::relaxed) - 1)) ? signal_fate::pending
                                                                                           : signal_fate::lost;
}
void send_interrupt(const worker& victim) noexcept {
  model::send_signal(static_cast<unsigned>(victim.thread.load(base::relaxed) - 1));
}

/// The pools of the iteration that runs.
inline pool_list* listed_pools;
pool_list& pools() noexcept { return *listed_pools; }

// mirrors pool.cpp: pool_state::pool_state; one node, and every worker a seat that the model's threads fill,
// none of which is there before its thread is
pool_state::pool_state(const options& asked)
    : settings{asked},
      spin{500},
      patience{500},
      ring_gap{10},
      can_bar{true},
      signals{asked.interrupt},
      crowded{false},
      awake{new base::atomic<int>[2]},
      fibers{asked.stack_bytes, asked.record_bytes, &on_fiber},
      table_{new std::unique_ptr<worker>[asked.workers]} {
  for (unsigned i = 0; i < model::os->members_at_start; ++i) add_member(i);
}
pool_state::~pool_state() = default;

// mirrors pool.cpp: pool_state::add_member
worker& pool_state::add_member(unsigned i) {
  table_[i] = std::make_unique<worker>(*this, i, place{-1, 0, 0}, victim_table{});
  members_.store(i + 1, base::release);
  return *table_[i];
}

// mirrors pool.cpp: pool_state::stop_threads
void pool_state::stop_threads() noexcept {
  stopping.store(true, base::release);
  for (unsigned i = 0; i < members(); ++i) member(i).wake();
}

}  // namespace tine::sched

namespace tine::model {

/// mirrors interrupt.cpp: on_interrupt
void handle_signal() noexcept {
  sched::hot_words& h = words_of_this_thread();
  if (h.self == nullptr) return;
  if (h.in_scheduler != 0) {
    h.self->miss_signal(h, false);
    return;
  }
  h.in_scheduler = 1;
  h.self->answer_signal(h, false);
  h.in_scheduler = 0;
}

/// What a model forks: a function from int to int.
using branch = int (*)(int);

/// Its record. Never constructed: its parts come to life one by one, as those of a product's record do.
struct record : sched::task {
  record() = delete;

  branch function;
  watched<int> argument;
  watched<int> result;
  int runs;
};

/// What a thief does with it.
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
  ::new (static_cast<void*>(&r.argument)) watched<int>{argument};
  ::new (static_cast<void*>(&r.result)) watched<int>;
  r.runs = 0;
  return r;
}

/// The end of what become_task has brought to life.
inline void end_task(sched::task& t) {
  using flag = base::atomic<bool>;
  t.done.~completion();
  t.stopping.~flag();
}

/// The end of a record: its memory may hold another the next moment. A late look is an access to freed memory.
inline void forget_record(record& r, bool was_promoted) {
  if (was_promoted) end_task(r);
  r.result.~watched<int>();
  r.argument.~watched<int>();
}

/// One fork and its join, in the order of managed/par.hpp: fork_join. Runs `first` here, and `second` here or elsewhere.
/// Returns what `second` returned.
template <class First>
int fork(First first, branch second, int argument) noexcept {
  namespace hot = sched::hot;
  const sched::address at = hot::top();
  record& r = write_record(at, second, argument);
  hot::set_top(at + sizeof(record));
  if (hot::is_rung(at)) claim(sched::poll() != sched::polled::outside, "a fork outside every pool");
  first();
  hot::set_top(at);
  const bool promoted = hot::is_promoted(at);
  if (promoted && sched::join(r) == sched::joined::stolen) {
    claim(r.done.is_finished() && r.runs == 1, "a stolen record was joined before it ran");
    const int result = r.result.get();
    forget_record(r, true);
    return result;
  }
  claim(r.runs == 0, "a record that nobody stole has run");
  forget_record(r, promoted);
  return second(argument);
}

/// What a caller of run brings (sched/pool.hpp: root_task).
struct root : sched::task {
  root(const sched::descriptor* d, sched::worker& seat)
      : sched::task{d, sched::completion{reinterpret_cast<sched::completion::word>(&seat) | sched::waits_for_root}, 0} {
  }
};

/// A caller of run takes the seat and leaves it; then its thread ends. Mirrors pool.cpp: run_root.
template <auto Program>
void run_root(sched::worker& seat) {
  static constexpr sched::descriptor kind{[](sched::task&) noexcept {
                                            Program();
                                            return false;
                                          },
                                          0};
  root r{&kind, seat};
  seat.take_part(&r, seat.pool.settings.callers);
  claim(r.done.is_finished(), "run returned before its root is finished");
  words_of_this_thread().self = nullptr;
  end_thread();
}

/// A pool whose workers are the threads of a suite, one each.
template <class Suite, rl::thread_id_t Threads>
struct pool_suite : rl::test_suite<Suite, Threads> {
  static options settings() {
    options o;
    o.workers = Threads;
    o.promote = promotion::on_demand(100, 4);
    o.stack_bytes = 64 << 10;
    o.record_bytes = 64 << 10;
    o.callers = caller_policy::any_root;
    o.resume = resume_policy::home;  // an entry that anybody may take: more can go wrong than with one that is bound
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

  /// What a pool's own thread does.
  void work(unsigned index) {
    pool->member(index).take_part(nullptr);
    words_of_this_thread().self = nullptr;
    end_thread();
  }

  /// Thread 0 brings the root, and stops the pool after it; the others are the pool's.
  void thread(unsigned index) {
    words_of_this_thread();
    if (index != 0) return work(index);
    run_root<&Suite::program>(pool->member(0));
    pool->stop_threads();
  }

  void after() {
    claim(pool->asleep.load(base::relaxed) == 0, "somebody is counted asleep when all are gone");
    claim(pool->awake[0].load(base::relaxed) == 0, "somebody is counted awake when all are gone");
    claim(pool->wanted.unmet() == 0, "demand is left when all are gone");
    claim(pool->alerts.load(base::relaxed) == 0, "an alert is left when all are gone");
  }

  std::unique_ptr<sched::pool_state> pool;
};

}  // namespace tine::model
