// A set of values that code borrows, one borrower a value at a time. Any number of threads may borrow at once.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <memory>
#include <utility>

namespace tine::detail {

/// Has as many values as were ever borrowed at the same time. A borrower sees what earlier borrowers of its value have
/// written. No value is removed before the set is destroyed, so a reader of the list needs no protection.
template <class T>
class lending_set {
  struct entry {
    T value{};
    entry* next = nullptr;
    base::atomic<bool> is_borrowed{true};
  };

 public:
  lending_set() noexcept = default;
  ~lending_set() {
    for (entry* e = newest(); e != nullptr;) delete std::exchange(e, e->next);
  }
  lending_set(const lending_set&) = delete;
  lending_set& operator=(const lending_set&) = delete;

  /// Holds a value from its constructor to its destructor. A new value is value-initialised.
  class borrowed {
   public:
    explicit borrowed(lending_set& from) : entry_{from.find()} {
      if (entry_ == nullptr) entry_ = from.add();
    }
    ~borrowed() {
      // pairs with the exchange in find, so that the next borrower sees what this one has written
      entry_->is_borrowed.store(false, base::release);
    }
    borrowed(const borrowed&) = delete;
    borrowed& operator=(const borrowed&) = delete;

    T& operator*() const noexcept { return entry_->value; }

   private:
    entry* entry_;
  };

  /// Calls `f(value)` for each value. No value is borrowed meanwhile, and the caller has joined all borrowers.
  template <class F>
  void for_each(F f) {
    for (entry* e = newest(); e != nullptr; e = e->next) f(e->value);
  }

 private:
  entry* newest() const noexcept {
    return newest_.load(base::acquire);  // pairs with the exchange in add, so that the entry is complete
  }

  /// Borrows a value that no other thread has; returns null if there is none.
  entry* find() noexcept {
    for (entry* e = newest(); e != nullptr; e = e->next) {
      // pairs with the store in ~borrowed, so that what the last borrower has written is visible
      if (!e->is_borrowed.exchange(true, base::acquire)) return e;
    }
    return nullptr;
  }

  /// Adds a value that is borrowed already.
  entry* add() {
    auto made = std::make_unique<entry>();
    made->next = newest_.load(base::relaxed);  // relaxed: a wrong value makes the exchange fail
    // release: pairs with the load in newest, so that the entry is complete; relaxed: nothing is read through the value
    while (!newest_.compare_exchange_strong(made->next, made.get(), base::release, base::relaxed)) {
    }
    return made.release();
  }

  base::atomic<entry*> newest_{nullptr};
};

}  // namespace tine::detail
