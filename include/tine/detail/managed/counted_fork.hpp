// A counted fork: a fork in a recorded or replayed region of which the schedule says nothing. It keeps a position in
// its native frame; its record is the one that the usual path has written. It is never on the usual path.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/managed/fork_record.hpp>
#include <tine/detail/sched/fork_protocol.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/region.hpp>

#include <cstdint>

namespace tine::detail {

/// Called when the first branch of a counted fork has ended and its record was promoted: joins the second branch.
/// `discard_counted`: the result is not needed, because an exception leaves the fork.
TINE_API TINE_COLD sched::joined join_counted(sched::task& t, sched::position& p) noexcept;
TINE_API TINE_COLD sched::joined discard_counted(sched::task& t, sched::position& p) noexcept;

/// Called by an instrumented strand at a fork while a work request is pending. Returns false, and serves no idle
/// worker, if the strand is to stop.
TINE_API TINE_COLD bool serve_unless_stopping() noexcept;

/// One counted fork, from its first branch to its join. If an exception leaves it, it still joins, once. The position
/// is a variable of its own, because its address is known to other functions: the members of this class stay in
/// registers.
template <class Record>
class counted_fork {
 public:
  /// The strand's word `position_word` has counted_bit.
  TINE_ALWAYS_INLINE counted_fork(sched::position& own, sched::address at) noexcept : position_{own}, at_{at} {
    sched::check_observed_capacity(Record::end(at));
    const std::uintptr_t around = sched::hot::fiber_local<sched::position_word>();
    sched::position& up = *base::from_word<sched::position>(around - sched::counted_bit);
    own.around = around;
    own.record = at;
    own.next = 0;
    own.own = up.next++;
    own.step = nullptr;
    record().write_position(&own);
    base::signal_fence();  // the handler may promote the record as soon as the word names its position
    sched::hot::set_fiber_local<sched::position_word>(base::to_word(&own) + sched::counted_bit);
  }
  TINE_ALWAYS_INLINE ~counted_fork() {
    if (stage_ == stage::joined) return;
    if (stage_ == stage::first) abandon(at_, position_);
    join();
  }
  counted_fork(const counted_fork&) = delete;
  counted_fork& operator=(const counted_fork&) = delete;

  /// Serves an idle worker if one requests work. Throws tine::stopped if the strand is to stop.
  TINE_ALWAYS_INLINE void serve() {
    if (sched::is_requested() && !serve_unless_stopping()) [[unlikely]] {
      abandon(at_, position_);  // before the throw: see stop_at_fork
      stage_ = stage::second;
      sched::throw_stopped();
    }
  }

  /// Called when the first branch has ended. Returns true if the second one was stolen, and has ended, too. Returns
  /// false if this strand begins the second one now.
  TINE_ALWAYS_INLINE bool is_stolen() noexcept {
    stage_ = stage::second;
    if (sched::fork_protocol::pop(at_)) [[unlikely]] {
      was_promoted_ = true;
      if (join_counted(record(), position_) == sched::joined::stolen) return true;
    }
    position_.record = nullptr;
    position_.next = 0;
    return false;
  }

  /// Called after is_stolen has returned false: returns true if the second branch was promoted, and so might have been
  /// stolen.
  bool was_promoted() const noexcept { return was_promoted_; }

  /// Called when both branches have ended.
  TINE_ALWAYS_INLINE void join() noexcept {
    stage_ = stage::joined;
    sched::hot::set_fiber_local<sched::position_word>(position_.around);
  }

  Record& record() const noexcept { return *Record::at(at_); }

 private:
  enum class stage : unsigned char { first, second, joined };

  TINE_COLD static void abandon(sched::address at, sched::position& p) noexcept {
    if (!sched::fork_protocol::pop(at)) return;
    Record& r = *Record::at(at);
    if (discard_counted(r, p) == sched::joined::stolen) r.drop();
  }

  sched::position& position_;
  const sched::address at_;
  stage stage_ = stage::first;
  bool was_promoted_ = false;
};

/// Around one counted fork of a strand whose later forks may be of the other kind.
struct counted_once {
  counted_once() noexcept {
    const std::uintptr_t word = sched::hot::fiber_local<sched::position_word>();
    sched::hot::set_fiber_local<sched::position_word>(word | sched::counted_bit);
  }
  ~counted_once() { sched::set_position(*sched::position::current()); }
  counted_once(const counted_once&) = delete;
  counted_once& operator=(const counted_once&) = delete;
};

}  // namespace tine::detail
