// The work-stealing deque: its owner pushes and pops at the bottom, thieves steal from the top. It is the growable
// deque of Chase–Lev 2005 in the formulation of Lê et al. 2013. It holds promoted tasks only, so none of its fences is
// on the path of a fork.
//
// Deviation from Lê et al., fig. 1: our pop stores `bottom_` with release, not relaxed. Their code relied on C++11's
// release sequences, in which a later relaxed store by the releasing thread still carried push's release. C++20 removed
// that rule. With a relaxed store in pop, a thief that reads that `bottom_` would no longer synchronise with the push
// before it, and could read a slot that it never saw written. On x86 a release store is a plain store, so this costs
// nothing.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/cache_line.hpp>

#include <cstdint>
#include <memory>
#include <new>

namespace tine::sched {

struct debugger_layout;

/// How a steal ended.
enum class steal_result : unsigned char {
  stolen,   ///< the thief has the task
  empty,    ///< there was nothing to steal
  lost,     ///< another thief or the owner was faster; trying again may succeed
  refused,  ///< the thief doesn't want the oldest task
};

/// A deque of pointers. Only the owner may call `full`, `make_space`, `push`, `pop` and the destructor; any thread may
/// call the rest. Old arrays live until the deque dies, because a slow thief may still read one (their sizes sum to
/// less than the newest's).
template <class T>
class deque {
 public:
  /// `capacity`: the number of tasks that fit before the first growth; a power of two.
  explicit deque(std::int64_t capacity = 64) : array_{new array{capacity, nullptr}} {}
  ~deque() { delete array_.load(base::relaxed); }
  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;

  /// Owner. Returns true if a push would have to grow the array, and so to allocate.
  bool full() const noexcept {
    // relaxed: an old `top_` only overstates how full the deque is
    return bottom_.load(base::relaxed) - top_.load(base::relaxed) >= array_.load(base::relaxed)->capacity;
  }

  /// Owner. Makes space for a push. Returns false if that needs memory and there is none.
  bool make_space() noexcept {
    if (!full()) return true;
    try {
      // pairs with the exchange of top_ in steal and pop, as in push
      grow(*array_.load(base::relaxed), top_.load(base::acquire), bottom_.load(base::relaxed));
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  /// Owner. Adds the newest task. Allocates if the deque is full.
  void push(T* item) {
    const std::int64_t b = bottom_.load(base::relaxed);
    // pairs with the exchange of top_ in steal and pop, so that we write a slot again only after its task was read
    const std::int64_t t = top_.load(base::acquire);
    array* a = array_.load(base::relaxed);
    if (b - t >= a->capacity) a = grow(*a, t, b);
    a->slot(b).store(item, base::relaxed);
    // pairs with the acquire of bottom_ in steal, so that the thief sees the slot and the task behind it
    bottom_.store(b + 1, base::release);
  }

  /// Owner. Takes the newest task. Returns null if there is none.
  T* pop() noexcept {
    const std::int64_t b = bottom_.load(base::relaxed) - 1;
    array* a = array_.load(base::relaxed);
    // release for C++20's sake, see above; pairs with the acquire of bottom_ in steal
    bottom_.store(b, strengthened(base::release));
    // pairs with the fence in steal: either we see the thief's top_, or the thief sees our new bottom_
    base::fence(base::seq_cst);
    std::int64_t t = top_.load(strengthened(base::relaxed));
    if (t > b) {
      // pairs with the acquire of bottom_ in steal (C++20, see above)
      bottom_.store(b + 1, base::release);
      return nullptr;
    }
    T* item = a->slot(b).load(base::relaxed);
    if (t == b) {
      // The last task: the thread that moves top_ gets it.
      // pairs with the compare-exchange in steal: one total order decides who has the task
      if (!top_.compare_exchange_strong(t, t + 1, base::seq_cst, base::relaxed)) item = nullptr;
      // pairs with the acquire of bottom_ in steal (C++20, see above)
      bottom_.store(b + 1, base::release);
    }
    return item;
  }

  /// Any thread. Tries to steal the oldest task; on `stolen`, `item` is that task.
  steal_result steal(T*& item) noexcept {
    return steal(item, [](const T*) { return true; });
  }
  /// Any thread. Steals the oldest task only if `accept(oldest)` returns true. `accept` must not look into the task,
  /// which may be gone already.
  template <class Accept>
  steal_result steal(T*& item, Accept accept) noexcept {
    // pairs with the compare-exchange of other thieves, so that we don't take a task that they have stolen for one that
    // is still there
    std::int64_t t = top_.load(strengthened(base::acquire));
    // pairs with the fence in pop
    base::fence(base::seq_cst);
    // pairs with the release of bottom_ in push, so that we see the slot and the task
    const std::int64_t b = bottom_.load(strengthened(base::acquire));
    if (t >= b) return steal_result::empty;
    // pairs with the release of array_ in push
    array* a = array_.load(base::acquire);
    T* oldest = a->slot(t).load(base::relaxed);
    if (!accept(oldest)) return steal_result::refused;
    // pairs with the compare-exchange in pop and in other thieves, and its release with the acquire of top_ in push
    if (!top_.compare_exchange_strong(t, t + 1, base::seq_cst, base::relaxed)) return steal_result::lost;
    item = oldest;
    return steal_result::stolen;
  }

  /// Any thread. An estimate: the number of tasks.
  std::int64_t length() const noexcept { return bottom_.load(base::relaxed) - top_.load(base::relaxed); }
  /// Any thread. An estimate: returns true if the deque seems to be empty.
  bool seems_empty() const noexcept { return top_.load(base::relaxed) >= bottom_.load(base::relaxed); }

 private:
  friend struct debugger_layout;
  struct array {
    array(std::int64_t n, array* older) : capacity{n}, previous{older}, slots{new base::atomic<T*>[std::size_t(n)]} {}
    base::atomic<T*>& slot(std::int64_t i) noexcept { return slots[std::size_t(i & (capacity - 1))]; }
    array* grown(std::int64_t from, std::int64_t to) {
      auto* a = new array{2 * capacity, this};
      for (std::int64_t i = from; i < to; ++i) a->slot(i).store(slot(i).load(base::relaxed), base::relaxed);
      return a;
    }
    std::int64_t capacity;
    std::unique_ptr<array> previous;
    std::unique_ptr<base::atomic<T*>[]> slots;
  };

  array* grow(array& old, std::int64_t from, std::int64_t to) {
    array* const a = old.grown(from, to);
    // pairs with the acquire of array_ in steal, so that a thief sees the copied slots
    array_.store(a, base::release);
    return a;
  }

  /// ThreadSanitizer doesn't see fences. In its builds the accesses around a fence are sequentially consistent instead.
  static constexpr base::order strengthened(base::order o) noexcept {
    return TINE_TSAN ? base::seq_cst : o;  // pairs with the strengthened accesses around the other side's fence
  }

  alignas(base::cache_line) base::atomic<std::int64_t> top_{0};
  alignas(base::cache_line) base::atomic<std::int64_t> bottom_{0};
  base::atomic<array*> array_;
};

}  // namespace tine::sched
