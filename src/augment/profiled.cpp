// The counts by fork path, and the points.
#include "augment/profiled.hpp"

#include "augment/phases.hpp"

#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace tine::detail {
namespace {

struct point {
  sched::site where;
  std::uint32_t phase;
  base::ticks work, span;
  std::uint64_t forks, loops, iterations;
};

/// Returns the number of forks in the program's logic. A loop of n iterations counts as n - 1 forks, at any depth of
/// nesting.
std::uint64_t logical_forks(const point& p) noexcept {
  return p.forks + p.iterations - std::min(p.iterations, p.loops);
}

/// The points of all threads, each thread's in a list of its own. It is never destroyed.
struct notebook {
  std::mutex lock;
  std::vector<std::unique_ptr<std::vector<point>>> points;
  std::size_t count = 0;  ///< number of points
};
notebook& all_notes() {
  static notebook& n = *new notebook;
  return n;
}

thread_local std::vector<point>* points_of_this_thread = nullptr;

// Called under the lock.
void drop_points_below(notebook& n, base::ticks threshold) {
  n.count = 0;
  for (auto& list : n.points) {
    std::erase_if(*list, [&](const point& p) { return p.work < threshold; });
    n.count += list->size();
  }
}

// Points are rare, so the lock costs nothing; it is needed because another thread may merge the points. The function is
// not inlined, because the next call may run on another thread.
TINE_NOINLINE void add_point(const point& p) {
  notebook& n = all_notes();
  const std::lock_guard guard{n.lock};
  if (points_of_this_thread == nullptr) {
    points_of_this_thread = n.points.emplace_back(std::make_unique<std::vector<point>>()).get();
  }
  points_of_this_thread->push_back(p);
  for (++n.count; n.count > caps().points;) {
    double_threshold(point_threshold());
    drop_points_below(n, point_threshold());
  }
}

sched::site address_of(sched::site where) noexcept { return where & ~sched::of_coroutine; }

path& below_fork(path& at, sched::site where) noexcept {
  const bool is_coroutine = (where & sched::of_coroutine) != 0;
  return path_below(at, address_of(where), is_coroutine ? trace::construct::coroutine_fork : trace::construct::fork);
}

}  // namespace

void profiled::start(base::ticks now) noexcept {
  work_span::start(now);
  here = &path_here(here);
}

void profiled::stop(base::ticks now) noexcept {
  const base::ticks before = work;
  work_span::stop(now);
  here->work += work - before;
  own_work += work - before;
}

void profiled::begin_in(std::uint32_t of_root) noexcept {
  phase = of_root;
  here = &path_in_phase(path_here(nullptr), phase);
}

void profiled::enter(std::uint32_t into, base::ticks now) noexcept {
  stop(now);
  phase = into;
  start(now);
  here = &path_in_phase(*here, phase);
}

void profiled::fork(profiled& left, profiled& right, sched::site where) noexcept {
  forked_at_ = where;
  path& below = below_fork(*here, where);
  ++below.count;
  left.here = right.here = &below;
  left.phase = right.phase = phase;
}

void profiled::join(profiled& left, profiled& right, sched::branch_end how) noexcept {
  work_span::join(left, right, how);
  if (left.work + right.work >= point_threshold()) {
    work_span below;
    below.join(left, right, how);
    note_point(below, address_of(forked_at_));
  }
  if (how == sched::branch_end::unpromoted) return;
  path& at = below_fork(path_here(here), forked_at_);
  ++at.promoted;
  at.stolen += how == sched::branch_end::stolen;
}

void profiled::loop(profiled& subrange, std::uint64_t n, sched::site where) const noexcept {
  work_span::loop(subrange, n);
  subrange.own_iterations_ = n;
  subrange.loop_at_ = where;
  subrange.here = &path_below(path_here(here), where, trace::construct::loop);
  subrange.phase = phase;
}

void profiled::chunk(std::uint64_t count, base::ticks now) noexcept {
  const base::ticks before = work;
  work_span::chunk(count, now);
  here->work += work - before;
}

void profiled::append(profiled& next, sched::branch_end how) noexcept {
  work_span::append(next, how);
  own_promoted_ += (how != sched::branch_end::unpromoted) + next.own_promoted_;
  own_stolen_ += (how == sched::branch_end::stolen) + next.own_stolen_;
}

void profiled::join_loop(profiled& subrange) noexcept {
  work_span::join_loop(subrange);
  path& at = path_below(path_here(here), subrange.loop_at_, trace::construct::loop);
  ++at.count;
  at.iterations += subrange.own_iterations_;
  at.promoted += subrange.own_promoted_;
  at.stolen += subrange.own_stolen_;
  if (subrange.work < point_threshold()) return;
  work_span below;
  below.join_loop(subrange);
  note_point(below, subrange.loop_at_);
}

void profiled::note_point(const work_span& below, sched::site where) const noexcept {
  add_point({where, phase, below.work, below.span_high(), below.forks, below.loops, below.iterations});
}

void lock_notes() noexcept { all_notes().lock.lock(), lock_phases(); }
void unlock_notes() noexcept { unlock_phases(), all_notes().lock.unlock(); }

void forget_points() noexcept {
  forget_phases();
  for (auto& list : all_notes().points) list->clear();
  all_notes().count = 0;
}

void merge_points(trace::profile& into) {
  notebook& n = all_notes();
  const std::lock_guard guard{n.lock};
  drop_points_below(n, point_threshold());
  std::map<sched::site, std::uint32_t> index;
  for (const auto& list : n.points) {
    for (const point& p : *list) {
      const auto [at, is_new] = index.try_emplace(p.where);
      if (is_new) at->second = index_of_site(into, p.where);
      if (at->second == trace::nothing) continue;  // the point is newer than the sites
      const double profiling = static_cast<double>(p.forks) * into.run.profiled_fork_cost +
                               static_cast<double>(p.loops) * into.run.profiled_loop_cost;
      into.points.push_back({at->second, p.phase, base::to_nanoseconds(p.work), base::to_nanoseconds(p.span),
                             std::max<std::uint64_t>(logical_forks(p), 1), static_cast<std::uint64_t>(profiling)});
    }
  }
}

}  // namespace tine::detail
