// blocked_range: a half-open interval of values that can be split. A plain value, so one thread at a time uses it.
//
// oneTBB's containers derive their ranges from tbb::detail::d1::blocked_range. So ours has the same place, and the
// include guard of oneTBB's header. If a container's header came first, the program has oneTBB's.
#include <oneapi/tbb/tine/split.hpp>
#include <oneapi/tbb/version.h>

#ifndef __TBB_blocked_range_H
#define __TBB_blocked_range_H

#include <concepts>
#include <cstddef>

namespace tbb {
namespace detail {
namespace d1 {

/// The values from `begin` up to, but not including, `end`. It is divisible as long as it has more than `grainsize`
/// values.
template <class Value>
class blocked_range {
 public:
  using const_iterator = Value;
  using size_type = std::size_t;

  blocked_range(Value begin, Value end, size_type grainsize = 1) : end_{end}, begin_{begin}, grainsize_{grainsize} {}
  /// Takes the second half of `r`, and leaves the first one there.
  blocked_range(blocked_range& r, split) : end_{r.end_}, begin_{r.cut_at(r.size() / 2)}, grainsize_{r.grainsize_} {}
  /// Takes the share `p.right()` of `r`, and leaves the first one there.
  blocked_range(blocked_range& r, proportional_split& p)
      : end_{r.end_}, begin_{r.cut_at(r.size() - right_part(r.size(), p))}, grainsize_{r.grainsize_} {}

  const_iterator begin() const { return begin_; }
  const_iterator end() const { return end_; }
  size_type size() const {
    if constexpr (std::integral<Value>) {
      return static_cast<size_type>(end_) - static_cast<size_type>(begin_);  // unsigned, so that it doesn't overflow
    } else {
      return static_cast<size_type>(end_ - begin_);
    }
  }
  size_type grainsize() const { return grainsize_; }
  bool empty() const { return !(begin_ < end_); }
  bool is_divisible() const { return grainsize_ < size(); }

 private:
  static size_type right_part(size_type n, const proportional_split& p) {
    const auto all = static_cast<double>(p.left()) + static_cast<double>(p.right());
    return static_cast<size_type>(static_cast<double>(n) * static_cast<double>(p.right()) / all + 0.5);
  }
  /// Keeps the first `n` values. Returns the end of them.
  Value cut_at(size_type n) {
    if constexpr (std::integral<Value>) {
      return end_ = static_cast<Value>(static_cast<size_type>(begin_) + n);
    } else {
      return end_ = begin_ + static_cast<decltype(end_ - begin_)>(n);
    }
  }

  Value end_;  // before begin_: the splitting constructors read the end before they cut
  Value begin_;
  size_type grainsize_;
};

}  // namespace d1
}  // namespace detail

inline namespace v1 {
using detail::d1::blocked_range;
}
}  // namespace tbb

#endif
