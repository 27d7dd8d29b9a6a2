// How many iterations of a loop make a chunk. Learned per loop in the program, from the time that chunks take.
#pragma once

#include <tine/base/atomic.hpp>
#include <tine/base/clock.hpp>

#include <cstdint>

namespace tine::detail {

/// The length up to which loops are over before a thief could help.
using learned_chunk = base::atomic<std::uint32_t>;

/// The values that the passes of one loop in the program have learned.
struct learned_loop {
  learned_chunk chunk{1};
  /// The time of an iteration, in fractions of a tick, in loops up to that length on strands that count them (sched::brief_loops).
  /// 0: unknown, so the next such loop is timed.
  base::atomic<std::uint32_t> rate{0};
  base::atomic<std::uint32_t> timed{0};  ///< how many such loops were timed; no more than are needed
  base::atomic<std::uint64_t> sums{0};   ///< of the latest of them: a `timed_sums`

  /// Such a loop of `n` iterations was timed.
  TINE_COLD void add_timed(base::ticks took, std::uint64_t n) noexcept;
};

/// The chunk sizes of one pass of a loop. A chunk is to take some microseconds: long enough that its costs vanish (a
/// reading of the clock is the most of them), short enough for a thief to wait for its end. Ticks, not microseconds,
/// because the exact length does not matter.
class pace {
 public:
  /// A pass over `n` iterations. If `wanted`, somebody wants a part of it, and an expectation that it is over in one chunk is
  /// not believed.
  pace(learned_chunk& site, std::uint64_t n, bool wanted) noexcept
      : site_{site}, since_{base::now()}, chunk_{site.load(base::relaxed)} {  // relaxed: a hint
    if (wanted && n <= chunk_) chunk_ = 1;
  }
  /// Others begin with what this pass found.
  ~pace() {
    // relaxed, here and below: a hint; not stored again, so that the line stays shared
    if (site_.load(base::relaxed) != chunk_) site_.store(chunk_, base::relaxed);
  }
  pace(const pace&) = delete;
  pace& operator=(const pace&) = delete;

  std::uint64_t chunk() const noexcept { return chunk_; }

  /// A chunk has ended; `whole`: it was not cut short by the end of the loop.
  void lap(bool whole) noexcept {
    const base::ticks now = base::now();
    const base::ticks took = now - since_;
    since_ = now;
    if (took < brief && whole && chunk_ < most) {
      chunk_ *= took < brief / 8 ? 8 : 2;
    } else if (took > lengthy && chunk_ > 1) {
      chunk_ /= took > 8 * lengthy && chunk_ > 8 ? 8 : 2;
    }
  }

 private:
  static constexpr base::ticks brief = 4000;     // 1 to 2 µs on today's processors
  static constexpr base::ticks lengthy = 16000;  // 4 to 8 µs
  static constexpr std::uint32_t most = 1U << 28;

  learned_chunk& site_;
  base::ticks since_;
  std::uint32_t chunk_;
};

}  // namespace tine::detail
