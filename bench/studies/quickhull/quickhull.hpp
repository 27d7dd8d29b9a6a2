// Quickhull over sequences of indices whose memory is counted.
#pragma once

#include <tine/augment/augment.hpp>
#include <tine/augment/space.hpp>
#include <tine/managed/par_for.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace bench::quickhull {

// An allocator that reports to the analysis of space exactly the bytes that were requested, by purpose.

/// The purpose of an allocation.
enum class purpose : std::uintptr_t { filtered = 1, copied = 2, flattened = 3 };

/// std::allocator that reports every block to the running strand's vertex. Outside a region it reports nothing.
template <class T>
class counted {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::true_type;  // the purpose is only for the record

  counted(purpose why = purpose::copied) noexcept : why_{why} {}
  counted select_on_container_copy_construction() const noexcept { return purpose::copied; }

  T* allocate(std::size_t n) {
    T* const at = std::allocator<T>{}.allocate(n);
    if (auto* v = tine::current_vertex<tine::space>()) v->alloc(bytes(n), site());
    return at;
  }
  void deallocate(T* at, std::size_t n) noexcept {
    if (auto* v = tine::current_vertex<tine::space>()) v->free(bytes(n), site());
    std::allocator<T>{}.deallocate(at, n);
  }

  /// Does not initialise new elements, because all of them are written afterwards.
  void construct(T* at) noexcept { ::new (static_cast<void*>(at)) T; }
  void construct(T* at, T value) noexcept { ::new (static_cast<void*>(at)) T{value}; }

  friend bool operator==(const counted&, const counted&) noexcept { return true; }

 private:
  static std::int64_t bytes(std::size_t n) noexcept { return static_cast<std::int64_t>(n * sizeof(T)); }
  std::uintptr_t site() const noexcept { return static_cast<std::uintptr_t>(why_); }

  purpose why_;
};

// Sequences of indices whose memory is exactly as large as their elements.

using index = std::uint32_t;
using sequence = std::vector<index, counted<index>>;

/// Returns the indices for which `keep` returns true, in their order. Counts them by blocks first, so that the result
/// has the right size from the start.
template <class Keep>
sequence filter(const sequence& from, const Keep& keep) {
  constexpr std::size_t block = 4096;
  const std::size_t blocks = (from.size() + block - 1) / block;
  const auto begin = [&](std::size_t b) { return from.begin() + static_cast<std::ptrdiff_t>(b * block); };
  const auto end = [&](std::size_t b) { return b + 1 < blocks ? begin(b + 1) : from.end(); };

  std::vector<std::ptrdiff_t> starts(blocks + 1);
  tine::par_for(std::size_t{0}, blocks, [&](std::size_t b) { starts[b + 1] = std::count_if(begin(b), end(b), keep); });
  for (std::size_t b = 0; b < blocks; ++b) starts[b + 1] += starts[b];

  sequence to(static_cast<std::size_t>(starts[blocks]), purpose::filtered);
  tine::par_for(std::size_t{0}, blocks,
                [&](std::size_t b) { std::copy_if(begin(b), end(b), to.begin() + starts[b], keep); });
  return to;
}

/// Returns the elements of all `parts`, one part after the other.
inline sequence flatten(const std::vector<sequence>& parts) {
  std::size_t size = 0;
  for (const sequence& part : parts) size += part.size();
  sequence all(size, purpose::flattened);
  auto at = all.begin();
  for (const sequence& part : parts) at = std::copy(part.begin(), part.end(), at);
  return all;
}

/// Frees the memory, which std::vector's `clear` would keep.
inline void clear(sequence& s) { sequence{}.swap(s); }

// The upper half of a convex hull by quickhull, in two versions that differ in the time at which they free memory.

struct point {
  double x, y;
};

/// Selects whether a call keeps or clears its incoming indices after it has divided them into those on the left and on
/// the right.
enum class incoming : bool { kept, cleared };

/// Returns the indices of the points on the hull above the line from `a` to `b`, in the order of a walk along the hull
/// from `a`. `a` and `b` are not among them.
sequence upper_hull(std::span<const point> points, point a, point b, incoming what);

// Points on the upper half of a circle, in random order. All of them are on their hull, so the right answer is known.

class circle {
 public:
  static constexpr point right{1, 0}, left{-1, 0};

  /// Makes `n` points at even distances.
  explicit circle(std::size_t n);

  std::span<const point> points() const noexcept { return points_; }
  /// Returns true if `hull` has all indices in the order of their angles, from `right` to `left`.
  bool is_hull(const sequence& hull) const;

 private:
  std::vector<index> by_angle_;
  std::vector<point> points_;
};

}  // namespace bench::quickhull
