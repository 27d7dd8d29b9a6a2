// augment: runs code in a region in which values of your type follow the computation graph.
#pragma once

#include <tine/detail/augment/single_observer.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/sched/pool.hpp>

#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tine::sched {
class observed_apart;
}

namespace tine {
namespace detail {

/// A region lives as long as the object. `n` is the vertex node of the first vertex, which lies behind the node.
class region {
 public:
  TINE_API region(const vertex_kind& kind, vertex_node& n) noexcept;
  TINE_API ~region();
  region(const region&) = delete;
  region& operator=(const region&) = delete;

 private:
  std::unique_ptr<sched::observed_apart> apart_;  ///< the analysis around it, if that skips what it is in
  level level_;
  vertex_node& node_;
};

/// A region's first vertex node, with the memory of its vertex. The destructor moves the last vertex to `outside`.
template <vertex V>
class opened {
 public:
  explicit opened(V& outside) : outside_{outside} { ::new (static_cast<void*>(vertex_)) V(std::move(outside)); }
  ~opened() {
    V& last = *base::object_at<V>(head.vertex());
    outside_ = std::move(last);
    last.~V();
  }
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;

  vertex_node head;

 private:
  alignas(16) std::byte vertex_[sizeof(V)];
  V& outside_;
};

/// Returns the running strand's vertex of that kind, in the innermost region that has one; null if there is none.
TINE_API void* find_vertex(const vertex_kind& kind) noexcept;

/// Calls `f` on a worker, inside one region for each of the vertices.
template <class F>
void call_in_regions(F& f) {
  static_cast<void>(sched::run_here(f));
}
template <class F, vertex V, vertex... Rest>
void call_in_regions(F& f, V& first, Rest&... rest) {
  opened<V> here{first};
  const region whole{vertex_behind_table<V>::table, here.head};
  call_in_regions(f, rest...);
}

}  // namespace detail

/// Runs `f()` while a vertex of each type follows every strand of it (Scheduler Augmentation, §2). The first vertices
/// start from the values in `vertices`, and the last ones are left there, even if `f` throws. The result of `f` is
/// discarded; `f` may be a coroutine.
///
/// The vertices follow all forks and loops in `f`, including those in code that was compiled without knowledge of this.
/// Only code in a region becomes slower. Regions nest: a strand is followed by the vertices of all regions around it,
/// so an outer region's vertex includes what runs in an inner region. Regions on several threads are independent of
/// each other. Work that a strand of `f` runs in another pool is followed as a part of that strand. A loop of one
/// iteration does not count as a loop: the strand runs its body.
template <class F, vertex... V>
  requires std::invocable<F&>
void augment_into(F&& f, V&... vertices) {
  run([&] { detail::call_in_regions(f, vertices...); });
}

/// Runs `f()` like `augment_into` with one vertex, which starts from `first`. Returns the last vertex.
///
///     const auto v = tine::augment<tine::work_span>([&] { sort(data); });
///     fmt::print("parallelism: {}", v.parallelism());
template <vertex V, class F>
  requires std::invocable<F&>
V augment(F&& f, V first = {}) {
  augment_into(f, first);
  return first;
}

/// Returns the running strand's vertex of type `V`, in the innermost region that has one; null if there is none. The
/// pointer is valid until the strand forks, joins or ends.
template <vertex V>
V* current_vertex() noexcept {
  return static_cast<V*>(detail::find_vertex(detail::vertex_behind_table<V>::table));
}

}  // namespace tine
