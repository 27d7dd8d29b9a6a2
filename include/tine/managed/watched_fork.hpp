// A fork on a watched strand: it works like any other fork, and reports every step to the watch. It is never on the usual path.
#pragma once

#include <tine/managed/fork_record.hpp>
#include <tine/sched/alert.hpp>
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
        sched::begin_watching(b.events->begin(b.room, true));
      }
      ~watching() {
        b.events->end(b.room);
        sched::end_watching();
      }
    } const here{*this};
    return branch();
  }
};

/// One fork while it is watched, from the first branch to the join. If an exception leaves it, it still joins, once. Its state
/// is in registers, so all of it is inlined except for the rare paths: each byte of the frame is paid at every level of a
/// recursion.
///
/// On the shadow stack, from `at`: storage with the watch's room, then the record of the second branch. (The record of a branch
/// that was given to a worker by name is part of the storage, which is never promoted.)
template <class Record>
class watched_fork {
 public:
  TINE_ALWAYS_INLINE watched_fork(sched::watch& w, sched::address at, sched::site where) noexcept
      : at_{at}, record_{sched::room_at(at) + w.events->room_bytes}, events_{w.events} {
    sched::check_watched_room(Record::end(record_));
    sched::watch::set(events_->fork(w, room(), where));
  }
  TINE_ALWAYS_INLINE ~watched_fork() {
    if (stage_ != stage::joined) abandon(record_, room(), events_, how_, stage_, given_);
    sched::pop_storage(at_, given_ ? Record::end(record_) : record_);
  }
  watched_fork(const watched_fork&) = delete;
  watched_fork& operator=(const watched_fork&) = delete;

  /// Returns true if the second branch is for a worker by name. Such a branch must be given; any other branch must be offered.
  TINE_ALWAYS_INLINE bool is_given() const noexcept {
    return events_->directions != nullptr && events_->directions->is_given(room());
  }

  /// Gives the second branch to that worker.
  template <class G>
  TINE_ALWAYS_INLINE void give(G& second) noexcept {
    open(second, Record::end(record_));
    given_ = true;
    events_->directions->give(room(), &record());
  }

  /// Returns the record of a branch that was stolen or given away.
  Record& record() const noexcept { return *Record::at(record_); }

  /// From here on thieves may take the second branch.
  template <class G>
  TINE_ALWAYS_INLINE void offer(G& second) noexcept {
    open(second, record_);
    sched::serve_watched();
  }

  /// Called when the first branch has ended. Returns true if the second one was stolen or given away, and has ended, too.
  /// Returns false if this strand begins the second one now.
  TINE_ALWAYS_INLINE bool is_stolen() noexcept {
    if (given_) [[unlikely]] {
      how_ = meet(room(), events_);
      return true;
    }
    sched::pop_watched(record_, Record::end(record_));
    if (!sched::hot::is_promoted(record_)) [[likely]] {
      sched::watch::set(events_->turn(room()));
    } else {
      how_ = retract(record_, room(), events_);
      if (how_ == sched::branch_end::stolen) return true;
      sched::watch::set(events_->begin(room(), false));
    }
    stage_ = stage::second;
    return false;
  }

  /// Called after is_stolen has returned false: returns true if the second branch was promoted, and so might have been stolen.
  bool was_promoted() const noexcept { return how_ != sched::branch_end::unoffered; }

  /// Called when both branches have ended.
  TINE_ALWAYS_INLINE void join() noexcept {
    sched::watch::set(events_->join(room(), how_, stage_ == stage::second));
    stage_ = stage::joined;
  }

 private:
  enum class stage : unsigned char { first, second, joined };

  TINE_ALWAYS_INLINE sched::address room() const noexcept { return sched::room_at(at_); }

  /// Writes the storage, which ends at `storage_end`, and the record. Until the top has moved past both, the ceiling is at
  /// `at_`, so the signal handler promotes neither.
  template <class G>
  TINE_ALWAYS_INLINE void open(G& second, sched::address storage_end) noexcept {
    watched_branch<G> branch{{&second}, events_, room()};
    Record::write(record_, branch);
    sched::write_storage(at_, storage_end);
    sched::push_watched(at_, Record::end(record_), events_->is_closed);
  }

  /// The strand of the first branch ends here: it cannot simply continue with the second branch, because it may have to wait
  /// for it.
  TINE_COLD static sched::branch_end retract(sched::address at, void* room,
                                             const sched::watch_events* events) noexcept {
    events->leave(room);
    return sched::join(*Record::at(at)) == sched::joined::stolen ? sched::branch_end::stolen
                                                                 : sched::branch_end::unstolen;
  }

  /// As `retract`, for a second branch that was given away.
  TINE_COLD static sched::branch_end meet(void* room, const sched::watch_events* events) noexcept {
    events->leave(room);
    events->directions->meet(room);
    return sched::branch_end::stolen;
  }

  /// Called when an exception leaves a branch: joins the fork.
  TINE_COLD static void abandon(sched::address at, void* room, const sched::watch_events* events, sched::branch_end how,
                                stage in, bool given) noexcept {
    if (in == stage::first && given) {
      sched::alert unwanted;
      Record::at(at)->stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
      unwanted.raise();
      how = meet(room, events);
      Record::at(at)->drop();
    } else if (in == stage::first) {
      sched::pop_watched(at, Record::end(at));
      if (sched::hot::is_promoted(at)) {
        events->leave(room);
        how = sched::branch_end::unstolen;
        if (sched::discard(*Record::at(at)) == sched::joined::stolen) {
          how = sched::branch_end::stolen;
          Record::at(at)->drop();
        }
      } else {
        events->leave(room);
      }
    }
    sched::watch::set(events->join(room, how, in == stage::second));
  }

  const sched::address at_, record_;
  const sched::watch_events* const events_;
  sched::branch_end how_ = sched::branch_end::unoffered;
  stage stage_ = stage::first;
  bool given_ = false;
};

/// Runs one fork and its join on a watched strand.
template <class F, class G, class Combine>
TINE_ALWAYS_INLINE decltype(auto) fork_watched(sched::watch& w, sched::address at, F& f, G& g, Combine& combine,
                                               sched::site where) {
  using record = fork_record<watched_branch<G>>;
  using A = result_of<F&>;
  using B = result_of<G&>;
  watched_fork<record> fork{w, at, where};
  if (fork.is_given()) [[unlikely]] {
    fork.give(g);
  } else {
    fork.offer(g);
  }
  A a = value_of(f);
  if (fork.is_stolen()) [[unlikely]] {
    fork.join();
    return combine(static_cast<A&&>(a), fork.record().take());
  }
  B b = value_of(g);
  fork.join();
  return combine(static_cast<A&&>(a), static_cast<B&&>(b));
}

}  // namespace tine::detail
