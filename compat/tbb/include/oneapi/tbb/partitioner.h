// The partitioners: how an algorithm cuts its range. simple_partitioner cuts it until no part is divisible, and
// static_partitioner into one part for each worker. The other two leave it to tine. Plain values.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/task_arena.h>  // IWYU pragma: export (as in oneTBB, programs get it with every algorithm)

#include <concepts>
#include <type_traits>

namespace tbb {
namespace detail {
namespace on_tine {

class auto_partitioner {};
class simple_partitioner {};
class static_partitioner {};

/// As auto_partitioner, but ranges that can be split by a proportion are: tine doesn't replay the placement of an
/// earlier loop.
class affinity_partitioner {
 public:
  affinity_partitioner() = default;
  affinity_partitioner(const affinity_partitioner&) = delete;
  affinity_partitioner& operator=(const affinity_partitioner&) = delete;
};

/// A partitioner as algorithms take it: only an affinity_partitioner has to be a variable.
template <class P>
concept partitioner =
    std::same_as<P, affinity_partitioner&> || std::same_as<std::remove_cvref_t<P>, auto_partitioner> ||
    std::same_as<std::remove_cvref_t<P>, simple_partitioner> ||
    std::same_as<std::remove_cvref_t<P>, static_partitioner>;

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::affinity_partitioner;
using detail::on_tine::auto_partitioner;
using detail::on_tine::simple_partitioner;
using detail::on_tine::static_partitioner;
}  // namespace v1
}  // namespace tbb
