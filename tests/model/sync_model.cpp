// Models of the locks that suspend: the product's own words and queues. A model thread that waits sleeps until its wait
// is ended.
#include "model/exploration.hpp"

#include "sync/barrier.cpp"
#include "sync/condition_variable.cpp"
#include "sync/latch.cpp"
#include "sync/mutex.cpp"
#include "sync/once_flag.cpp"
#include "sync/semaphore.cpp"
#include "sync/shared_mutex.cpp"
#include "sync/wait_queue.cpp"

#include <tine/sync/semaphore.hpp>

#include <chrono>

namespace tine::detail {

moment moment_after(std::int64_t) noexcept { return 1; }
void ring(limited_waiter& who) noexcept { who.give_up(); }

}  // namespace tine::detail

namespace tine::base {

void fatal(const char* message) noexcept {
  model::claim(false, message);
  std::abort();
}

}  // namespace tine::base

namespace tine::model {
namespace {

// ---------------------------------------------------------------------------------------------------------------
// The mutex: its holders see what earlier holders wrote, and every party gets it.

template <class Suite, int Threads, int Times>
struct mutex_suite : rl::test_suite<Suite, Threads> {
  mutex_suite() : lock{std::make_unique<mutex>()} { count.set(0); }

  void enter() {
    claim(holders++ == 0, "one party holds the mutex");
    count.set(count.get() + 1);
    --holders;
  }
  void thread(unsigned) {
    for (int i = 0; i < Times; ++i) {
      lock->lock();
      enter();
      lock->unlock();
    }
  }
  void after() {
    claim(count.get() == Threads * Times, "every party had its turns");
    claim(lock->try_lock(), "the mutex is free at the end");
    claim(lock->queue_ == nullptr && lock->overtaken_ == 0, "no party is left");
  }

  std::unique_ptr<mutex> lock;
  race_checked<int> count;
  int holders = 0;
};

struct three_lock : mutex_suite<three_lock, 3, 2> {};
struct two_lock_often : mutex_suite<two_lock_often, 2, 5> {};

/// One thread does not wait, so that it overtakes others and may fail.
struct one_tries : mutex_suite<one_tries, 3, 2> {
  void thread(unsigned index) {
    if (index != 0) return mutex_suite::thread(index);
    for (int done = 0; done < 2;) {
      if (!lock->try_lock()) {
        rl::yield(1, RL_INFO);
        continue;
      }
      enter();
      lock->unlock();
      ++done;
    }
  }
};

/// The last party frees the mutex after its unlock, while other calls of unlock may still run.
struct mutex_ends : mutex_suite<mutex_ends, 3, 1> {
  void thread(unsigned) {
    lock->lock();
    enter();
    const bool is_last = count.get() == 3;
    lock->unlock();
    if (is_last) lock.reset();
  }
  void after() { claim(lock == nullptr, "every party had its turn"); }
};

// ---------------------------------------------------------------------------------------------------------------
// The mutex for readers and writers.

template <class Suite, int Threads>
struct shared_suite : rl::test_suite<Suite, Threads> {
  shared_suite() : lock{std::make_unique<shared_mutex>()} { value.set(0), ends.set(0); }

  void write() {
    lock->lock();
    claim(readers == 0 && writers++ == 0, "a writer is alone");
    value.set(value.get() + 1);
    --writers;
    lock->unlock();
  }
  void read() {
    lock->lock_shared();
    ++readers;
    claim(writers == 0, "no writer is among readers");
    static_cast<void>(value.get());
    --readers;
    lock->unlock_shared();
  }

  std::unique_ptr<shared_mutex> lock;
  race_checked<int> value, ends;
  int readers = 0;
  int writers = 0;
};

struct readers_and_writers : shared_suite<readers_and_writers, 3> {
  void thread(unsigned index) {
    index == 0 ? write() : read();
    index == 2 ? write() : read();
  }
  void after() {
    claim(value.get() == 2, "every write is there");
    claim(lock->queue_.state.load(base::relaxed) == 0 && lock->queue_.first == nullptr, "the mutex is free at the end");
  }
};

struct writers_and_reader : shared_suite<writers_and_reader, 3> {
  void thread(unsigned index) {
    write();
    index == 0 ? read() : write();
  }
  void after() { claim(value.get() == 5 && lock->queue_.state.load(base::relaxed) == 0, "every write is there"); }
};

/// Writers become readers, and a reader becomes a writer if it is alone.
struct holders_change : shared_suite<holders_change, 3> {
  void write_and_read() {
    lock->lock();
    claim(readers == 0 && writers++ == 0, "a writer is alone");
    value.set(value.get() + 1);
    const int mine = value.get();
    --writers;
    ++readers;
    lock->unlock_and_lock_shared();
    claim(writers == 0 && value.get() == mine, "no other writer comes in between");
    --readers;
    lock->unlock_shared();
  }
  void read_and_write() {
    lock->lock_shared();
    ++readers;
    const int before = value.get();
    --readers;
    if (lock->try_unlock_shared_and_lock()) {
      claim(readers == 0 && writers++ == 0 && value.get() == before, "a reader that became a writer is alone");
      value.set(before + 1);
      --writers;
      lock->unlock();
    } else {
      lock->unlock_shared();
      write();
    }
  }
  void thread(unsigned index) {
    if (index == 0) write_and_read();
    if (index == 1) read_and_write();
    if (index == 2) read(), write_and_read();
  }
  void after() { claim(value.get() == 3 && lock->queue_.state.load(base::relaxed) == 0, "every write is there"); }
};

struct shared_mutex_ends : shared_suite<shared_mutex_ends, 3> {
  void thread(unsigned index) {
    if (index == 0) read();
    lock->lock();
    ends.set(ends.get() + 1);
    const bool is_last = ends.get() == 3;
    lock->unlock();
    if (is_last) lock.reset();
  }
  void after() { claim(lock == nullptr, "every party had its turn"); }
};

// ---------------------------------------------------------------------------------------------------------------
// The flag: a call fails or not, a later one succeeds, and all see what it wrote.

struct once : rl::test_suite<once, 3> {
  once() { calls.set(0); }
  void call() { calls.set(calls.get() + 1); }
  void thread(unsigned index) {
    if (index == 0 && flag.begin()) {
      const detail::once_call fails{flag};
      call();
      has_failed = true;
    }
    call_once(flag, [this] { call(); });
    claim(calls.get() == (has_failed ? 2 : 1), "the call is over");
  }
  once_flag flag;
  race_checked<int> calls;
  bool has_failed = false;
};

// ---------------------------------------------------------------------------------------------------------------
// The condition variable: a party that waits for a change that another one makes and notifies sees it.

template <class Suite, int Threads>
struct condition_suite : rl::test_suite<Suite, Threads> {
  condition_suite() { items.set(0); }
  void take() {
    lock.lock();
    while (items.get() == 0) detail::waiting{filled, lock};
    items.set(items.get() - 1);
    lock.unlock();
  }
  void put(bool to_all) {
    lock.lock();
    items.set(items.get() + 1);
    lock.unlock();
    to_all ? filled.notify_all() : filled.notify_one();
  }
  void after() {
    claim(items.get() == 0, "every item is taken");
    claim(lock.try_lock() && filled.queue_.state.load(base::relaxed) == 0, "no party is left");
  }
  mutex lock;
  condition_variable filled;
  race_checked<int> items;
};

struct one_by_one : condition_suite<one_by_one, 3> {
  void thread(unsigned index) {
    if (index != 0) return take();
    put(false);
    put(false);
  }
};

struct all_at_once : condition_suite<all_at_once, 3> {
  void thread(unsigned index) {
    if (index != 0) return take();
    put(true);
    put(true);
  }
};

struct two_notify : condition_suite<two_notify, 3> {
  void thread(unsigned index) {
    if (index != 0) return put(index == 1);
    take();
    take();
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Semaphores, and parties that give up: a permit or a notification is never lost, and each wait has one outcome.

template <class Suite, int Threads>
struct timed_suite : rl::test_suite<Suite, Threads> {
  timed_suite() {
    detail::alarm::time = &time;
    value.set(0);
  }
  void use() { value.set(value.get() + 1); }

  detail::alarm::clock time;
  race_checked<int> value;
};

/// Two parties want the only permit. One of them may give up, and passes the permit on otherwise.
struct permit_or_time : timed_suite<permit_or_time, 3> {
  void thread(unsigned index) {
    if (index == 2) {
      use();
      s.release();
      return detail::alarm::ring_all();
    }
    if (index == 0 && !s.try_acquire_for(std::chrono::seconds{1})) return;
    if (index == 1) s.acquire();
    use();
    s.release();
  }
  void after() { claim(s.permits_.queue.state.load(base::relaxed) == detail::permits::unit, "the permit is there"); }
  counting_semaphore<> s{0};
};

/// A thread gives two permits at once, to parties of which one is giving up.
struct two_permits : timed_suite<two_permits, 3> {
  void thread(unsigned index) {
    if (index == 2) {
      if (rl::rand(2) == 0) detail::alarm::ring_all();
      s.release(2);
      return detail::alarm::ring_all();
    }
    if (index == 0 && !s.try_acquire_for(std::chrono::seconds{1})) return;
    if (index == 1) s.acquire();
    ++taken;
  }
  void after() {
    claim((s.permits_.queue.state.load(base::relaxed) / detail::permits::unit) + taken == 2, "two permits");
  }
  counting_semaphore<> s{0};
  unsigned taken = 0;
};

struct semaphore_ends : rl::test_suite<semaphore_ends, 2> {
  semaphore_ends() : s{std::make_unique<binary_semaphore>(0)} { value.set(0); }
  void thread(unsigned index) {
    if (index == 0) {
      value.set(1);
      s->release();
    } else {
      s->acquire();
      claim(value.get() == 1, "what the giver wrote is seen");
      s.reset();
    }
  }
  std::unique_ptr<binary_semaphore> s;
  race_checked<int> value;
};

struct notified_or_time : timed_suite<notified_or_time, 3> {
  void put() {
    lock.lock();
    use();
    lock.unlock();
    filled.notify_one();
  }
  void thread(unsigned index) {
    if (index == 2) {
      put();
      return detail::alarm::ring_all();
    }
    std::unique_lock hold{lock};
    const auto is_there = [this] { return value.get() != 0; };
    if (index == 1) {
      filled.wait(hold, is_there);
      value.set(value.get() - 1);
    } else if (filled.wait_for(hold, std::chrono::seconds{1}, is_there)) {
      value.set(value.get() - 1);
      hold.unlock();
      put();
    }
  }
  void after() { claim(value.get() == 0 && filled.queue_.state.load(base::relaxed) == 0, "the item is taken"); }
  mutex lock;
  condition_variable filled;
};

/// A reader holds the mutex until another one has read. A writer between them gives up.
struct writer_gives_up : timed_suite<writer_gives_up, 4> {
  void thread(unsigned index) {
    if (index == 3) return detail::alarm::ring_all();
    if (index == 2) {
      if (!lock.try_lock_for(std::chrono::seconds{1})) return;
      use();
      return lock.unlock();
    }
    lock.lock_shared();
    static_cast<void>(value.get());
    (index == 0 ? first : second) = true;
    while (!first || !second) rl::yield(1, RL_INFO);
    lock.unlock_shared();
  }
  void after() { claim(lock.queue_.state.load(base::relaxed) == 0, "the mutex is free at the end"); }
  shared_mutex lock;
  bool first = false;
  bool second = false;
};

/// All of three parties may give up.
struct holders_give_up : timed_suite<holders_give_up, 4> {
  void thread(unsigned index) {
    if (index == 3) return detail::alarm::ring_all();
    if (index == 0) {
      lock.lock();
    } else if (!(index == 1 ? lock.try_lock_shared_for(std::chrono::seconds{1})
                            : lock.try_lock_for(std::chrono::seconds{1}))) {
      return;
    }
    if (index == 1) {
      static_cast<void>(value.get());
      lock.unlock_shared();
    } else {
      use();
      lock.unlock();
    }
  }
  void after() { claim(lock.queue_.state.load(base::relaxed) == 0, "the mutex is free at the end"); }
  shared_mutex lock;
};

// ---------------------------------------------------------------------------------------------------------------
// Latch and barrier: who has waited sees what the others wrote.

/// The party that waits frees the latch, while calls of count_down may still run.
struct latch_ends : rl::test_suite<latch_ends, 3> {
  latch_ends() : done{std::make_unique<latch>(3)} {}
  void thread(unsigned index) {
    if (index != 0) {
      value[index].set(1);
      return done->count_down();
    }
    done->arrive_and_wait();
    claim(value[1].get() + value[2].get() == 2, "both have counted down");
    done.reset();
  }
  std::unique_ptr<latch> done;
  race_checked<int> value[3];
};

struct latch_lets_all_in : rl::test_suite<latch_lets_all_in, 3> {
  void thread(unsigned index) {
    if (index == 0) {
      value.set(1);
      return done.count_down();
    }
    done.wait();
    claim(value.get() == 1, "what was written before is seen");
  }
  latch done{1};
  race_checked<int> value;
};

/// A party leaves after the first phase.
struct three_meet : rl::test_suite<three_meet, 3> {
  three_meet() { sum.set(0); }
  void add() noexcept { sum.set(value[0].get() + value[1].get() + value[2].get()); }
  void thread(unsigned index) {
    value[index].set(1);
    if (index == 2) return meet.arrive_and_drop();
    meet.arrive_and_wait();
    claim(sum.get() == 3, "all have arrived, and the completion has run");
    auto arrived = meet.arrive();
    meet.wait(std::move(arrived));
    value[index].set(2);
    meet.arrive_and_wait();
    claim(sum.get() == 5, "the third phase is over");
  }
  struct completion {
    three_meet& of;
    void operator()() noexcept { of.add(); }
  };
  race_checked<int> value[3];
  race_checked<int> sum;
  barrier<completion> meet{3, completion{*this}};
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) {
  using namespace tine::model;
  return run_suites<three_lock, two_lock_often, one_tries, mutex_ends, readers_and_writers, writers_and_reader,
                    holders_change, shared_mutex_ends, once, one_by_one, all_at_once, two_notify, permit_or_time,
                    two_permits, semaphore_ends, notified_or_time, writer_gives_up, holders_give_up, latch_ends,
                    latch_lets_all_in, three_meet>(argc, argv);
}
