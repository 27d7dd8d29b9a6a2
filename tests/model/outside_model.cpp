// Models of submissions and alerts, which reach a worker without a fork, from threads outside the pool and from its
// own. pool_suite.hpp says what is the product's own code (nearly all) and what is the model's.
#include "model/pool_suite.hpp"

#include <tine/sched/event_source.hpp>

#include <bit>

namespace tine::sched {

// Nothing here forks continuations: coroutines have their own models (join_model.cpp).
void awaken(std::uintptr_t, address) noexcept { model::claim(false, "there are no continuations here"); }
bool was_queued_from(std::uintptr_t, address) noexcept { return false; }
bool is_known_to_region(std::uintptr_t, address) noexcept { return false; }
void resume(std::uintptr_t) noexcept { model::claim(false, "there are no continuations here"); }

}  // namespace tine::sched

namespace tine::model {
namespace {

int begun;  ///< number of errands that have begun in the current iteration

// ---------------------------------------------------------------------------------------------------------------
// External work: a submitted errand runs once, on the worker that it is for, even if all workers are about to sleep.

/// A piece of work, and its submission to an inbox. The fiber that waits for the errand destroys both.
struct errand : sched::task {
  using function = void (*)(errand&);
  explicit errand(function f) : task{&kind, sched::completion{}, 0}, work{f} { entry.what = this; }

  static bool run(sched::task& t) noexcept {
    auto& e = static_cast<errand&>(t);
    claim(++e.runs == 1, "an errand runs twice");
    claim(e.only_for == nullptr || e.only_for == sched::hot::self(), "an errand pinned to another worker");
    claim(e.order.get() == 7, "what was written before the submission");
    ++begun;
    stir_all();
    e.work(e);
    e.result.set(8);
    return false;
  }
  static constexpr sched::descriptor kind{&run, 0};

  function work;
  sched::submission entry;
  sched::worker* only_for = nullptr;
  race_checked<int> order{0};
  race_checked<int> result{0};
  int runs = 0;
};

void quick(errand&) {}
void rests_for_two(errand&) {
  rest_until([] { return begun >= 2; });
}

/// Makes the calling fiber wait; it may wake on another thread. Mirrors coro/join.cpp: wait_for.
void wait_for(std::unique_ptr<errand>& e) {
  sched::hot::enter_scheduler();
  const sched::address top = sched::hot::top();
  if (!e->done.is_finished()) sched::hot::self()->suspend_until(e->done, top, top);
  sched::hot::leave_scheduler();
  claim(e->runs == 1 && e->result.get() == 8, "what the errand wrote");
  e.reset();
}

/// A suite whose thread 0 is a caller in slot 0; workers come next, and then the threads that belong to no pool.
template <class Suite, rl::thread_id_t Threads, unsigned Members>
struct errand_suite : pool_suite<Suite, Threads> {
  static constexpr unsigned members_at_start = Members;
  using base_suite = pool_suite<Suite, Threads>;

  static inline errand_suite* here;  ///< the suite of the current iteration
  static sched::worker& member(unsigned i) { return here->pool->member(i); }

  static void put(unsigned i, sched::worker* to, sched::worker& near, bool stays = true) {
    errand& e = *here->errands[i];
    if (to != nullptr && stays && to->box.present_) e.only_for = to;  // before `to` arrives, any worker may take `e`
    e.order.set(7);
    sched::submit(e.entry, to, near);
  }
  static void wait_for(unsigned i) { model::wait_for(here->errands[i]); }

  void thread(unsigned index) {
    if (index < Members) return base_suite::thread(index);
    words_of_this_thread();
    Suite::outside();
    end_thread();
  }
  errand_suite() { here = this; }
  void before() {
    begun = 0;
    for (unsigned i = 0; i < 3; ++i) errands[i] = std::make_unique<errand>(Suite::work[i]);
  }

  std::unique_ptr<errand> errands[3];
};

/// Two errands for one worker, one after the other: the worker may be about to sleep each time.
struct pinned : errand_suite<pinned, 3, 2> {
  static constexpr errand::function work[]{&quick, &quick, &quick};
  static void outside() {
    dawdle(60);
    put(0, &member(1), member(0));
    dawdle(60);
    put(1, &member(1), member(1));
  }
  static void program() {
    wait_for(0);
    wait_for(1);
  }
};

/// Two errands for any worker, neither of which ends before both have begun. So each needs a worker of its own.
struct shared : errand_suite<shared, 3, 2> {
  static constexpr errand::function work[]{&rests_for_two, &rests_for_two, &quick};
  static void outside() {
    dawdle(60);
    put(0, nullptr, member(rl::rand(2)));
    dawdle(60);
    put(1, nullptr, member(rl::rand(2)));
  }
  static void program() { wait_for(0), wait_for(1); }
};

/// Two errands for one worker and one for any, in the same inbox. The first errand waits until the shared one starts.
struct both_lists : errand_suite<both_lists, 3, 2> {
  static constexpr errand::function work[]{&rests_for_two, &quick, &quick};
  static void outside() {
    dawdle(60);
    put(0, &member(1), member(1));
    put(1, nullptr, member(1));
    put(2, &member(1), member(1));
  }
  static void program() {
    for (unsigned i = 0; i < 3; ++i) wait_for(i);
  }
};

/// Errands for an external thread that comes and leaves: another worker takes those that are left in its inbox.
struct caller_departs : errand_suite<caller_departs, 3, 2> {
  static constexpr errand::function work[]{&quick, &quick, &quick};
  static void outside() {
    dawdle(60);
    put(0, &member(1), member(1), false);
    dawdle(30);
    put(1, &member(1), member(1), false);
  }
  static void short_root() { dawdle(30); }
  static void program() {
    wait_for(0);
    wait_for(1);
  }
  void thread(unsigned index) {
    if (index != 1) return errand_suite::thread(index);
    words_of_this_thread();
    dawdle(60);
    run_root<&short_root>(pool->member(1));
  }
};

/// Workers submit errands to each other, and may sleep in between.
struct among_workers : errand_suite<among_workers, 2, 2> {
  static void passes_on(errand&) {
    put(1, &member(0), member(1));
    dawdle(20);
  }
  static void passes_back(errand&) { put(2, &member(1), member(0)); }
  static constexpr errand::function work[]{&passes_on, &passes_back, &quick};
  static void outside() {}
  static void program() {
    put(0, &member(1), member(0));
    dawdle(20);
    wait_for(0);
    wait_for(1);
    wait_for(2);
  }
};

/// The pool ends as soon as the last errand has run, while its submitter may still be inside `submit`.
struct pool_ends : errand_suite<pool_ends, 2, 1> {
  static constexpr errand::function work[]{&quick, &quick, &quick};
  static void outside() {
    dawdle(60);
    put(0, rl::rand(2) == 0 ? &member(0) : nullptr, member(0));
  }
  static void program() { wait_for(0); }

  void thread(unsigned index) {
    errand_suite::thread(index);
    if (index == 0) pool.reset();
  }
  void after() {}
};

// ---------------------------------------------------------------------------------------------------------------
// Event sources: a thread opens the source, and worker 1 looks, even if it is about to sleep or to begin a run.

/// A strand that waits for an errand here waits for a look of worker 1, which submits the errand.
template <class Suite>
struct event_suite : errand_suite<Suite, 3, 2> {
  using base_suite = errand_suite<Suite, 3, 2>;
  static constexpr errand::function work[]{&quick, &quick, &quick};

  /// Has an event for each opening.
  struct counted_source final : sched::event_source {
    void look(moment) noexcept override {
      // relaxed: the request, or the worker's own question whether the source is open, has shown the opening
      if (!is_open()) return;
      opened.fetch_sub(1, base::seq_cst);
      base_suite::put(looks++, &base_suite::member(1), base_suite::member(1));
    }
    bool is_open() const noexcept override {
      claim(made.get() == 1, "a worker sees the source as its maker has left it");
      return sched::hot::self() == &base_suite::member(1) && opened.load(base::seq_cst) > 0;
    }
    void open() noexcept {
      opened.fetch_add(1, base::seq_cst);
      sched::request_look(std::bit_cast<worker_ref>(&base_suite::member(1)));
    }
    base::atomic<int> opened{0};
    unsigned looks = 0;
    race_checked<int> made;
  };

  void before() {
    base_suite::before();
    events = std::make_unique<counted_source>();
    last = this;
  }
  /// Any thread attaches the source while the workers run.
  void attach() {
    events->made.set(1);
    this->pool->attach(*events);
  }

  static inline event_suite* last;
  std::unique_ptr<counted_source> events;
};

/// Two events, at times of which worker 1 may be in any state.
struct event : event_suite<event> {
  static void outside() {
    dawdle(60);
    last->attach();
    last->events->open();
    dawdle(60);
    last->events->open();
  }
  static void program() { wait_for(0), wait_for(1); }
};

/// The worker of the root opens the source itself, before it waits.
struct event_of_worker : event_suite<event_of_worker> {
  static void outside() {}
  static void program() {
    dawdle(60);
    last->attach();
    last->events->open();
    wait_for(0);
    last->events->open();
    wait_for(1);
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Alerts: a fork by a strand that is to stop takes its slow path from the raise of the alert to its end.

/// One alert of the root, and the scope that it stops. `is_raised` is atomic because the claims depend on whether the
/// forking thread knows of the raise, not on the time of the raise.
struct test_alert {
  std::unique_ptr<sched::alert> alert;
  base::atomic<bool> stopping{false};
  sched::scope inside{};
  base::atomic<int> is_raised{0};
  bool made = false;
  bool raised = false;
  bool over = false;

  void raise() {
    rest_until([this] { return made; });
    dawdle(40);
    stopping.store(true, base::relaxed);
    alert->raise();
    is_raised.store(1, base::release);
    raised = true;
    stir_all();
  }
  void lower() {
    rest_until([this] { return raised; });
    over = true;
    alert.reset();
  }
  /// Returns true if the calling thread knows that the alert was raised.
  bool is_known() const { return is_raised.load(base::acquire) != 0; }
};

template <class Suite, rl::thread_id_t Threads, unsigned Members>
struct alert_suite : pool_suite<Suite, Threads> {
  static constexpr unsigned members_at_start = Members;
  using base_suite = pool_suite<Suite, Threads>;

  static inline test_alert* alerts[2];  ///< the alerts of the current iteration

  static std::uint64_t polls_here() { return sched::hot::self()->counts.polls.get(); }

  /// A fork that claims to take its slow path if its thread knows of an alert that is not over.
  template <class First>
  static int fork_alerted(First first, branch second, int argument) {
    bool known[2];
    for (unsigned i = 0; i < 2; ++i) known[i] = alerts[i]->is_known();
    const std::uint64_t polls = polls_here();
    return fork(
        [&] {
          for (unsigned i = 0; i < 2; ++i) {
            claim(!known[i] || alerts[i]->over || polls_here() != polls, "a fork did not hear an alert");
          }
          first();
        },
        second, argument);
  }
  static int leaf(int argument) { return argument + 1; }
  static int forks_again(int argument) {
    fork_alerted([] {}, leaf, argument);
    return fork_alerted([] {}, leaf, argument) + 1;
  }
  static void make(unsigned i) {
    alerts[i]->alert = std::make_unique<sched::alert>();
    alerts[i]->inside = {sched::current_scope(), sched::hot::top(), &alerts[i]->stopping};
    sched::enter_scope(&alerts[i]->inside);
    alerts[i]->made = true;
    stir_all();
  }

  void thread(unsigned index) {
    if (index < Members) return base_suite::thread(index);
    words_of_this_thread();
    Suite::outside(index);
    end_thread();
  }
  alert_suite() {
    for (unsigned i = 0; i < 2; ++i) alerts[i] = &both[i];
  }
  test_alert both[2];
};

/// An outside thread raises the alert while the owner acknowledges work requests and a thief begins and ends runs.
struct alerted : alert_suite<alerted, 3, 2> {
  static void outside(unsigned) { alerts[0]->raise(); }
  static void program() {
    make(0);
    for (int i = 0; i < 3; ++i) {
      claim(fork_alerted([] { fork_alerted([] {}, leaf, 1); }, forks_again, 10) == 12, "the result of a fork");
    }
    rest_until([] { return alerts[0]->raised; });
    fork_alerted([] {}, forks_again, 20);
    alerts[0]->lower();
  }
};

/// An outside thread raises one alert, and a worker another in its own code. The first may end as the second starts.
struct two_alerts : alert_suite<two_alerts, 3, 2> {
  static void outside(unsigned) { alerts[0]->raise(); }
  static int raises(int argument) {
    alerts[1]->raise();
    return forks_again(argument);
  }
  static void program() {
    make(0);
    make(1);
    fork_alerted(
        [] {
          alerts[0]->lower();
          fork_alerted([] {}, forks_again, 10);
        },
        raises, 20);
    fork_alerted([] {}, leaf, 30);
    alerts[1]->lower();
  }
};

/// Two outside threads raise alerts at the same time, while an external thread leaves and ends.
struct alert_and_caller : alert_suite<alert_and_caller, 4, 2> {
  static inline int left;
  static void outside(unsigned index) { alerts[index - 2]->raise(); }
  static void short_root() {
    rest_until([] { return alerts[1]->made; });
    sched::enter_scope(&alerts[1]->inside);  // as if a strand inside of this scope had brought its root
    fork_alerted([] {}, leaf, 1);
  }
  static void program() {
    make(0);
    make(1);
    fork_alerted([] {}, leaf, 10);
    rest_until([] { return alerts[0]->raised && alerts[1]->raised; });
    fork_alerted([] {}, leaf, 20);
    alerts[0]->lower();
    alerts[1]->lower();
  }
  void thread(unsigned index) {
    if (index >= 2) return alert_suite::thread(index);
    words_of_this_thread();
    index == 0 ? run_root<&program>(pool->member(0)) : run_root<&short_root>(pool->member(1));
    if (++left == 2) pool->stop_threads();
  }
  void before() { left = 0; }
};

/// An exception has made a stolen task useless. Its owner stops it and all that it has forked, and joins it.
struct unwanted : alert_suite<unwanted, 3, 3> {
  static inline int begun;
  static void outside(unsigned) {}
  static int useless(int argument) {
    ++begun;
    stir_all();
    fork_alerted([] { fork_alerted([] {}, leaf, 1); }, forks_again, argument);
    return fork_alerted([] {}, forks_again, argument);
  }
  static void program() {
    begun = 0;
    test_alert& b = *alerts[0];
    b.alert = std::make_unique<sched::alert>();
    const sched::address at = sched::hot::top();
    record& r = write_record(at, useless, 1);
    if (sched::fork_protocol::push(at, record::end(at)))
      claim(sched::poll() == sched::polled::inside, "nothing stops the owner");
    rest_until([] { return begun != 0; });
    dawdle(40);
    r.stopping.store(true, base::relaxed);
    b.alert->raise();
    b.is_raised.store(1, base::release);
    claim(sched::fork_protocol::pop(at), "a record began elsewhere and was not promoted");
    claim(sched::discard(r) == sched::joined::stolen, "a record that has begun is reclaimed");
    claim(r.done.is_finished() && r.runs == 1, "a discarded task was not joined");
    forget_record(r, true);
    b.over = true;
    b.alert.reset();
    fork([] {}, leaf, 1);
  }
};

// ---------------------------------------------------------------------------------------------------------------
// Submitted roots: a root runs once, who waits for it sees its writes, its memory is freed once, no alert is left.

struct heap_root final : sched::submitted_root {
  using function = void (*)();
  explicit heap_root(function f) : submitted_root{kind}, work{f} { ++alive; }
  ~heap_root() override {
    claim(result.get() == 8, "a root is destroyed before it has ended");
    --alive;
  }

  static bool run(sched::task& t) noexcept {
    auto& r = static_cast<heap_root&>(t);
    claim(++r.runs == 1, "a submitted root runs twice");
    claim(r.order.get() == 7, "what was written before the submission");
    r.work();
    r.result.set(8);
    r.end(r.fails);
    return false;
  }
  std::exception_ptr error() noexcept override {
    claim(result.get() == 8, "the error of a root that has not ended");
    return std::make_exception_ptr(stopped{});
  }
  static constexpr sched::descriptor kind{&run, 0};
  static inline int alive;

  function work;
  bool fails = false;
  race_checked<int> order{0};
  race_checked<int> result{0};
  int runs = 0;
};

/// A listener that a thread adds to a root.
struct heap_listener : sched::end_listener {
  explicit heap_listener(heap_root& r) : end_listener{&call}, root{r} { order.set(5); }
  static void call(end_listener& l) noexcept {
    auto& self = static_cast<heap_listener&>(l);
    claim(self.order.get() == 5 && self.root.result.get() == 8, "a listener is called before the end of its root");
    delete &self;
  }
  heap_root& root;
  race_checked<int> order{0};
};

/// Threads 0 and 1 are the pool's own; the others are outside. Thread 2 stops the pool when all roots and outside
/// threads have ended.
template <class Suite, rl::thread_id_t Threads>
struct root_suite : pool_suite<Suite, Threads> {
  static constexpr unsigned members_at_start = 2;
  static inline root_suite* here;
  static inline int outside_ended;

  static heap_root* submit(heap_root::function f, bool fails = false, root_priority how = root_priority::normal) {
    auto* const r = new heap_root{f};
    r->fails = fails;
    r->order.set(7);
    r->submit_to(*here->pool, how);
    return r;
  }
  static void collect(heap_root* r) {
    r->wait();
    claim(r->has_ended() && r->runs == 1 && r->result.get() == 8, "a wait for a root that has not ended");
    r->release();
  }

  void thread(unsigned index) {
    words_of_this_thread();
    if (index < 2) return this->work(index);
    Suite::outside(index);
    ++outside_ended;
    stir_all();
    if (index == 2) {
      rest_until([] { return outside_ended == Threads - 2 && here->pool->submitted_ == 0; });
      this->pool->stop_threads();
    }
    end_thread();
  }
  root_suite() { here = this; }
  void before() { outside_ended = heap_root::alive = 0; }
  void after() {
    pool_suite<Suite, Threads>::after();
    claim(heap_root::alive == 0, "a root is left on the heap");
  }
};

/// A root submits another one and waits for it, and an outside thread waits for the first one.
struct waits_for_roots : root_suite<waits_for_roots, 3> {
  static void inner() { dawdle(20); }
  static void outer() { collect(submit(inner, false, root_priority::urgent)); }
  static void outside(unsigned) {
    dawdle(60);
    collect(submit(outer));
    dawdle(30);
    collect(submit(inner));
  }
};

/// One thread stops and detaches a root at about the time at which it ends, while a listener is added by another
/// thread.
struct stops_root : root_suite<stops_root, 4> {
  static inline base::atomic<heap_root*>* shared;
  static inline bool is_shared;
  static void slow() { dawdle(30); }
  void before() {
    root_suite::before();
    is_shared = false;
  }
  stops_root() { shared = new base::atomic<heap_root*>{nullptr}; }
  ~stops_root() { delete shared; }
  static void outside(unsigned index) {
    if (index == 2) {
      heap_root* const r = submit(slow, rl::rand(2) != 0);
      r->keep();
      shared->store(r, base::release);
      is_shared = true;
      stir_all();
      dawdle(1 + rl::rand(60));
      r->request_stop();
      dawdle(1 + rl::rand(20));
      r->detach();
      r->release();
    } else {
      rest_until([] { return is_shared; });
      heap_root* r = nullptr;
      while ((r = shared->load(base::acquire)) == nullptr) dawdle(1);
      for (unsigned i = 0; i < 2; ++i) {
        dawdle(1 + rl::rand(40));
        auto* const l = new heap_listener{*r};
        if (!r->notify(*l)) heap_listener::call(*l);
      }
      rl::rand(2) != 0 ? collect(r) : r->release();
    }
  }
};

constexpr suite suites[] = {
    {"pinned", &explore<pinned>},
    {"shared", &explore<shared>},
    {"both_lists", &explore<both_lists>},
    {"caller_departs", &explore<caller_departs>},
    {"among_workers", &explore<among_workers>},
    {"pool_ends", &explore<pool_ends>},
    {"event", &explore<event>},
    {"event_of_worker", &explore<event_of_worker>},
    {"alerted", &explore<alerted>},
    {"two_alerts", &explore<two_alerts>},
    {"alert_and_caller", &explore<alert_and_caller>},
    {"unwanted", &explore<unwanted>},
    {"waits_for_roots", &explore<waits_for_roots>},
    {"stops_root", &explore<stops_root>},
};

}  // namespace
}  // namespace tine::model

int main(int argc, char** argv) { return tine::model::run_suites(tine::model::suites, argc, argv); }
