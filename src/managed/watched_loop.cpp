// The loop of a watched strand: the usual one (loop.hpp), run over a job behind a table, with the watch told of its pieces.
#include "sched/scheduler_time.hpp"

#include <tine/managed/loop.hpp>
#include <tine/managed/par.hpp>

#include <cstdlib>
#include <memory>

namespace tine::detail {
namespace {

/// What is allocated here is nobody's.
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

    /// What follows is not the continuation of the piece, or comes later.
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
    sched::watch* const around_;  ///< of the loop's own strand; null on a thief's
    sched::watch* piece_ = nullptr;
  };

  learned_chunk& learned() const noexcept { return site; }
  result identity() const { return {job, table}; }
  kernel kept() const noexcept { return kernel{*this}; }
  static void pass(kernel& k, result& so_far, std::uint64_t begin, std::uint64_t end) { k.pass(so_far, begin, end); }
  void add(result& so_far, result&& later) const { table.add(job, so_far.get(), later.get()); }
};

namespace {

/// A loop as a balanced tree of forks.
boxed_result run_as_forks(const watched_job& w, std::uint64_t begin, std::uint64_t end) {
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

/// A loop that its watch knows as one.
boxed_result run_as_loop(const watched_job& w, sched::watch& by, std::uint64_t n, sched::site where) {
  struct watching {
    const watched_job& w;
    watching(const watched_job& what, sched::watch& at, std::uint64_t iterations, sched::site from) noexcept : w{what} {
      w.events->open_loop(at, w.room, iterations, from);
    }
    ~watching() { sched::watch::set(w.events->close_loop(w.room)); }
  } const open{w, by, n, where};
  return run_registered(w, 0, n, where);
}

}  // namespace

void run_watched_loop(const void* job, const job_table& table, learned_chunk& learned, std::uint64_t n,
                      sched::site where, void* result) {
  sched::watch& by = *sched::watch::current();
  const bool as_forks = by.events->loops == sched::watched_loops::as_forks;
  void* room = as_forks ? nullptr : __builtin_alloca_with_align(by.events->room_bytes, 128);
  const watched_job w{job, table, learned, room, by.events, by.events->loops == sched::watched_loops::one_by_one};
  boxed_result all = as_forks ? run_as_forks(w, 0, n) : run_as_loop(w, by, n, where);
  table.move(all.get(), result);
}

}  // namespace tine::detail
