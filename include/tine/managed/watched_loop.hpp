// Loops on watched strands. A job of any type is put behind a table, and one compiled copy of the loop runs them all, so that a
// program that is not watched carries next to nothing for it.
#pragma once

#include <tine/managed/pace.hpp>
#include <tine/sched/events.hpp>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// The operations of a job's type that the watched loop needs (loop.hpp). The caller says where a result lies.
struct job_table {
  std::size_t result_bytes, result_alignment;
  void (*identity)(const void* job, void* result);
  void (*pass)(const void* job, void* so_far, std::uint64_t begin, std::uint64_t end);
  void (*add)(const void* job, void* so_far, void* later);  ///< does not destroy `later`
  void (*move)(void* from, void* to);                       ///< does not destroy `from`
  void (*destroy)(void* result) noexcept;
};

template <class Job>
struct job_behind_table {
  using result = typename Job::result;

  static const Job& job(const void* j) noexcept { return *static_cast<const Job*>(j); }
  static result& value(void* r) noexcept { return *static_cast<result*>(r); }

  static void identity(const void* j, void* r) { ::new (r) result(job(j).identity()); }
  static void pass(const void* j, void* so_far, std::uint64_t begin, std::uint64_t end) {
    auto&& kernel = job(j).kept();
    Job::pass(kernel, value(so_far), begin, end);
  }
  static void add(const void* j, void* so_far, void* later) { job(j).add(value(so_far), std::move(value(later))); }
  static void move(void* from, void* to) { ::new (to) result(std::move(value(from))); }
  static void destroy(void* r) noexcept { value(r).~result(); }

  static constexpr job_table table{sizeof(result), alignof(result), &identity, &pass, &add, &move, &destroy};
};

/// Runs a loop of `n` iterations and reports it to the strand's watch. Leaves the result at `result`.
void run_watched_loop(const void* job, const job_table& table, learned_loop& learned, std::uint64_t n,
                      sched::site where, void* result);

/// The limit looks rung before a loop that ends before a thief could help. Returns true if the only reason is that the strand
/// has a watch that counts such loops, and the watch has counted this one. Also returns false for a loop that is to be timed:
/// run_watched times it. Inlined, because a call would take longer than many of these loops.
TINE_ALWAYS_INLINE bool is_brief_and_counted(learned_loop& learned, std::uint64_t n) noexcept {
  if (!sched::is_watched_in_peace()) return false;
  sched::watch& w = *sched::watch::current();
  if (w.events->brief_loop_clock == nullptr) return false;
  const std::uint64_t rate = learned.rate.load(base::relaxed);  // relaxed: an average
  if (rate == 0 || sched::hot::count_down_to_timed()) [[unlikely]]
    return false;
  w.counted().begin(n, rate);
  return true;
}

/// Called when the loop has ended and a worker wants work.
TINE_COLD inline void end_brief_loop_and_learn(learned_chunk& learned, std::uint64_t n) noexcept {
  if (sched::watch* const w = sched::watch::current(); w != nullptr) w->counted().end(n);
  learned.store(1, base::relaxed);  // relaxed: a hint
}

/// Called when the limit looks rung after such a loop: because the strand is watched, or because a worker wants work.
TINE_ALWAYS_INLINE void end_brief_loop(learned_chunk& learned, std::uint64_t n) noexcept {
  if (!sched::is_watched_in_peace()) return end_brief_loop_and_learn(learned, n);
  sched::watch::current()->counted().end(n);
}

/// A loop that the strand's watch counts, and times. If an exception ends the loop, it counts as begun but not as ended.
class timed_brief_loop {
 public:
  timed_brief_loop(sched::watch& w, std::uint64_t n) noexcept;
  /// Called after the iterations.
  void close(learned_loop& learned, std::uint64_t n) noexcept;

 private:
  base::ticks (*const clock_)() noexcept;
  base::ticks begun_;
};

/// A loop that the strand runs alone, in one piece, while this object lives.
class whole_loop {
 public:
  TINE_ALWAYS_INLINE whole_loop(sched::watch& w, void* room, std::uint64_t n, sched::site where) noexcept
      : events_{w.events}, room_{room} {
    sched::watch::set(events_->begin_whole(w, room, n, where));
  }
  TINE_ALWAYS_INLINE ~whole_loop() { sched::watch::set(events_->end_whole(room_, iterations_)); }
  whole_loop(const whole_loop&) = delete;
  whole_loop& operator=(const whole_loop&) = delete;

  /// Called when the loop has ended without an exception.
  void close(std::uint64_t n) noexcept { iterations_ = n; }

 private:
  const sched::watch_events* const events_;
  void* const room_;
  std::uint64_t iterations_ = 0;
};

/// As run_watched_loop, for a job of known type. As in run_loop, a loop that ends before a thief could help runs without a
/// record, if the watch wants to know of the loop, but neither sees its iterations nor decides which workers run them.
template <class Job>
TINE_COLD typename Job::result run_watched(const Job& job, learned_loop& learned, std::uint64_t n, sched::site where) {
  using behind = job_behind_table<Job>;
  sched::watch& w = *sched::watch::current();
  // relaxed, here and below: a hint
  if (n <= learned.chunk.load(base::relaxed) && w.events->loops == sched::watched_loops::in_chunks &&
      w.events->directions == nullptr && !sched::is_rung_by_somebody()) {
    if (w.events->brief_loop_clock != nullptr) {
      timed_brief_loop open{w, n};
      auto&& kernel = job.kept();
      typename Job::result so_far = job.identity();
      Job::pass(kernel, so_far, 0, n);
      open.close(learned, n);
      if (sched::is_rung_by_somebody()) learned.chunk.store(1, base::relaxed);
      return so_far;
    }
    const sched::watched_storage storage{sched::hot::top(), w.events->room_bytes, w.events->is_closed};
    whole_loop open{w, storage.room(), n, where};
    auto&& kernel = job.kept();
    typename Job::result so_far = job.identity();
    Job::pass(kernel, so_far, 0, n);
    open.close(n);
    if (sched::is_rung_by_somebody()) learned.chunk.store(1, base::relaxed);
    return so_far;
  }
  alignas(typename Job::result) std::byte storage[sizeof(typename Job::result)];
  run_watched_loop(&job, behind::table, learned, n, where, storage);
  struct emptied {
    void* storage;
    ~emptied() { behind::destroy(storage); }
  } const at_the_end{storage};
  return std::move(behind::value(storage));
}

/// True if `Job` is the job of a watched loop.
struct watched_job;
template <class Job>
inline constexpr bool is_watched = std::is_same_v<Job, watched_job>;

}  // namespace tine::detail
