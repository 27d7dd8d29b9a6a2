// parallel_sort: sorts a range; the order of equal items is unspecified. Any thread may call it.
#pragma once

#include <oneapi/tbb/task_group.h>
#include <tine/algo/sort.hpp>

#include <concepts>
#include <functional>
#include <iterator>

namespace tbb {
namespace detail {
namespace on_tine {

template <std::random_access_iterator It, class Compare = std::less<>>
void parallel_sort(It begin, It end, const Compare& compare = {}) {
  task_group_context context;
  call_in_context call{context};
  call.run([&] {
    if constexpr (std::sortable<It, Compare>) {
      tine::sort(begin, end, compare);
    } else {
      tine::sort(begin, end, [&](const auto& a, const auto& b) { return static_cast<bool>(compare(a, b)); });
    }
  });
}

/// Sorts a container, or another range.
template <class Range, class Compare = std::less<>>
  requires(!std::random_access_iterator<Range>) && requires(Range& r) {
    { std::begin(r) } -> std::random_access_iterator;
  }
void parallel_sort(Range&& r, const Compare& compare = {}) {
  on_tine::parallel_sort(std::begin(r), std::end(r), compare);
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::parallel_sort;
}
}  // namespace tbb
