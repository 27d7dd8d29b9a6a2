// The scoped locks of mutexes: objects that hold a mutex until they end or release it. One thread at a time uses one.
#pragma once

namespace tbb {
namespace detail {
namespace on_tine {

/// A scoped lock of a mutex with `lock`, `try_lock` and `unlock`.
template <class Mutex>
class scoped_lock_of {
 public:
  constexpr scoped_lock_of() noexcept = default;
  explicit(false) scoped_lock_of(Mutex& m) { acquire(m); }
  ~scoped_lock_of() {
    if (held_ != nullptr) release();
  }
  scoped_lock_of(const scoped_lock_of&) = delete;
  scoped_lock_of& operator=(const scoped_lock_of&) = delete;

  /// Locks `m`. The lock must not hold a mutex already.
  void acquire(Mutex& m) {
    m.lock();
    held_ = &m;
  }
  /// Locks `m` if it is free, and returns true if it did.
  bool try_acquire(Mutex& m) {
    if (!m.try_lock()) return false;
    held_ = &m;
    return true;
  }
  /// Unlocks the mutex. The lock must hold one.
  void release() {
    Mutex* const m = held_;
    held_ = nullptr;
    m->unlock();
  }

 private:
  Mutex* held_ = nullptr;
};

/// A scoped lock of a mutex for readers and writers. The mutex has two more functions. `upgrade` turns its only reader
/// into a writer, or unlocks and locks again and then returns false. `downgrade` turns its writer into a reader.
template <class Mutex>
class scoped_rw_lock_of {
 public:
  constexpr scoped_rw_lock_of() noexcept = default;
  explicit(false) scoped_rw_lock_of(Mutex& m, bool write = true) { acquire(m, write); }
  ~scoped_rw_lock_of() {
    if (held_ != nullptr) release();
  }
  scoped_rw_lock_of(const scoped_rw_lock_of&) = delete;
  scoped_rw_lock_of& operator=(const scoped_rw_lock_of&) = delete;

  /// Locks `m`, as a writer or as a reader. The lock must not hold a mutex already.
  void acquire(Mutex& m, bool write = true) {
    write ? void(m.lock()) : void(m.lock_shared());
    held_ = &m;
    writes_ = write;
  }
  /// Locks `m` if that doesn't have to wait, and returns true if it did.
  bool try_acquire(Mutex& m, bool write = true) {
    if (!(write ? m.try_lock() : m.try_lock_shared())) return false;
    held_ = &m;
    writes_ = write;
    return true;
  }
  /// Unlocks the mutex. The lock must hold one.
  void release() {
    Mutex* const m = held_;
    held_ = nullptr;
    writes_ ? m->unlock() : m->unlock_shared();
  }
  /// The reader becomes a writer. Returns false if another writer may have held the mutex in between.
  bool upgrade_to_writer() {
    if (writes_) return true;
    writes_ = true;
    return held_->upgrade();
  }
  /// The writer becomes a reader, and no other writer comes in between. Returns true.
  bool downgrade_to_reader() {
    if (writes_) held_->downgrade();
    writes_ = false;
    return true;
  }
  bool is_writer() const noexcept { return writes_; }

 private:
  Mutex* held_ = nullptr;
  bool writes_ = false;
};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
