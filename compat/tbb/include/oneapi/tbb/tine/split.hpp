// The two tags of splitting constructors, and the splits that the algorithms make. Plain values: any thread may use
// them.
//
// oneTBB's containers name these types as tbb::detail::d0::split, and the ranges that they return are split by them. So
// ours have the same place, and the include guard of the header that has oneTBB's.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>  // parts of oneTBB expect it of the header whose guard this is
#include <utility>

#ifndef __TBB_detail__range_common_H
#define __TBB_detail__range_common_H

namespace tbb {
namespace detail {
inline namespace d0 {

/// Selects the constructor that splits a range or a body.
class split {};

/// Selects the constructor that splits a range by a proportion.
class proportional_split {
 public:
  proportional_split(std::size_t left = 1, std::size_t right = 1) : left_{left}, right_{right} {}
  proportional_split(const proportional_split&) = default;
  proportional_split& operator=(const proportional_split&) = delete;

  std::size_t left() const { return left_; }
  std::size_t right() const { return right_; }
  explicit operator split() const { return {}; }

 private:
  std::size_t left_, right_;
};

}  // namespace d0
}  // namespace detail

inline namespace v1 {
using detail::proportional_split;
using detail::split;
}  // namespace v1
}  // namespace tbb

#endif

namespace tbb::detail::on_tine {

/// A range, as the algorithms need it.
template <class R>
concept range = std::copy_constructible<R> && std::constructible_from<R, R&, split> && requires(const R& r) {
  { r.empty() } -> std::convertible_to<bool>;
  { r.is_divisible() } -> std::convertible_to<bool>;
};

/// Takes the share `p.right()` of `r`, if its type can be split by a proportion, and half of it otherwise.
template <range R>
R split_by(R& r, proportional_split p) {
  if constexpr (std::constructible_from<R, R&, proportional_split&>) {
    return R(r, p);
  } else {
    return R(r, split());
  }
}

}  // namespace tbb::detail::on_tine

namespace oneapi {
namespace tbb = ::tbb;
}
