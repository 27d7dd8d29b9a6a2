// The loop under par_for and par_reduce: one record for all of the loop, chunks of plain iterations, and subranges that
// are promoted at the far end whenever a worker is idle. Results are combined in the order of the iterations. The
// strand that loops runs this code on its thread; a thief runs it for its subrange, with a record of its own.
//
// A *job* says what the iterations do:
//
//     struct job {
//       using result = ...;                                   // the result of a subrange of the loop, movable.
//       result identity() const;                              // the result of an empty subrange.
//       kernel kept() const;                                  // what runs the iterations; a copy if that is cheap.
//       static void pass(kernel&, result& so_far, begin, end);
//       void add(result& so_far, result&& later) const;       // `later` is the result of the iterations that follow.
//       bool is_final(const result& so_far) const;            // optional: no later iteration changes the result.
//       // optional, if jobs of this type differ: what passes of this job's kind have learned, and the loop's place.
//       learned_loop& own_learned() const;
//       sched::site own_place() const;
//     };
//
// Iterations after a final result need not run. An observed loop runs them nevertheless, so that its graph doesn't
// depend on the schedule: `pass` and `add` leave a final result as it is.
//
// This code also runs the loop of an observed strand, with the job behind a table: see observed_loop.hpp.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/managed/adaptive_chunk.hpp>
#include <tine/detail/managed/observed_loop.hpp>
#include <tine/detail/sched/fork_protocol.hpp>
#include <tine/detail/sched/kept_record.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/detail/sched/shadow_stack.hpp>
#include <tine/sched/pool.hpp>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// The constants and the learned values that all passes of one kind of job share.
template <class Job>
struct loop_kind {
  static const sched::descriptor value;
  static inline constinit learned_loop learned;
};

/// Returns the learned values that a pass of this job uses. Jobs share those of their type, unless they have their own.
template <class Job>
TINE_ALWAYS_INLINE learned_loop& learned_by(const Job& job) noexcept {
  if constexpr (requires { job.own_learned(); }) {
    return job.own_learned();
  } else {
    return loop_kind<Job>::learned;
  }
}

/// Returns the loop's place in the program; 0: it is the return address of run_registered.
template <class Job>
TINE_ALWAYS_INLINE sched::site place_of_loop(const Job& job) noexcept {
  if constexpr (requires { job.own_place(); }) {
    return job.own_place();
  } else {
    return 0;
  }
}

/// Returns true if no later iteration changes the result.
template <class Job>
TINE_ALWAYS_INLINE bool is_final(const Job& job, const typename Job::result& so_far) {
  if constexpr (requires { job.is_final(so_far); }) {
    return job.is_final(so_far);
  } else {
    return false;
  }
}

/// Returns true if the loop ends with this result.
template <class Job>
TINE_ALWAYS_INLINE bool ends_early(const Job& job, const typename Job::result& so_far) {
  return !is_observed<Job> && is_final(job, so_far);
}

/// Returns the adaptive chunk size with which a pass over `n` iterations starts. If the pass is no longer than one
/// learned chunk, we don't believe the learned length, because such a pass is made only if a worker requests work. On
/// an observed strand such a pass may have another reason, so we check if a request is pending.
template <class Job>
TINE_ALWAYS_INLINE adaptive_chunk chunk_of(const Job& job, std::uint64_t n) noexcept {
  if constexpr (is_observed<Job>) {
    return adaptive_chunk{job.learned(), n, sched::is_requested()};
  } else {
    return adaptive_chunk{learned_by(job).chunk, n, true};
  }
}

/// Keeps on the heap a value that is too large or too strictly aligned for a promoted subrange.
template <class T>
class boxed {
 public:
  explicit boxed(T&& value) : value_{new T(std::move(value))} {}
  boxed(boxed&& other) noexcept : value_{std::exchange(other.value_, nullptr)} {}
  boxed& operator=(boxed&&) = delete;
  ~boxed() { delete value_; }
  T&& get() noexcept { return std::move(*value_); }

 private:
  T* value_;
};

/// A promoted subrange of a loop. From the thief's start on it holds the outcome of the subrange. It is an aggregate,
/// like the record, so promotion can begin it without knowing its type.
template <class Job>
struct loop_subrange : sched::promoted_subrange {
  using result = typename Job::result;
  static constexpr bool is_boxed = sizeof(result) > 32 || alignof(result) > 8;
  using stored = std::conditional_t<is_boxed, boxed<result>, result>;

  static bool run(sched::task& t) noexcept;

  /// Called after a join that found the promoted subrange stolen: adds its result to the result of the iterations
  /// before it, or throws its exception.
  void take_into(const Job& job, result& so_far) {
    if constexpr (is_boxed) {
      job.add(so_far, outcome_.take(threw()).get());
    } else {
      job.add(so_far, outcome_.take(threw()));
    }
  }
  void drop() noexcept { outcome_.drop(threw()); }

  bool threw() const noexcept { return (done.flags() & sched::completion::threw) != 0; }

  outcome<stored> outcome_;
};

/// The record of one pass. It also stands for the pass while it runs.
template <class Job>
struct loop_record : sched::splittable_range {
  using subrange = loop_subrange<Job>;
  using result = typename Job::result;

  TINE_ALWAYS_INLINE static loop_record& open_at(sched::address at, const Job& job, std::uint64_t begin,
                                                 std::uint64_t end, sched::promoted_subrange* within) noexcept {
    static_assert(sizeof(loop_record) + 64 * sizeof(subrange) <= 2 * sched::max_record_bytes && alignof(subrange) <= 8);
    static_assert(base::is_implicit_lifetime<loop_record> && base::is_implicit_lifetime<subrange>);
    base::begin_objects(at, sched::max_record_bytes);  // the record and all of its promoted subranges
    auto& r = *base::object_at<loop_record>(at);
    r.open(loop_kind<Job>::value, begin, end, sizeof(loop_record), sizeof(subrange), sched::max_record_bytes, within);
    r.job_ = &job;
    r.show();
    return r;
  }

  const Job& job() const noexcept { return *job_; }

  /// Called when the owner is about to start all iterations before `stop`. Returns the end of the owner's iterations.
  /// We read the end only after we have written `stop`: in between, a promotion in the signal handler may have moved
  /// it.
  TINE_ALWAYS_INLINE std::uint64_t advance(std::uint64_t stop) noexcept {
    *static_cast<volatile std::uint64_t*>(&next) = stop;
    return *static_cast<volatile std::uint64_t*>(&end);
  }

  /// Called when the owner's iterations are done. Returns true if nothing is left to do: no subrange was promoted, and
  /// `bot` has not passed the record.
  TINE_ALWAYS_INLINE bool close() noexcept {
    if constexpr (is_observed<Job>) {
      sched::pop_observed(begin_address(), end_address());
    } else {
      sched::hot::set_top(begin_address());
    }
    return !touched;
  }

  /// Called after `close` has returned false: joins the promoted subranges in the order of the iterations. Returns true
  /// if a promoted subrange was not stolen: then its iterations, from `next` to `end`, are the owner's.
  TINE_COLD bool settle(result& so_far) {
    while (promoted != 0) {
      auto& newest = static_cast<subrange&>(splittable_range::newest());
      if (sched::join(newest) == sched::joined::reclaimed) {
        reclaim_newest();
        show();
        return true;
      }
      forget_newest();
      {
        const sched::kept_record keep{begin_address(), end_address()};
        newest.take_into(*job_, so_far);
      }
      if (ends_early(*job_, so_far)) {
        drop_promoted();
        return false;
      }
    }
    sched::rewind_shadow_stack(begin_address());
    return false;
  }

  /// Called when an exception leaves the loop, when its result is final, or when the strand is to stop.
  TINE_COLD void abandon() noexcept {
    if (!close()) drop_promoted();
  }

  /// Called after `close` has returned false: joins the promoted subranges. We don't need their results, and stop those
  /// that run.
  TINE_COLD void drop_promoted() noexcept {
    sched::stop_promoted_subranges(*this);
    while (promoted != 0) {
      auto& newest = static_cast<subrange&>(splittable_range::newest());
      if (sched::discard(newest) == sched::joined::stolen) {
        const sched::kept_record keep{begin_address(), end_address()};
        newest.drop();
      }
      forget_newest();
    }
    sched::rewind_shadow_stack(begin_address());
  }

  TINE_ALWAYS_INLINE void show() noexcept {
    if constexpr (is_observed<Job>) {
      sched::push_observed(begin_address(), end_address());
    } else {
      sched::hot::set_top(end_address());
    }
  }

  const Job* job_;
};

/// Guards a loop while its iterations run: if one throws, we join the promoted subranges before the exception leaves
/// the loop.
template <class Job>
class open_loop {
 public:
  explicit open_loop(loop_record<Job>& record) noexcept : record_{&record} {}
  ~open_loop() { abandon(); }
  open_loop(const open_loop&) = delete;
  open_loop& operator=(const open_loop&) = delete;
  void close() noexcept { record_ = nullptr; }
  void abandon() noexcept {
    if (record_ != nullptr) std::exchange(record_, nullptr)->abandon();
  }

 private:
  loop_record<Job>* record_;
};

/// Called at a chunk that finds the limit at or below its record. Returns false if the strand is to stop.
template <class Job>
TINE_ALWAYS_INLINE bool serve_at_chunk() noexcept {
  if constexpr (is_observed<Job>) {
    if (!sched::is_requested()) return true;
    if (sched::must_stop()) return false;
    sched::serve_requests();
    return true;
  } else {
    return sched::poll() != sched::polled::stopping;
  }
}

/// Why the owner of a loop has stopped running iterations.
enum class chunks_end : unsigned char {
  ended,     ///< they have ended: only those of promoted subranges may be left
  final,     ///< the result is final, and the loop is not observed
  stopping,  ///< the strand is to stop
};

/// Runs the owner's iterations from `begin` on, chunk by chunk, until they reach the promoted subranges.
template <class Job, class Kernel>
TINE_ALWAYS_INLINE chunks_end run_chunks(loop_record<Job>& record, Kernel& kernel, typename Job::result& so_far,
                                         std::uint64_t begin, adaptive_chunk& lengths) {
  const sched::address at = record.begin_address();
  for (;;) {
    std::uint64_t stop = begin + lengths.chunk();
    const std::uint64_t end = record.advance(stop);
    if (begin >= end) return chunks_end::ended;
    if (sched::hot::is_past_limit(at)) [[unlikely]] {
      if (!serve_at_chunk<Job>()) return chunks_end::stopping;
    }
    const bool whole = stop <= end;
    if (!whole) stop = end;
    Job::pass(kernel, so_far, begin, stop);
    begin = stop;
    if (ends_early(record.job(), so_far)) [[unlikely]]
      return chunks_end::final;
    // after a final result iterations take no time, so there is nothing to learn
    lengths.record_chunk(whole && !is_final(record.job(), so_far));
  }
}

/// Runs a pass with a record. `known` is the loop's place in the program; if it is 0, the return address is the place.
/// `within` is the promoted subrange of another range whose iterations the pass runs, or null if the pass runs all of a
/// loop.
template <class Job>
TINE_NOINLINE typename Job::result run_registered(const Job& job, std::uint64_t begin, std::uint64_t end,
                                                  sched::site known = 0, sched::promoted_subrange* within = nullptr) {
  const auto where = [known, address = __builtin_return_address(0)] {
    return known != 0 ? known : base::to_word(address);
  };
  if (sched::hot::self() == nullptr) {
    const auto inside = [&, here = where()] { return run_registered(job, begin, end, here); };
    return sched::call_in_default_pool(inside);
  }
  if constexpr (!is_observed<Job>) {
    if (sched::is_instrumented()) return run_observed(job, learned_by(job), begin, end - begin, where());
  }
  auto&& kernel = job.kept();
  typename Job::result so_far = job.identity();
  adaptive_chunk lengths = chunk_of(job, end - begin);
  auto& record = loop_record<Job>::open_at(sched::hot::top(), job, begin, end, within);
  open_loop<Job> open{record};
  do {
    if (const chunks_end how = run_chunks(record, kernel, so_far, begin, lengths); how != chunks_end::ended)
        [[unlikely]] {
      open.abandon();  // before the throw: see stop_at_fork
      if (how == chunks_end::stopping) sched::throw_stopped();
      return so_far;
    }
    if (record.close()) break;
    if constexpr (is_observed<Job>) kernel.pause();
    const bool more = record.settle(so_far);
    begin = record.next;
    if (!more) break;
  } while (true);
  open.close();
  return so_far;
}

/// Runs all of a loop of `n` iterations. A loop that ends before a thief could help runs without a record, and checks
/// for a work request once before and once after its iterations. If a request is pending before them, the loop gets a
/// record. If one is pending after them, the next loop gets a record, because the learned length no longer holds. On an
/// observed strand the limit is armed or 0, so `is_past_limit` always returns true.
template <class Job>
TINE_ALWAYS_INLINE typename Job::result run_loop(Job& job, std::uint64_t n) {
  learned_loop& learned = learned_by(job);
  // relaxed: a hint
  if (n <= learned.chunk.load(base::relaxed) &&
      (n <= 1 || !sched::is_top_past_limit() || is_short_and_counted(learned, n))) [[likely]] {
    auto&& kernel = job.kept();
    typename Job::result so_far = job.identity();
    Job::pass(kernel, so_far, 0, n);
    if (n > 1 && sched::is_top_past_limit()) [[unlikely]]
      end_short_loop(learned.chunk, n);
    return so_far;
  }
  const Job elsewhere = std::move(job);  // so that the job of the fast path never has to be in memory
  typename Job::result all = run_registered(elsewhere, 0, n, place_of_loop(elsewhere));
  asm volatile("");  // so that the call isn't a tail call: its return address is here
  return all;
}

template <class Job>
bool loop_subrange<Job>::run(sched::task& t) noexcept {
  auto& p = static_cast<loop_subrange&>(t);
  const Job& job = static_cast<loop_record<Job>&>(*p.of).job();
  const std::uint64_t begin = p.begin, end = p.end;
  ::new (static_cast<void*>(&p.outcome_)) outcome<stored>;
  bool ends = false;
  auto own = [&] {
    typename Job::result all = run_registered(job, begin, end, 0, &p);
    ends = ends_early(job, all);
    return stored(std::move(all));
  };
  const bool threw = p.outcome_.fill(own);
  if (threw || ends) sched::stop_later_subranges(p);
  return threw;
}

template <class Job>
constinit inline const sched::descriptor loop_kind<Job>::value{&loop_subrange<Job>::run, 0, true};

}  // namespace tine::detail
