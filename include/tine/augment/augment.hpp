// augment: a region in which vertices follow the computation graph.
#pragma once

#include <tine/augment/alone.hpp>
#include <tine/base/result.hpp>
#include <tine/sched/pool.hpp>

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tine {
namespace detail {

/// A region while it lasts. `n` is the first vertex's node, with the vertex behind it.
class region {
 public:
  region(const vertex_kind& kind, node& n) noexcept;
  ~region();
  region(const region&) = delete;
  region& operator=(const region&) = delete;

 private:
  level level_;
  node& node_;
};

/// A region's first node, with room for its vertex.
template <vertex V>
class opened {
 public:
  explicit opened(V& outside) : outside_{outside} { ::new (static_cast<void*>(vertex_)) V(std::move(outside)); }
  ~opened() {
    V& last = *static_cast<V*>(head.vertex());
    outside_ = std::move(last);
    last.~V();
  }
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;

  node head;

 private:
  alignas(16) std::byte vertex_[sizeof(V)];
  V& outside_;
};

/// The strand's vertex of that kind in the innermost region that has one; null if none has.
void* find_vertex(const vertex_kind& kind) noexcept;

/// Calls `f` with a region for each of these around it, on a worker.
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

/// Runs `f()` with a vertex of each type following every strand of it, from the values given on, and leaves the last vertices
/// there, even if `f` throws (Scheduler Augmentation, §2). What `f` returns is dropped; `f` may be a coroutine.
///
/// Forks and loops in `f` are followed wherever they are, in code that was compiled without knowing of it, too. Nothing
/// becomes slower but what is in a region. Regions nest: the vertices of all regions around follow a strand, so an outer one
/// includes what is in an inner one. Regions on several threads know nothing of each other. What `f` runs in another pool is
/// followed as a part of the strand that runs it. A loop of one iteration is no loop: its body belongs to the strand.
template <class F, vertex... V>
  requires std::invocable<F&>
void augment_into(F&& f, V&... vertices) {
  run([&] { detail::call_in_regions(f, vertices...); });
}

/// The same with one new vertex, which is returned; or from `first` on.
///
///     const auto v = tine::augment<tine::work_span>([&] { sort(data); });
///     fmt::print("parallelism: {}", v.parallelism());
template <vertex V, class F>
  requires std::invocable<F&>
V augment(F&& f, V first = {}) {
  augment_into(f, first);
  return first;
}

/// The running strand's vertex of type `V`, in the innermost region that has one; null if there is none. Good until the strand
/// forks, joins or ends.
template <vertex V>
V* current_vertex() noexcept {
  return static_cast<V*>(detail::find_vertex(detail::vertex_behind_table<V>::table));
}

}  // namespace tine
