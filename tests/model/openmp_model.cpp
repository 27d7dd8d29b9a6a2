// Models of the lock-free protocols of compat/openmp: its eventcount, barrier, thread numbers, locks and workshares.
// A model thread stands for a strand or for a native thread, which differ in how they sleep. The mutex and the condition
// variable of the eventcount are the product's as well.
#include "model/exploration.hpp"

#include "sync/condition_variable.cpp"
#include "sync/mutex.cpp"
#include "sync/wait_queue.cpp"

#include "eventcount.hpp"
#include "locks.hpp"
#include "team_barrier.hpp"
#include "thread_numbers.cpp"
#include "turns.cpp"
#include "workshare.cpp"

/// A member without thieves does not use these words, but its code refers to them.
extern "C" constinit thread_local std::uintptr_t tine_hot[8]{};

namespace tine::detail {

moment moment_after(std::int64_t) noexcept { return 1; }
void ring(limited_waiter& who) noexcept { who.give_up(); }

}  // namespace tine::detail

namespace tine::openmp {

/// The table of queues in locks.cpp, as if all locks had the same queue.
inline eventcount* queue_of_locks;
inline bool (*locks_block)();
void word_lock::wait() noexcept { wait_in(*queue_of_locks, locks_block()); }
void word_lock::wake() noexcept { queue_of_locks->wake(); }

void fail(const char* format, ...) noexcept {
  model::claim(false, format);
  std::abort();
}

/// Only members that take turns ask for their task, and those of the models don't.
task& initial_task() { fail("a member without turns asks for its task"); }

/// A team outside of pools. These mirror the constructors in team.cpp.
team::team(unsigned members, task* by, bool thieves) noexcept
    : size{members},
      level{0},
      active_level{0},
      met_by{by},
      takes_thieves{thieves},
      vars{nullptr},
      numbers{members},
      barrier{members} {
  first_share.left.store(members, std::memory_order_relaxed);
}
member::member(openmp::team& of, task* met_by, int thread) noexcept
    : task{&of, met_by, thread, true, false, of.vars, of.group}, at{&of.first_share} {}

}  // namespace tine::openmp

namespace tine::model {
namespace {

using namespace openmp;

// ---------------------------------------------------------------------------------------------------------------
// The eventcount: no wake-up is lost. A thread that nothing wakes is a deadlock. The conditions order nothing, so that
// the eventcount itself must.

template <class Suite, int Threads>
struct sleeping : rl::test_suite<Suite, Threads> {
  bool is_met() const { return condition.load(std::memory_order_relaxed) == needed; }
  void suspend() {
    events.suspend_until([&] { return is_met(); });
  }
  void block() {
    events.block_until([&] { return is_met(); });
  }
  void meet() {
    condition.fetch_add(1, std::memory_order_relaxed);
    events.wake();
  }
  void after() { claim(events.sleepers_.load(std::memory_order_relaxed) == 0, "nobody sleeps at the end"); }

  eventcount events;
  standard_atomic<int> condition{0};
  int needed = 1;
};

struct strand_sleeps : sleeping<strand_sleeps, 2> {
  void thread(unsigned index) { index == 0 ? meet() : suspend(); }
};

struct thread_sleeps : sleeping<thread_sleeps, 2> {
  void thread(unsigned index) { index == 0 ? meet() : block(); }
};

struct strand_and_thread_sleep : sleeping<strand_and_thread_sleep, 3> {
  void thread(unsigned index) { index == 0 ? meet() : index == 1 ? suspend() : block(); }
};

/// Two wakers make one condition true, and one that comes too early wakes in vain.
struct two_wakers : sleeping<two_wakers, 3> {
  two_wakers() { needed = 2; }
  void thread(unsigned index) { index == 2 ? block() : meet(); }
};

/// Threads that wait for their turns, as those of an ordered loop: each is a sleeper and a waker several times.
struct takes_turns : rl::test_suite<takes_turns, 3> {
  takes_turns() { value.set(0); }
  void thread(unsigned index) {
    for (unsigned mine = index; mine < 6; mine += 3) {
      const auto has_come = [&] { return turn.load(std::memory_order_acquire) == mine; };
      index == 1 ? events.block_until(has_come) : events.suspend_until(has_come);
      claim(value.get() == static_cast<int>(mine), "the turns before are seen");
      value.set(value.get() + 1);
      turn.store(mine + 1, std::memory_order_release);
      events.wake();
    }
  }
  eventcount events;
  standard_atomic<unsigned> turn{0};
  race_checked<int> value;
};

// ---------------------------------------------------------------------------------------------------------------
// The barrier: all members have arrived, and what they wrote before is seen. `meet` mirrors wait_at_barrier in team.cpp.

template <class Suite, int Members>
struct team_suite : rl::test_suite<Suite, Members> {
  team_suite() {
    for (auto& v : values) v.set(0);
  }
  bool is_cancelled() const { return team.cancelled.load(std::memory_order_relaxed); }

  /// Returns true if the region was cancelled.
  bool meet() {
    if (is_cancelled()) return true;
    const unsigned mine = team.barrier.generation();
    if (team.barrier.arrive(mine)) {
      team.events.wake();
      return false;
    }
    const auto has_ended = [&] { return team.barrier.has_ended(mine); };
    bool ended = has_ended();
    if (!ended) {
      sleep_until(team, [&] { return has_ended() || is_cancelled(); });
      ended = has_ended();
    }
    if (!ended) team.barrier.withdraw();
    return !ended;
  }
  void cancel() {
    team.cancelled.store(true, std::memory_order_relaxed);
    team.events.wake();
  }
  int sum() const {
    int s = 0;
    for (const auto& v : values) s += v.get();
    return s;
  }

  openmp::team team{Members, nullptr, false};
  race_checked<int> values[Members];
};

template <class Suite>
struct meeting : team_suite<Suite, 3> {
  void thread(unsigned index) {
    for (int round = 1; round <= 2; ++round) {
      this->values[index].set(round);
      claim(!this->meet(), "nobody has cancelled the region");
      claim(this->sum() == 3 * round, "all members have arrived");
      claim(!this->meet(), "nobody has cancelled the region");
    }
  }
};

struct strands_meet : meeting<strands_meet> {};
struct threads_meet : meeting<threads_meet> {
  threads_meet() { team.is_native = true; }
};
/// A task makes those that sleep look for tasks, as strands do.
struct threads_meet_with_task : meeting<threads_meet_with_task> {
  threads_meet_with_task() { team.is_native = true; }
  void thread(unsigned index) {
    if (index == 0) announce_task(team);
    meeting::thread(index);
  }
};

/// One member cancels the region, and the others leave their barriers.
struct meeting_is_cancelled : team_suite<meeting_is_cancelled, 3> {
  void thread(unsigned index) {
    values[index].set(1);
    if (!meet()) claim(sum() == 3, "a barrier that ends has all members");
    if (index == 0) return cancel();
    while (!meet()) claim(false, "a barrier without the member that has left does not end");
  }
};

/// The members of native threads end together. `thread` mirrors wait_for_members in team.cpp.
struct members_end : team_suite<members_end, 3> {
  members_end() { team.is_native = true; }
  void thread(unsigned index) {
    values[index].set(1);
    const auto all_ended = [&] { return team.barrier.have_all_ended(); };
    if (team.barrier.end_member()) {
      claim(sum() == 3, "the last member sees what all members wrote");
      team.events.wake();
    } else if (!all_ended()) {
      sleep_until(team, all_ended);
    }
    claim(sum() == 3, "what all members wrote is seen");
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Thread numbers: one strand at a time has a number, sees what the strand before it wrote, and gets one in the end.

/// A team of several members, the first of which has made a task.
template <class Suite, int Threads, int Members>
struct numbers_suite : rl::test_suite<Suite, Threads> {
  numbers_suite() {
    for (auto& v : slots) v.set(0);
  }
  void run_under(int number) {
    claim(holders[number]++ == 0, "one strand has the number");
    slots[number].set(slots[number].get() + 1);
    --holders[number];
  }
  /// The member waits, and then ends. While it waits, `by` lends the number.
  template <class Wait>
  void run_member(int number, thread_numbers::lender by, Wait wait) {
    run_under(number);
    team.numbers.lend(number, by);
    wait();
    team.numbers.reclaim(number, by);
    run_under(number);
    team.numbers.lend(number, thread_numbers::anyone);
  }
  void run_member(int number) {
    run_member(number, thread_numbers::anyone, [] {});
  }
  /// A thief runs a task that `parent` has made.
  void run_stolen(const task& parent) {
    const auto l = team.numbers.borrow(parent);
    claim(l.from == thread_numbers::anyone || &parent != &second, "a number that a task lends is for its descendants");
    run_under(l.number);
    team.numbers.give_back(l);
  }

  openmp::team team{Members, nullptr, false};
  member first{team, nullptr, 0}, second{team, nullptr, 1};
  task child{first, nullptr, nullptr, 0};
  race_checked<int> slots[Members];
  int holders[Members]{};
};

/// Two members wait and end, while a stolen task borrows a number.
struct borrows_at_barrier : numbers_suite<borrows_at_barrier, 3, 2> {
  void thread(unsigned index) { index == 2 ? run_stolen(first) : run_member(static_cast<int>(index)); }
  void after() { claim(slots[0].get() + slots[1].get() == 5, "all have run"); }
};

/// Two stolen tasks want the number of one member.
struct borrowers_compete : numbers_suite<borrowers_compete, 3, 1> {
  void thread(unsigned index) { index == 0 ? run_member(0) : run_stolen(first); }
  void after() { claim(slots[0].get() == 4, "all have run"); }
};

/// A member waits for a child and a grandchild, which therefore get its number. A task of another member gets the
/// number after the member's end.
struct child_borrows : numbers_suite<child_borrows, 3, 1> {
  void thread(unsigned index) {
    const auto has_run = [&] { return child_has_run.load(std::memory_order_relaxed); };
    if (index == 0) return run_member(0, thread_numbers::of(first), [&] { team.events.suspend_until(has_run); });
    if (index == 2) return run_stolen(second);
    run_stolen(first);
    run_stolen(child);
    child_has_run.store(true, std::memory_order_relaxed);
    team.events.wake();
  }
  void after() { claim(slots[0].get() == 5, "all have run"); }
  standard_atomic<bool> child_has_run{false};
};

// ---------------------------------------------------------------------------------------------------------------
// Locks: their holders see what earlier holders wrote, and every party gets the lock.

template <class Suite, int Threads, int Locks = 1>
struct lock_suite : rl::test_suite<Suite, Threads> {
  lock_suite() {
    for (auto& l : locks) l = std::make_unique<word_lock>();
    for (auto& c : counts) c.set(0);
    queue_of_locks = &queue;
    locks_block = &Suite::blocks;
  }
  void enter(int lock) {
    claim(holders[lock]++ == 0, "one party holds the lock");
    counts[lock].set(counts[lock].get() + 1);
    --holders[lock];
  }
  void take_and_release(int lock) {
    locks[lock]->acquire();
    enter(lock);
    claim(locks[lock]->release(), "the lock was held");
  }
  void after() {
    for (auto& l : locks) claim(l == nullptr || l->try_acquire(), "the lock is free at the end");
    claim(queue.sleepers_.load(std::memory_order_relaxed) == 0, "nobody sleeps at the end");
  }

  eventcount queue;
  std::unique_ptr<word_lock> locks[Locks];
  race_checked<int> counts[Locks];
  int holders[Locks]{};
};

template <class Suite>
struct three_parties : lock_suite<Suite, 3> {
  void thread(unsigned) {
    this->take_and_release(0);
    this->take_and_release(0);
  }
};

struct strands_lock : three_parties<strands_lock> {
  static bool blocks() { return false; }
};
struct threads_lock : three_parties<threads_lock> {
  static bool blocks() { return true; }
};

/// One party is a native thread, and one does not wait.
struct strand_and_thread_lock : lock_suite<strand_and_thread_lock, 3> {
  static bool blocks() { return rl::thread_index() == 0; }
  void thread(unsigned index) {
    for (int done = 0; done < 2;) {
      if (index != 2) {
        take_and_release(0);
      } else if (locks[0]->try_acquire()) {
        enter(0);
        locks[0]->release();
      } else {
        rl::yield(1, RL_INFO);
        continue;
      }
      ++done;
    }
  }
};

/// Two locks have the same queue.
struct two_locks : lock_suite<two_locks, 4, 2> {
  static bool blocks() { return rl::thread_index() == 0; }
  void thread(unsigned index) { take_and_release(static_cast<int>(index % 2)); }
};

/// The last party frees the lock after its release, while other calls of `release` may still run.
struct lock_ends : lock_suite<lock_ends, 3> {
  static bool blocks() { return false; }
  void thread(unsigned) {
    locks[0]->acquire();
    enter(0);
    const bool is_last = counts[0].get() == 3;
    locks[0]->release();
    if (is_last) locks[0].reset();
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Workshares: one member makes each, the last one deletes it, and each iteration runs once.

/// A word for each iteration, as of a doacross loop, and a variable that the end of the workshare writes.
struct words_of_share {
  standard_atomic<std::uint64_t> posted[3];
  race_checked<int> uses{0};
  static void end(void* at) {
    auto* const words = static_cast<words_of_share*>(at);
    words->uses.set(1);
    delete words;
  }
};

template <class Suite, int Members>
struct share_suite : rl::test_suite<Suite, Members> {
  /// The member meets a loop of three iterations.
  workshare& enter(member& me) {
    bool is_first = false;
    workshare& w = enter_share(
        me,
        [](workshare& fresh) {
          fresh.space.count = 3;
          auto progress = std::make_unique<progress_of_iterations>();
          progress->extent = {3};
          progress->posted = {(new words_of_share)->posted, &words_of_share::end};
          fresh.progress = std::move(progress);
        },
        &is_first);
    made += is_first;
    const auto* const words = reinterpret_cast<const words_of_share*>(w.progress->posted.get());
    claim(words->uses.get() == 0, "the workshare is whole, and is there until the last member leaves it");
    return w;
  }
  void run(std::uint64_t iteration) { ++runs[iteration]; }
  void after() {
    for (const int r : runs) claim(r == made, "each iteration of each loop has run once");
  }

  openmp::team team{Members, nullptr, false};
  int made = 0;
  int runs[3]{};
};

struct shares_chunks : share_suite<shares_chunks, 3> {
  void thread(unsigned index) {
    member me{team, nullptr, static_cast<int>(index)};
    for (int loop = 0; loop < 2; ++loop) {
      enter(me);
      for (chunk_of_iterations c{}; take_chunk(me, c);) run(c.first);
    }
    leave_last_share(me);
  }
  void after() {
    claim(made == 2, "one member makes each workshare");
    share_suite::after();
  }
};

/// The iterations pass on a variable in their order. One of them skips its ordered region.
struct ordered_chunks : share_suite<ordered_chunks, 2> {
  ordered_chunks() { value.set(0); }
  void thread(unsigned index) {
    member me{team, nullptr, static_cast<int>(index)};
    enter(me);
    for (chunk_of_iterations c{}; take_ordered_chunk(me, c);) {
      run(c.first);
      if (c.first == 1) continue;
      wait_for_turn(me);
      claim(value.get() == (c.first == 0 ? 0 : 1), "the iterations before are seen");
      value.set(value.get() + 1);
    }
    leave_last_share(me);
  }
  race_checked<int> value;
};

/// Each member runs an iteration of a doacross loop, which waits for the one before.
struct iterations_wait : share_suite<iterations_wait, 3> {
  iterations_wait() { value.set(0); }
  void thread(unsigned index) {
    member me{team, nullptr, static_cast<int>(index)};
    enter(me);
    const std::uint64_t here = index, before = index - 1;
    if (index != 0) wait_for_iteration(team, *me.at, &before);
    claim(value.get() == static_cast<int>(index), "the iterations before are seen");
    value.set(value.get() + 1);
    run(index);
    post_iteration(team, *me.at, &here);
    leave_last_share(me);
  }
  race_checked<int> value;
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) {
  using namespace tine::model;
  return run_suites<strand_sleeps, thread_sleeps, strand_and_thread_sleep, two_wakers, takes_turns, strands_meet,
                    threads_meet, threads_meet_with_task, meeting_is_cancelled, members_end, borrows_at_barrier,
                    borrowers_compete, child_borrows, strands_lock, threads_lock, strand_and_thread_lock, two_locks,
                    lock_ends, shares_chunks, ordered_chunks, iterations_wait>(argc, argv);
}
