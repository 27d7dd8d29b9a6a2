// A fork on an instrumented strand that is more than counted. It works like any other fork, and its steps are behind a
// table (detail/sched/fork_steps.hpp), which also reports them to the parties of the strand. It is never on the fast
// path.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/race_branch.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/sched/fork_steps.hpp>
#include <tine/detail/sched/kept_record.hpp>

#include <new>

namespace tine::detail {

/// The steps of a strand with any parties.
TINE_API extern const sched::fork_steps general_fork_steps;

/// Returns the steps of the running strand's observer, or null. `position`: the strand's word `position_word`. Also
/// returns null while a work request is pending, because it may ask the strand to stop.
TINE_ALWAYS_INLINE const sched::fork_steps* own_steps(std::uintptr_t position) noexcept {
  const sched::observer* const w = sched::observer::current();
  if (w == nullptr || position != 0 || !sched::is_armed()) return nullptr;
  return w->events->nested_forks;
}

/// Returns the steps for the next fork of the running strand.
inline const sched::fork_steps& steps_of_strand() noexcept {
  const sched::observer* const w = sched::observer::current();
  const bool is_alone = w != nullptr && !sched::hot::is_fiber_local_set<sched::position_word>();
  return is_alone && w->events->nested_forks != nullptr ? *w->events->nested_forks : general_fork_steps;
}

/// The record of the second branch, a `G`, which stays where it is. All members are public, as in fork_record.
template <class G>
struct reported_record : sched::reported_record_head {
  using result = result_of<G&>;

  static bool run(sched::task& t) noexcept {
    auto& r = static_cast<reported_record&>(t);
    const branch b = r.second;
    ::new (static_cast<void*>(&r.outcome_)) outcome<result>;
    auto body = [&b]() -> decltype(auto) {
      sched::stop_before_begin();
      const sched::stolen_branch here{b};
      return (*static_cast<G*>(b.second))();
    };
    const bool threw = r.outcome_.fill(body);
    ::new (static_cast<void*>(&r.drop_outcome)) auto(&drop_own);
    return threw;
  }
  static void drop_own(sched::reported_record_head& r) noexcept {
    auto& own = static_cast<reported_record&>(r);
    const sched::kept_record keep{base::bytes_of(own), base::bytes_of(own) + sizeof own};
    own.outcome_.drop(own.threw());
  }
  TINE_COLD result take() {
    const sched::kept_record keep{base::bytes_of(*this), base::bytes_of(*this) + sizeof *this};
    return outcome_.take(threw());
  }
  bool threw() const noexcept { return (done.flags() & sched::completion::threw) != 0; }

  union {
    outcome<result> outcome_;
  };

  static constexpr sched::descriptor kind{&run, sizeof(sched::reported_record_head) + sizeof(outcome<result>)};
};

/// One such fork, from the first branch to the join. If an exception leaves it, it still joins, once.
template <class G>
class reported_fork {
 public:
  TINE_ALWAYS_INLINE reported_fork(sched::address at, sched::site where, const sched::fork_steps& steps,
                                   G& second) noexcept
      : steps_{steps}, fork_{steps_.open(at, where, &second, reported_record<G>::kind)} {
#if TINE_RACE
    tine_race_leave_branch();
#endif
  }
  TINE_ALWAYS_INLINE ~reported_fork() {
    if (stage_ == stage::joined) return;
    stage_ == stage::taken ? steps_.close(fork_) : steps_.abandon(fork_, stage_ == stage::second);
  }
  reported_fork(const reported_fork&) = delete;
  reported_fork& operator=(const reported_fork&) = delete;

  /// Called when the first branch has ended. Returns true if the second one was stolen or placed, and has ended, too.
  /// Returns false if this strand starts the second one now.
  TINE_ALWAYS_INLINE bool is_stolen() noexcept {
    how_ = steps_.first_done(fork_);
    stage_ = stage::second;
    return how_ == sched::branch_end::stolen;
  }
  /// Called after is_stolen has returned false: returns true if the second branch was promoted, and so might have been
  /// stolen.
  bool was_promoted() const noexcept { return how_ != sched::branch_end::unpromoted; }
  /// Called when both branches have ended.
  TINE_ALWAYS_INLINE void join() noexcept {
    steps_.join(fork_);
    stage_ = how_ == sched::branch_end::stolen ? stage::taken : stage::joined;
  }
  /// Returns the record of a branch that was stolen, until this object ends.
  reported_record<G>& record() const noexcept { return static_cast<reported_record<G>&>(steps_.record(fork_)); }

 private:
  /// `taken`: joined, but the result of the stolen branch is still in the record.
  enum class stage : unsigned char { first, second, joined, taken };

  const sched::fork_steps& steps_;
  void* const fork_;
  sched::branch_end how_ = sched::branch_end::unpromoted;
  stage stage_ = stage::first;
};

}  // namespace tine::detail
