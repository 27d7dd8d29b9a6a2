// Levels: the tasks that one task of a team has spawned, and that wait to run one after the other. The level's owner
// takes them from the front. A local thief takes the rest, and another rank gets half of the rest.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace tine::mpi::detail {

/// A vector whose first elements need no memory from the heap.
template <class T>
class task_list {
 public:
  task_list() noexcept {}
  ~task_list() {
    clear();
    if (!is_inside()) std::allocator<T>{}.deallocate(begin_, capacity_);
  }
  task_list(const task_list&) = delete;
  task_list& operator=(const task_list&) = delete;

  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return begin_[i]; }
  template <class... Args>
  void emplace_back(Args&&... args) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    ::new (static_cast<void*>(begin_ + size_)) T(std::forward<Args>(args)...);
    ++size_;
  }
  void clear() noexcept {
    std::destroy_n(begin_, size_);
    size_ = 0;
  }
  /// Takes the elements of `other`, which is empty afterwards; those that were here are destroyed.
  void replace_by(task_list& other) {
    clear();
    if (other.is_inside()) {
      for (std::size_t i = 0; i < other.size_; ++i) emplace_back(std::move(other[i]));
      other.clear();
      return;
    }
    if (!is_inside()) std::allocator<T>{}.deallocate(begin_, capacity_);
    begin_ = std::exchange(other.begin_, other.inside());
    capacity_ = std::exchange(other.capacity_, inside_count);
    size_ = std::exchange(other.size_, 0);
  }

 private:
  static constexpr std::size_t inside_count = std::max<std::size_t>(1, 256 / sizeof(T));

  T* inside() noexcept { return elements_; }
  bool is_inside() const noexcept { return begin_ == elements_; }
  void grow() {
    T* const larger = std::allocator<T>{}.allocate(2 * capacity_);
    for (std::size_t i = 0; i < size_; ++i) ::new (static_cast<void*>(larger + i)) T(std::move(begin_[i]));
    std::destroy_n(begin_, size_);
    if (!is_inside()) std::allocator<T>{}.deallocate(begin_, capacity_);
    begin_ = larger;
    capacity_ *= 2;
  }

  union {
    T elements_[inside_count];
  };
  T* begin_ = elements_;
  std::size_t size_ = 0;
  std::size_t capacity_ = inside_count;
};

/// The links and the bounds of a level. Only the worker of its owner touches the links. The strand that has claimed the
/// level may take tasks out of it; a thief that has taken the rest keeps the claim.
struct level_links {
  level_links* older = this;
  level_links* newer = this;
  std::size_t next = 0;  ///< the first task that has not begun
  std::size_t end = 0;   ///< the end of those that are still here
  unsigned depth = 0;    ///< number of tasks on the way to those here, from one that the program has given
  base::atomic<bool> claimed{false};

  // pairs with the release below, so that the strand sees the bounds and the tasks as the one before has left them
  bool claim() noexcept { return !claimed.exchange(true, base::acquire); }
  // pairs with the acquire above, for the same reason
  void release() noexcept { claimed.store(false, base::release); }
};

template <class Task>
struct level : level_links {
  task_list<Task> tasks;

  /// All tasks in the list wait from now on.
  void open() noexcept {
    next = 0;
    end = tasks.size();
  }
};

/// The levels of one worker, the oldest first. Only the worker uses them.
struct alignas(64) worker_levels {
  level_links ends;       ///< between the newest and the oldest
  std::size_t tasks = 0;  ///< number of tasks that it has begun
};

/// While it lives, the level is the newest one of the worker.
class linked_level {
 public:
  linked_level(worker_levels& in, level_links& l) noexcept : level_{l} {
    l.newer = &in.ends;
    l.older = in.ends.older;
    l.older->newer = &l;
    in.ends.older = &l;
  }
  ~linked_level() {
    level_.older->newer = level_.newer;
    level_.newer->older = level_.older;
  }
  linked_level(const linked_level&) = delete;
  linked_level& operator=(const linked_level&) = delete;

 private:
  level_links& level_;
};

}  // namespace tine::mpi::detail
