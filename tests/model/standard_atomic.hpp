// std::atomic over Relacy: for code that names its orders as the standard does, and waits for words.
#pragma once

#include "model/exploration.hpp"

#include <tine/detail/base/atomic.hpp>

#include <atomic>

namespace tine::model {

/// The two enumerations list the orders alike.
inline rl::memory_order of_relacy(std::memory_order o) noexcept { return static_cast<rl::memory_order>(o); }
static_assert(static_cast<int>(rl::mo_acquire) == static_cast<int>(std::memory_order_acquire));
static_assert(static_cast<int>(rl::mo_seq_cst) == static_cast<int>(std::memory_order_seq_cst));

inline std::memory_order asked_order(int site, std::memory_order written) {
  return static_cast<std::memory_order>(asked_order(site, of_relacy(written)));
}

inline void fence(std::memory_order o, std::source_location w = std::source_location::current()) {
  base::fence(of_relacy(o), w);
}

template <class T>
class standard_atomic {
  using order = std::memory_order;
  using where = std::source_location;

 public:
  explicit(false) standard_atomic(T value = {}, where w = where::current()) : word_{value, w} {}
  T load(order o, where w = where::current()) const { return word_.load(of_relacy(o), w); }
  void store(T value, order o, where w = where::current()) { word_.store(value, of_relacy(o), w); }
  T exchange(T value, order o, where w = where::current()) { return word_.exchange(value, of_relacy(o), w); }
  T fetch_add(T value, order o, where w = where::current()) { return word_.fetch_add(value, of_relacy(o), w); }
  T fetch_sub(T value, order o, where w = where::current()) { return word_.fetch_sub(value, of_relacy(o), w); }
  bool compare_exchange_strong(T& expected, T value, order success, order failure, where w = where::current()) {
    return word_.compare_exchange_strong(expected, value, of_relacy(success), of_relacy(failure), w);
  }
  bool compare_exchange_weak(T& expected, T value, order o, where w = where::current()) {
    return compare_exchange_strong(expected, value, o, o, w);
  }

  /// The last comparison and the sleep are one step, as in a futex.
  void wait(T old, order o, where w = where::current()) {
    rl::context& c = rl::ctx();
    while (load(o, w) == old) {
      c.sched();
      if (word_.cell_.debug_value() == old) word_.cell_.wait(c, false, true, base::here(w));
    }
  }
  void notify_all(where w = where::current()) {
    rl::context& c = rl::ctx();
    c.sched();
    word_.cell_.wake(c, std::numeric_limits<int>::max(), base::here(w));
  }

 private:
  base::atomic<T> word_;
};

}  // namespace tine::model
