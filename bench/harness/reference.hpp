// The checksum that an answer must have, computed once for each size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace bench {

class reference {
 public:
  /// Computes the checksum, unless it already is the checksum for these sizes.
  template <class Compute>
  void renew(std::initializer_list<int> sizes, const Compute& compute) {
    if (std::ranges::equal(sizes, sizes_)) return;
    sum_ = compute();
    sizes_ = sizes;
  }

  std::uint64_t sum() const { return sum_; }

 private:
  std::vector<int> sizes_;
  std::uint64_t sum_ = 0;
};

}  // namespace bench
