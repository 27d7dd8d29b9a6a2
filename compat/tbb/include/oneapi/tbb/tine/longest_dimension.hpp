// Which dimension of a range of several dimensions is split. A function of its arguments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace tbb::detail::on_tine {

/// Returns the number of the dimension that has most values in proportion to its grain size; the first of them, if
/// there are several.
template <class... Ranges>
std::size_t longest_dimension(const Ranges&... dimensions) {
  const double lengths[] = {static_cast<double>(dimensions.size()) / static_cast<double>(dimensions.grainsize())...};
  return static_cast<std::size_t>(std::max_element(std::begin(lengths), std::end(lengths)) - std::begin(lengths));
}

}  // namespace tbb::detail::on_tine
