// A table that only grows, which any number of threads read without a lock while one thread at a time adds to it.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// Finds values by a hash, with open addressing. It is full at three quarters of its places, so a search ends at a free
/// one. Values live as long as the table, which is never destroyed.
template <class Value, std::size_t Places>
class grow_only_table {
  static_assert((Places & (Places - 1)) == 0);

 public:
  static constexpr std::size_t most = Places / 4 * 3;

  /// Returns the value with this hash for which `is_one(value)` is true; null if there is none.
  template <class F>
  const Value* find(std::uint64_t hash, F is_one) const noexcept {
    for (std::size_t i = hash % Places;; i = (i + 1) % Places) {
      const Value* const here =
          places_[i].load(base::acquire);  // pairs with the store in add, so that we see the value
      if (here == nullptr || is_one(*here)) return here;
    }
  }

  /// Adds a value. Returns false if the table is full. One thread at a time may call it.
  bool add(std::uint64_t hash, const Value* value) noexcept {
    if (size_ == most) return false;
    ++size_;
    std::size_t i = hash % Places;
    while (places_[i].load(base::relaxed) != nullptr) i = (i + 1) % Places;  // relaxed: no other thread adds
    places_[i].store(value, base::release);  // pairs with the load in find, so that it sees the value
    return true;
  }

 private:
  std::array<base::atomic<const Value*>, Places> places_{};
  std::size_t size_ = 0;
};

}  // namespace tine::detail
