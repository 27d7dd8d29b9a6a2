// A worker: one thread's part in a pool, for as long as the thread takes part. One file a verb: promote.cpp, join.cpp,
// steal.cpp (thief.hpp), sleep.cpp, interrupt.cpp.
#pragma once

#include "sched/beat_timer.hpp"
#include "sched/demand.hpp"
#include "sched/fiber.hpp"
#include "sched/inbox.hpp"
#include "sched/parker.hpp"
#include "sched/root_number.hpp"
#include "sched/token_bucket.hpp"
#include "sched/topology.hpp"

#include <tine/sched/counters.hpp>
#include <tine/sched/deque.hpp>
#include <tine/sched/events.hpp>
#include <tine/sched/shadow_stack.hpp>

#include <sys/types.h>
#include <vector>

namespace tine::sched {

struct pool_state;
struct rendezvous;
struct scope;

/// A waiter's word in a completion: a suspended fiber's address, or a worker's with this bit, who waits for a root.
inline constexpr completion::word waits_for_root = 2;

/// Returns true if a strand in this scope is to stop (stop.cpp).
bool is_stopping(const scope* innermost) noexcept;

class alignas(base::cache_line_pair) worker {
 public:
  worker(pool_state& pool, unsigned index, place where, victim_table victims);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // --- its own thread -------------------------------------------------------------------------------------------

  /// This thread becomes the worker, and works until `work_is_over`. The words of another pool that it works for, if
  /// any, must have been put away. `how`: what a caller, who brings a root, does while that runs elsewhere (callers.cpp).
  /// `root_caller`: the analysis of the strand that brings it.
  void take_part(task* root, caller_policy how = caller_policy::any_root, watch* root_caller = nullptr) noexcept;

  /// The slow path of a fork: serves idle workers, and leaves the doorbell as it has to be.
  void answer_doorbell(hot_words& h) noexcept;
  /// The slow path of a fork that stops: nobody is served, and the doorbell stays rung.
  void leave_doorbell(const hot_words& h) noexcept;
  /// Lets the shadow stack of the running fiber grow until it has room for records up to `top`, or as far as it may. Returns its end.
  address room_up_to(address top) noexcept;
  /// The same; ends the program with a message if there is no room.
  void make_room(address top) noexcept;
  /// The limit while nobody rings.
  address resting_limit(const hot_words& h) const noexcept;
  /// From the signal handler, in the middle of user code.
  void answer_signal(hot_words& h, bool beat) noexcept;
  /// From the signal handler, in the middle of the scheduler.
  void miss_signal(hot_words& h, bool beat) noexcept;
  /// From the signal handler: a signal of the same number that is not tine's. One of tine's may have merged with it.
  void pass_signal() noexcept { counts_.handled.add(); }
  /// Counts the arrival of the thread as a handled signal: an earlier signal may have reached the thread while it was not in this pool,
  /// and thieves must not take it for one that is still pending.
  void forget_signals() noexcept { counts_.handled.add(); }
  /// From the signal handler: it begins, or has ended, its work on interrupted user code, with the signal blocked meanwhile.
  // relaxed, here and below: a hint for thieves
  void set_handling(bool now) noexcept { handling_.store(now, base::relaxed); }
  bool is_handling() const noexcept { return handling_.load(base::relaxed); }
  /// The signals that have arrived, whatever came of them.
  std::uint64_t handled_signals() const noexcept { return counts_.handled.get(); }
  /// From the signal handler, in user code that waits in the kernel: promotes all pending records, so that no thief has a
  /// reason to interrupt the wait again. Returns false if some stay pending.
  bool offer_all(hot_words& h) noexcept;
  /// From the signal handler: a system call of user code was interrupted, and was continued by the handler or not.
  void count_interruption(bool continued) noexcept {
    (continued ? counts_.sleeps_continued : counts_.calls_interrupted).add();
  }
  /// A slow join (join.cpp) of the task of a record that lies from `begin` to `end`.
  /// `wanted`: the caller wants the result; if not, the task is stopped.
  static joined join(task& t, address begin, address end, bool wanted) noexcept;
  /// Its three steps: takes an unstolen task back; or leaves the fiber until the task is finished,
  /// to return on whichever worker resumes it; and then learns from it.
  bool take_back(task* t, address record) noexcept;
  void suspend_until(completion& done, address records_end, address resume_at) noexcept;
  /// Leaves the fiber at a rendezvous (rendezvous.hpp); what it has pending stays so.
  void suspend_at(rendezvous& r) noexcept;
  void collect(task& t) noexcept;

  /// For the front end of continuations: publishes the end of something that a fiber may wait for. That fiber is resumed
  /// when this one has nothing left to do: the continuation that it runs returns to the scheduler, or it waits itself.
  void announce_end(completion& done) noexcept;
  /// Goes on with that fiber when this one has nothing left to do, or sends it to the thread that it left.
  void go_on_afterwards(fiber& waiter) noexcept {
    if (!returns_to_its_thread(waiter)) successor_ = &waiter;
  }
  /// The fiber, for which nothing is missing any more, has arrived on the worker that it is to go on on.
  void go_on_here_afterwards(context& waiter) noexcept { successor_ = &waiter; }

  /// Makes every pending record a task, whether or not anybody is idle. False: this is inside
  /// tine::sequential, where some stay.
  bool promote_all(hot_words& h) noexcept;
  /// The same for a strand that is about to lose its native stack: its records become tasks even if it is closed, because otherwise
  /// they would be lost. Returns false, and does nothing, inside tine::sequential.
  bool promote_even_closed(hot_words& h) noexcept;
  /// The same, and its thread is about to work elsewhere for a while. And is back.
  void go_away(hot_words& h) noexcept;
  void come_back(hot_words& h) noexcept;

  /// A fiber that belongs to this worker's thread leaves it, and is back: a guest stays as long.
  // relaxed, here and below: a count, which a guest looks at again and again; that the fiber is back has told it so already
  void expect_back() noexcept { away_.fetch_add(1, base::relaxed); }
  void note_back() noexcept { away_.fetch_sub(1, base::relaxed); }

  /// The fiber that runs; null on the thread's own stack.
  const fiber* running() const noexcept { return running_; }

  // --- anybody --------------------------------------------------------------------------------------------------

  /// Wakes it, if it is asleep.
  bool wake() noexcept;
  /// Returns true if this worker takes work of the root that the queued task belongs to. Also a glance of others.
  bool accepts(const task* queued) const noexcept { return accepts(root_of(queued)); }
  bool accepts(root_number root) const noexcept;  // callers.cpp
  root_number own_number() const noexcept { return static_cast<root_number>(index + 1); }
  void tell_of(inbox::claim as) noexcept;  // submit.cpp
  /// Adds what it has done to `sum`.
  void count_into(counters& sum) const noexcept;

  pool_state& pool;
  const unsigned index;
  const place where;
  /// Of a seat: the worker of another pool that its thread was when it took the seat, and is again afterwards. Written
  /// under that pool's lock; stays while the seat is taken.
  worker* below = nullptr;

  deque<task> tasks;                                         ///< promoted and not yet stolen
  inbox box;                                                 ///< submitted from elsewhere
  alignas(base::cache_line) base::atomic<bool> busy{false};  ///< runs a task; its hot words may be looked at and rung
  base::atomic<bool> owes{false};           ///< had no token for an idle worker: somebody must ask again
  base::atomic<worker*> visiting{nullptr};  ///< whose hot words or thread this worker is using right now
  base::atomic<hot_words*> words{nullptr};  ///< its thread's; valid while busy
  base::atomic<pid_t> thread{0};
  parker bed;
  parker aside;                             ///< where a caller sleeps that stands aside (callers.cpp)
  base::atomic<root_number> serves{0};      ///< the root of what it runs
  base::atomic<bool> is_short{false};       ///< stands aside, and has seen that its root has pending records
  base::atomic<bool> is_away{false};        ///< its thread works for another pool
  base::atomic<root_number> takes_only{0};  ///< of a caller: the only root that it works for; 0: it takes everything

 private:
  friend class thief;
  friend struct pool_state;
  friend void on_fiber(departure&);

  /// One number of this worker's, read by anybody, and written by it alone unless by add_for_somebody only.
  struct count {
    base::atomic<std::uint64_t> value{0};
    // relaxed: a statistic; the owner is the only writer, so no read-modify-write either
    void add(std::uint64_t n = 1) noexcept { value.store(value.load(base::relaxed) + n, base::relaxed); }
    // for what is counted on whose behalf it is done, by whatever thread
    void add_for_somebody() noexcept { value.fetch_add(1, base::relaxed); }
    void set(std::uint64_t n) noexcept { value.store(n, base::relaxed); }
    std::uint64_t get() const noexcept { return value.load(base::relaxed); }
  };

  /// A thief's notes on one victim.
  struct asked {
    base::ticks rung_since = 0;  ///< in the search that goes on; 0: not seen rung
    base::ticks sent = 0;        ///< the last signal, or the last look at it; 0: none
    std::uint64_t handled = 0;   ///< the victim's count before that,
    pid_t thread = 0;            ///< and its thread
    unsigned unhandled = 0;      ///< looks in a row that found the signal not handled
    std::uint64_t ran_ns = 0;    ///< for inquire
  };

  // worker.cpp: from task to task
  static void loop() noexcept;
  task* next_task() noexcept;
  bool work_is_over() const noexcept;
  void begin_call(task* root, caller_policy how) noexcept;  // callers.cpp
  void end_call() noexcept;
  worker* caller_short_of_work() const noexcept;
  bool stands_aside() const noexcept;
  void run(task& t) noexcept;
  bool run_root_task(task& t) noexcept;  // watch.cpp
  void run_continuation(std::uintptr_t c) noexcept;
  void finish(task& t, completion::word flags) noexcept;
  void go_on_with(context& waiter) noexcept;
  void send_home(fiber& waiter) noexcept;
  bool returns_to_its_thread(fiber& waiter) noexcept;
  task* next_return() noexcept;
  bool seems_to_look() const noexcept;
  void leave_fiber(departure::then what, void* awaited, address records_end, address resume_at) noexcept;
  void begin_run(hot_words& h, address at) noexcept;
  void start_running(hot_words& h) noexcept;
  void end_run() noexcept;
  void be_unvisited() noexcept;
  void arrive() noexcept;
  void depart() noexcept;
  void leave_for(context& to, departure::then what, void* awaited = nullptr) noexcept;
  static void settle(departure& left) noexcept;
  fiber& spare_fiber() noexcept;
  void keep_fiber(fiber& f) noexcept;

  // promote.cpp
  enum class served : unsigned char { all, no_demand, no_token };
  void count_vain(served how) noexcept;
  served serve(hot_words& h, promoted_by why) noexcept;
  /// `takers`: of a range, for how many idle workers; 0: all of it.
  void queue_oldest(hot_words& h, promoted_by why, unsigned takers) noexcept;
  void arm_limit(hot_words& h) noexcept;
  bool waits_for_beat() const noexcept;
  void leave_bell(hot_words& h, served how) noexcept;
  const scope* scope_of(const hot_words& h, address at) const noexcept;

  fiber* running_ = nullptr;
  context native_;                ///< the thread's own stack, below all fibers
  task* root_ = nullptr;          ///< what the caller of run brought; stays set until it is finished
  watch* root_caller_ = nullptr;  ///< the analysis of the strand that brought it; null if there is none
  bool root_begun_ = false;
  caller_policy how_ = caller_policy::any_root;
  base::atomic<bool> handling_{false};          ///< the signal handler is at work, in user code
  base::atomic<std::uint32_t> never_woken_{0};  ///< for naps
  base::atomic<unsigned> away_{0};              ///< fibers that left this worker, as far as they have to return to it
  context* successor_ = nullptr;                ///< the fiber to go on with when the one that runs is left
  token_bucket bucket_;
  victim_table victims_;
  std::uint64_t random_;
  beat_timer beat_;
  std::vector<fiber*> fibers_;  ///< a few spare ones
  std::vector<asked> asked_;    ///< by victim

  struct {
    count promotions, signal_promotions, steals, unstolen, suspensions, polls, rings, signals, parks, wakes, run_ticks;
    // written by the signal handler on this worker's thread only; `handled`: all that found the thread in the pool, and its arrivals
    count handled, in_scheduler, nothing_pending, no_demand, no_token, sleeps_continued, calls_interrupted;
    // written as a thief
    count signals_prevented, handlers_replaced;
  } counts_;
};

/// The task as it is queued by the strand that runs, of whose root it is.
inline task* of_running_root(task* t) noexcept {
  return numbered(t, hot::self()->serves.load(base::relaxed));  // relaxed: own word
}

}  // namespace tine::sched
