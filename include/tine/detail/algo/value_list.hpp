// Lists of values in chunks that grow, all in one arena: two lists are put together in constant time. One strand at a
// time uses an arena and its lists.
#pragma once

#include <tine/detail/base/object_at.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine::detail {

/// Values of one key in the order in which they were added. The arena owns the memory, and must live longer than the
/// list.
template <class T>
class value_list {
  struct chunk {
    chunk* next;
    T* values;
    std::uint32_t size, capacity;
  };
  static constexpr std::size_t alignment = std::max(alignof(T), alignof(chunk));
  struct alignas(alignment) unit {
    std::array<std::byte, alignment> bytes;
  };
  static constexpr std::size_t units_of(std::size_t bytes) noexcept {
    return (bytes + sizeof(unit) - 1) / sizeof(unit);
  }

 public:
  /// The memory of many lists.
  class arena {
   public:
    /// Takes the memory of another arena, whose lists continue to refer to it.
    void take(arena&& other) {
      blocks_.reserve(blocks_.size() + other.blocks_.size() + 1);
      std::move(other.blocks_.begin(), other.blocks_.end(), std::back_inserter(blocks_));
      other.blocks_.clear();
      other.free_ = 0;
    }

    chunk* allocate(std::size_t capacity) {
      const std::size_t header = units_of(sizeof(chunk)), needed = header + units_of(capacity * sizeof(T));
      if (needed > free_) [[unlikely]]
        grow(needed);
      unit* const at = next_;
      next_ += needed;
      free_ -= needed;
      void* const values = at + header;
      return ::new (static_cast<void*>(at))
          chunk{nullptr, static_cast<T*>(values), 0, static_cast<std::uint32_t>(capacity)};
    }

   private:
    static constexpr std::size_t least_bytes = 4096, most_bytes = std::size_t{1} << 20;

    void grow(std::size_t needed) {
      const std::size_t bytes = std::min(most_bytes, least_bytes << std::min<std::size_t>(blocks_.size(), 20));
      const std::size_t units = std::max(units_of(bytes), needed);
      blocks_.push_back(std::make_unique_for_overwrite<unit[]>(units));
      next_ = blocks_.back().get();
      free_ = units;
    }

    std::vector<std::unique_ptr<unit[]>> blocks_;
    unit* next_ = nullptr;
    std::size_t free_ = 0;  ///< units
  };

  value_list() noexcept = default;
  value_list(value_list&& other) noexcept
      : first_{std::exchange(other.first_, nullptr)},
        last_{std::exchange(other.last_, nullptr)},
        size_{std::exchange(other.size_, 0)} {}
  value_list& operator=(value_list&&) = delete;
  ~value_list() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      for (chunk* c = first_; c != nullptr; c = c->next) std::destroy_n(c->values, c->size);
    }
  }

  template <class V>
  void add(arena& from, V&& value) {
    if (last_ == nullptr || last_->size == last_->capacity) [[unlikely]]
      add_chunk(from);
    std::construct_at(last_->values + last_->size, std::forward<V>(value));
    ++last_->size;
    ++size_;
  }

  /// Appends the values of a list, whose arena must be that of this list now.
  void append(value_list&& later) noexcept {
    if (later.first_ == nullptr) return;
    (first_ == nullptr ? first_ : last_->next) = std::exchange(later.first_, nullptr);
    last_ = std::exchange(later.last_, nullptr);
    size_ += std::exchange(later.size_, 0);
  }

  /// Moves the values to the end of a vector.
  void move_to(std::vector<T>& to) {
    to.reserve(to.size() + size_);
    for (chunk* c = first_; c != nullptr; c = c->next) {
      to.insert(to.end(), std::move_iterator{c->values}, std::move_iterator{c->values + c->size});
    }
  }

 private:
  static constexpr std::size_t most_values = 512;  // in a chunk

  void add_chunk(arena& from) {
    chunk* const c = from.allocate(std::clamp<std::size_t>(size_, 1, most_values));
    (first_ == nullptr ? first_ : last_->next) = c;
    last_ = c;
  }

  chunk* first_ = nullptr;
  chunk* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tine::detail
