// The loop of an instrumented strand: the loop of loop.hpp, run over a job behind a table. It reports its subranges to
// the observer and to the region. The loop's own strand and the strands of its thieves run it, each on its thread.
#include "sched/scheduler_time.hpp"
#include "sched/skipped_stretch.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/managed/loop.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/managed/par.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <optional>

namespace tine::detail {
namespace {

/// Allocates in the scheduler's time, so that the memory doesn't count as the program's.
void* allocate(const job_table& t) {
  const sched::scheduler_time here;
  void* where = t.result_alignment <= alignof(std::max_align_t)
                    ? std::malloc(t.result_bytes)
                    : std::aligned_alloc(t.result_alignment, t.result_bytes);
  if (where == nullptr) throw std::bad_alloc{};
  return where;
}

void release(void* where) noexcept {
  const sched::scheduler_time here;
  std::free(where);
}

}  // namespace

/// While it lives, the running strand has no observer and is in no region. Results of subranges are combined where
/// workers happened to split the loop, so a fork in a combine isn't part of the graph, and no schedule numbers it. Stop
/// requests still reach it.
class unreported {
 public:
  unreported() noexcept
      : observer_{sched::observer::current()},
        strand_{sched::region_strand::current()},
        position_{sched::position::current()},
        scope_{sched::current_scope(), sched::hot::top(), nullptr, nullptr} {
    if (observer_ != nullptr) sched::end_observing();
    if (strand_ == nullptr) return;
    sched::leave_region();
    sched::enter_scope(&scope_);
  }
  ~unreported() {
    if (strand_ != nullptr) {
      sched::enter_scope(scope_.outer);
      sched::enter_region(*strand_, *position_);
    }
    if (observer_ != nullptr) sched::begin_observing(*observer_);
  }
  unreported(const unreported&) = delete;
  unreported& operator=(const unreported&) = delete;

 private:
  sched::observer* const observer_;
  sched::region_strand* const strand_;
  sched::position* const position_;
  const sched::scope scope_;
};

/// The result of a subrange. A small trivially copyable result lies here, any other one on the heap. If `apart`, we
/// make and destroy the result where workers happened to split the loop, and code of the program that does so is
/// unreported.
class subrange_result {
 public:
  subrange_result(const void* job, const job_table& t, bool apart) : table_{&t}, is_apart_{apart && !t.is_trivial} {
    if (t.is_small) {
      t.identity(job, here_);
      return;
    }
    on_heap_ = allocate(t);
    try {
      maybe_unreported([&] { t.identity(job, on_heap_); });
    } catch (...) {
      release(on_heap_);
      throw;
    }
  }
  subrange_result(subrange_result&& other) noexcept : table_{other.table_}, is_apart_{other.is_apart_} {
    std::memcpy(here_, other.here_, sizeof here_);  // the result, or its address
    if (!table_->is_small) other.on_heap_ = nullptr;
  }
  subrange_result& operator=(subrange_result&&) = delete;
  ~subrange_result() {
    if (table_->is_small || on_heap_ == nullptr) return;
    maybe_unreported([&] { table_->destroy(on_heap_); });
    release(on_heap_);
  }
  void* get() noexcept { return table_->is_small ? here_ : on_heap_; }
  const void* get() const noexcept { return table_->is_small ? here_ : on_heap_; }

 private:
  template <class F>
  void maybe_unreported(F f) const {
    if (!is_apart_) return f();
    const unreported here;
    f();
  }

  const job_table* table_;
  bool is_apart_;
  union {
    void* on_heap_;
    alignas(8) std::byte here_[small_result_bytes];
  };
};

struct observed_job {
  using result = subrange_result;

  const void* job;
  const job_table& table;
  learned_chunk& site;
  std::uint64_t first;  ///< the iteration of `job` that is our iteration 0
  std::uint64_t iterations;
  void* storage;
  sched::instrumentation parties;
  bool one_by_one;
  sched::site where;

  void* of_region() const noexcept { return parties.of_region(storage); }
  const sched::skip_hooks* skips() const noexcept {
    return parties.analysis != nullptr ? parties.analysis->skips : nullptr;
  }

  /// Runs the iterations of one strand, which is instrumented as long as a subrange is open.
  class kernel {
   public:
    explicit kernel(const observed_job& w) noexcept
        : of_{w}, around_{sched::observer::current()}, position_around_{sched::position::current()} {}
    ~kernel() { pause(); }
    kernel(const kernel&) = delete;
    kernel& operator=(const kernel&) = delete;

    void pass(result& so_far, std::uint64_t begin, std::uint64_t end) {
      if (!is_open_) open(begin);
      if (of_.one_by_one) {
        for (std::uint64_t i = begin; i != end; ++i) {
          of_.parties.analysis->iteration(*subrange_, i, of_.iterations);
          of_.pass_job(so_far, i, i + 1);
        }
      } else if (const sched::skip_hooks* const skips = of_.skips(); skips != nullptr) {
        return pass_sampled(*skips, so_far, begin, end);
      } else {
        of_.pass_job(so_far, begin, end);
      }
      done_ += end - begin;
      if (subrange_ != nullptr) of_.parties.analysis->chunk(*subrange_, end - begin);
    }

    /// Ends the subrange, because the next iterations don't continue it, or come later.
    void pause() noexcept {
      if (!std::exchange(is_open_, false)) return;
      if (position_ != nullptr) of_.parties.in->end_subrange(*position_, std::exchange(done_, 0));
      if (skipped_) end_chunk();
      if (subrange_ != nullptr) {
        of_.parties.analysis->end_subrange(*subrange_);
        sched::set_observer(around_);
      }
      if (position_ == nullptr) return;
      if (position_around_ != nullptr) {
        sched::set_position(*position_around_);
      } else {
        sched::leave_region();
        scope_.leave();
      }
    }

   private:
    /// After a short chunk, the next ones are skipped together until they have taken long; then one is observed again.
    /// The skipped ones count as one chunk.
    void pass_sampled(const sched::skip_hooks& skips, result& so_far, std::uint64_t begin, std::uint64_t end) {
      if (std::exchange(was_short_, false)) sched::begin_skipping(skipped_.emplace());
      if (!skipped_) began_ = skips.now();
      of_.pass_job(so_far, begin, end);
      done_ += end - begin;
      chunk_ += end - begin;
      const base::ticks took = skips.now() - began_;
      if (skipped_ && took < skips.longest / 2) return;
      was_short_ = !skipped_ && took < skips.longest / 2;
      end_chunk();
    }

    /// Ends a chunk that is observed, or chunks that were skipped. After an exception there may be none.
    void end_chunk() noexcept {
      if (skipped_) sched::end_skipping(*skipped_);
      skipped_.reset();
      if (chunk_ != 0) of_.parties.analysis->chunk(*subrange_, std::exchange(chunk_, 0));
    }

    void open(std::uint64_t begin) noexcept {
      const sched::instrumentation& by = of_.parties;
      if (by.in != nullptr && position_around_ == nullptr) scope_.enter(*by.in);
      if (by.in != nullptr) position_ = &by.in->begin_subrange(of_.of_region(), begin, position_around_ == nullptr);
      if (by.analysis != nullptr) {
        subrange_ = &by.analysis->begin_subrange(of_.storage, begin, around_ == nullptr);
        sched::set_observer(subrange_);
      }
      is_open_ = true;
    }

    const observed_job& of_;
    sched::observer* const around_;           ///< the observer of the loop's own strand; null on a thief's strand
    sched::position* const position_around_;  ///< the position of the loop's own strand; null on a thief's strand
    sched::observer* subrange_ = nullptr;
    sched::position* position_ = nullptr;
    std::uint64_t done_ = 0;     ///< iterations of the subrange that have ended
    sched::region_scope scope_;  ///< of a thief's strand
    bool is_open_ = false;
    // For a sampled analysis:
    std::optional<sched::skipped_stretch> skipped_;
    base::ticks began_ = 0;    ///< when the last chunk that was observed began
    std::uint64_t chunk_ = 0;  ///< iterations that have ended since the last report of a chunk
    bool was_short_ = false;   ///< the last chunk was so short that the next ones are skipped
  };

  learned_chunk& learned() const noexcept { return site; }
  result identity() const { return {job, table, true}; }
  /// Returns the result of no iterations, for a tree of forks, whose shape doesn't depend on the workers.
  result identity_in_tree() const { return {job, table, false}; }
  kernel kept() const noexcept { return kernel{*this}; }
  static void pass(kernel& k, result& so_far, std::uint64_t begin, std::uint64_t end) { k.pass(so_far, begin, end); }
  void pass_job(result& so_far, std::uint64_t begin, std::uint64_t end) const {
    table.pass(job, so_far.get(), first + begin, first + end);
  }
  void add(result& so_far, result&& later) const {
    const unreported here;
    add_in_tree(so_far, std::move(later));
  }
  bool is_final(const result& so_far) const { return table.is_final != nullptr && table.is_final(job, so_far.get()); }
  void add_in_tree(result& so_far, result&& later) const { table.add(job, so_far.get(), later.get()); }

  result run(std::uint64_t begin, std::uint64_t end) const {
    if (!parties.is_unstealable()) return run_registered(*this, begin, end, where);
    return run_closed(begin, end);
  }

  /// Runs in chunks, although no thief may steal any of them, because the strand may be stopped between two of them.
  result run_closed(std::uint64_t begin, std::uint64_t end) const {
    result all = identity();
    kernel k{*this};
    if (table.separates_iterations) {
      // for the race detector: an iteration takes longer than the start of a chunk
      constexpr std::uint64_t most = 1024;
      for (; begin != end; begin += std::min(most, end - begin)) {
        if (sched::is_requested() && sched::must_stop()) sched::throw_stopped();
        k.pass(all, begin, begin + std::min(most, end - begin));
      }
      return all;
    }
    adaptive_chunk lengths{site, end - begin, false};
    while (begin != end) {
      if (sched::is_requested() && sched::must_stop()) sched::throw_stopped();
      const std::uint64_t n = std::min(lengths.chunk(), end - begin);
      k.pass(all, begin, begin + n);
      begin += n;
      lengths.record_chunk(begin != end && !is_final(all));
    }
    return all;
  }
};

namespace {

/// Runs a loop as a balanced tree of forks.
TINE_NOINLINE subrange_result run_as_forks(const observed_job& w, std::uint64_t begin, std::uint64_t end) {
  if (end - begin == 1) {
    subrange_result one = w.identity_in_tree();
    w.pass_job(one, begin, end);
    return one;
  }
  const std::uint64_t middle = begin + (end - begin) / 2;
  return par([&w, begin, middle] { return run_as_forks(w, begin, middle); },
             [&w, middle, end] { return run_as_forks(w, middle, end); },
             [&w](subrange_result&& first, subrange_result&& second) {
               w.add_in_tree(first, std::move(second));
               return std::move(first);
             });
}

/// Runs a loop as such a tree, for an observer some of whose analyses see a loop: the observer learns that the forks
/// are not the program's, and it sees the iterations.
subrange_result run_halved(const observed_job& w, std::uint64_t most, std::uint64_t begin, std::uint64_t end) {
  const sched::observer_hooks& events = *w.parties.analysis;
  if (end - begin <= most) {
    subrange_result one = w.identity_in_tree();
    events.iteration(*sched::observer::current(), begin, w.iterations);
    w.pass_job(one, begin, end);
    events.chunk(*sched::observer::current(), 1);
    return one;
  }
  std::uint64_t middle = begin + (end - begin) / 2;
  // Items 2k and 2k + 1, which programs treat alike, lie in two pieces if the second piece starts at an odd number.
  if (most > 1) middle |= 1;
  auto first = [&w, most, begin, middle] { return run_halved(w, most, begin, middle); };
  auto second = [&w, most, middle, end] { return run_halved(w, most, middle, end); };
  auto both = [&w](subrange_result&& a, subrange_result&& b) {
    w.add_in_tree(a, std::move(b));
    return std::move(a);
  };
  const sched::site halving = base::to_word(w.storage) | sched::of_halving;
  return fork_reported<par_form>(sched::hot::top(), halving, steps_of_strand(), first, second, both);
}

subrange_result run_as_tree(const observed_job& w) {
  const reported_loop open{w.parties, w.storage, sched::loop_form::halved, w.iterations, w.where};
  constexpr std::uint64_t piece = 64;
  const bool has_pieces = w.table.is_of_algorithm && w.parties.analysis->has_pieces && w.iterations > piece;
  return run_halved(w, has_pieces ? piece : 1, 0, w.iterations);
}

/// Runs the subranges from `first` up to, but not including, `last` on one strand, one after the other. The first
/// subrange starts at `begin`, and the last one ends at `end`.
subrange_result run_subranges(const observed_job& w, unsigned first, unsigned last, std::uint64_t begin,
                              std::uint64_t end) {
  subrange_result all = w.identity();
  for (unsigned next = first + 1; next <= last; ++next) {
    const std::uint64_t stop = next == last ? end : w.parties.in->subrange_of(w.of_region(), next).begin;
    if (begin != stop) w.add(all, w.run(begin, stop));
    begin = stop;
  }
  return all;
}

/// Consecutive subranges that are placed on one worker.
struct placed_subranges : sched::task {
  placed_subranges(const observed_job& job, unsigned from, unsigned to, std::uint64_t at, std::uint64_t stop) noexcept
      : task{&kind, {}, 0}, w{job}, first{from}, last{to}, begin{at}, end{stop} {}

  static bool run(sched::task& t) noexcept {
    auto& self = static_cast<placed_subranges&>(t);
    auto subrange = [&self] { return run_subranges(self.w, self.first, self.last, self.begin, self.end); };
    return self.all.fill(subrange);
  }
  static constexpr sched::descriptor kind{&run, 0};
  bool threw() const noexcept { return (done.flags() & sched::completion::threw) != 0; }

  const observed_job& w;
  const unsigned first, last;
  const std::uint64_t begin, end;
  outcome<subrange_result> all;
};

/// The placed subranges of a loop, in the order of the iterations.
class placed_runs {
 public:
  placed_runs(const observed_job& w, unsigned subranges) : w_{w} {
    std::uint64_t end = w.iterations;
    for (unsigned i = subranges, last = subranges; i-- > 0;) {
      const sched::region::subrange s = w.parties.in->subrange_of(w.of_region(), i);
      if (!s.is_placed) continue;
      subranges_.emplace_front(w, i, last, s.begin, end);
      end = s.begin;
      last = i;
    }
  }

  bool empty() const noexcept { return subranges_.empty(); }
  const placed_subranges& front() const noexcept { return subranges_.front(); }
  /// Stops the subranges, because their results aren't needed.
  void stop() noexcept {
    for (placed_subranges& p : subranges_) p.stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
  }
  void hand_out() noexcept {
    for (placed_subranges& p : subranges_) w_.parties.in->place_subrange(w_.of_region(), p.first, p);
  }

  /// Called after all subranges have ended. Adds their results to the result of the iterations before them, which may
  /// have thrown.
  subrange_result collect(outcome<subrange_result>& before, bool threw) {
    std::exception_ptr first_error;
    std::optional<subrange_result> all;
    const auto take = [&](outcome<subrange_result>& subrange, bool subrange_threw) {
      if (first_error != nullptr) return subrange.drop(subrange_threw);
      try {
        subrange_result r = subrange.take(subrange_threw);
        all ? w_.add(*all, std::move(r)) : static_cast<void>(all.emplace(std::move(r)));
      } catch (...) {
        first_error = std::current_exception();
      }
    };
    take(before, threw);
    for (placed_subranges& p : subranges_) take(p.all, p.threw());
    if (first_error != nullptr) std::rethrow_exception(first_error);
    return std::move(*all);
  }

 private:
  const observed_job& w_;
  std::deque<placed_subranges> subranges_;
};

/// Runs a loop whose region decides on its subranges and their workers. Not inlined, like run_as_forks:
/// its frame would lie on the native stack once for each level of nested loops that do not need it.
TINE_NOINLINE subrange_result run_in_subranges(const observed_job& w, unsigned subranges) {
  placed_runs others{w, subranges};
  if (others.empty()) return run_subranges(w, 0, subranges, 0, w.iterations);
  others.hand_out();
  auto own = [&] { return run_subranges(w, 0, others.front().first, 0, others.front().begin); };
  outcome<subrange_result> before;
  const bool threw = before.fill(own);
  sched::alert unwanted;
  if (threw) {
    others.stop();
    unwanted.raise();
  }
  w.parties.in->wait(w.of_region());
  return others.collect(before, threw);
}

/// Runs a loop that the parties see as one loop.
subrange_result run_as_loop(const observed_job& w) {
  const reported_loop open{w.parties, w.storage, sched::loop_form::split, w.iterations, w.where};
  return open.subranges() == 0 ? w.run(0, w.iterations) : run_in_subranges(w, open.subranges());
}

}  // namespace

void run_observed_loop(const void* job, const job_table& table, learned_loop& learned, std::uint64_t first,
                       std::uint64_t n, sched::site where, void* result) {
  const auto parties = sched::instrumentation::current();
  const sched::loop_mode loops = parties.loops(table.separates_iterations);
  const auto run = [&](void* storage, auto how) {
    const bool one_by_one = loops == sched::loop_mode::one_by_one;
    const observed_job w{job, table, learned.chunk, first, n, storage, parties, one_by_one, where};
    subrange_result all = how(w);
    table.move(all.get(), result);
  };
  if (loops == sched::loop_mode::as_forks) {
    return run(nullptr, [](const observed_job& w) { return run_as_forks(w, 0, w.iterations); });
  }
  const sched::instrumentation_storage storage{sched::hot::top(), parties.storage_bytes()};
  run(storage.data(), loops == sched::loop_mode::halved ? run_as_tree : run_as_loop);
}

}  // namespace tine::detail
