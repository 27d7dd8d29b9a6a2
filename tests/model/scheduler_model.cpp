// The whole scheduler under weak memory, in small programs: promotion and join, sleep and wake, visits and departures.
// world.hpp says what is the product's own code (nearly all) and what is the model's.
#include "model/watched.hpp"
#include "model/world.hpp"

namespace tine::sched {

// Nothing here forks continuations: coroutines have their own models (join_model.cpp).
void awaken(std::uintptr_t, address) noexcept { model::claim(false, "there are no continuations here"); }
bool was_queued_from(std::uintptr_t, address) noexcept { return false; }
void resume(std::uintptr_t) noexcept { model::claim(false, "there are no continuations here"); }

}  // namespace tine::sched

namespace tine::model {
namespace {

int begun;      ///< records that began, in the iteration that runs
bool one_left;  ///< a guest is gone

int begin(int argument) {
  ++begun;
  stir_all();
  return argument + 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Every record runs once, its result arrives, and its memory may be used again at once.

int leaf(int argument) { return argument + 1; }

int forks_again(int argument) {
  return fork([] {}, leaf, argument) + 1;
}

/// A tree of three forks, without rest: owners poll, take back, suspend.
struct tree : pool_suite<tree, 2> {
  static void program() {
    for (int round = 0; round < 2; ++round) {
      const int a = fork([] { claim(fork([] {}, leaf, 30) == 31, "the result of an inner fork"); }, forks_again, 10);
      claim(a == 12, "the result of the outer fork");
    }
  }
};

/// The same, when every fork is promoted.
struct eager_tree : pool_suite<eager_tree, 3> {
  static options settings() {
    options o = pool_suite::settings();
    o.promote = promotion::eager();
    return o;
  }
  static void program() { tree::program(); }
};

// ---------------------------------------------------------------------------------------------------------------
// No starvation: a record that is pending while a worker is idle begins elsewhere, though its owner never polls again.

/// Two records are pending; their owner and those who run them rest until both have begun.
struct starvation : pool_suite<starvation, 3> {
  static int begin_and_rest(int argument) {
    const int result = begin(argument);
    rest_until([] { return begun >= 2; });
    return result;
  }
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

/// One record, again and again, after times of which thieves get tired; with few tokens, so that owners come to owe.
struct short_of_tokens : pool_suite<short_of_tokens, 2> {
  static options settings() {
    options o = pool_suite::settings();
    o.promote = promotion::on_demand(2000, 2);
    return o;
  }
  static void program() {
    for (int round = 1; round <= 3; ++round) {
      begun = 0;
      fork([] { rest_until([] { return begun >= 1; }); }, begin, round);
    }
  }
};

/// Short forks in which the last tokens go, and then one that rests: what the thief heard at a short one must not have sent
/// it to sleep for good.
struct short_and_long : pool_suite<short_and_long, 2> {
  static options settings() {
    options o = pool_suite::settings();
    o.promote = promotion::on_demand(2000, 1);
    return o;
  }
  static void program() {
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 4; ++i) fork([] {}, leaf, i);
      begun = 0;
      fork([] { rest_until([] { return begun >= 1; }); }, begin, 1);
    }
  }
};

/// Every run is a run of its own: what an owner owed in the last one is forgotten.
struct debts : pool_suite<debts, 3> {
  static options settings() {
    options o = pool_suite::settings();
    o.promote = promotion::on_demand(2000, 2);
    return o;
  }
  static int rests(int) {
    begun = 0;
    fork([] { rest_until([] { return begun >= 1; }); }, begin, 1);
    return 0;
  }
  static void program() {
    begun = 0;
    fork([] { fork([] { rest_until([] { return begun >= 1; }); }, begin, 2); }, begin, 1);
    fork([] {}, rests, 3);
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Guests.

/// Two guests and one worker. One guest leaves early, maybe as the only thief awake; the other's records still begin
/// elsewhere. Whoever looks at a guest's words or signals its thread does so while it is there.
struct guests : pool_suite<guests, 3> {
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

/// Two guests, who run `first` and `second` of a suite, and one worker.
template <class Suite>
struct two_guests : pool_suite<Suite, 3> {
  void thread(unsigned index) {
    words_of_this_thread();
    if (index == 2) return this->work(index);
    if (index == 0) {
      run_root<&Suite::first>(this->pool->member(0));
    } else {
      run_root<&Suite::second>(this->pool->member(1));  // a thief looks here last
    }
    if (++left == 2) this->pool->stop_threads();
  }
  void before() { begun = 0; }

  int left = 0;
};

/// The worker is all that is idle. One guest offers it a task and takes it back; the other's record, held back because of that
/// task, begins elsewhere all the same.
struct rivals : two_guests<rivals> {
  static void first() {
    fork([] { rest_until([] { return begun >= 1; }); }, begin, 2);
  }
  static void second() {
    fork([] {}, leaf, 1);
  }
};

/// The same when the worker is about to sleep: its barrier has come to the one who forks and holds his record back, but not yet to
/// the other, who takes his task back in the middle of it and then looks who is awake.
struct deserted : two_guests<deserted> {
  static void first() {
    const unsigned before = this_thread().barriers;
    dawdle_until(300, [=] { return this_thread().barriers != before; });
    fork([] { rest_until([] { return begun >= 1; }); }, begin, 2);
  }
  static void second() {
    dawdle_until(300, [] { return sched::hot::self()->pool.member(2).bed.is_asleep(); });
    fork([] {}, leaf, 1);
  }
  void before() {
    two_guests::before();
    os->barrier_gap = 60;
  }
};

/// One guest waits for the worker, and may take what the other one offers just when its own strand is
/// sent back to it; those two rest until that strand has gone on. So it goes on elsewhere.
struct not_at_home : two_guests<not_at_home> {
  static int dawdles(int argument) {
    dawdle(20);
    return argument;
  }
  static int rests(int argument) {
    rest_until([] { return begun >= 1; });
    return argument;
  }
  static void first() {
    fork([] { dawdle(10); }, dawdles, 1);
    begin(1);
  }
  static void second() {
    dawdle(40);
    fork([] { rest_until([] { return begun >= 1; }); }, rests, 2);
  }
};

/// Strands that have waited return to the thread that they left, also if it is a guest's whose own root is finished.
struct same_thread : two_guests<same_thread> {
  static options settings() {
    options o = pool_suite::settings();
    o.promote = promotion::eager();
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

/// The same with callers that only wait: a strand returns to one that sleeps, or is about to.
struct aside_same_thread : two_guests<aside_same_thread> {
  static options settings() {
    options o = same_thread::settings();
    o.callers = caller_policy::wait;
    return o;
  }
  static void first() { same_thread::first(); }
  static void second() { same_thread::second(); }
};

/// A guest comes late and takes a seat that is new, while another leaves and its thread ends.
struct late_guest : pool_suite<late_guest, 3> {
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

/// A guest works elsewhere for a while, until both of its records have begun here, whoever sleeps. Mirrors pool.cpp:
/// put_away.
struct absence : pool_suite<absence, 3> {
  static void away() {
    sched::hot_words& h = words_of_this_thread();
    sched::worker* w = sched::hot::self();
    sched::hot::enter_scheduler();
    const sched::address top = h.top.load(base::relaxed);
    w->go_away(h);
    h.self = nullptr;
    rest_until([] { return begun >= 2; });
    claim(h.top.load(base::relaxed) == top, "somebody moved the words of a thread that is away");
    h.limit.store(nullptr, base::relaxed);
    h.self = w;
    w->come_back(h);
    sched::hot::leave_scheduler();
  }
  static int begin_and_rest(int argument) {
    const int result = begin(argument);
    rest_until([] { return begun >= 2; });
    return result;
  }
  static void program() {
    begun = 0;
    fork([] { fork([] { away(); }, begin_and_rest, 2); }, begin_and_rest, 1);
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Watched forks: storage is never promoted, keeps what was written there, and is gone after the join.

/// Forks inside both branches of a fork, and then again at the same addresses.
struct watched_forks : pool_suite<watched_forks, 2> {
  static int inside(int argument) {
    return watched_fork_of([] {}, leaf, argument) + 1;
  }
  static void program() {
    watched_region region;
    for (int round = 0; round < 2; ++round) {
      const int a = watched_fork_of(
          [] { claim(watched_fork_of([] {}, leaf, 30) == 31, "the result of an inner fork"); }, inside, 10);
      claim(a == 12, "the result of the outer fork");
    }
    // the signal may come anywhere in these, and both are pending for as long as one likes
    begun = 0;
    watched_fork_of([] { rest_until([] { return begun >= 1; }); }, begin, 1);
  }
};

/// The same, when every fork is promoted.
struct watched_eagerly : pool_suite<watched_eagerly, 3> {
  static options settings() {
    options o = pool_suite::settings();
    o.promote = promotion::eager();
    return o;
  }
  static void program() { watched_forks::program(); }
};

// ---------------------------------------------------------------------------------------------------------------
// Callers who take work of their own root only.

/// The number of the caller whose root the record belongs to, by its argument: 10 for the first, 20 for the second.
int begin_of_root(int argument) {
  const unsigned here = sched::hot::self()->index;
  claim(here == 2 || here == static_cast<unsigned>(argument / 10 - 1), "a caller runs work of another root");
  return begin(argument);
}

template <class Suite>
struct two_callers : two_guests<Suite> {
  static options settings() {
    options o = two_guests<Suite>::settings();
    o.callers = caller_policy::own_root;
    return o;
  }
};

/// Each has a record. The first one's has to begin on the worker; the other may leave early, and may be the only thief awake when it
/// begins to stand aside.
struct own_roots : two_callers<own_roots> {
  static void first() {
    fork([] { rest_until([] { return begun >= 1; }); }, begin_of_root, 10);
  }
  static void second() {
    fork([] {}, leaf, 20);
  }
};

/// The first caller is the only one who may take what the worker has pending of its root: the other one is busy until it has.
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

/// A caller that only waits is woken by the end of its root, which ends on a worker.
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

constexpr suite suites[] = {
    {"tree", &explore<tree>},
    {"eager_tree", &explore<eager_tree>},
    {"starvation", &explore<starvation>},
    {"short_of_tokens", &explore<short_of_tokens>},
    {"short_and_long", &explore<short_and_long>},
    {"debts", &explore<debts>},
    {"guests", &explore<guests>},
    {"rivals", &explore<rivals>},
    {"deserted", &explore<deserted>},
    {"not_at_home", &explore<not_at_home>},
    {"same_thread", &explore<same_thread>},
    {"aside_same_thread", &explore<aside_same_thread>},
    {"late_guest", &explore<late_guest>},
    {"absence", &explore<absence>},
    {"watched_forks", &explore<watched_forks>},
    {"watched_eagerly", &explore<watched_eagerly>},
    {"own_roots", &explore<own_roots>},
    {"stands_aside", &explore<stands_aside>},
    {"only_waits", &explore<only_waits>},
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) { return tine::model::run_suites(tine::model::suites, argc, argv); }
