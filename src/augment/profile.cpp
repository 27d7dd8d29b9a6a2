// Profiles without recompiling: with TINE_PROFILE set, every root is followed, and at the end of the process what was found is
// written to a file. Nothing of this is touched without it, but one look at a pointer for each root.
#include "augment/asked.hpp"
#include "augment/calibration.hpp"
#include "augment/dag.hpp"
#include "augment/levels.hpp"
#include "augment/paths.hpp"
#include "augment/process.hpp"
#include "augment/profiled.hpp"
#include "augment/space_listener.hpp"
#include "augment/space_of_roots.hpp"
#include "augment/space_with_frames.hpp"
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"
#include "trace/writer.hpp"

#include <tine/augment/strand_clock.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace tine::detail {
namespace {

const base::ticks process_began = base::now();

std::uint64_t since_start(base::ticks t) noexcept { return base::to_nanoseconds(t - process_began); }

/// A vertex of a root, with its level.
template <vertex V>
class root_level {
 public:
  root_level() noexcept { ::new (head_.vertex()) V(); }
  ~root_level() { value().~V(); }
  root_level(const root_level&) = delete;
  root_level& operator=(const root_level&) = delete;

  /// Puts it inside `outer`. Returns the innermost node so far.
  node* open(const vertex_kind& kind, node* outer) noexcept {
    of_ = level_of(kind, outer != nullptr ? &outer->of() : nullptr);
    place_node(head_, of_, outer);
    return &head_;
  }
  V& value() noexcept { return *static_cast<V*>(head_.vertex()); }

 private:
  level of_;
  node head_;
  alignas(16) std::byte vertex_[sizeof(V)];
};

/// A root that is being followed.
struct followed_root {
  root_level<dag_vertex> dag;
  root_level<space_with_frames> memory;
  root_level<work_span> work;
  root_level<profiled> grain;
  node* innermost = nullptr;
  base::ticks began = base::now();

  explicit followed_root(std::uint32_t analyses) noexcept {
    if ((analyses & trace::dag) != 0) innermost = dag.open(allocating_kind<dag_vertex>, innermost);
    if ((analyses & trace::space) != 0) innermost = memory.open(allocating_kind<space_with_frames>, innermost);
    if ((analyses & trace::grain) != 0) {
      innermost = grain.open(allocating_kind<profiled>, innermost);
    } else {
      innermost = work.open(vertex_behind_table<work_span>::table, innermost);
    }
  }
};

trace::totals totals_of(const work_span& w) {
  using base::to_nanoseconds;
  return {to_nanoseconds(w.work),
          to_nanoseconds(w.span_low()),
          to_nanoseconds(w.span_high()),
          to_nanoseconds(w.burdened_span()),
          w.forks,
          w.loops,
          w.iterations};
}

class profiler {
 public:
  explicit profiler(asked_profile asked) : asked_{std::move(asked)} {
    if ((asked_.analyses & trace::space) != 0 && !can_measure_space()) asked_.analyses &= ~std::uint32_t{trace::space};
    next_handler() = std::set_terminate(&on_terminate);
    std::atexit(&on_exit);
  }

  void note_workers() {
    const std::lock_guard guard{lock_};
    workers_ = std::max(workers_, sched::hot::self()->pool.settings.workers);
  }

  node& begin_root() {
    auto root = std::make_unique<followed_root>(asked_.analyses);
    node& n = *root->innermost;
    const std::lock_guard guard{lock_};
    workers_ = std::max(workers_, sched::hot::self()->pool.settings.workers);
    open_.push_back(std::move(root));
    return n;
  }

  void end_root(node& n, bool threw) {
    const std::lock_guard guard{lock_};
    const auto at = std::find_if(open_.begin(), open_.end(), [&](const auto& r) { return r->innermost == &n; });
    close(**at, threw);
    open_.erase(at);
  }

  void write(trace::ending how) {
    const std::lock_guard guard{lock_};
    if (std::exchange(written_, true)) return;
    trace::profile p = collect(how);
    const std::string complaint = trace::write(p, asked_.path);
    if (!complaint.empty()) std::fprintf(stderr, "tine: %s\n", complaint.c_str());
  }

 private:
  static std::terminate_handler& next_handler() noexcept {
    static std::terminate_handler next = nullptr;
    return next;
  }
  static void on_exit();
  [[noreturn]] static void on_terminate();
  static void on_allocation(std::int64_t bytes) noexcept;
  static void on_frames(std::int64_t bytes) noexcept;

  static bool can_measure_space() {
    const space_hook hook = listen_to_space(&on_allocation);
    if (hook == space_hook::listening) {
      // release pairs with the acquire in listener of the segmented stacks
      sched::told_of_frames.store(&on_frames, base::release);
      return true;
    }
    std::fprintf(
        stderr, "tine: TINE_PROFILE: space is not measured, because %s.\n",
        hook == space_hook::deaf
            ? "the program's malloc is not the one of libtine_space.so: it was built with a sanitizer, or brings a "
              "malloc of its own"
            : "libtine_space.so is not preloaded: run the program by `tine profile`");
    return false;
  }

  void close(followed_root& r, bool threw) {
    const bool by_path = (asked_.analyses & trace::grain) != 0;
    const work_span& all = by_path ? r.grain.value() : r.work.value();
    const base::ticks now = base::now();
    trace::root closed{.begin = since_start(r.began),
                       .wall = base::to_nanoseconds(now - r.began),
                       .all = totals_of(all),
                       .threw = threw};
    closed.serial = by_path ? base::to_nanoseconds(r.grain.value().own_work) : 0;
    roots_.push_back(closed);
    if ((asked_.analyses & trace::dag) != 0) dags_.push_back(r.dag.value().close());
    if ((asked_.analyses & trace::space) != 0) add_space(r.memory.value(), r.began, now);
  }

  void add_space(const space& s, base::ticks began, base::ticks ended) {
    memory_.add(began, ended, s.profile());
    if (open_.size() == 1) memory_.settle();  // the one that is being closed
    space_.allocations += s.allocations();
    space_.frees += s.frees();
    space_.allocated += s.allocated();
  }

  void collect_space(trace::profile& p) const {
    const space_profile all = memory_.whole();
    trace::space_totals& totals = p.space.emplace_back(space_);
    totals.serial_peak = all.serial_peak();
    totals.worst_peak = all.worst_peak();
    totals.left = all.held();
    for (const auto& [where, bytes] : all.witness().entries()) {
      if (const std::uint32_t i = index_of_site(p, where); i != trace::nothing) p.sites[i].bytes += bytes;
    }
  }

  trace::profile collect(trace::ending how) {
    const calibration& c = this_machine();
    trace::profile p;
    p.run.version = TINE_VERSION;
    p.run.analyses = asked_.analyses;
    p.run.workers = workers_;
    p.run.ended = how;
    p.run.wall = since_start(base::now());
    p.run.fork_burden = static_cast<std::uint64_t>(c.fork_burden);
    p.run.burden_is_measured = c.is_measured;
    p.run.fork_cost = c.fork_cost;
    p.run.profiled_fork_cost = c.of(asked_.analyses).fork;
    p.run.profiled_loop_cost = c.of(asked_.analyses).loop;
    p.run.threshold = base::to_nanoseconds(point_threshold());
    p.run.unfinished = open_.size();
    describe_process(p);
    p.roots = roots_;
    if ((asked_.analyses & trace::grain) != 0) {
      merge_paths(p);
      merge_points(p);
    }
    for (const dag_node* n : dags_) add_nodes(p, *n);
    if ((asked_.analyses & trace::space) != 0) collect_space(p);
    return p;
  }

  asked_profile asked_;
  std::mutex lock_;
  bool written_ = false;
  unsigned workers_ = 0;  // of the largest pool
  std::vector<std::unique_ptr<followed_root>> open_;
  std::vector<trace::root> roots_;
  std::vector<dag_node*> dags_;
  trace::space_totals space_;  // its counts; the rest is in the next one
  space_of_roots memory_;
};

/// Null if nobody asked. Never destroyed: it is needed after everything else.
profiler* the_profiler() {
  static profiler* const p = []() -> profiler* {
    const char* text = std::getenv("TINE_PROFILE");
    if (text == nullptr || *text == '\0') return nullptr;
    try {
      return new profiler{parse_asked(text)};
    } catch (const std::invalid_argument& e) {
      std::fprintf(stderr, "tine: %s. Nothing is profiled.\n", e.what());
      return nullptr;
    }
  }();
  return p;
}

void profiler::on_exit() { the_profiler()->write(trace::ending::normal); }

void profiler::on_terminate() {
  the_profiler()->write(std::current_exception() != nullptr ? trace::ending::exception : trace::ending::terminated);
  if (next_handler() != nullptr) next_handler()();
  std::abort();
}

/// The running strand's; null if it is not followed.
space* current_space() noexcept {
  return static_cast<space_with_frames*>(find_vertex(allocating_kind<space_with_frames>));
}

sched::site current_site() noexcept {
  const auto* p = static_cast<const profiled*>(find_vertex(allocating_kind<profiled>));
  return p != nullptr && p->here != nullptr ? p->here->where : 0;
}

/// On any thread, at any time: counts what a strand allocates that is followed, and is not at work for us.
void profiler::on_allocation(std::int64_t bytes) noexcept {
  const sched::hot_words& h = sched::hot::words();
  if (h.self == nullptr || h.in_scheduler != 0) return;
  space* s = current_space();
  if (s == nullptr) return;
  sched::tell_released_frames();
  const sched::scheduler_time here;
  if (bytes > 0) {
    s->alloc(bytes, current_site());
  } else {
    s->free(-bytes, current_site());
  }
}

void profiler::on_frames(std::int64_t bytes) noexcept {
  space* s = current_space();
  if (s == nullptr) return;
  const sched::scheduler_time here;
  s->hold(bytes, current_site());
}

sched::watch* begin_root(sched::watch* caller) noexcept {
  const sched::scheduler_time here;
  profiler* p = the_profiler();
  if (caller == nullptr) return p != nullptr ? &p->begin_root() : nullptr;
  if (p != nullptr) p->note_workers();
  return caller;
}

void start_root(sched::watch& w) noexcept {
  const base::ticks now = strand_now_after_rest();
  for (node* n = &static_cast<node&>(w); n != nullptr; n = n->outer) n->of().kind->start(n->vertex(), now);
}

void end_root(sched::watch& w, bool threw) noexcept {
  const sched::scheduler_time here;
  const base::ticks now = strand_now();
  node& n = static_cast<node&>(w);
  for (node* each = &n; each != nullptr; each = each->outer) each->of().kind->stop(each->vertex(), now);
  the_profiler()->end_root(n, threw);
}

}  // namespace
}  // namespace tine::detail

namespace tine::sched {

const root_watch& watch_of_roots() noexcept {
  static constexpr root_watch by{&detail::begin_root, &detail::start_root, &detail::end_root};
  return by;
}

}  // namespace tine::sched
