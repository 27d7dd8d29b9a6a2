// The loop of a watched strand: the usual loop (loop.hpp), run over a job behind a table. It reports its pieces to the watch.
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

/// The result of a piece.
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

struct watched_job {
  using result = boxed_result;

  const void* job;
  const job_table& table;
  learned_chunk& site;
  void* room;
  const sched::watch_events* events;
  bool one_by_one;
  bool is_closed;  ///< thieves may not take anything of it
  sched::site where;

  /// Runs the iterations of one strand, which is watched as long as a piece is open.
  class kernel {
   public:
    explicit kernel(const watched_job& w) noexcept : of_{w}, around_{sched::watch::current()} {}
    ~kernel() { pause(); }
    kernel(const kernel&) = delete;
    kernel& operator=(const kernel&) = delete;

    void pass(result& so_far, std::uint64_t begin, std::uint64_t end) {
      if (piece_ == nullptr) open(begin);
      if (of_.one_by_one) {
        for (std::uint64_t i = begin; i != end; ++i) {
          of_.events->iteration(*piece_, i);
          of_.table.pass(of_.job, so_far.get(), i, i + 1);
        }
      } else {
        of_.table.pass(of_.job, so_far.get(), begin, end);
      }
      of_.events->chunk(*piece_, end - begin);
    }

    /// Ends the piece, because the next iterations do not continue it, or come later.
    void pause() noexcept {
      if (piece_ == nullptr) return;
      of_.events->end_piece(*std::exchange(piece_, nullptr));
      if (around_ != nullptr) {
        sched::watch::set(*around_);
      } else {
        sched::end_watching();
      }
    }

   private:
    void open(std::uint64_t begin) noexcept {
      piece_ = &of_.events->begin_piece(of_.room, begin, around_ == nullptr);
      if (around_ != nullptr) {
        sched::watch::set(*piece_);
      } else {
        sched::begin_watching(*piece_);
      }
    }

    const watched_job& of_;
    sched::watch* const around_;  ///< the watch of the loop's own strand; null on a thief's strand
    sched::watch* piece_ = nullptr;
  };

  learned_chunk& learned() const noexcept { return site; }
  result identity() const { return {job, table}; }
  kernel kept() const noexcept { return kernel{*this}; }
  static void pass(kernel& k, result& so_far, std::uint64_t begin, std::uint64_t end) { k.pass(so_far, begin, end); }
  void add(result& so_far, result&& later) const { table.add(job, so_far.get(), later.get()); }

  result run(std::uint64_t begin, std::uint64_t end) const {
    if (!is_closed) return run_registered(*this, begin, end, where);
    return run_closed(begin, end);
  }

  /// Runs in chunks, although no thief may take anything, because the strand may be stopped between two of them.
  result run_closed(std::uint64_t begin, std::uint64_t end) const {
    result all = identity();
    kernel k{*this};
    pace lengths{site, end - begin, false};
    while (begin != end) {
      if (sched::is_rung_by_somebody() && sched::must_stop()) sched::throw_stopped();
      const std::uint64_t n = std::min(lengths.chunk(), end - begin);
      k.pass(all, begin, begin + n);
      begin += n;
      lengths.lap(begin != end);
    }
    return all;
  }
};

namespace {

/// Runs a loop as a balanced tree of forks.
TINE_NOINLINE boxed_result run_as_forks(const watched_job& w, std::uint64_t begin, std::uint64_t end) {
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

/// Runs a loop as such a tree, for a watch some of whose analyses see a loop: the watch learns that the forks are not the
/// program's, and it sees the iterations.
boxed_result run_halved(const watched_job& w, std::uint64_t n, std::uint64_t begin, std::uint64_t end) {
  sched::watch& at = *sched::watch::current();
  if (end - begin == 1) {
    boxed_result one = w.identity();
    at.events->begin_leaf(at, begin, n);
    w.table.pass(w.job, one.get(), begin, end);
    w.events->end_leaf(*sched::watch::current());
    return one;
  }
  const std::uint64_t middle = begin + (end - begin) / 2;
  auto first = [&w, n, begin, middle] { return run_halved(w, n, begin, middle); };
  auto second = [&w, n, middle, end] { return run_halved(w, n, middle, end); };
  auto both = [&w](boxed_result&& a, boxed_result&& b) {
    w.add(a, std::move(b));
    return std::move(a);
  };
  const sched::site halving = reinterpret_cast<sched::site>(w.room) | sched::of_halving;
  return fork_watched(at, sched::hot::top(), first, second, both, halving);
}

boxed_result run_as_tree(const watched_job& w, sched::watch& by, std::uint64_t n) {
  struct watching {
    const watched_job& w;
    watching(const watched_job& what, sched::watch& at, std::uint64_t iterations) noexcept : w{what} {
      sched::watch::set(w.events->open_tree(at, w.room, iterations, w.where));
    }
    ~watching() { sched::watch::set(w.events->close_tree(w.room)); }
  } const open{w, by, n};
  return run_halved(w, n, 0, n);
}

/// Runs the pieces from `first` up to, but not including, `last` on one strand, one after the other. The first piece begins at
/// `begin`, and the last one ends at `end`.
boxed_result run_pieces(const watched_job& w, unsigned first, unsigned last, std::uint64_t begin, std::uint64_t end) {
  boxed_result all = w.identity();
  for (unsigned next = first + 1; next <= last; ++next) {
    const std::uint64_t stop = next == last ? end : w.events->directions->piece_begin(w.room, next);
    if (begin != stop) w.add(all, w.run(begin, stop));
    begin = stop;
  }
  return all;
}

/// Consecutive pieces that are given to one worker by name.
struct given_pieces : sched::task {
  given_pieces(const watched_job& job, unsigned from, unsigned to, std::uint64_t at, std::uint64_t stop) noexcept
      : task{&kind, {}, 0}, w{job}, first{from}, last{to}, begin{at}, end{stop} {}

  static bool run(sched::task& t) noexcept {
    auto& self = static_cast<given_pieces&>(t);
    auto piece = [&self] { return run_pieces(self.w, self.first, self.last, self.begin, self.end); };
    return self.all.fill(piece);
  }
  static constexpr sched::descriptor kind{&run, 0};
  bool threw() const noexcept { return (done.flags() & sched::completion::threw) != 0; }

  const watched_job& w;
  const unsigned first, last;
  const std::uint64_t begin, end;
  outcome<boxed_result> all;
};

/// The pieces of a loop that were given away, in the order of the iterations.
class given_away {
 public:
  given_away(const watched_job& w, unsigned pieces, std::uint64_t n) : w_{w} {
    std::uint64_t end = n;
    for (unsigned i = pieces, last = pieces; i-- > 0;) {
      if (!w.events->directions->is_piece_given(w.room, i)) continue;
      const std::uint64_t begin = w.events->directions->piece_begin(w.room, i);
      pieces_.emplace_front(w, i, last, begin, end);
      end = begin;
      last = i;
    }
  }

  bool empty() const noexcept { return pieces_.empty(); }
  const given_pieces& front() const noexcept { return pieces_.front(); }
  /// Stops the pieces, because their results are not needed.
  void stop() noexcept {
    for (given_pieces& p : pieces_) p.stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
  }
  void hand_out() noexcept {
    for (given_pieces& p : pieces_) w_.events->directions->give_piece(w_.room, p.first, p);
  }

  /// Called after all pieces have ended. Adds their results to the result of the iterations before them, which may have thrown.
  boxed_result collect(outcome<boxed_result>& before, bool threw) {
    std::exception_ptr first_error;
    std::optional<boxed_result> all;
    const auto take = [&](outcome<boxed_result>& piece, bool piece_threw) {
      if (first_error != nullptr) return piece.drop(piece_threw);
      try {
        boxed_result r = piece.take(piece_threw);
        all ? w_.add(*all, std::move(r)) : static_cast<void>(all.emplace(std::move(r)));
      } catch (...) {
        first_error = std::current_exception();
      }
    };
    take(before, threw);
    for (given_pieces& p : pieces_) take(p.all, p.threw());
    if (first_error != nullptr) std::rethrow_exception(first_error);
    return std::move(*all);
  }

 private:
  const watched_job& w_;
  std::deque<given_pieces> pieces_;
};

/// Runs a loop whose watch decides in which pieces it runs, and on which workers. Not inlined, like run_as_forks: its frame
/// would lie on the native stack once for each level of nested loops that do not need it.
TINE_NOINLINE boxed_result run_in_pieces(const watched_job& w, unsigned pieces, std::uint64_t n) {
  given_away others{w, pieces, n};
  if (others.empty()) return run_pieces(w, 0, pieces, 0, n);
  others.hand_out();
  auto own = [&] { return run_pieces(w, 0, others.front().first, 0, others.front().begin); };
  outcome<boxed_result> before;
  const bool threw = before.fill(own);
  sched::alert unwanted;
  if (threw) {
    others.stop();
    unwanted.raise();
  }
  w.events->directions->meet(w.room);
  return others.collect(before, threw);
}

/// Runs a loop that its watch sees as one loop.
boxed_result run_as_loop(const watched_job& w, sched::watch& by, std::uint64_t n) {
  struct watching {
    const watched_job& w;
    watching(const watched_job& what, sched::watch& at, std::uint64_t iterations) noexcept : w{what} {
      w.events->open_loop(at, w.room, iterations, w.where);
    }
    ~watching() { sched::watch::set(w.events->close_loop(w.room)); }
  } const open{w, by, n};
  const unsigned pieces = w.events->directions != nullptr ? w.events->directions->pieces(w.room) : 0;
  return pieces == 0 ? w.run(0, n) : run_in_pieces(w, pieces, n);
}

}  // namespace

void run_watched_loop(const void* job, const job_table& table, learned_loop& learned, std::uint64_t n,
                      sched::site where, void* result) {
  sched::watch& by = *sched::watch::current();
  const sched::watch_events& events = *by.events;
  const auto run = [&](void* room, auto how) {
    const bool one_by_one = events.loops == sched::watched_loops::one_by_one;
    const watched_job w{job, table, learned.chunk, room, &events, one_by_one, events.is_closed, where};
    boxed_result all = how(w);
    table.move(all.get(), result);
  };
  if (events.loops == sched::watched_loops::as_forks) {
    return run(nullptr, [n](const watched_job& w) { return run_as_forks(w, 0, n); });
  }
  const sched::watched_storage storage{sched::hot::top(), events.room_bytes, events.is_closed};
  const bool halved = events.loops == sched::watched_loops::halved;
  run(storage.room(),
      [&by, n, halved](const watched_job& w) { return halved ? run_as_tree(w, by, n) : run_as_loop(w, by, n); });
}

}  // namespace tine::detail
