// A fork on a watched strand: the same as any, with the watch told of every step. Never on the usual path.
#pragma once

#include <tine/managed/fork_record.hpp>
#include <tine/sched/events.hpp>

#include <type_traits>
#include <utility>

namespace tine::detail {

/// The second branch as a thief calls it.
template <class G>
struct watched_branch {
  by_reference<G> branch;
  const sched::watch_events* events;
  void* room;

  decltype(auto) operator()() const {
    struct watching {
      const watched_branch& b;
      explicit watching(const watched_branch& which) noexcept : b{which} {
        sched::begin_watching(b.events->begin(b.room));
      }
      ~watching() {
        b.events->end(b.room);
        sched::end_watching();
      }
    } const here{*this};
    return branch();
  }
};

/// One fork while it is watched, from the first branch to the join. If an exception leaves it, it still joins, once.
template <class Record>
class watched_fork {
 public:
  watched_fork(void* room, sched::site where) noexcept : room_{room}, events_{sched::watch::current()->events} {
    sched::watch::set(events_->fork(*sched::watch::current(), room, where));
  }
  ~watched_fork() {
    if (stage_ == stage::joined) return;
    if (stage_ == stage::first && retract()) Record::at(at_)->drop();
    join();
  }
  watched_fork(const watched_fork&) = delete;
  watched_fork& operator=(const watched_fork&) = delete;

  const sched::watch_events* events() const noexcept { return events_; }

  /// The second branch may be taken from here on.
  template <class G>
  void offer(sched::address at, watched_branch<G> second) noexcept {
    at_ = at;
    Record::write(at, second);
    sched::push_watched(at, Record::end(at));
    sched::serve_watched();
  }

  /// The first branch has ended. Whether the second one was stolen, and has ended, too; if not, this strand begins it now.
  bool is_stolen() noexcept {
    if (!was_offered()) {
      sched::watch::set(events_->turn(room_));
    } else if (retract()) {
      return true;
    } else {
      sched::watch::set(events_->begin(room_));
    }
    stage_ = stage::second;
    return false;
  }

  /// After is_stolen, if it was not: whether it might have been.
  bool was_promoted() const noexcept { return how_ != sched::branch_end::unoffered; }

  /// Both have ended.
  void join() noexcept {
    sched::watch::set(events_->join(room_, how_, stage_ == stage::second));
    stage_ = stage::joined;
  }

 private:
  enum class stage : unsigned char { first, second, joined };

  bool was_offered() noexcept {
    sched::pop_watched(at_, Record::end(at_));
    return sched::hot::is_promoted(at_);
  }

  /// The first branch ends without a second one on this strand so far, which may have to wait. Whether that was stolen.
  bool retract() noexcept {
    const bool offered = was_offered();
    events_->leave(room_);
    if (!offered) return false;
    const bool stolen = sched::join(*Record::at(at_)) == sched::joined::stolen;
    how_ = stolen ? sched::branch_end::stolen : sched::branch_end::unstolen;
    return stolen;
  }

  void* const room_;
  const sched::watch_events* const events_;
  sched::address at_ = nullptr;
  sched::branch_end how_ = sched::branch_end::unoffered;
  stage stage_ = stage::first;
};

/// One fork and its join on a watched strand. The watch's room is in this frame.
template <class F, class G, class Combine>
decltype(auto) fork_watched(F& f, G& g, Combine& combine, sched::site where) {
  using record = fork_record<watched_branch<G>>;
  using A = result_of<F&>;
  using B = result_of<G&>;
  const sched::address at = sched::hot::top();
  void* room = __builtin_alloca_with_align(sched::watch::current()->room_bytes, 128);
  watched_fork<record> fork{room, where};
  fork.offer(at, watched_branch<G>{{&g}, fork.events(), room});
  A a = value_of(f);
  if (fork.is_stolen()) {
    fork.join();
    return combine(static_cast<A&&>(a), record::at(at)->take());
  }
  B b = value_of(g);
  fork.join();
  return combine(static_cast<A&&>(a), static_cast<B&&>(b));
}

}  // namespace tine::detail
