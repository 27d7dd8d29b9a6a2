// The loop under reduce and transform_reduce. The sums of the series of items that workers take are of one of three
// kinds, which add the items in different groupings, so that the processor need not wait for one addition before it
// begins the next.
//
// In all kinds the grouping within a series depends only on the number of its items, not on the chunks in which they
// come. So the result on one worker is the same in every run.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/number_lanes.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// True if an `Op` is one of these function objects of the standard library, for numbers of type `T`.
template <class Op, class T, template <class> class... Known>
inline constexpr bool is_one_of = ((std::same_as<Op, Known<void>> || std::same_as<Op, Known<T>>) || ...);

/// Calls `op` and converts the result.
template <class T, class Op, class A, class B>
TINE_ALWAYS_INLINE T combined(const Op& op, A&& a, B&& b) {
  return static_cast<T>(std::invoke(op, std::forward<A>(a), std::forward<B>(b)));
}

/// A sum that adds the items one by one. Compilers vectorise the loop if the order of the operations does not matter
/// for the type.
template <class T, class Op>
class serial_sum {
 public:
  template <class Cursor, class Value>
  TINE_ALWAYS_INLINE void add_items(Cursor i, const Cursor& stop, const Op& op, const Value& value) {
    if (i == stop) return;
    if (!all_) {
      all_.emplace(static_cast<T>(value(i)));
      ++i;
    }
    if constexpr (moves_without_code<T>) {
      T sum = std::move(*all_);  // a local variable, so that the compiler keeps it in a register
      for (; i != stop; ++i) sum = combined<T>(op, std::move(sum), value(i));
      *all_ = std::move(sum);
    } else {
      for (; i != stop; ++i) *all_ = combined<T>(op, std::move(*all_), value(i));
    }
  }
  void add(serial_sum&& later, const Op& op) {
    if (!later.all_) return;
    if (all_) {
      *all_ = combined<T>(op, std::move(*all_), std::move(*later.all_));
    } else {
      all_.emplace(std::move(*later.all_));
    }
  }
  TINE_ALWAYS_INLINE T added_to(T&& init, const Op& op) && {
    if (!all_) return std::move(init);
    return combined<T>(op, std::move(init), std::move(*all_));
  }

 private:
  std::optional<T> all_;
};

/// A sum that adds groups of four items: op(sum, op(op(a, b), op(c, d))).
template <class T, class Op>
class grouped_sum {
 public:
  template <class Cursor, class Value>
  TINE_ALWAYS_INLINE void add_items(Cursor i, const Cursor& stop, const Op& op, const Value& value) {
    for (; pending_count_ != 0 && i != stop; ++i) add_single(static_cast<T>(value(i)), op);
    auto left = stop - i;
    if (left >= 4) {
      if (!has_sum_) {
        sum_ = next_group(i, op, value);
        has_sum_ = true;
        left -= 4;
      }
      T sum = sum_;
      for (; left >= 4; left -= 4) sum = combined<T>(op, sum, next_group(i, op, value));
      sum_ = sum;
    }
    for (; i != stop; ++i) add_single(static_cast<T>(value(i)), op);
  }
  void add(grouped_sum later, const Op& op) {
    add_pending(op);
    later.add_pending(op);
    if (later.has_sum_) add_group(later.sum_, op);
  }
  TINE_ALWAYS_INLINE T added_to(T&& init, const Op& op) && {
    add_pending(op);
    return has_sum_ ? combined<T>(op, init, sum_) : init;
  }

 private:
  template <class Cursor, class Value>
  TINE_ALWAYS_INLINE static T next_group(Cursor& i, const Op& op, const Value& value) {
    const T a = static_cast<T>(value(i));
    const T b = static_cast<T>(value(++i));
    const T c = static_cast<T>(value(++i));
    const T d = static_cast<T>(value(++i));
    ++i;
    return combined<T>(op, combined<T>(op, a, b), combined<T>(op, c, d));
  }
  TINE_ALWAYS_INLINE void add_group(const T& group, const Op& op) {
    sum_ = has_sum_ ? combined<T>(op, sum_, group) : group;
    has_sum_ = true;
  }
  TINE_ALWAYS_INLINE void add_single(const T& item, const Op& op) {
    if (pending_count_ != 3) {
      pending_[pending_count_++] = item;
      return;
    }
    const T group = combined<T>(op, combined<T>(op, pending_[0], pending_[1]), combined<T>(op, pending_[2], item));
    pending_count_ = 0;
    add_group(group, op);
  }
  TINE_ALWAYS_INLINE void add_pending(const Op& op) {
    for (unsigned k = 0; k != pending_count_; ++k) add_group(pending_[k], op);
    pending_count_ = 0;
  }

  T sum_{};
  T pending_[3]{};  ///< the first items of the next group
  unsigned pending_count_ = 0;
  bool has_sum_ = false;
};

/// A sum of floating-point numbers in lanes: each lane adds the items whose number in the series has the same
/// remainder.
template <class T>
class lane_sum {
  using lanes = number_lanes<T>;

 public:
  lane_sum() noexcept {
    for (T& lane : lanes_) lane = -T{0};  // the neutral number: 0 + -0 is 0, but -0 + 0 is not -0
  }
  template <class Cursor, class Op, class Value>
  TINE_ALWAYS_INLINE void add_items(Cursor i, const Cursor& stop, const Op&, const Value& value) {
    auto left = static_cast<std::size_t>(stop - i);
    if (next_ != 0 || left < lanes::count) add_singly(i, std::min(left, lanes::count - next_), left, value);
    if (left >= lanes::count) {
      lanes sums;
      sums.load(lanes_);
      for (; left >= lanes::count; left -= lanes::count) {
        for (std::size_t k = 0; k < lanes::vectors; ++k) {
          typename lanes::vector items{};
          for (std::size_t j = 0; j < lanes::width; ++j, ++i) items[j] = static_cast<T>(value(i));
          sums.of[k] += items;
        }
      }
      sums.store(lanes_);
    }
    add_singly(i, left, left, value);
  }
  template <class Op>
  void add(const lane_sum& later, const Op&) {
    for (std::size_t k = 0; k < lanes::count; ++k) lanes_[k] += later.lanes_[k];
  }
  template <class Op>
  TINE_ALWAYS_INLINE T added_to(T init, const Op&) && {
    for (std::size_t half = lanes::count / 2; half != 0; half /= 2) {
      for (std::size_t k = 0; k < half; ++k) lanes_[k] += lanes_[k + half];
    }
    return init + lanes_[0];
  }

 private:
  template <class Cursor, class Value>
  TINE_ALWAYS_INLINE void add_singly(Cursor& i, std::size_t n, std::size_t& left, const Value& value) {
    left -= n;
    for (; n != 0; --n, ++i) {
      lanes_[next_] += static_cast<T>(value(i));
      next_ = (next_ + 1) % lanes::count;
    }
  }

  T lanes_[lanes::count];
  std::size_t next_ = 0;
};

/// Returns the kind of sum for a type and an operation.
template <class T, class Op>
auto sum_kind() {
  constexpr bool is_number = std::is_arithmetic_v<T> && sizeof(T) <= 8;
  if constexpr (is_number && std::is_floating_point_v<T> && is_one_of<Op, T, std::plus>) {
    return std::type_identity<lane_sum<T>>{};
  } else if constexpr (is_number && !std::is_floating_point_v<T> &&
                       is_one_of<Op, T, std::plus, std::multiplies, std::bit_and, std::bit_or, std::bit_xor>) {
    return std::type_identity<serial_sum<T, Op>>{};
  } else if constexpr (std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && sizeof(T) <= 16) {
    return std::type_identity<grouped_sum<T, Op>>{};
  } else {
    return std::type_identity<serial_sum<T, Op>>{};
  }
}

/// Returns `op` over `init` and the values of `n` items, in this order, in any grouping. `value(cursor)` is called once
/// for each item; a cursor is an iterator or a pair of iterators. The operation takes two sums, and a sum and a value.
template <class T, class Cursor, class Op, class Value>
TINE_ALWAYS_INLINE T reduce_values(Cursor first, std::uint64_t n, T init, Op op, Value value) {
  using sum = typename decltype(sum_kind<T, Op>())::type;
  return fold_chunks(
             n, [] { return sum{}; },
             [first, op, value](sum& so_far, std::uint64_t begin, std::uint64_t end)
                 TINE_INLINED { so_far.add_items(nth_item(first, begin), nth_item(first, end), op, value); },
             [op](sum& so_far, sum&& later) { so_far.add(std::move(later), op); })
      .added_to(std::move(init), op);
}

/// True if `Op` reduces sums of type `T` and values of type `V` to a `T`.
template <class Op, class T, class V>
concept reduction_of = std::movable<T> && std::constructible_from<T, V> && std::invocable<Op&, T, V> &&
                       std::invocable<Op&, T, T> && std::constructible_from<T, std::invoke_result_t<Op&, T, V>> &&
                       std::constructible_from<T, std::invoke_result_t<Op&, T, T>>;

}  // namespace tine::detail
