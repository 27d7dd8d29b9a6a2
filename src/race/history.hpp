// The latest forks, joins and iterations, from which the way to an earlier strand is found when a race is reported. The
// data of one context: only the thread that runs it touches it.
//
// The history is a ring, so old entries are lost. The constructs that are still open are known in any case
// (context.hpp).
#pragma once

#include "race/order.hpp"
#include "race/reserved.hpp"

#include <tine/detail/sched/observer.hpp>

#include <cstdint>
#include <vector>

namespace tine::detail {

/// A step on the way to a strand: a branch of a fork, or an iteration of a loop.
struct strand_step {
  sched::site where;
  bool is_loop;
  std::uint64_t branch;
};

/// The steps from an open construct to a strand, outermost first.
struct strand_way {
  std::vector<strand_step> steps;
  bool is_cut;  ///< the ring has lost some of the outer steps
};

class history {
 public:
  enum class event : std::uint8_t { fork, halving, second, join, loop, iterations, leaf, loop_end };

  /// Adds an event. The strands from `from` on come after it, and `around` is the strand that forks or comes to a loop.
  /// `of` is the site of the fork or loop, or the number of the iteration that begins. `leaf`: the running strand is
  /// that iteration of a loop that runs as a tree, each of whose forks is a `halving`.
  TINE_ALWAYS_INLINE void add(event what, strand_number from, strand_number around, std::uint64_t of) noexcept {
    if (entries_ == nullptr) [[unlikely]]
      begin();
    entries_[count_++ % capacity] = {from, around, of, what};
  }
  /// Returns the number of entries so far: the position of the next one.
  std::uint64_t position() const noexcept { return count_; }

  /// Returns the steps to the strand `to` from the construct whose entry is at `from`, that construct's own step first.
  strand_way way(strand_number to, std::uint64_t from) const;

 private:
  struct entry {
    strand_number first, around;
    std::uint64_t of;
    event what;
  };
  static constexpr std::uint64_t capacity = std::uint64_t{1} << 18;

  void begin() noexcept;
  const entry& at(std::uint64_t position) const noexcept { return entries_[position % capacity]; }

  entry* entries_ = nullptr;
  std::uint64_t count_ = 0;
};

}  // namespace tine::detail
