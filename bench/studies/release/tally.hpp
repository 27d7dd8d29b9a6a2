// The number of nodes. Each thread counts for itself, so that counting costs next to nothing.
#pragma once

#include <atomic>
#include <cstdint>

namespace bench::release {

class tally {
 public:
  /// Not inlined: after a fork a caller may run on another thread, and must not use the slot of the previous thread.
  [[gnu::noinline]] static void add(std::int64_t n) noexcept {
    std::atomic<std::int64_t>& mine = *mine_;
    mine.store(mine.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);  // only this thread writes it
  }
  /// Returns the number of nodes of all threads. Exact while no thread makes or deletes nodes.
  static std::int64_t total() noexcept {
    std::int64_t sum = 0;
    for (const slot& s : slots_) sum += s.count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  struct alignas(64) slot {
    std::atomic<std::int64_t> count;
  };
  static constexpr std::uint32_t most_threads = 1024;

  static std::atomic<std::int64_t>* next_slot() noexcept;

  inline static slot slots_[most_threads];
  inline static std::atomic<std::uint32_t> used_{0};
  inline static thread_local std::atomic<std::int64_t>* mine_ = next_slot();
};

inline std::atomic<std::int64_t>* tally::next_slot() noexcept {
  const std::uint32_t i = used_.fetch_add(1, std::memory_order_relaxed);
  if (i >= most_threads) __builtin_trap();
  return &slots_[i].count;
}

}  // namespace bench::release
