// Observed forks for models: the product's fork of an observed strand (src/managed/observed_fork.hpp) and its
// promotion limit (sched/observer.cpp), with an observer that checks its storage.
#pragma once

#include "managed/observed_fork.hpp"
#include "model/pool_suite.hpp"

namespace tine::model {

/// The contents of an observer's storage. One strand writes a member, and other strands read it after a steal or a
/// join.
struct checked_storage {
  struct branch : sched::observer {
    checked_storage* of;
  };
  branch first, second;
  sched::observer* parent;
  race_checked<int> opened;  ///< the strand that forks writes it
  race_checked<int> second_ended;
  int joins;
};

inline checked_storage& place_in(void* storage) noexcept { return *static_cast<checked_storage*>(storage); }

extern const sched::observer_hooks checking_events;

inline sched::observer& on_observed_fork(sched::observer& at, void* storage, sched::site) noexcept {
  auto& p = place_in(storage);
  p.first.events = p.second.events = &checking_events;
  p.first.of = p.second.of = &p;
  p.parent = &at;
  ::new (static_cast<void*>(&p.opened)) race_checked<int>{1};
  ::new (static_cast<void*>(&p.second_ended)) race_checked<int>{0};
  p.joins = 0;
  return p.first;
}
inline sched::observer& on_observed_first_done(void* storage) noexcept {
  claim(place_in(storage).opened.get() == 1, "a storage was written to by something else");
  return place_in(storage).second;
}
inline sched::observer& on_observed_begin(void* storage, bool) noexcept { return on_observed_first_done(storage); }
inline void on_observed_stop(sched::observer& at) noexcept {
  checked_storage& p = *static_cast<checked_storage::branch&>(at).of;
  if (&at == &p.second) return p.second_ended.set(1);
  claim(p.opened.get() == 1, "a storage was written to by something else");
}
inline sched::observer& on_observed_join(void* storage, sched::branch_end how, bool) noexcept {
  auto& p = place_in(storage);
  claim(p.opened.get() == 1 && ++p.joins == 1, "a fork is joined twice, or its storage was written to");
  claim((how == sched::branch_end::stolen) == (p.second_ended.get() == 1), "a stolen branch has not ended");
  p.second_ended.~race_checked<int>();
  p.opened.~race_checked<int>();
  return *p.parent;
}

inline constexpr sched::observer_hooks checking_events_of_forks() noexcept {
  sched::observer_hooks e{};
  e.fork = &on_observed_fork;
  e.first_done = &on_observed_first_done;
  e.begin = &on_observed_begin;
  e.stop = &on_observed_stop;
  e.join = &on_observed_join;
  e.storage_bytes = (sizeof(checked_storage) + 15) / 16 * 16;
  return e;
}
inline constexpr sched::observer_hooks checking_events = checking_events_of_forks();

/// Observes the running strand while this object lives.
class observed_region {
 public:
  observed_region() noexcept { sched::begin_observing(root_); }
  ~observed_region() {
    claim(sched::observer::current() == &root_, "a region does not end on its own strand");
    sched::end_observing();
  }

 private:
  sched::observer root_{&checking_events};
};

/// A second branch in the form in which user code passes it.
struct call {
  branch function;
  int argument;
  int operator()() const { return function(argument); }
};

/// The record of an observed fork, in place of the product's fork_record, so that Relacy checks its contents for races.
struct observed_record : sched::task {
  observed_record() = delete;
  using thiefs_branch = detail::observed_branch<call>;

  static observed_record* at(sched::address where) noexcept { return reinterpret_cast<observed_record*>(where); }
  static sched::address end(sched::address where) noexcept { return where + sizeof(observed_record); }
  static observed_record* write(sched::address where, const thiefs_branch& b) noexcept {
    observed_record* r = at(where);
    r->what = &kind;
    ::new (static_cast<void*>(&r->second)) thiefs_branch{b};
    ::new (static_cast<void*>(&r->result)) race_checked<int>;
    r->runs = 0;
    return r;
  }
  static bool run(sched::task& t) noexcept {
    auto& r = static_cast<observed_record&>(t);
    claim(++r.runs == 1, "a record runs twice");
    r.result.set(r.second());
    return false;
  }
  void drop() noexcept {}
  static const sched::descriptor kind;

  thiefs_branch second;
  race_checked<int> result;
  int runs;
};
inline constexpr sched::descriptor observed_record::kind{&observed_record::run, sizeof(observed_record)};

/// One fork and its join on an observed strand, in the order of managed/par.hpp: the fast path writes its plain record
/// and moves the top before it finds that the strand is observed.
template <class First>
int observed_fork_of(First first, branch second, int argument) noexcept {
  namespace hot = sched::hot;
  const sched::address at = hot::top();
  write_record(at, second, argument);
  claim(sched::fork_protocol::push(at, record::end(at)) && sched::poll() == sched::polled::instrumented,
        "an observed strand takes the fast path");
  forget_record(*reinterpret_cast<record*>(at), false);
  int result = 0;
  {
    call g{second, argument};
    detail::observed_fork<observed_record> open{at, 0};
    open.push(g);
    first();
    const bool stolen = open.is_stolen();
    observed_record& r = open.record();
    claim(r.runs == (stolen ? 1 : 0), "a record that was not stolen has run, or a stolen one has not");
    if (stolen) result = r.result.get();
    if (stolen || open.was_promoted()) end_task(r);
    r.result.~race_checked<int>();
    if (!stolen) result = g();
    open.join();
  }
  claim(hot::top() == at && !hot::is_promoted(at), "what a fork wrote is left on the shadow stack");
  return result;
}

}  // namespace tine::model
