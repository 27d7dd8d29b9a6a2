// The parties that follow the forks and loops of an instrumented strand, on its thread: an analysis, a region, or both.
#pragma once

#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/region.hpp>
#include <tine/detail/sched/scope.hpp>

#include <cstdint>

namespace tine::sched {

/// The parties of a strand. The front end calls these functions once for each step of a fork, and each party learns of
/// the step: the region first, so that the analysis doesn't measure the region. The storage of a fork starts with the
/// part of the analysis.
struct instrumentation {
  const observer_hooks* analysis;  ///< null: none
  region* in;                      ///< null: none

  /// Returns the parties of the running strand.
  TINE_ALWAYS_INLINE static instrumentation current() noexcept {
    const observer* const w = observer::current();
    const region_strand* const s = region_strand::current();
    return {w != nullptr ? w->events : nullptr, s != nullptr ? s->in : nullptr};
  }

  std::uint32_t storage_bytes() const noexcept { return analysis_bytes() + (in != nullptr ? in->storage_bytes : 0); }
  /// Returns the part of the storage that is the region's.
  void* of_region(void* storage) const noexcept { return static_cast<std::byte*>(storage) + analysis_bytes(); }
  bool is_unstealable() const noexcept {
    return (in != nullptr && in->is_unstealable) || (analysis != nullptr && analysis->is_unstealable);
  }
  /// `separated`: the loop reports each of its iterations to the race detector.
  loop_mode loops(bool separated) const noexcept {
    if (analysis == nullptr) return loop_mode::in_chunks;
    return separated || analysis->unseparated_loops < analysis->loops ? analysis->loops : analysis->unseparated_loops;
  }

  TINE_ALWAYS_INLINE void fork(void* storage, site where) const noexcept {
    if (in != nullptr) in->fork(of_region(storage));
    if (analysis != nullptr) observer::set(analysis->fork(*observer::current(), storage, where));
  }
  bool is_placed(void* storage) const noexcept { return in != nullptr && in->is_placed(of_region(storage)); }
  /// The record of the fork, at `record`, is complete, and thieves may steal the second branch. (The analysis sees this
  /// by the promotion limit.)
  TINE_ALWAYS_INLINE void push(address record) const noexcept {
    if (in == nullptr) return;
    base::signal_fence();
    position::current()->record = record;
  }
  TINE_ALWAYS_INLINE void first_done(void* storage) const noexcept {
    if (in != nullptr) in->first_done(of_region(storage), true);
    if (analysis != nullptr) observer::set(analysis->first_done(storage));
  }
  void first_done_suspended(void* storage) const noexcept {
    if (in != nullptr) in->first_done(of_region(storage), false);
    if (analysis != nullptr) analysis->stop(*observer::current());
  }
  /// The strand of the first branch starts with the second branch, which it has reclaimed.
  void begin_reclaimed(void* storage) const noexcept {
    if (in != nullptr) in->begin(of_region(storage), false);
    if (analysis != nullptr) observer::set(analysis->begin(storage, false));
  }
  /// Another strand, which isn't instrumented, starts with the second branch; `end`: it ends with that branch.
  void begin_stolen(void* storage) const noexcept {
    if (in != nullptr) in->begin(of_region(storage), true);
    if (analysis != nullptr) begin_observing(analysis->begin(storage, true));
  }
  void end_stolen(void* storage) const noexcept {
    if (in != nullptr) in->end(of_region(storage));
    if (analysis != nullptr) {
      analysis->stop(*observer::current());
      end_observing();
    }
    if (in != nullptr) leave_region();
  }
  TINE_ALWAYS_INLINE void join(void* storage, branch_end how, bool here) const noexcept {
    if (in != nullptr) in->join(of_region(storage), how, here, true);
    if (analysis != nullptr) observer::set(analysis->join(storage, how, here));
  }

  /// The strand comes to a loop of `n` iterations. Returns the number of subranges in which the loop must run; 0: there
  /// are none. For the region, a halved loop is a tree of forks. (It gets no unsplit loops.)
  TINE_ALWAYS_INLINE unsigned open_loop(void* storage, loop_form form, std::uint64_t n, site where) const noexcept {
    const bool is_one = in != nullptr && form == loop_form::split;
    const unsigned subranges = is_one ? in->open_loop(of_region(storage), n) : 0;
    if (analysis != nullptr) observer::set(analysis->open_loop(*observer::current(), storage, form, n, where));
    return subranges;
  }
  TINE_ALWAYS_INLINE void close_loop(void* storage, loop_form form, std::uint64_t iterations) const noexcept {
    if (in != nullptr && form == loop_form::split) in->close_loop(of_region(storage));
    if (analysis != nullptr) observer::set(analysis->close_loop(storage, form, iterations));
  }

 private:
  std::uint32_t analysis_bytes() const noexcept {
    return analysis != nullptr ? (analysis->storage_bytes + 15U) / 16 * 16 : 0;
  }
};

/// Storage for an instrumented loop, with the loop's record on top of it. (A fork writes its storage together with its
/// record: see observed_fork.)
class instrumentation_storage {
 public:
  TINE_ALWAYS_INLINE instrumentation_storage(address at, std::uint32_t storage_bytes) noexcept
      : at_{at}, end_{storage_in(at) + storage_bytes} {
    check_observed_capacity(end_ + max_record_bytes);
    write_storage_block(at_, end_);
    push_observed(at_, end_);
  }
  TINE_ALWAYS_INLINE ~instrumentation_storage() { pop_storage_block(at_, end_); }
  instrumentation_storage(const instrumentation_storage&) = delete;
  instrumentation_storage& operator=(const instrumentation_storage&) = delete;

  TINE_ALWAYS_INLINE void* data() const noexcept { return storage_in(at_); }

 private:
  const address at_, end_;
};

/// The parties that a strand takes along when it leaves its thread.
struct attachment {
  observer* analysis = nullptr;
  std::uintptr_t position = 0;
  region_strand* strand = nullptr;
  const scope* inside = nullptr;  ///< if the strand is in a region

  /// Returns what the running strand has.
  static attachment current() noexcept;
  /// Pauses the running strand, and detaches everything from it.
  static attachment detach() noexcept;
  /// As `detach`, for a strand that is about to leave its fiber. Its pending forks are promoted before, because a
  /// branch inherits the region and the stop scopes that the strand is in at its promotion.
  static attachment detach_to_wait() noexcept;
  /// Attaches everything to the running strand, which has nothing, and resumes it.
  void attach() const noexcept;
};

}  // namespace tine::sched
