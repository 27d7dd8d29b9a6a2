// Short loops of instrumented strands: they are reported, counted, or timed. From those that are timed we learn how
// long an iteration of each kind of loop takes (src/augment/README.md, "Short loops"). A strand times on its own
// thread; all threads share the averages.
#include <tine/detail/managed/observed_loop.hpp>

#include "base/fp_environment.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tine::detail {
namespace {

/// The times and iterations of the timed loops of one kind; the latest loops have the most weight. Both sums share one
/// word, so a reader gets two that belong together.
struct timed_sums {
  float ticks, iterations;
};

/// The number of timed loops of a kind that we pass over. The first one doesn't find its code and data in a cache, so
/// its time isn't that of the others.
constexpr std::uint32_t passed_over = 1;
/// A kind has a rate when that many of its loops were timed.
constexpr std::uint32_t enough = 4;
/// From that many timed loops on, each new one takes the place of an eighth of the sums.
constexpr std::uint32_t many = 8;

/// From this rate on, 65,536 ticks an iteration, we time a kind's loops one by one, because they aren't short. So the
/// product of a rate and the length of a chunk has 52 bits, and a strand can add thousands of the longest.
constexpr float no_rate = 1 << 24;

/// Returns the least time between two readings of the clock.
base::ticks reading_cost(base::ticks (*clock)() noexcept) noexcept {
  static const base::ticks least = [clock] {
    base::ticks shortest = std::numeric_limits<base::ticks>::max();
    for (int i = 0; i != 32; ++i) {
      const base::ticks begin = clock();
      shortest = std::min(shortest, clock() - begin);
    }
    return shortest;
  }();
  return least;
}

/// How often a thread times a loop: every few microseconds, so that timing takes one or two per cent of the time. If
/// loops follow each other quickly, the thread times one in some hundreds.
constexpr base::ticks period = 16000;
constexpr base::ticks least_every = 2, most_every = 256;

/// Called when a loop was timed until `now`. If that loop was due, chooses the next one. The distances vary, so no
/// period of the program can keep a kind of loop from being timed.
void choose_next(base::ticks now) noexcept {
  sched::hot_words& h = sched::hot::words();
  if (h.until_timed >= 0) return;
  const base::ticks gone = std::max<base::ticks>(now - h.timed_at, 1), before = std::max(h.timed_every, 1U);
  const base::ticks every = std::clamp(before * period / gone, least_every, most_every);
  const base::ticks random = (now * 0x9E3779B97F4A7C15U) >> 32;
  h.timed_at = now;
  h.timed_every = static_cast<unsigned>(every);
  h.until_timed = static_cast<int>(every / 2 + ((random * every) >> 32));
}

}  // namespace

void learned_loop::add_timed(base::ticks took, std::uint64_t n) noexcept {
  const base::default_fp_environment quiet;
  // relaxed, here and below: an average, in which another thread's loop may be missing
  const std::uint32_t before = timed.load(base::relaxed);
  if (before < many) timed.store(before + 1, base::relaxed);
  if (before < passed_over) return;
  auto [ticks, iterations] = std::bit_cast<timed_sums>(sums.load(base::relaxed));
  const float kept = before < many ? 1.0F : 0.875F;
  ticks = kept * ticks + static_cast<float>(took);
  iterations = kept * iterations + static_cast<float>(n);
  sums.store(std::bit_cast<std::uint64_t>(timed_sums{ticks, iterations}), base::relaxed);
  if (before + 1 < passed_over + enough) return;
  const float found = ticks / iterations * static_cast<float>(sched::short_loops::fractions) + 1;
  rate.store(found < no_rate ? static_cast<std::uint32_t>(found) : 0, base::relaxed);
}

timed_short_loop::timed_short_loop(sched::observer& w, std::uint64_t n) noexcept
    : clock_{w.events->short_loop_clock}, begun_{0} {
  static_cast<void>(reading_cost(clock_));
  begun_ = clock_();
  w.counted().begin_timed(n);
}

// Counting the loop is a part of the loop's time, and so is timing it; but timing isn't a part of the time of other
// loops.
void timed_short_loop::close(learned_loop& learned, std::uint64_t n) noexcept {
  sched::short_loops& counted = sched::observer::current()->counted();
  counted.end(n);
  const base::ticks now = clock_(), took = now - begun_, reading = reading_cost(clock_);
  learned.add_timed(took > reading ? took - reading : 0, n);
  counted.add_timed(took + 2 * reading);
  choose_next(now);
}

// --- in a region -------------------------------------------------------------------------------------------------

counted_loop::counted_loop(std::uint64_t n) noexcept {
  const std::uintptr_t around = sched::hot::fiber_local<sched::position_word>();
  own_.around = around;
  own_.record = base::from_word<std::byte>(sched::position::loop_record);
  own_.next = 0;
  own_.own = sched::position::of(around)->next++;
  own_.step = nullptr;
  own_.iterations = n;
  base::signal_fence();  // the handler reads a complete position
  sched::hot::set_fiber_local<sched::position_word>(base::to_word(&own_) | sched::counted_bit);
}

counted_loop::~counted_loop() { sched::hot::set_fiber_local<sched::position_word>(own_.around); }

// --- short loops of any strand -------------------------------------------------------------------------------------

short_observed_loop::short_observed_loop(learned_loop& learned, std::uint64_t n, sched::site where) noexcept
    : learned_{learned}, n_{n} {
  // relaxed, here and below: a hint
  if (n > learned.chunk.load(base::relaxed) || sched::is_requested()) return;
  const auto parties = sched::instrumentation::current();
  if (parties.in != nullptr) {
    const bool is_counted = (sched::hot::fiber_local<sched::position_word>() & sched::counted_bit) != 0;
    if (!is_counted || sched::region_strand::current()->hint != nullptr) return;
    how_ = way::counted;
    ::new (static_cast<void*>(&counted_)) counted_loop{n};
  } else if (parties.loops(false) == sched::loop_mode::in_chunks) {
    how_ = parties.analysis->short_loop_clock != nullptr ? way::timed : way::reported;
    if (how_ == way::timed) {
      ::new (static_cast<void*>(&timed_)) timed_short_loop{*sched::observer::current(), n};
    } else {
      ::new (static_cast<void*>(&reported_)) with_storage{parties, n, where};
    }
  }
}

void short_observed_loop::close() noexcept {
  if (how_ == way::timed) timed_.close(learned_, n_);
  if (how_ == way::reported) reported_.loop.close(n_);
  if (sched::is_requested()) learned_.chunk.store(1, base::relaxed);
}

short_observed_loop::~short_observed_loop() {
  if (how_ == way::reported) reported_.~with_storage();
  if (how_ == way::counted) counted_.~counted_loop();
}

}  // namespace tine::detail
