// A fork on an instrumented strand that is more than counted: it works like any other fork, and reports every step to
// the observer and to the region, on the strand that forks. It is never on the fast path. Forks in C++ come here behind
// a table (reported_fork.hpp), those of compiled code directly.
#pragma once

#include <tine/detail/managed/fork_record.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/instrumentation.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// A thief starts and ends the second branch of a fork. It keeps `scope` meanwhile.
inline void begin_stolen(const sched::instrumentation& parties, void* storage, sched::region_scope& scope) noexcept {
  if (parties.in != nullptr) scope.enter(*parties.in);
  parties.begin_stolen(storage);
}
inline void end_stolen(const sched::instrumentation& parties, void* storage, sched::region_scope& scope) noexcept {
  parties.end_stolen(storage);
  if (parties.in != nullptr) scope.leave();
}

/// The second branch as a thief calls it.
template <class G>
struct observed_branch {
  by_reference<G> branch;
  sched::instrumentation parties;
  void* storage;

  decltype(auto) operator()() const {
    struct observing {
      const observed_branch& b;
      sched::region_scope scope;
      explicit observing(const observed_branch& which) noexcept : b{which} {
        begin_stolen(b.parties, b.storage, scope);
      }
      ~observing() { end_stolen(b.parties, b.storage, scope); }
    } const here{*this};
    return branch();
  }
};

/// One fork while it is observed, from the first branch to the join. If an exception leaves it, it still joins, once.
/// Its state is in registers. So all of it is inlined except for the rare paths: every level of a recursion pays for
/// each byte of the frame.
///
/// On the shadow stack, from `at`: a storage block with the storage of the parties and `more` bytes for the caller,
/// then the record of the second branch. (The record of a placed branch is part of the block, which is never promoted.)
template <class Record>
class observed_fork {
 public:
  TINE_ALWAYS_INLINE observed_fork(sched::address at, sched::site where, std::size_t more = 0) noexcept
      : at_{at},
        parties_{sched::instrumentation::current()},
        record_{sched::storage_in(at) + parties_.storage_bytes() + more} {
    sched::check_observed_capacity(Record::end(record_));
    parties_.fork(storage(), where);
  }
  TINE_ALWAYS_INLINE ~observed_fork() {
    if (stage_ != stage::joined) abandon(record_, storage(), parties_, how_, stage_, placed_);
    sched::pop_storage_block(at_, placed_ ? Record::end(record_) : record_);
  }
  observed_fork(const observed_fork&) = delete;
  observed_fork& operator=(const observed_fork&) = delete;

  /// Returns true if the region places the second branch on a worker. Call `place` for such a branch, and `push` for
  /// any other.
  TINE_ALWAYS_INLINE bool is_placed() const noexcept { return parties_.is_placed(storage()); }

  /// Places the second branch on that worker.
  template <class G>
  TINE_ALWAYS_INLINE void place(G& second) noexcept {
    open(second, Record::end(record_));
    placed_ = true;
    parties_.in->place(parties_.of_region(storage()), &record());
  }

  /// Returns the record of a branch that was stolen or placed.
  Record& record() const noexcept { return *Record::at(record_); }

  /// From here on thieves may steal the second branch.
  template <class G>
  TINE_ALWAYS_INLINE void push(G& second) noexcept {
    open(second, record_);
    parties_.push(record_);
    sched::serve_observed();
  }

  /// Called when the first branch has ended. Returns true if the second one was stolen or placed, and has ended, too.
  /// Returns false if this strand starts the second one now.
  TINE_ALWAYS_INLINE bool is_stolen() noexcept {
    if (placed_) [[unlikely]] {
      how_ = wait(storage(), parties_);
      return true;
    }
    sched::pop_observed(record_, Record::end(record_));
    if (!sched::hot::is_promoted(record_)) [[likely]] {
      parties_.first_done(storage());
    } else {
      how_ = retract(record_, storage(), parties_);
      if (how_ == sched::branch_end::stolen) return true;
      parties_.begin_reclaimed(storage());
    }
    stage_ = stage::second;
    return false;
  }

  /// Called after is_stolen has returned false: returns true if the second branch was promoted, and so might have been
  /// stolen.
  bool was_promoted() const noexcept { return how_ != sched::branch_end::unpromoted; }

  /// Called when both branches have ended.
  TINE_ALWAYS_INLINE void join() noexcept {
    parties_.join(storage(), how_, stage_ == stage::second);
    stage_ = stage::joined;
  }

  /// The steps of a thief whose record doesn't hold an observed_branch.
  void begin_stolen(sched::region_scope& scope) const noexcept { detail::begin_stolen(parties_, storage(), scope); }
  void end_stolen(sched::region_scope& scope) const noexcept { detail::end_stolen(parties_, storage(), scope); }

 private:
  enum class stage : unsigned char { first, second, joined };

  TINE_ALWAYS_INLINE sched::address storage() const noexcept { return sched::storage_in(at_); }

  /// Writes the storage block, which ends at `block_end`, and the record. Until the top has moved past both, the signal
  /// handler promotes neither: on an observed strand the promotion limit is at `at_`, and in a region the strand's
  /// position names no record there (worker::is_unknown_to_region).
  template <class G>
  TINE_ALWAYS_INLINE void open(G& second, sched::address block_end) noexcept {
    observed_branch<G> branch{by_reference<G>{second}, parties_, storage()};
    Record::write(record_, branch)->write_position(nullptr);
    sched::write_storage_block(at_, block_end);
    sched::push_observed(at_, Record::end(record_));
  }

  /// The strand of the first branch ends here: it cannot simply continue with the second branch, because it may have to
  /// wait for it.
  TINE_COLD static sched::branch_end retract(sched::address at, void* storage,
                                             const sched::instrumentation& parties) noexcept {
    parties.first_done_suspended(storage);
    return sched::join(*Record::at(at)) == sched::joined::stolen ? sched::branch_end::stolen
                                                                 : sched::branch_end::reclaimed;
  }

  /// As `retract`, for a placed second branch.
  TINE_COLD static sched::branch_end wait(void* storage, const sched::instrumentation& parties) noexcept {
    parties.first_done_suspended(storage);
    parties.in->wait(parties.of_region(storage));
    return sched::branch_end::stolen;
  }

  /// Called when an exception leaves a branch: joins the fork.
  TINE_COLD static void abandon(sched::address at, void* storage, const sched::instrumentation& parties,
                                sched::branch_end how, stage in, bool placed) noexcept {
    if (in == stage::first && placed) {
      sched::alert unwanted;
      Record::at(at)->stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
      unwanted.raise();
      how = wait(storage, parties);
      Record::at(at)->drop();
    } else if (in == stage::first) {
      sched::pop_observed(at, Record::end(at));
      if (sched::hot::is_promoted(at)) {
        parties.first_done_suspended(storage);
        how = sched::branch_end::reclaimed;
        if (sched::discard(*Record::at(at)) == sched::joined::stolen) {
          how = sched::branch_end::stolen;
          Record::at(at)->drop();
        }
      } else {
        parties.first_done_suspended(storage);
      }
    }
    parties.join(storage, how, in == stage::second);
  }

  const sched::address at_;
  const sched::instrumentation parties_;
  const sched::address record_;
  sched::branch_end how_ = sched::branch_end::unpromoted;
  stage stage_ = stage::first;
  bool placed_ = false;
};

}  // namespace tine::detail
