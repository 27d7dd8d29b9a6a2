// Models of the whole scheduler under weak memory, in small programs: promotion and join, sleep and wake, hazards and
// departures. pool_suite.hpp says what is the product's own code (nearly all) and what is the model's.
#include "model/awaken.hpp"
#include "model/counted.hpp"
#include "model/observed.hpp"
#include "model/pool_suite.hpp"

namespace tine::model {
namespace {

int begun;      ///< number of records that have begun in the current iteration
bool one_left;  ///< an external thread has left

int begin(int argument) {
  ++begun;
  stir_all();
  return argument + 1;
}

int begin_and_rest(int argument) {
  const int result = begin(argument);
  rest_until([] { return begun >= 2; });
  return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Every record runs once, its result arrives at the join, and its memory may be used again at once.

int leaf(int argument) { return argument + 1; }

int forks_again(int argument) {
  return fork([] {}, leaf, argument) + 1;
}

/// A tree of three forks without rests: owners poll, reclaim tasks and suspend.
struct tree : pool_suite<tree, 2> {
  static void program() {
    for (int round = 0; round < 2; ++round) {
      const int a = fork([] { claim(fork([] {}, leaf, 30) == 31, "the result of an inner fork"); }, forks_again, 10);
      claim(a == 12, "the result of the outer fork");
    }
  }
};

/// The forks of `tree`, each of which is promoted.
struct eager_tree : pool_suite<eager_tree, 3> {
  static options settings() { return promoting(promotion::eager()); }
  static void program() { tree::program(); }
};

// ---------------------------------------------------------------------------------------------------------------
// The parker by itself: a sleeper that finds no work is woken, and it sees what its waker has counted before.

struct parked : rl::test_suite<parked, 2> {
  parked() { counted.set(0); }

  void sleep() {
    place.announce();
    base::fence(base::seq_cst);
    if (work.load(base::relaxed) == 1 ? place.cancel() : !place.park(0)) return;
    claim(counted.get() == 1, "a sleeper continues before it is counted awake");
  }
  void wake() {
    work.store(1, base::relaxed);
    base::fence(base::seq_cst);
    if (!place.call()) return;
    counted.set(1);
    place.release();
  }
  void thread(unsigned index) { index == 0 ? sleep() : wake(); }

  sched::parker place;
  base::atomic<int> work{0};
  race_checked<int> counted;
};

// ---------------------------------------------------------------------------------------------------------------
// No starvation: a record that is pending while a worker is idle begins on another worker, even if its owner never
// polls again.

/// Two records are pending. Their owner and the workers that run them rest until both have begun.
struct starvation : pool_suite<starvation, 3> {
  static void program() {
    begun = 0;
    const int a = fork(
        [] {
          const int b = fork([] { rest_until([] { return begun >= 2; }); }, begin_and_rest, 20);
          claim(b == 21, "the result of the inner fork");
        },
        begin_and_rest, 10);
    claim(a == 11, "the result of the outer fork");
  }
};

/// One record at a time, three times; in between, the thief may lose patience and sleep. The owner has few tokens, so
/// that a request stays unserved.
struct short_of_tokens : pool_suite<short_of_tokens, 2> {
  static options settings() { return promoting(promotion::on_demand(2000, 2)); }
  static void program() {
    for (int round = 1; round <= 3; ++round) {
      begun = 0;
      fork([] { rest_until([] { return begun >= 1; }); }, begin, round);
    }
  }
};

/// Short forks, which spend the last tokens, and then a fork that rests. The acknowledgement that the thief got at a
/// short fork must not have sent it to sleep for good.
struct short_and_long : pool_suite<short_and_long, 2> {
  static options settings() { return promoting(promotion::on_demand(2000, 1)); }
  static void program() {
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 4; ++i) fork([] {}, leaf, i);
      begun = 0;
      fork([] { rest_until([] { return begun >= 1; }); }, begin, 1);
    }
  }
};

/// A run does not inherit the unserved request of the previous run: an owner clears `unserved` between them.
struct unserved_requests : pool_suite<unserved_requests, 3> {
  static options settings() { return promoting(promotion::on_demand(2000, 2)); }
  static int runs_long(int) {
    begun = 0;
    fork([] { rest_until([] { return begun >= 1; }); }, begin, 1);
    return 0;
  }
  static void program() {
    begun = 0;
    fork([] { fork([] { rest_until([] { return begun >= 1; }); }, begin, 2); }, begin, 1);
    fork([] {}, runs_long, 3);
  }
};

// ---------------------------------------------------------------------------------------------------------------
// External threads: callers of run that are not threads of the pool.

/// Two external threads and one worker. One external thread leaves early, perhaps as the only thief awake; the record
/// of the other still begins on another worker. Threads read the words of an external thread and signal it only while
/// it is in the pool.
struct external_threads : pool_suite<external_threads, 3> {
  static void early() {
    fork([] {}, leaf, 1);
  }
  static void late() {
    rest_until([] { return one_left; });
    fork([] { rest_until([] { return begun >= 1; }); }, begin, 2);
  }

  void thread(unsigned index) {
    words_of_this_thread();
    if (index == 0) {
      run_root<&early>(pool->member(0));
      one_left = true;
      stir_all();
    } else if (index == 1) {
      run_root<&late>(pool->member(1));
      pool->stop_threads();
    } else {
      work(index);
    }
  }
  void before() {
    begun = 0;
    one_left = false;
  }
};

/// Two external threads, which run `first` and `second` of a suite, and one worker.
template <class Suite>
struct with_second_caller : pool_suite<Suite, 3> {
  void thread(unsigned index) {
    words_of_this_thread();
    if (index == 2) return this->work(index);
    if (index == 0) {
      run_root<&Suite::first>(this->pool->member(0));
    } else {
      run_root<&Suite::second>(this->pool->member(1));  // a thief looks at this slot last
    }
    if (++left == 2) this->pool->stop_threads();
  }
  void before() { begun = 0; }

  int left = 0;
};

/// Only the worker is idle. One external thread promotes a task for it and reclaims the task. The other one does not
/// promote its record because of that task; the record begins on another worker nevertheless.
struct rivals : with_second_caller<rivals> {
  static void first() {
    fork([] { rest_until([] { return begun >= 1; }); }, begin, 2);
  }
  static void second() {
    fork([] {}, leaf, 1);
  }
};

/// Like `rivals`, but the worker is about to sleep. Its barrier has reached the external thread that forks and does not
/// promote its record. The barrier has not yet reached the other one, which reclaims its task meanwhile and then checks
/// whether a thief is awake.
struct deserted : with_second_caller<deserted> {
  static void first() {
    const unsigned before = this_thread().barriers;
    dawdle_until(300, [=] { return this_thread().barriers != before; });
    fork([] { rest_until([] { return begun >= 1; }); }, begin, 2);
  }
  static void second() {
    dawdle_until(300, [] { return sched::hot::self()->pool.member(2).idle_parker.is_asleep(); });
    fork([] {}, leaf, 1);
  }
  void before() {
    with_second_caller::before();
    os->barrier_gap = 60;
  }
};

/// The first external thread waits for the worker, and may take the record of the second one just when the worker sends
/// its strand back to it. That record and its owner rest until the strand continues. So the strand must continue on
/// another worker.
struct busy_origin : with_second_caller<busy_origin> {
  static int dawdles(int argument) {
    dawdle(20);
    return argument;
  }
  static int runs_long(int argument) {
    rest_until([] { return begun >= 1; });
    return argument;
  }
  static void first() {
    fork([] { dawdle(10); }, dawdles, 1);
    begin(1);
  }
  static void second() {
    dawdle(40);
    fork([] { rest_until([] { return begun >= 1; }); }, runs_long, 2);
  }
};

/// Strands that have waited return to the thread that they left, even if that is an external thread whose own root is
/// finished.
struct same_thread : with_second_caller<same_thread> {
  static options settings() {
    options o = promoting(promotion::eager());
    o.resume = resume_policy::same_thread;
    return o;
  }
  template <class First>
  static void forks_and_stays(First first, int (*second)(int)) {
    const sched::hot_words* const before = &sched::hot::words();
    fork(first, second, 1);
    claim(&sched::hot::words() == before, "a strand has changed its thread");
  }
  static int stays(int argument) {
    forks_and_stays([] {}, dawdles);
    return argument;
  }
  static int dawdles(int argument) {
    dawdle(20);
    return argument;
  }
  static void first() {
    forks_and_stays([] { dawdle(10); }, dawdles);
  }
  static void second() {
    forks_and_stays([] { forks_and_stays([] {}, stays); }, stays);
  }
};

/// Like `same_thread`, with callers that only wait: a strand returns to a caller that sleeps, or is about to sleep.
struct aside_same_thread : with_second_caller<aside_same_thread> {
  static options settings() {
    options o = same_thread::settings();
    o.callers = caller_policy::wait;
    return o;
  }
  static void first() { same_thread::first(); }
  static void second() { same_thread::second(); }
};

/// An external thread comes late and takes a new slot, while another one leaves and ends. No thread sees a member that is
/// half constructed, and no holder of a hazard touches the words of the thread that has ended, or signals it.
struct late_caller : pool_suite<late_caller, 3> {
  static constexpr unsigned members_at_start = 2;
  static void early() {
    fork([] {}, leaf, 1);
  }
  static void late() {
    fork([] { dawdle(30); }, leaf, 2);
    dawdle(60);
  }

  void thread(unsigned index) {
    words_of_this_thread();
    if (index == 1) return work(index);
    if (index == 0) {
      run_root<&early>(pool->member(0));
    } else {
      dawdle(60);
      run_root<&late>(pool->add_member(2));
    }
    if (++left == 2) pool->stop_threads();
  }

  int left = 0;
};

/// An external thread works for another pool until both of its records have begun in this one, whichever workers sleep.
/// Mirrors pool.cpp: put_away.
struct absence : pool_suite<absence, 3> {
  static void away() {
    sched::hot_words& h = words_of_this_thread();
    sched::worker* w = sched::hot::self();
    sched::hot::enter_scheduler();
    const sched::address top = h.top.load(base::relaxed);
    w->go_away(h);
    h.self = nullptr;
    rest_until([] { return begun >= 2; });
    claim(h.top.load(base::relaxed) == top, "the words of a thread outside the pool were moved");
    h.limit.store(nullptr, base::relaxed);
    h.self = w;
    w->come_back(h);
    sched::hot::leave_scheduler();
  }
  static void program() {
    begun = 0;
    fork([] { fork([] { away(); }, begin_and_rest, 2); }, begin_and_rest, 1);
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Observed forks: their storage is never promoted, keeps its contents, and is gone after the join.

/// A fork with forks inside both branches, twice at the same addresses.
struct observed_forks : pool_suite<observed_forks, 2> {
  static int inside(int argument) {
    return observed_fork_of([] {}, leaf, argument) + 1;
  }
  static void program() {
    observed_region region;
    for (int round = 0; round < 2; ++round) {
      const int a = observed_fork_of(
          [] { claim(observed_fork_of([] {}, leaf, 30) == 31, "the result of an inner fork"); }, inside, 10);
      claim(a == 12, "the result of the outer fork");
    }
    // a signal may come at any step of this fork, whose record is pending until a thief has begun it
    begun = 0;
    observed_fork_of([] { rest_until([] { return begun >= 1; }); }, begin, 1);
  }
};

/// The forks of `observed_forks`, each of which is promoted.
struct observed_eagerly : pool_suite<observed_eagerly, 3> {
  static options settings() { return promoting(promotion::eager()); }
  static void program() { observed_forks::program(); }
};

// ---------------------------------------------------------------------------------------------------------------
// Counted forks: their records are promoted with the right positions, and only when the position is written.

/// A fork with forks inside both branches, twice at the same addresses.
struct counted_forks : pool_suite<counted_forks, 2> {
  static int inside(int argument) {
    return counted_fork_of([] {}, leaf, argument) + 1;
  }
  static void program() {
    counting_region region;
    for (int round = 0; round < 2; ++round) {
      const int a = counted_fork_of(
          [] { claim(counted_fork_of([] {}, leaf, 30) == 31, "the result of an inner fork"); }, inside, 10);
      claim(a == 12, "the result of the outer fork");
    }
    // a signal may come at any step of these forks; the record of the outer one is pending until a thief has begun it,
    // also when the strand is in the second branch of the inner one
    begun = 0;
    counted_fork_of([] { counted_fork_of([] {}, wait_for_begin, 1); }, begin, 1);
  }
  static int wait_for_begin(int argument) {
    rest_until([] { return begun >= 1; });
    return argument;
  }
};

/// The forks of `counted_forks`, each of which is promoted.
struct counted_eagerly : pool_suite<counted_eagerly, 3> {
  static options settings() { return promoting(promotion::eager()); }
  static void program() { counted_forks::program(); }
};

// ---------------------------------------------------------------------------------------------------------------
// Callers that take work of their own root only.

/// Claims that the record runs on the worker or on its own root's caller. The argument names that caller: 10 is the
/// first one, 20 the second.
int begin_of_root(int argument) {
  const unsigned here = sched::hot::self()->index;
  claim(here == 2 || here == static_cast<unsigned>(argument / 10 - 1), "a caller runs work of another root");
  return begin(argument);
}

template <class Suite>
struct two_callers : with_second_caller<Suite> {
  static options settings() {
    options o = with_second_caller<Suite>::settings();
    o.callers = caller_policy::own_root;
    return o;
  }
};

/// Each caller has a record. The record of the first caller must begin on the worker. The second caller may leave
/// early, and may be the only thief awake when it begins to stand aside.
struct own_roots : two_callers<own_roots> {
  static void first() {
    fork([] { rest_until([] { return begun >= 1; }); }, begin_of_root, 10);
  }
  static void second() {
    fork([] {}, leaf, 20);
  }
};

/// Only the first caller can take the pending record of its root from the worker: the second caller is busy until that
/// record has begun.
struct stands_aside : two_callers<stands_aside> {
  static int forks_again(int argument) {
    begin_of_root(argument);
    fork([] { rest_until([] { return begun >= 2; }); }, begin_of_root, argument);
    return argument;
  }
  static void first() {
    fork([] { rest_until([] { return begun >= 1; }); }, forks_again, 10);
  }
  static void second() {
    rest_until([] { return begun >= 2; });
  }
};

/// The root of a caller that only waits ends on a worker, and its end wakes the caller.
struct only_waits : pool_suite<only_waits, 3> {
  static options settings() {
    options o = pool_suite::settings();
    o.callers = caller_policy::wait;
    return o;
  }
  static int begin_elsewhere(int argument) {
    claim(sched::hot::self()->index != 0, "a caller that only waits works");
    begin(argument);
    fork([] { rest_until([] { return begun >= 2; }); }, begin, argument);
    return argument;
  }
  static void program() {
    begun = 0;
    fork([] { rest_until([] { return begun >= 1; }); }, begin_elsewhere, 1);
  }
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) {
  using namespace tine::model;
  return run_suites<tree, eager_tree, parked, starvation, short_of_tokens, short_and_long, unserved_requests,
                    external_threads, rivals, deserted, busy_origin, same_thread, aside_same_thread, late_caller,
                    absence, observed_forks, observed_eagerly, counted_forks, counted_eagerly, own_roots, stands_aside,
                    only_waits>(argc, argv);
}
