// Decides how many iterations of a loop make a chunk. The number is learned for each loop in the program, from the time
// that chunks take.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::detail {

/// The length up to which loops end before a thief could help.
using learned_chunk = base::atomic<std::uint32_t>;

/// The values that the passes of one loop in the program have learned.
struct learned_loop {
  learned_chunk chunk{1};
  /// The time of an iteration, in fractions of a tick, of loops up to that length on strands that count them
  /// (sched::short_loops). 0: the time is unknown, so the next such loop is timed.
  base::atomic<std::uint32_t> rate{0};
  base::atomic<std::uint32_t> timed{0};  ///< number of such loops that were timed; no more than are needed
  base::atomic<std::uint64_t> sums{0};   ///< sums over the latest of them: a `timed_sums`

  /// Adds a timed loop of `n` iterations that took so many ticks.
  TINE_API TINE_COLD void add_timed(base::ticks took, std::uint64_t n) noexcept;
};

/// The chunk sizes of one pass of a loop. A chunk should take some microseconds: long enough that its costs vanish (a
/// reading of the clock is most of them), short enough that a thief can wait for its end. The limits are in ticks, not
/// in microseconds, because the exact length does not matter.
class adaptive_chunk {
 public:
  /// Begins a pass over `n` iterations. If `wanted`, a worker wants a part of the pass, so an expectation that the pass
  /// ends within one chunk is not believed.
  adaptive_chunk(learned_chunk& site, std::uint64_t n, bool wanted) noexcept
      : site_{site}, since_{base::now()}, chunk_{site.load(base::relaxed)} {  // relaxed: a hint
    if (wanted && n <= chunk_) chunk_ = 1;
  }
  /// Leaves the length that this pass has found to later passes.
  ~adaptive_chunk() {
    // relaxed, here and below: a hint. An unchanged length is not stored again, so that the cache line stays shared.
    if (site_.load(base::relaxed) != chunk_) site_.store(chunk_, base::relaxed);
  }
  adaptive_chunk(const adaptive_chunk&) = delete;
  adaptive_chunk& operator=(const adaptive_chunk&) = delete;

  std::uint64_t chunk() const noexcept { return chunk_; }

  /// Called when a chunk has ended. `whole`: the end of the loop has not cut it short.
  void record_chunk(bool whole) noexcept {
    const base::ticks now = base::now();
    const base::ticks took = now - since_;
    since_ = now;
    if (took < short_chunk && whole && chunk_ < most) {
      chunk_ *= took < short_chunk / 8 ? 8 : 2;
    } else if (took > long_ticks && chunk_ > 1) {
      chunk_ /= took > 8 * long_ticks && chunk_ > 8 ? 8 : 2;
    }
  }

 private:
  static constexpr base::ticks short_chunk = 4000;  // 1 to 2 µs on today's processors
  static constexpr base::ticks long_ticks = 16000;  // 4 to 8 µs
  static constexpr std::uint32_t most = 1U << 28;

  learned_chunk& site_;
  base::ticks since_;
  std::uint32_t chunk_;
};

}  // namespace tine::detail
