// copies_by_thread: the objects of an enumerable_thread_specific, one for each thread that has asked for one.
#pragma once

#include <oneapi/tbb/spin_mutex.h>
#include <oneapi/tbb/tine/thread_table.hpp>

#include <tine/sched/pool.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tbb {
namespace detail {
namespace on_tine {

/// The key is the thread. A strand that waits for another one continues on its thread, in the default pool and in every
/// arena (`tine::resume_policy::same_thread`). So it finds its copy again, and no strand on another thread uses the
/// copy meanwhile. As in oneTBB, a strand that runs on this thread during the wait uses the same copy. A pool whose
/// strands move to other threads is refused.
///
/// Thread-safety: as of thread_table, with `local` for `find` and `add`.
template <class T, class Allocator>
class copies_by_thread {
  struct alignas(128) alignas(T) copy {
    T value;
  };
  using traits = typename std::allocator_traits<Allocator>::template rebind_traits<copy>;
  using allocator = typename traits::allocator_type;

 public:
  /// Constructs an object at an address.
  using maker = std::function<void(void*)>;

  explicit copies_by_thread(maker make) : make_{std::move(make)} {}
  ~copies_by_thread() { clear(); }
  copies_by_thread(const copies_by_thread&) = delete;
  copies_by_thread& operator=(const copies_by_thread&) = delete;
  void swap(copies_by_thread& other) noexcept {
    make_.swap(other.make_);
    all_.swap(other.all_);
    table_.swap(other.table_);
  }

  T& local(bool& exists) {
    const thread_table::thread me = thread_table::this_thread();
    void* mine = table_.find(me);
    exists = mine != nullptr;
    return exists ? static_cast<copy*>(mine)->value : make_local(me, exists);
  }
  const maker& how_to_make() const noexcept { return make_; }

  std::size_t size() const noexcept { return all_.size(); }
  T& operator[](std::size_t i) const noexcept { return all_[i]->value; }
  void clear() noexcept {
    table_.clear();
    for (copy* c : all_) destroy(c);
    all_.clear();
  }

  /// Calls `make(address, object)` to construct an object here for each object of `other`, for the same thread.
  template <class Other, class Make>
  void add_all_of(const Other& other, Make make) {
    other.for_each([&](thread_table::thread of, T& object) { add(of, [&](void* at) { make(at, object); }); });
  }
  template <class F>
  void for_each(F f) const {
    table_.for_each([&](thread_table::thread of, void* object) { f(of, static_cast<copy*>(object)->value); });
  }

 private:
  /// The object is made without a lock, so that the program's function may do anything. If it waits, another strand on
  /// this thread may have made one in the meantime.
  T& make_local(thread_table::thread me, bool& exists) {
    if (tine::this_worker() && tine::pool_settings().resume != tine::resume_policy::same_thread) {
      throw std::logic_error{
          "tbb::enumerable_thread_specific: the strands of this pool may continue on other threads, where they would find the copies of other strands; make the pool with tine::resume_policy::same_thread"};
    }
    return add(me, make_, &exists);
  }

  template <class Make>
  T& add(thread_table::thread of, const Make& make, bool* exists = nullptr) {
    copy* const c = traits::allocate(allocator_, 1);
    try {
      make(static_cast<void*>(std::addressof(c->value)));
    } catch (...) {
      traits::deallocate(allocator_, c, 1);
      throw;
    }
    if (void* const earlier = table_.find(of)) {
      destroy(c);
      if (exists != nullptr) *exists = true;
      return static_cast<copy*>(earlier)->value;
    }
    try {
      const d1::spin_mutex::scoped_lock guard{lock_};
      all_.reserve(all_.size() + 1);
      table_.add(of, c);
      all_.push_back(c);
    } catch (...) {
      destroy(c);
      throw;
    }
    return c->value;
  }
  void destroy(copy* c) noexcept {
    std::destroy_at(std::addressof(c->value));
    traits::deallocate(allocator_, c, 1);
  }

  maker make_;
  thread_table table_;
  std::vector<copy*> all_;  // in the order in which they were made
  d1::spin_mutex lock_;
  [[no_unique_address]] allocator allocator_;
};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
