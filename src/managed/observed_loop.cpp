// The loop of an observed strand: the usual loop (loop.hpp), run over a job behind a table. It reports its subranges to the observer.
#include "sched/scheduler_time.hpp"

#include <tine/managed/loop.hpp>
#include <tine/managed/par.hpp>
#include <tine/sched/alert.hpp>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>
#include <optional>

namespace tine::detail {
namespace {

/// Allocates in the scheduler's time, so that the memory is not counted as the program's.
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

/// The result of a subrange.
class boxed_result {
 public:
  boxed_result(const void* job, const job_table& t) : table_{&t}, where_{allocate(t)} {
    try {
      t.identity(job, where_);
    } catch (...) {
      release(where_);
      throw;
    }
  }
  boxed_result(boxed_result&& other) noexcept : table_{other.table_}, where_{std::exchange(other.where_, nullptr)} {}
  boxed_result& operator=(boxed_result&&) = delete;
  ~boxed_result() {
    if (where_ == nullptr) return;
    table_->destroy(where_);
    release(where_);
  }
  void* get() const noexcept { return where_; }

 private:
  const job_table* table_;
  void* where_;
};

struct observed_job {
  using result = boxed_result;

  const void* job;
  const job_table& table;
  learned_chunk& site;
  void* storage;
  const sched::observer_hooks* events;
  bool one_by_one;
  bool is_unstealable;  ///< thieves may not steal any part of it
  sched::site where;

  /// Runs the iterations of one strand, which is observed as long as a subrange is open.
  class kernel {
   public:
    explicit kernel(const observed_job& w) noexcept : of_{w}, around_{sched::observer::current()} {}
    ~kernel() { pause(); }
    kernel(const kernel&) = delete;
    kernel& operator=(const kernel&) = delete;

    void pass(result& so_far, std::uint64_t begin, std::uint64_t end) {
      if (subrange_ == nullptr) open(begin);
      if (of_.one_by_one) {
        for (std::uint64_t i = begin; i != end; ++i) {
          of_.events->iteration(*subrange_, i);
          of_.table.pass(of_.job, so_far.get(), i, i + 1);
        }
      } else {
        of_.table.pass(of_.job, so_far.get(), begin, end);
      }
      of_.events->chunk(*subrange_, end - begin);
    }

    /// Ends the subrange, because the next iterations do not continue it, or come later.
    void pause() noexcept {
      if (subrange_ == nullptr) return;
      of_.events->end_subrange(*std::exchange(subrange_, nullptr));
      if (around_ != nullptr) {
        sched::observer::set(*around_);
      } else {
        sched::end_observing();
      }
    }

   private:
    void open(std::uint64_t begin) noexcept {
      subrange_ = &of_.events->begin_subrange(of_.storage, begin, around_ == nullptr);
      if (around_ != nullptr) {
        sched::observer::set(*subrange_);
      } else {
        sched::begin_observing(*subrange_);
      }
    }

    const observed_job& of_;
    sched::observer* const around_;  ///< the observer of the loop's own strand; null on a thief's strand
    sched::observer* subrange_ = nullptr;
  };

  learned_chunk& learned() const noexcept { return site; }
  result identity() const { return {job, table}; }
  kernel kept() const noexcept { return kernel{*this}; }
  static void pass(kernel& k, result& so_far, std::uint64_t begin, std::uint64_t end) { k.pass(so_far, begin, end); }
  void add(result& so_far, result&& later) const { table.add(job, so_far.get(), later.get()); }

  result run(std::uint64_t begin, std::uint64_t end) const {
    if (!is_unstealable) return run_registered(*this, begin, end, where);
    return run_closed(begin, end);
  }

  /// Runs in chunks, although no thief may steal any of them, because the strand may be stopped between two of them.
  result run_closed(std::uint64_t begin, std::uint64_t end) const {
    result all = identity();
    kernel k{*this};
    adaptive_chunk lengths{site, end - begin, false};
    while (begin != end) {
      if (sched::is_requested() && sched::must_stop()) sched::throw_stopped();
      const std::uint64_t n = std::min(lengths.chunk(), end - begin);
      k.pass(all, begin, begin + n);
      begin += n;
      lengths.record_chunk(begin != end);
    }
    return all;
  }
};

namespace {

/// Runs a loop as a balanced tree of forks.
TINE_NOINLINE boxed_result run_as_forks(const observed_job& w, std::uint64_t begin, std::uint64_t end) {
  if (end - begin == 1) {
    boxed_result one = w.identity();
    w.table.pass(w.job, one.get(), begin, end);
    return one;
  }
  const std::uint64_t middle = begin + (end - begin) / 2;
  return par([&w, begin, middle] { return run_as_forks(w, begin, middle); },
             [&w, middle, end] { return run_as_forks(w, middle, end); },
             [&w](boxed_result&& first, boxed_result&& second) {
               w.add(first, std::move(second));
               return std::move(first);
             });
}

/// Runs a loop as such a tree, for an observer some of whose analyses see a loop: the observer learns that the forks are not the
/// program's, and it sees the iterations.
boxed_result run_halved(const observed_job& w, std::uint64_t n, std::uint64_t begin, std::uint64_t end) {
  sched::observer& at = *sched::observer::current();
  if (end - begin == 1) {
    boxed_result one = w.identity();
    at.events->begin_leaf(at, begin, n);
    w.table.pass(w.job, one.get(), begin, end);
    w.events->end_leaf(*sched::observer::current());
    return one;
  }
  const std::uint64_t middle = begin + (end - begin) / 2;
  auto first = [&w, n, begin, middle] { return run_halved(w, n, begin, middle); };
  auto second = [&w, n, middle, end] { return run_halved(w, n, middle, end); };
  auto both = [&w](boxed_result&& a, boxed_result&& b) {
    w.add(a, std::move(b));
    return std::move(a);
  };
  const sched::site halving = reinterpret_cast<sched::site>(w.storage) | sched::of_halving;
  return fork_observed(at, sched::hot::top(), first, second, both, halving);
}

boxed_result run_as_tree(const observed_job& w, sched::observer& by, std::uint64_t n) {
  struct observing {
    const observed_job& w;
    observing(const observed_job& what, sched::observer& at, std::uint64_t iterations) noexcept : w{what} {
      sched::observer::set(w.events->open_tree(at, w.storage, iterations, w.where));
    }
    ~observing() { sched::observer::set(w.events->close_tree(w.storage)); }
  } const open{w, by, n};
  return run_halved(w, n, 0, n);
}

/// Runs the subranges from `first` up to, but not including, `last` on one strand, one after the other. The first subrange begins at
/// `begin`, and the last one ends at `end`.
boxed_result run_subranges(const observed_job& w, unsigned first, unsigned last, std::uint64_t begin,
                           std::uint64_t end) {
  boxed_result all = w.identity();
  for (unsigned next = first + 1; next <= last; ++next) {
    const std::uint64_t stop = next == last ? end : w.events->placer->subrange_begin(w.storage, next);
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
  outcome<boxed_result> all;
};

/// The placed subranges of a loop, in the order of the iterations.
class placed_runs {
 public:
  placed_runs(const observed_job& w, unsigned subranges, std::uint64_t n) : w_{w} {
    std::uint64_t end = n;
    for (unsigned i = subranges, last = subranges; i-- > 0;) {
      if (!w.events->placer->is_subrange_placed(w.storage, i)) continue;
      const std::uint64_t begin = w.events->placer->subrange_begin(w.storage, i);
      subranges_.emplace_front(w, i, last, begin, end);
      end = begin;
      last = i;
    }
  }

  bool empty() const noexcept { return subranges_.empty(); }
  const placed_subranges& front() const noexcept { return subranges_.front(); }
  /// Stops the subranges, because their results are not needed.
  void stop() noexcept {
    for (placed_subranges& p : subranges_) p.stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
  }
  void hand_out() noexcept {
    for (placed_subranges& p : subranges_) w_.events->placer->place_subrange(w_.storage, p.first, p);
  }

  /// Called after all subranges have ended. Adds their results to the result of the iterations before them, which may have thrown.
  boxed_result collect(outcome<boxed_result>& before, bool threw) {
    std::exception_ptr first_error;
    std::optional<boxed_result> all;
    const auto take = [&](outcome<boxed_result>& subrange, bool subrange_threw) {
      if (first_error != nullptr) return subrange.drop(subrange_threw);
      try {
        boxed_result r = subrange.take(subrange_threw);
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

/// Runs a loop whose observer decides in which subranges it runs, and on which workers. Not inlined, like run_as_forks: its frame
/// would lie on the native stack once for each level of nested loops that do not need it.
TINE_NOINLINE boxed_result run_in_subranges(const observed_job& w, unsigned subranges, std::uint64_t n) {
  placed_runs others{w, subranges, n};
  if (others.empty()) return run_subranges(w, 0, subranges, 0, n);
  others.hand_out();
  auto own = [&] { return run_subranges(w, 0, others.front().first, 0, others.front().begin); };
  outcome<boxed_result> before;
  const bool threw = before.fill(own);
  sched::alert unwanted;
  if (threw) {
    others.stop();
    unwanted.raise();
  }
  w.events->placer->wait(w.storage);
  return others.collect(before, threw);
}

/// Runs a loop that its observer sees as one loop.
boxed_result run_as_loop(const observed_job& w, sched::observer& by, std::uint64_t n) {
  struct observing {
    const observed_job& w;
    observing(const observed_job& what, sched::observer& at, std::uint64_t iterations) noexcept : w{what} {
      w.events->open_loop(at, w.storage, iterations, w.where);
    }
    ~observing() { sched::observer::set(w.events->close_loop(w.storage)); }
  } const open{w, by, n};
  const unsigned subranges = w.events->placer != nullptr ? w.events->placer->subranges(w.storage) : 0;
  return subranges == 0 ? w.run(0, n) : run_in_subranges(w, subranges, n);
}

}  // namespace

void run_observed_loop(const void* job, const job_table& table, learned_loop& learned, std::uint64_t n,
                       sched::site where, void* result) {
  sched::observer& by = *sched::observer::current();
  const sched::observer_hooks& events = *by.events;
  const auto run = [&](void* storage, auto how) {
    const bool one_by_one = events.loops == sched::loop_mode::one_by_one;
    const observed_job w{job, table, learned.chunk, storage, &events, one_by_one, events.is_unstealable, where};
    boxed_result all = how(w);
    table.move(all.get(), result);
  };
  if (events.loops == sched::loop_mode::as_forks) {
    return run(nullptr, [n](const observed_job& w) { return run_as_forks(w, 0, n); });
  }
  const sched::observer_storage storage{sched::hot::top(), events.storage_bytes, events.is_unstealable};
  const bool halved = events.loops == sched::loop_mode::halved;
  run(storage.data(),
      [&by, n, halved](const observed_job& w) { return halved ? run_as_tree(w, by, n) : run_as_loop(w, by, n); });
}

}  // namespace tine::detail
