// blocked_rangeNd: values in any number of dimensions that can be split. A plain value, so one thread at a time uses
// it.
#ifndef __TBB_blocked_rangeNd_H
#define __TBB_blocked_rangeNd_H

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/tine/longest_dimension.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

template <class Value, unsigned N, class = std::make_index_sequence<N>>
class blocked_rangeNd_impl;

/// It has one constructor argument for each dimension, so that each may be a list in braces. It is split along the
/// dimension that has most values in proportion to its grain size.
template <class Value, unsigned N, std::size_t... I>
class blocked_rangeNd_impl<Value, N, std::index_sequence<I...>> {
  static_assert(N > 0, "tine: a blocked_rangeNd has at least one dimension");
  template <std::size_t>
  using nth = blocked_range<Value>;

 public:
  using value_type = Value;
  using dim_range_type = blocked_range<Value>;
  using size_type = std::size_t;

  blocked_rangeNd_impl(const nth<I>&... dimensions) : dimensions_{{dimensions...}} {}
  blocked_rangeNd_impl(blocked_rangeNd_impl& r, split tag) : dimensions_{r.dimensions_} { take_part(r, tag); }
  blocked_rangeNd_impl(blocked_rangeNd_impl& r, proportional_split tag) : dimensions_{r.dimensions_} {
    take_part(r, tag);
  }

  static constexpr unsigned ndims() { return N; }
  static constexpr unsigned dim_count() { return N; }
  const dim_range_type& dim(unsigned dimension) const { return dimensions_[dimension]; }
  bool empty() const { return (dimensions_[I].empty() || ...); }
  bool is_divisible() const { return (dimensions_[I].is_divisible() || ...); }

 private:
  template <class Tag>
  void take_part(blocked_rangeNd_impl& r, Tag& tag) {
    const std::size_t longest = on_tine::longest_dimension(dimensions_[I]...);
    dimensions_[longest] = dim_range_type(r.dimensions_[longest], tag);
  }

  std::array<dim_range_type, N> dimensions_;
};

template <class Value, unsigned N>
using blocked_rangeNd = blocked_rangeNd_impl<Value, N>;
template <class Value, unsigned N>
using blocked_nd_range = blocked_rangeNd_impl<Value, N>;

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::blocked_nd_range;
using detail::on_tine::blocked_rangeNd;
}  // namespace v1
}  // namespace tbb

#endif
