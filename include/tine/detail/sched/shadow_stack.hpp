// The shadow stack: one record per open fork, oldest at the bottom, and the limit rule, by which one test serves all
// purposes. See src/sched/README.md for the whole protocol.
//
//        base          bot                top            end
//         | tasks ......| pending records ..|  free        |        limit = end, or 0 while a work request is pending
//
// Only the thread that runs a fiber (and the signal handler on it) writes these words. The instruction order makes the
// handler safe: a fork writes the record, then `top`, then tests `limit`; a join writes `top`, then compares it with
// `bot`.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/continuation.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/splittable_range.hpp>
#include <tine/detail/sched/storage_block.hpp>
#include <tine/detail/sched/task.hpp>

#include <new>

namespace tine::sched {

/// The greatest size of a record. The end of a shadow stack keeps space for two records of this size, so that a record
/// may be written before the test.
inline constexpr std::size_t max_record_bytes = 4096;

/// Returns true if there is a record to promote. The answer is exact for the owner; for another thread it is an
/// estimate.
inline bool has_pending(const hot_words& h) noexcept {
  // relaxed: a thief that must be sure issues a process-wide barrier first (src/sched/README.md, "going to sleep")
  const address bot = h.bot.load(base::relaxed);
  return bot < h.top.load(base::relaxed) && bot < h.watermark.load(base::relaxed);
}

/// The owner. Returns the range at `at`, or null if the record there is not a range.
inline splittable_range* range_at(address at) noexcept {
  const bool is_range = !is_continuation_at(at) && base::from_word<const descriptor>(base::word_at(at))->is_range;
  return is_range ? base::object_at<splittable_range>(at) : nullptr;
}

/// The owner. Returns true if there is anything to promote. Moves `bot` past storage blocks, and past ranges with
/// nothing left to promote.
inline bool find_pending(hot_words& h) noexcept {
  while (has_pending(h)) {
    const address at = h.bot.load(base::relaxed);  // relaxed, here and below: own word
    if (const std::size_t bytes = storage_block_bytes(at)) {
      h.bot.store(at + bytes, base::relaxed);
      continue;
    }
    splittable_range* r = range_at(at);
    if (r == nullptr || !r->is_spent()) return true;
    r->touched = true;
    h.bot.store(r->end_address(), base::relaxed);
  }
  return false;
}

/// The owner. As `promote_oldest`, for the continuation in the record at `at`.
inline task* promote_continuation(hot_words& h, address at) noexcept {
  const std::uintptr_t word = base::word_at(at);
  h.bot.store(at + continuation_bytes, base::relaxed);  // relaxed: as below
  awaken(word - continuation_bit, at);
  return base::from_word<task>(word);
}

/// The owner. Makes the oldest pending record a task, which will be joined as a task. find_pending must have returned
/// true. If the record is a range, only a subrange of it becomes a task, a fair share for `takers` takers
/// (`splittable_range::promote_subrange`).
inline task* promote_oldest(hot_words& h, unsigned takers) noexcept {
  // relaxed, here and below: own words; a thief learns of the task through the deque
  const address at = h.bot.load(base::relaxed);
  if (splittable_range* r = range_at(at)) return r->promote_subrange(takers);
  if (is_continuation_at(at)) return promote_continuation(h, at);
  task* t = base::object_at<task>(at);
  h.bot.store(at + t->what->size, base::relaxed);
  t->become_task();
  return t;
}

/// Any thread. Posts a work request: the owner takes its slow path at the next fork.
inline void post_request(hot_words& h) noexcept {
  // pairs with the exchange in acknowledge, so that an owner that acknowledges the request sees the demand that was
  // counted before it
  h.limit.store(nullptr, base::release);
}

/// The owner. Acknowledges the work request, if one is pending. The owner calls it before it reads the demand, so that
/// a request that comes with later demand stays pending.
inline void acknowledge(hot_words& h, address end) noexcept {
  // pairs with the store in post_request; and, by the total order, with the load in thief::request_from_all
  h.limit.exchange(end, base::seq_cst);
}

/// Result of a fork's slow path.
enum class polled : unsigned char {
  inside,        ///< the work request was acknowledged; the fork continues
  outside,       ///< this thread works for no pool: there is no shadow stack here
  instrumented,  ///< the strand has an observer or is in a region: the caller calls them; no idle worker was served
  stopping,      ///< the strand is to stop (scope.hpp): the request stays pending, and no idle worker was served
};

/// How a promoted record was joined.
enum class joined : unsigned char {
  reclaimed,  ///< no thief had stolen it: the caller runs it, as if it had never been promoted
  stolen,     ///< it ran elsewhere and is finished; its result or exception is in the record
};

/// The library's slow paths, with the platform's calling convention.
namespace plain {
TINE_API TINE_COLD polled poll() noexcept;
TINE_API TINE_COLD joined join(task& t) noexcept;
TINE_API TINE_COLD joined join(promoted_subrange& p) noexcept;
TINE_API TINE_COLD joined discard(task& t) noexcept;
TINE_API TINE_COLD joined discard(promoted_subrange& p) noexcept;
}  // namespace plain

/// The slow path of every fork: acknowledges the work request and serves idle workers, unless the strand is
/// instrumented or is to stop. Code that cannot be stopped then calls `serve_requests`. Ends the program with a message
/// if the shadow stack is full.
TINE_SLOW_PATH polled poll() noexcept { return plain::poll(); }

/// The slow path of every join: reclaims the task of a promoted record, which must be the newest open one, or waits for
/// it. The calling fiber may wake on another thread.
TINE_SLOW_PATH joined join(task& t) noexcept { return plain::join(t); }

/// The slow path of a join with the newest part of a range. The range must be the newest open record, and closed: the
/// top is at its begin, and afterwards `bot` is there, too. (A range without promoted subranges is ended by
/// `rewind_shadow_stack`.)
TINE_SLOW_PATH joined join(promoted_subrange& p) noexcept { return plain::join(p); }

/// Joins like `join`, for a caller that does not need the result, because an exception leaves the code before the join:
/// if the task runs elsewhere, it is stopped, with everything that it has forked.
TINE_SLOW_PATH joined discard(task& t) noexcept { return plain::discard(t); }
TINE_SLOW_PATH joined discard(promoted_subrange& p) noexcept { return plain::discard(p); }

/// The owner of a closed range without promoted subranges, or of a storage block, at `at` sets `bot` back to `at`: the
/// next promotion starts with the record that will be written there.
inline void rewind_shadow_stack(address at) noexcept {
  hot::words().bot.store(at, base::relaxed);  // relaxed: own word
}

}  // namespace tine::sched
