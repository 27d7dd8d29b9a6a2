// Loops on instrumented strands. We put a job of any type behind a table, and one compiled copy of the loop runs them
// all. So a program that is not observed carries next to nothing for it. All of it runs on the loop's strands.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/race_branch.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/managed/adaptive_chunk.hpp>
#include <tine/detail/sched/instrumentation.hpp>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// Results of up to that many bytes stay off the heap.
inline constexpr std::size_t small_result_bytes = 16;

/// The operations of a job's type that the observed loop needs (loop.hpp). The caller says where a result lies.
struct job_table {
  std::size_t result_bytes, result_alignment;
  bool is_trivial;            ///< no code of the program copies or destroys a result
  bool is_small;              ///< its bytes are all of a result, and there are few of them
  bool separates_iterations;  ///< `pass` reports each iteration to the race detector
  bool is_of_algorithm;       ///< the iterations are the items of an algorithm
  void (*identity)(const void* job, void* result);
  void (*pass)(const void* job, void* so_far, std::uint64_t begin, std::uint64_t end);
  void (*add)(const void* job, void* so_far, void* later);  ///< doesn't destroy `later`
  bool (*is_final)(const void* job, const void* so_far);    ///< null: no result is final
  void (*move)(void* from, void* to);                       ///< doesn't destroy `from`
  void (*destroy)(void* result) noexcept;
};

/// True if the race detector can follow each iteration of a chunk: the result is nothing, or consists of numbers that a
/// function without captures combines. Any other result may refer to memory that combines access, so these need places
/// of their own in the graph: such loops run as trees.
template <class Job>
inline constexpr bool can_separate_iterations = std::is_same_v<typename Job::result, void_result>;
template <class Job>
  requires requires { Job::combines_numbers; }
inline constexpr bool can_separate_iterations<Job> = Job::combines_numbers;

template <class Job, bool Separate = TINE_RACE && can_separate_iterations<Job>>
struct job_behind_table {
  using result = typename Job::result;
  static constexpr bool separates_iterations = Separate;
  static constexpr bool is_of_algorithm = requires { Job::is_of_algorithm; };

  static const Job& job(const void* j) noexcept { return *static_cast<const Job*>(j); }
  static result& value(void* r) noexcept { return *static_cast<result*>(r); }

  static void identity(const void* j, void* r) { ::new (r) result(job(j).identity()); }
  static void pass(const void* j, void* so_far, std::uint64_t begin, std::uint64_t end) {
    auto&& kernel = job(j).kept();
#if TINE_RACE
    if constexpr (Separate) {
      result own = value(so_far);
      pass_one_by_one(begin, end,
                      [&](std::uint64_t i, std::uint64_t next) TINE_INLINED { Job::pass(kernel, own, i, next); });
      value(so_far) = own;
      return;
    }
#endif
    Job::pass(kernel, value(so_far), begin, end);
  }
  static void add(const void* j, void* so_far, void* later) { job(j).add(value(so_far), std::move(value(later))); }
  static constexpr auto find_is_final() noexcept -> bool (*)(const void*, const void*) {
    if constexpr (requires(const Job& j, const result& r) { j.is_final(r); }) {
      return [](const void* j, const void* so_far) { return job(j).is_final(*static_cast<const result*>(so_far)); };
    } else {
      return nullptr;
    }
  }
  static void move(void* from, void* to) { ::new (to) result(std::move(value(from))); }
  static void destroy(void* r) noexcept { value(r).~result(); }

  /// The race detector knows the life of a result from malloc and free.
  static constexpr bool is_small = !TINE_RACE && std::is_trivially_copyable_v<result> &&
                                   sizeof(result) <= small_result_bytes && alignof(result) <= 8;

  static constexpr job_table table{
      sizeof(result),
      alignof(result),
      std::is_trivially_copy_constructible_v<result>&& std::is_trivially_destructible_v<result>,
      is_small,
      separates_iterations,
      is_of_algorithm,
      &identity,
      &pass,
      &add,
      find_is_final(),
      &move,
      &destroy};
};

/// Runs the `n` iterations of a job from `first` on, as a loop that it reports to the parties of the strand. Leaves the
/// result at `result`.
TINE_API void run_observed_loop(const void* job, const job_table& table, learned_loop& learned, std::uint64_t first,
                                std::uint64_t n, sched::site where, void* result);

/// Called if `is_past_limit` returns true before a loop that ends before a thief could help. Returns true if the only
/// reason is that the strand has an observer that counts such loops, and the observer has counted this one. Also
/// returns false for a loop that is to be timed: run_observed times it. Inlined, because a call would take longer than
/// many of these loops.
TINE_ALWAYS_INLINE bool is_short_and_counted(learned_loop& learned, std::uint64_t n) noexcept {
  if (!sched::is_armed()) return false;
  sched::observer* const w = sched::observer::current();
  if (w == nullptr || w->events->short_loop_clock == nullptr || sched::position::current() != nullptr) return false;
  const std::uint64_t rate = learned.rate.load(base::relaxed);  // relaxed: an average
  if (rate == 0 || sched::hot::count_down_to_timed()) [[unlikely]]
    return false;
  w->counted().begin(n, rate);
  return true;
}

/// Called when the loop has ended and a work request is pending.
TINE_COLD inline void end_short_loop_and_learn(learned_chunk& learned, std::uint64_t n) noexcept {
  if (sched::observer* const w = sched::observer::current(); w != nullptr) w->counted().end(n);
  learned.store(1, base::relaxed);  // relaxed: a hint
}

/// Called if `is_past_limit` returns true after such a loop: the strand is observed, or a work request is pending.
TINE_ALWAYS_INLINE void end_short_loop(learned_chunk& learned, std::uint64_t n) noexcept {
  if (!sched::is_armed()) return end_short_loop_and_learn(learned, n);
  sched::observer::current()->counted().end(n);
}

/// A loop that the strand's observer counts, and times. If an exception ends the loop, it counts, and isn't timed.
class timed_short_loop {
 public:
  timed_short_loop(sched::observer& w, std::uint64_t n) noexcept;
  /// Called after the iterations.
  void close(learned_loop& learned, std::uint64_t n) noexcept;

 private:
  base::ticks (*const clock_)() noexcept;
  base::ticks begun_;
};

/// A loop in a region whose schedule says nothing of it: the strand counts it, and its iterations have a position of
/// their own. Like a counted fork, it calls the region only when a thief steals something inside of it.
class counted_loop {
 public:
  explicit counted_loop(std::uint64_t n) noexcept;
  ~counted_loop();
  counted_loop(const counted_loop&) = delete;
  counted_loop& operator=(const counted_loop&) = delete;

 private:
  sched::loop_position own_;
};

/// A loop that the strand reports to its parties, while this object lives.
class reported_loop {
 public:
  TINE_ALWAYS_INLINE reported_loop(const sched::instrumentation& parties, void* storage, sched::loop_form form,
                                   std::uint64_t n, sched::site where) noexcept
      : parties_{parties}, storage_{storage}, form_{form}, subranges_{parties.open_loop(storage, form, n, where)} {}
  TINE_ALWAYS_INLINE ~reported_loop() { parties_.close_loop(storage_, form_, iterations_); }
  reported_loop(const reported_loop&) = delete;
  reported_loop& operator=(const reported_loop&) = delete;

  /// The number of subranges in which the region wants the loop; 0: there is no region, or it doesn't mind.
  unsigned subranges() const noexcept { return subranges_; }
  /// Called when an unsplit loop has ended without an exception.
  void close(std::uint64_t n) noexcept { iterations_ = n; }

 private:
  const sched::instrumentation& parties_;
  void* const storage_;
  const sched::loop_form form_;
  const unsigned subranges_;
  std::uint64_t iterations_ = 0;
};

/// A loop that ends before a thief could help: it runs without a record if no party of the strand sees its iterations
/// or decides which workers run them. The parties learn of it in one of three ways.
class short_observed_loop {
 public:
  /// Opens the loop, if it is such a loop; otherwise the object does nothing.
  TINE_API short_observed_loop(learned_loop& learned, std::uint64_t n, sched::site where) noexcept;
  TINE_API ~short_observed_loop();
  short_observed_loop(const short_observed_loop&) = delete;
  short_observed_loop& operator=(const short_observed_loop&) = delete;

  bool is_open() const noexcept { return how_ != way::none; }
  /// Called when the iterations have ended without an exception.
  TINE_API void close() noexcept;

 private:
  enum class way : unsigned char { none, timed, reported, counted };
  struct with_storage {
    with_storage(const sched::instrumentation& by, std::uint64_t n, sched::site where) noexcept
        : parties{by},
          storage{sched::hot::top(), by.storage_bytes()},
          loop{parties, storage.data(), sched::loop_form::unsplit, n, where} {}
    const sched::instrumentation parties;
    const sched::instrumentation_storage storage;
    reported_loop loop;
  };

  learned_loop& learned_;
  const std::uint64_t n_;
  way how_ = way::none;
  union {
    timed_short_loop timed_;
    with_storage reported_;
    counted_loop counted_;
  };
};

/// As run_observed_loop, for a job of known type.
template <class Job>
TINE_COLD TINE_UNCHECKED typename Job::result run_observed(const Job& job, learned_loop& learned, std::uint64_t first,
                                                           std::uint64_t n, sched::site where) {
  using behind = job_behind_table<Job>;
  // A loop that reports its iterations has only one copy of its body, so each access has one place.
  if constexpr (!behind::separates_iterations) {
    short_observed_loop open{learned, n, where};
    if (open.is_open()) {
      auto&& kernel = job.kept();
      typename Job::result so_far = job.identity();
      Job::pass(kernel, so_far, first, first + n);
      open.close();
      return so_far;
    }
  }
  alignas(typename Job::result) std::byte storage[sizeof(typename Job::result)];
  run_observed_loop(&job, behind::table, learned, first, n, where, storage);
  struct emptied {
    void* storage;
    ~emptied() { behind::destroy(storage); }
  } const at_the_end{storage};
  return std::move(behind::value(storage));
}

/// True if `Job` is the job of an observed loop.
struct observed_job;
template <class Job>
inline constexpr bool is_observed = std::is_same_v<Job, observed_job>;

}  // namespace tine::detail
