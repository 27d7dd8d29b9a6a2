// Models of the small protocols by themselves: the deque, the word between the waiter and the finisher of a task, the
// levels of labels, which count their owners, the set of values that workers borrow, the count of a group's open tasks,
// and the ring of a worker's events. Their schedules are short, so that rare ones come up often.
#include "model/exploration.hpp"

#include "managed/open_tasks.hpp"
#include "sched/deque.hpp"
#include "sched/event_ring.hpp"

#include <tine/augment/labels/shared_path.hpp>
#include <tine/base/ticks.hpp>
#include <tine/detail/algo/lending_set.hpp>
#include <tine/detail/sched/task.hpp>

namespace tine::base {

/// A clock that moves with each reading.
ticks now() noexcept {
  static ticks time = 0;
  return ++time;
}

inline void pause() noexcept { rl::yield(1, here(where::current())); }

}  // namespace tine::base

namespace tine::model {
namespace {

// ---------------------------------------------------------------------------------------------------------------
// The deque: an item that was pushed is taken once, and its taker sees what was written before the push.

struct item {
  race_checked<int> payload;
  int taken = 0;
};

template <class Suite, int Items, int Capacity>
struct deque_suite : rl::test_suite<Suite, 3> {
  deque_suite() : tasks{std::make_unique<sched::deque<item>>(Capacity)} {}

  void push(int i) {
    items[i].payload.set(i);
    tasks->push(&items[i]);
  }
  bool take(item* it) {
    if (it == nullptr) return false;
    const auto i = it - items;
    claim(0 <= i && i < Items && it->payload.get() == i, "what was taken is what was pushed");
    claim(++it->taken == 1, "an item is taken once");
    it->payload.set(-1);
    return true;
  }
  bool pop() { return take(tasks->pop()); }
  void steal() {
    item* it = nullptr;
    if (tasks->steal(it) == sched::steal_result::stolen) claim(take(it), "a steal that took something has it");
  }
  void drain() {
    while (pop()) continue;
  }
  void after() {
    for (const item& i : items) claim(i.taken == 1, "every item is taken");
  }

  std::unique_ptr<sched::deque<item>> tasks;
  item items[Items];
};

/// The owner pops between its pushes, so that a thief may read the bottom that a pop wrote.
struct deque_race : deque_suite<deque_race, 3, 4> {
  void thread(unsigned index) {
    if (index != 0) {
      steal();
      return;
    }
    push(0);
    push(1);
    pop();
    push(2);
    drain();
  }
};

/// One item, for the owner and two thieves.
struct deque_last : deque_suite<deque_last, 1, 4> {
  void thread(unsigned index) {
    if (index != 0) return steal();
    push(0);
    drain();
  }
};

/// Slots are used again, and the array grows, while thieves are slow.
struct deque_growth : deque_suite<deque_growth, 5, 2> {
  void thread(unsigned index) {
    if (index != 0) {
      steal();
      steal();
      return;
    }
    push(0);
    push(1);
    pop();
    if (!tasks->full()) push(2);
    push(3);
    push(4);
    drain();
    if (items[2].taken == 0) {
      push(2);
      drain();
    }
  }
};

/// Thieves empty a full deque. The owner writes a slot again only after the slot's item was read.
struct deque_reuse : deque_suite<deque_reuse, 4, 1> {
  void thread(unsigned index) {
    if (index != 0) {
      steal();
      steal();
      return;
    }
    for (int i = 0; i < 4; ++i) {
      while (tasks->full()) pop();
      push(i);
    }
    drain();
  }
};

// ---------------------------------------------------------------------------------------------------------------
// The join: exactly one side acts, it sees what the other side left, and then the task may be gone.

struct joinable {
  sched::completion done;
  race_checked<int> result;
};

struct join : rl::test_suite<join, 2> {
  join() : task{std::make_unique<joinable>()} {}

  /// Continues as the waiter, on either thread: reads the result, and frees the task.
  void resume() {
    claim(++resumed == 1, "exactly one side acts");
    claim(task->done.flags() == (sched::completion::finished | sched::completion::threw), "the flags of the end");
    claim(task->result.get() == 7, "the result");
    task.reset();
  }
  void wait() {
    if (task->done.is_finished()) return resume();
    context.set(1);
    if (!task->done.await(reinterpret_cast<sched::completion::word>(&context))) resume();
  }
  void finish() {
    task->result.set(7);
    const sched::completion::word waiter = task->done.finish(sched::completion::threw);
    if (waiter == 0) return;
    claim(waiter == reinterpret_cast<sched::completion::word>(&context), "who waits");
    claim(context.get() == 1, "the saved context");
    resume();
  }

  void thread(unsigned index) { index == 0 ? wait() : finish(); }
  void after() { claim(resumed == 1, "the waiter continues"); }

  std::unique_ptr<joinable> task;
  race_checked<int> context;
  int resumed = 0;
};

// ---------------------------------------------------------------------------------------------------------------
// Levels that several paths share: the last owner frees a level, after the other owners have read it for the last time.

struct level {
  explicit level(int v) : value{} { value.set(v), ++alive; }
  level(const level& o) : level(o.value.get()) {}
  level& operator=(const level&) = delete;
  ~level() { value.set(-1), --alive; }

  race_checked<int> value;
  static inline int alive = 0;
};

struct shared_paths : rl::test_suite<shared_paths, 3> {
  using shared_path = labels::shared_path<level>;

  shared_paths() {
    level::alive = 0;
    const shared_path outer = shared_path{}.extended(level{1});
    for (shared_path& t : held) t = outer;
    held[0] = outer.extended(level{2});
    held[1] = held[0];
  }

  void thread(unsigned index) {
    const shared_path copy = held[index];
    held[index] = shared_path{};
    claim(copy.last()->level.value.get() == (index == 2 ? 1 : 2), "the innermost level");
    if (index != 2) claim(copy.last()->outer->level.value.get() == 1, "the one around it");
  }
  void after() { claim(level::alive == 0, "all levels are freed"); }

  shared_path held[3];
};

// ---------------------------------------------------------------------------------------------------------------
// Borrowed values: each has one borrower at a time, which sees what the earlier ones have written.

struct counted {
  counted() { value.set(0); }
  race_checked<int> value;
};

struct lending : rl::test_suite<lending, 3> {
  lending() : set{std::make_unique<detail::lending_set<counted>>()} {}

  void thread(unsigned) {
    for (int i = 0; i < 2; ++i) {
      const detail::lending_set<counted>::borrowed mine{*set};
      (*mine).value.set((*mine).value.get() + 1);
    }
  }
  void after() {
    int sum = 0, values = 0;
    set->for_each([&](counted& c) { sum += c.value.get(), ++values; });
    claim(sum == 6, "every addition is there");
    claim(values <= 3, "at most one value a thread");
  }

  std::unique_ptr<detail::lending_set<counted>> set;
};

// ---------------------------------------------------------------------------------------------------------------
// The open tasks of a group: exactly one party continues after the wait, it sees what all tasks have written, and then
// the group may be gone. A round is begun once, before any task of the round starts and after all tasks of the last
// one.

struct waiting_strand {
  race_checked<int> context;
};

struct group_of_model {
  detail::open_tasks<waiting_strand> open;
  race_checked<int> begun{0};
};

/// One task, which thread 1 runs if it comes for it before the owner does, adds another one.
struct group_ends : rl::test_suite<group_ends, 2> {
  group_ends() : group{std::make_unique<group_of_model>()} {}

  void add() {
    group->open.add([this] { group->begun.set(1); });
  }
  void run_task() {
    claim(group->begun.get() == 1, "the round has begun");
    add();
    first.set(1);
    end();
    second.set(1);
    end();
  }
  void end() {
    waiting_strand* const w = group->open.end(1);
    if (w == nullptr) return;
    claim(w == &strand && w->context.get() == 1, "the strand that waits");
    resume();
  }
  void resume() {
    claim(++resumed == 1, "one party continues");
    claim(first.get() == 1 && second.get() == 1, "what the tasks have written");
    claim(group->open.has_begun(), "the round lasts until its end");
    group->open.end_round();
    claim(!group->open.has_begun(), "the end of the round");
    group.reset();
  }

  void thread(unsigned index) {
    if (index != 0) {
      if (queue.exchange(taken, base::acquire) == queued) run_task();  // pairs with the release below
      return;
    }
    add();
    if (queue.exchange(queued, base::release) == taken) run_task();  // pairs with the acquire above
    strand.context.set(1);
    if (group->open.is_empty() || !group->open.wait(strand)) resume();
  }
  void after() { claim(resumed == 1, "the wait ends"); }

  static constexpr int queued = 1;
  static constexpr int taken = 2;

  std::unique_ptr<group_of_model> group;
  waiting_strand strand;
  race_checked<int> first, second;
  base::atomic<int> queue{0};
  int resumed = 0;
};

/// Three threads add tasks to a new group, and run them. One of them also ends rounds.
struct group_begins : rl::test_suite<group_begins, 3> {
  group_begins() : group{std::make_unique<group_of_model>()} {}

  void run_one() {
    group->open.add([this] { group->begun.set(group->begun.get() + 1); });
    claim(group->begun.get() > 0, "the round has begun");
    claim(group->open.end(1) == nullptr, "nobody waits");
  }
  void thread(unsigned index) {
    run_one();
    if (index != 0) return;
    if (group->open.is_empty()) group->open.end_round();
    run_one();
  }
  void after() { claim(group->open.is_empty(), "all tasks have ended"); }

  std::unique_ptr<group_of_model> group;
};

/// The strand waits for a task of thread 2. Thread 1 lists another task that only the strand may run, and interrupts the
/// wait. The list has a lock, and the strand begins its waits under it.
struct group_interrupted : rl::test_suite<group_interrupted, 3> {
  void lock() {
    while (locked.exchange(1, base::acquire) != 0) base::pause();  // pairs with the release in unlock
  }
  void unlock() { locked.store(0, base::release); }  // pairs with the acquire in lock

  void wake(waiting_strand* w) {
    if (w == nullptr) return;
    claim(w == &strand && w->context.get() > 0, "the strand that waits");
    claim(woken.exchange(1, base::release) == 0, "one party wakes it");  // pairs with the acquire in thread 0
  }

  void list_task() {
    open.add([] {});
    lock();
    listed.set(1);
    waiting_strand* const w = open.interrupt();
    unlock();
    wake(w);
  }
  void run_listed() {
    lock();
    const bool is_there = listed.get() == 1;
    listed.set(0);
    unlock();
    if (!is_there) return;
    ++ran;
    claim(open.end(1) == nullptr, "the strand doesn't wait");
  }

  void thread(unsigned index) {
    if (index == 1) return list_task();
    if (index == 2) {
      other.set(1);
      return wake(open.end(1));
    }
    for (;;) {
      run_listed();
      lock();
      const bool has_listed = listed.get() == 1;
      if (!has_listed) strand.context.set(++waits);
      const bool has_ended = !has_listed && !open.wait(strand);
      unlock();
      if (has_ended) break;
      if (has_listed) continue;
      while (woken.exchange(0, base::acquire) == 0) base::pause();  // pairs with the release in wake
    }
    claim(other.get() == 1, "what the task has written");
  }
  void before() {
    open.add([] {});
    listed.set(0);
  }
  void after() { claim(ran == 1 || listed.get() == 1, "a listed task runs, unless it comes after the wait"); }

  detail::open_tasks<waiting_strand> open;
  waiting_strand strand;
  race_checked<int> listed, other;
  base::atomic<int> locked{0}, woken{0};
  int waits = 0, ran = 0;
};

// ---------------------------------------------------------------------------------------------------------------
// The ring of a worker's events: a reader that is overtaken gets no event that is made of two.

struct ring_overtaken : rl::test_suite<ring_overtaken, 2> {
  static constexpr std::uintptr_t all = 5;

  ring_overtaken() : ring{std::make_unique<sched::event_ring>(2)} {}

  void thread(unsigned index) {
    if (index == 0) {
      for (std::uintptr_t i = 1; i <= all; ++i) ring->add(sched::event_kind::runs, 16 * i, static_cast<unsigned>(i));
      return;
    }
    for (int times = 0; times < 2; ++times) check(0);
  }
  void after() { check(2); }

  void check(std::uint64_t least) {
    std::uint64_t seen = 0, before = 0, time = 0;
    ring->read([&](const sched::ring_event& e) {
      claim(e.subject == 16U * e.other, "an event is whole");
      claim(e.other > before, "events are in their order");
      claim(e.time > time, "and so are their times");
      before = e.other;
      time = e.time;
      ++seen;
    });
    claim(seen >= least, "at rest, the ring is full");
  }

  std::unique_ptr<sched::event_ring> ring;
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) {
  using namespace tine::model;
  return run_suites<deque_race, deque_last, deque_growth, deque_reuse, join, shared_paths, lending, group_ends,
                    group_begins, group_interrupted, ring_overtaken>(argc, argv);
}
