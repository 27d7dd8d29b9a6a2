// Watched forks for models: the product's fork of a watched strand (managed/watched_fork.hpp) and its ceiling
// (sched/watch.cpp), with a watch that checks its rooms.
#pragma once

#include "model/world.hpp"

#include <tine/managed/watched_fork.hpp>

namespace tine::model {

/// The contents of a room of the watch. One strand writes a member, and other strands read it after a steal or a join.
struct watched_place {
  sched::watch first, second;
  sched::watch* parent;
  watched<int> opened;  ///< the strand that forks writes it
  watched<int> second_ended;
  int joins;
};

inline watched_place& place_in(void* room) noexcept { return *static_cast<watched_place*>(room); }

extern const sched::watch_events checking_events;

inline sched::watch& on_watched_fork(sched::watch& at, void* room, sched::site) noexcept {
  auto& p = place_in(room);
  p.first.events = p.second.events = &checking_events;
  p.parent = &at;
  ::new (static_cast<void*>(&p.opened)) watched<int>{1};
  ::new (static_cast<void*>(&p.second_ended)) watched<int>{0};
  p.joins = 0;
  return p.first;
}
inline sched::watch& on_watched_turn(void* room) noexcept {
  claim(place_in(room).opened.get() == 1, "a room was written to by something else");
  return place_in(room).second;
}
inline void on_watched_leave(void* room) noexcept {
  claim(place_in(room).opened.get() == 1, "a room was written to by something else");
}
inline sched::watch& on_watched_begin(void* room, bool) noexcept { return on_watched_turn(room); }
inline void on_watched_end(void* room) noexcept { place_in(room).second_ended.set(1); }
inline sched::watch& on_watched_join(void* room, sched::branch_end how, bool) noexcept {
  auto& p = place_in(room);
  claim(p.opened.get() == 1 && ++p.joins == 1, "a fork is joined twice, or its room was written to");
  claim((how == sched::branch_end::stolen) == (p.second_ended.get() == 1), "a stolen branch has not ended");
  p.second_ended.~watched<int>();
  p.opened.~watched<int>();
  return *p.parent;
}

inline constexpr sched::watch_events checking_events_of_forks() noexcept {
  sched::watch_events e{};
  e.fork = &on_watched_fork;
  e.turn = &on_watched_turn;
  e.leave = &on_watched_leave;
  e.begin = &on_watched_begin;
  e.end = &on_watched_end;
  e.join = &on_watched_join;
  e.room_bytes = (sizeof(watched_place) + 15) / 16 * 16;
  return e;
}
inline constexpr sched::watch_events checking_events = checking_events_of_forks();

/// Watches the running strand while this object lives.
class watched_region {
 public:
  watched_region() noexcept { sched::begin_watching(root_); }
  ~watched_region() {
    claim(sched::watch::current() == &root_, "a region does not end on its own strand");
    sched::end_watching();
  }

 private:
  sched::watch root_{&checking_events};
};

/// A second branch in the form in which user code passes it.
struct call {
  branch function;
  int argument;
  int operator()() const { return function(argument); }
};

/// The record of a watched fork, in place of the product's fork_record, so that Relacy checks its contents for races.
struct watched_record : sched::task {
  watched_record() = delete;
  using thiefs_branch = detail::watched_branch<call>;

  static watched_record* at(sched::address where) noexcept { return reinterpret_cast<watched_record*>(where); }
  static sched::address end(sched::address where) noexcept { return where + sizeof(watched_record); }
  static watched_record* write(sched::address where, const thiefs_branch& b) noexcept {
    watched_record* r = at(where);
    r->what = &kind;
    ::new (static_cast<void*>(&r->second)) thiefs_branch{b};
    ::new (static_cast<void*>(&r->result)) watched<int>;
    r->runs = 0;
    return r;
  }
  static bool run(sched::task& t) noexcept {
    auto& r = static_cast<watched_record&>(t);
    claim(++r.runs == 1, "a record runs twice");
    r.result.set(r.second());
    return false;
  }
  void drop() noexcept {}
  static const sched::descriptor kind;

  thiefs_branch second;
  watched<int> result;
  int runs;
};
inline constexpr sched::descriptor watched_record::kind{&watched_record::run, sizeof(watched_record)};

/// One fork and its join on a watched strand, in the order of managed/par.hpp: the usual path writes its plain record and moves
/// the top before it finds that the strand is watched.
template <class First>
int watched_fork_of(First first, branch second, int argument) noexcept {
  namespace hot = sched::hot;
  const sched::address at = hot::top();
  write_record(at, second, argument);
  hot::set_top(at + sizeof(record));
  claim(hot::is_rung(at) && sched::poll() == sched::polled::watched, "a watched strand takes the usual path");
  forget_record(*reinterpret_cast<record*>(at), false);
  int result = 0;
  {
    call g{second, argument};
    detail::watched_fork<watched_record> open{*sched::watch::current(), at, 0};
    open.offer(g);
    first();
    const bool stolen = open.is_stolen();
    watched_record& r = open.record();
    claim(r.runs == (stolen ? 1 : 0), "a record that nobody stole has run, or a stolen one has not");
    if (stolen) result = r.result.get();
    if (stolen || open.was_promoted()) end_task(r);
    r.result.~watched<int>();
    if (!stolen) result = g();
    open.join();
  }
  claim(hot::top() == at && !hot::is_promoted(at), "what a fork wrote is left on the shadow stack");
  return result;
}

}  // namespace tine::model
