// Watched coroutines: the rooms of open forks, and the events that are reported to the watch.
#include "coro/watch.hpp"

#include "coro/joins.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/base/assert.hpp>
#include <tine/coro/driver.hpp>

#include <cstdlib>

namespace tine::detail {
namespace {

namespace hot = sched::hot;
using sched::watch;

/// Spare rooms of a thread, all of one size. Rooms come and go as often as forks do.
class spare_rooms {
 public:
  ~spare_rooms() { release_all(); }

  void* take(std::size_t bytes) noexcept {
    if (bytes != bytes_) {
      release_all();
      bytes_ = bytes;
    }
    if (first_ != nullptr) return std::exchange(first_, first_->previous);
    void* where = std::aligned_alloc(alignof(watched_room), bytes);
    if (where == nullptr) base::fatal("no memory is left to watch a fork.");
    return where;
  }
  void give_back(watched_room* r, std::size_t bytes) noexcept {
    if (bytes != bytes_) return std::free(r);
    r->previous = std::exchange(first_, r);
  }

 private:
  void release_all() noexcept {
    while (first_ != nullptr) std::free(std::exchange(first_, first_->previous));
  }
  watched_room* first_ = nullptr;
  std::size_t bytes_ = 0;
};

thread_local spare_rooms spare;

/// take_room and give_room_back are not inlined, because the next call may be on another thread. They work in the scheduler's
/// time, so that the memory is not counted as the program's.
TINE_NOINLINE void* take_room(std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  return spare.take(bytes);
}

TINE_NOINLINE void give_room_back(watched_room* r, std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  spare.give_back(r, bytes);
}

std::size_t bytes_of(const watch& w) noexcept { return sizeof(watched_room) + w.events->room_bytes; }

bool is_watched(frame& f) noexcept { return f.up.has(link::watched); }

/// A watched frame keeps its newest open fork where other frames keep their native join.
watched_room* newest(frame& f) noexcept {
  sched::completion* where = f.native_join;
  return reinterpret_cast<watched_room*>(where);
}
void set_newest(frame& f, watched_room* r) noexcept { f.native_join = reinterpret_cast<sched::completion*>(r); }

/// Returns the room of the fork whose first branch ends on this strand.
watched_room& room_of_ended(watch& first) noexcept {
  return *(static_cast<watched_room*>(first.events->room_of_first(first)) - 1);
}

}  // namespace

handed_on<sched::completion*>& native_join_of(frame& f) noexcept {
  return is_watched(f) ? newest(f)->native_join : f.native_join;
}

namespace {

/// Gives the continuation of the parent to its worker. The continuation may already run there when this function returns.
void give(frame& parent, watched_room& r) noexcept {
  hot::enter_scheduler();
  sched::awaken(reinterpret_cast<std::uintptr_t>(&parent), nullptr);
  hot::leave_scheduler();
  r.is_given = true;
  r.events->directions->give(r.room(), sched::queued(&parent));
}

bool is_for_somebody(watched_room& r) noexcept {
  return r.events->directions != nullptr && r.events->directions->is_given(r.room());
}

}  // namespace

sched::rendezvous* meeting_of(frame& f) noexcept {
  sched::rendezvous* oldest = nullptr;
  if (!is_watched(f)) return oldest;
  for (watched_room* r = newest(f); r != nullptr; r = r->previous) {
    if (r->is_given) oldest = &r->events->directions->meeting(r->room());
  }
  return oldest;
}

sched::host* host_of_ended() noexcept {
  watch* const first = watch::current();
  if (first == nullptr) return nullptr;
  watched_room& r = room_of_ended(*first);
  return r.is_given ? &r.events->directions->meeting(r.room()).with : nullptr;
}

void begin_watched_fork(frame& parent, sched::address at, sched::site where) noexcept {
  watch& w = *watch::current();
  auto* previous = is_watched(parent) ? newest(parent) : nullptr;
  auto* r = ::new (take_room(bytes_of(w))) watched_room{previous, nullptr, w.events, sched::branch_end::unoffered};
  set_newest(parent, r);
  if (previous == nullptr) parent.up.set(link::watched);
  watch::set(w.events->fork(w, r->room(), where | sched::of_coroutine));
  if (is_for_somebody(*r)) {
    hot::set_top(at);
    return give(parent, *r);
  }
  sched::check_watched_room(at + sched::continuation_bytes);
  sched::push_watched(at, at + sched::continuation_bytes, w.events->is_closed);
  sched::serve_watched();
}

void turn_watched(frame& parent, sched::branch_end how) noexcept {
  if (!is_watched(parent)) return;
  watch& first = *watch::current();
  watched_room& r = room_of_ended(first);
  r.how = how;
  watch::set(first.events->turn(r.room()));
}

void leave_watched() noexcept {
  watch* first = watch::current();
  if (first == nullptr) return;
  first->events->leave(room_of_ended(*first).room());
  sched::end_watching();
}

bool leave_after_watched_fork(frame& parent, sched::address at) noexcept {
  if (strand::is_unwinding()) {
    hot::set_top(at);
    return true;
  }
  if (room_of_ended(*watch::current()).is_given) {
    leave_to_driver(parent);
    return true;
  }
  sched::pop_watched(at, at + sched::continuation_bytes);
  if (!hot::is_promoted(at)) {
    turn_watched(parent, sched::branch_end::unoffered);
    return false;
  }
  return plain::leave_after_fork(parent, at);
}

void begin_stolen(frame& f) noexcept {
  if (!is_watched(f)) return;
  watched_room& r = *newest(f);
  r.how = sched::branch_end::stolen;
  sched::begin_watching(r.events->begin(r.room(), true));
}

void end_stolen(frame& f) noexcept {
  if (!is_watched(f)) return;
  watched_room& r = *newest(f);
  r.events->end(r.room());
  sched::end_watching();
}

void join_watched(frame& f, bool here) noexcept {
  if (!is_watched(f)) return;
  watch* after = nullptr;
  for (watched_room* r = newest(f); r != nullptr; here = true) {
    after = &r->events->join(r->room(), r->how, here);
    give_room_back(std::exchange(r, r->previous), bytes_of(*after));
  }
  set_newest(f, nullptr);
  f.up.clear(link::watched);
  if (watch::current() != nullptr) {
    watch::set(*after);
  } else {
    sched::begin_watching(*after);
  }
}

watch* pause_watching() noexcept {
  watch* w = watch::current();
  if (w == nullptr) return nullptr;
  w->events->pause(*w);
  sched::end_watching();
  return w;
}

void go_on_watching(watch* w) noexcept {
  if (w == nullptr) return;
  sched::begin_watching(*w);
  w->events->go_on(*w);
}

}  // namespace tine::detail
