// Levels of analyses on one strand, for those who put them together.
#pragma once

#include <tine/augment/augment.hpp>

namespace tine::detail {

/// A level inside `outer`, if there is one.
level level_of(const vertex_kind& kind, const level* outer) noexcept;

/// Makes `n`, behind which its vertex is, a node of that level; `outer` is the strand's of the next outer one.
void place_node(node& n, const level& l, node* outer) noexcept;

/// Time that is not the program's: who counts what strands allocate leaves out what is allocated in it. Signals wait.
class scheduler_time {
 public:
  scheduler_time() noexcept : before_{sched::hot::words().in_scheduler} { sched::hot::words().in_scheduler = 1; }
  ~scheduler_time() { sched::hot::words().in_scheduler = before_; }
  scheduler_time(const scheduler_time&) = delete;
  scheduler_time& operator=(const scheduler_time&) = delete;

 private:
  const int before_;
};

template <auto Function>
struct in_scheduler_time;
template <class... Args, void (*Function)(Args...) noexcept>
struct in_scheduler_time<Function> {
  static void call(Args... args) noexcept {
    const scheduler_time here;
    Function(args...);
  }
};

/// The table of a vertex type that allocates.
template <vertex V>
inline constexpr vertex_kind allocating_kind = [] {
  using table = vertex_behind_table<V>;
  vertex_kind k = table::table;
  k.create = &in_scheduler_time<&table::create>::call;
  k.destroy = &in_scheduler_time<&table::destroy>::call;
  k.start = &in_scheduler_time<&table::start>::call;
  k.stop = &in_scheduler_time<&table::stop>::call;
  k.fork = &in_scheduler_time<&table::fork>::call;
  k.turn = &in_scheduler_time<&table::turn>::call;
  k.join = &in_scheduler_time<&table::join>::call;
  k.piece = &in_scheduler_time<&table::piece>::call;
  k.iteration = &in_scheduler_time<&table::iteration>::call;
  k.chunk = &in_scheduler_time<&table::chunk>::call;
  k.append = &in_scheduler_time<&table::append>::call;
  k.join_loop = &in_scheduler_time<&table::join_loop>::call;
  return k;
}();

}  // namespace tine::detail
