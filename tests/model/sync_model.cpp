// Models of the locks that suspend: the product's own words and queues. A model thread that waits sleeps until its wait
// is ended.
#include "model/exploration.hpp"

#include "sync/condition_variable.cpp"
#include "sync/mutex.cpp"
#include "sync/once_flag.cpp"
#include "sync/shared_mutex.cpp"

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
    claim(lock->state_.load(base::relaxed) == 0 && lock->first_ == nullptr, "the mutex is free at the end");
  }
};

struct writers_and_reader : shared_suite<writers_and_reader, 3> {
  void thread(unsigned index) {
    write();
    index == 0 ? read() : write();
  }
  void after() { claim(value.get() == 5 && lock->state_.load(base::relaxed) == 0, "every write is there"); }
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
    claim(lock.try_lock() && filled.state_.load(base::relaxed) == 0, "no party is left");
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

constexpr suite suites[] = {
    {"three_lock", &explore<three_lock>},
    {"two_lock_often", &explore<two_lock_often>},
    {"one_tries", &explore<one_tries>},
    {"mutex_ends", &explore<mutex_ends>},
    {"readers_and_writers", &explore<readers_and_writers>},
    {"writers_and_reader", &explore<writers_and_reader>},
    {"shared_mutex_ends", &explore<shared_mutex_ends>},
    {"once", &explore<once>},
    {"one_by_one", &explore<one_by_one>},
    {"all_at_once", &explore<all_at_once>},
    {"two_notify", &explore<two_notify>},
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) { return tine::model::run_suites(tine::model::suites, argc, argv); }
