// Profiles without recompiling: with TINE_PROFILE set, the profiler follows every root and writes the results to a file
// when the process ends, by itself or by a signal, and on request. Without TINE_PROFILE each root only tests one
// pointer.
#include "augment/add_job_part.hpp"
#include "augment/attached_check.hpp"
#include "augment/calibration.hpp"
#include "augment/callers.hpp"
#include "augment/dag.hpp"
#include "augment/destination.hpp"
#include "augment/found_locks.hpp"
#include "augment/gathered.hpp"
#include "augment/keeper.hpp"
#include "augment/levels.hpp"
#include "augment/locked.hpp"
#include "augment/paths.hpp"
#include "augment/phases.hpp"
#include "augment/process.hpp"
#include "augment/profile_request.hpp"
#include "augment/profiled.hpp"
#include "augment/resolution.hpp"
#include "augment/root_level.hpp"
#include "augment/sampled.hpp"
#include "augment/samples.hpp"
#include "augment/space_listener.hpp"
#include "augment/space_of_roots.hpp"
#include "augment/space_with_frames.hpp"
#include "augment/timeline.hpp"
#include "base/environment_variable.hpp"
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"
#include "trace/analyses.hpp"
#include "trace/write.hpp"

#include <tine/base/version.hpp>
#include <tine/detail/augment/strand_clock.hpp>
#include <tine/detail/base/object_at.hpp>

#include <pthread.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace tine::detail {

constinit const attached_check* registered_check = nullptr;

namespace {

/// Returns true if the request asks for measurements, and not for a check, whose run takes other times.
bool asks_for_times(std::string_view request) noexcept {
  const trace::analysis_entry* const first = trace::analysis_named(request.substr(0, request.find_first_of(",:")));
  return !request.empty() && (first == nullptr || !first->is_check);
}

/// Called while the library is loaded, so that the time before the program's first root is sampled, too.
void mark_begin() noexcept {
  mark_first_process();
  const char* const request = base::environment_variable("TINE_PROFILE");
  if (request != nullptr && asks_for_times(request) && may_sample()) sample_this_thread();
}

base::ticks process_began = (mark_begin(), base::now());
const pid_t loaded_in = getpid();

std::uint64_t since_start(base::ticks t) noexcept { return base::to_nanoseconds(t - process_began); }

/// A root that is being followed.
struct followed_root {
  root_level<dag_vertex> dag;
  root_level<space_with_frames> memory;
  root_level<work_span> work;
  root_level<profiled> grain;
  checked_level check;
  root_level<locked> locks;
  phase_of_call called_in;
  storage_head entry;  ///< where the program called into tine
  vertex_node* innermost = nullptr;
  base::ticks began = base::now();
  bool is_inherited = false;  ///< the root began in the process that this one was forked from

  followed_root(std::uint32_t analyses, sched::site from) : entry{nullptr, from} {
    if ((analyses & trace::races) != 0) {
      innermost = check.open(entry);
      return;
    }
    if ((analyses & trace::locks) != 0) {
      innermost = locks.open(allocating_kind<locked>, innermost, entry);
      found_locks::begin_root(locks.value());
      return;
    }
    dag.value().begin_in(called_in.number());
    if ((analyses & trace::dag) != 0) innermost = dag.open(allocating_kind<dag_vertex>, innermost, entry);
    if ((analyses & trace::space) != 0) innermost = memory.open(allocating_kind<space_with_frames>, innermost, entry);
    if ((analyses & trace::grain) != 0) {
      grain.value().begin_in(called_in.number());
      innermost = grain.open(allocating_kind<profiled>, innermost, entry);
    } else {
      // a timeline has the sites of strands
      const bool has_sites = (analyses & trace::timeline) != 0;
      const vertex_kind& exact = has_sites ? allocating_kind<work_span> : vertex_behind_table<work_span>::table;
      innermost = work.open((analyses & trace::sampled) != 0 ? sampled_kind : exact, innermost, entry);
    }
  }
};

/// Returns true if a check is among the analyses: its run takes other times.
bool has_check(std::uint32_t analyses) noexcept {
  return std::ranges::any_of(trace::analyses, [&](const trace::analysis_entry& entry) {
    return entry.is_check && (analyses & entry.flag) != 0;
  });
}

/// Returns the totals with times in ticks.
trace::totals totals_of(const work_span& w) {
  return {w.work, w.span_low(), w.span_high(), w.burdened_span(), w.forks, w.loops, w.iterations};
}

class profiler {
 public:
  explicit profiler(profile_request request) : request_{std::move(request)}, path_{destination_of(request_.path)} {
    set_resolution(request_.threshold, caps_for(request_.max_bytes));
    record_callers(request_.callers);
    prepare_callers();
    if ((request_.analyses & trace::space) != 0 && !can_measure_space())
      request_.analyses &= ~std::uint32_t{trace::space};
    if ((request_.analyses & trace::races) != 0 && !can_check()) request_.analyses &= ~std::uint32_t{trace::races};
    if ((request_.analyses & trace::locks) != 0 && !found_locks::open(request_.longer_than))
      request_.analyses &= ~std::uint32_t{trace::locks};
    if ((request_.analyses & trace::timeline) != 0) timeline::keep(caps().events, request_.last);
    next_handler() = std::set_terminate(&on_terminate);
    std::atexit(&on_exit);
    static const int registered = pthread_atfork(&before_fork, &after_fork, &in_forked_process);
    static_cast<void>(registered);
    if (getpid() != loaded_in) process_began = base::now();  // forked before its parent was profiled
    keep();
  }

  void note_found() {
    const std::lock_guard guard{lock_};
    wake_after_fork();
  }

  void note_workers() {
    const std::lock_guard guard{lock_};
    wake_after_fork();
    workers_ = std::max(workers_, sched::hot::self()->pool.settings.workers);
  }

  vertex_node& begin_root(sched::site from) {
    auto root = std::make_unique<followed_root>(request_.analyses, from);
    vertex_node& n = *root->innermost;
    const std::lock_guard guard{lock_};
    wake_after_fork();
    workers_ = std::max(workers_, sched::hot::self()->pool.settings.workers);
    if (request_.samples && !has_check(request_.analyses)) sample_this_thread();
    root_opened();
    open_.push_back(std::move(root));
    return n;
  }

  void end_root(vertex_node& n, bool threw) {
    const std::lock_guard guard{lock_};
    const auto at = std::find_if(open_.begin(), open_.end(), [&](const auto& r) { return r->innermost == &n; });
    if (!(*at)->is_inherited) close(**at, threw);
    if (!(*at)->is_inherited) root_closed();
    open_.erase(at);
  }

  /// Writes the profile. The profile of a process that ends is the last one. The next profile replaces a snapshot, and
  /// also a profile that was written for a signal if the signal's handler lets the process continue.
  void write(trace::ending how, int signal = 0) {
    const std::lock_guard guard{lock_};
    if (is_last_ || is_forked_) return;
    is_last_ = how != trace::ending::running && how != trace::ending::signalled;
    const trace::profile p = collect(how, signal);
    const std::string complaint = trace::write(p, path_);
    if (!complaint.empty()) return complain(complaint);
    if (!std::exchange(is_announced_, true)) announce(path_);
  }

 private:
  static std::terminate_handler& next_handler() noexcept {
    static std::terminate_handler next = nullptr;
    return next;
  }
  static void before_fork();
  static void after_fork();
  static void in_forked_process();
  static void write_at_end(trace::ending how);
  static void write_kept(trace::ending how, int signal) noexcept;
  static void on_exit();
  [[noreturn]] static void on_terminate();
  static void on_allocation(std::int64_t bytes) noexcept;
  static void on_frames(const void* where, std::int64_t bytes) noexcept;

  static void complain(const std::string& of) { std::fprintf(stderr, "tine: %s\n", of.c_str()); }

  /// Called when a process calls into a pool. A forked process has a profile from then on.
  void wake_after_fork() {
    if (std::exchange(is_forked_, false)) keep();
  }

  bool is_check() const noexcept { return (request_.analyses & trace::races) != 0; }
  void keep() { start_keeper({&write_kept}, request_.snapshot_signal, request_.every, is_check()); }

  static bool can_measure_space() {
    const space_hook hook = listen_to_space(&on_allocation);
    if (hook == space_hook::listening) {
      // release pairs with the acquire in listener of the segmented stacks
      sched::frame_bytes_listener.store(&on_frames, base::release);
      return true;
    }
    std::fprintf(
        stderr, "tine: TINE_PROFILE: space is not measured, because %s.\n",
        hook == space_hook::bypassed
            ? "the program's malloc is not the one of libtine_space.so: it was built with a sanitizer, or brings a malloc of its own"
            : "libtine_space.so is not preloaded: run the program by `tine profile`");
    return false;
  }

  bool can_check() const {
    if (registered_check != nullptr) {
      registered_check->open(request_.is_strict);
      return true;
    }
    std::fputs(
        "tine: TINE_PROFILE: races are not looked for, because the program is not instrumented for it: compile with -fsanitize=thread -DTINE_RACE_DETECTION, and link libtine_race in front of libtine, without -fsanitize=thread.\n",
        stderr);
    return false;
  }

  void close(followed_root& r, bool threw) {
    const bool by_path = (request_.analyses & trace::grain) != 0;
    const work_span& all = by_path ? r.grain.value() : r.work.value();
    const base::ticks now = base::now();
    trace::root closed{.begin = r.began - process_began,
                       .wall = now - r.began,
                       .all = totals_of(all),
                       .threw = threw,
                       .phase = r.called_in.number()};
    closed.serial = by_path ? r.grain.value().own_work : 0;
    gathered_.add(closed, (request_.analyses & trace::dag) != 0 ? r.dag.value().close() : nullptr);
    if ((request_.analyses & trace::sampled) != 0) end_sampled_root(r.entry.where, all.work);
    if ((request_.analyses & trace::locks) != 0) found_locks::end_root(r.locks.value());
    if ((request_.analyses & trace::space) != 0) add_space(r.memory.value(), r.began, now);
  }

  void add_space(const space& s, base::ticks began, base::ticks ended) {
    memory_.add(began, ended, s.profile());
    if (open_.size() == 1) memory_.settle();  // only the root that is being closed
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

  /// Returns the open roots as one row. The roots in which the process was forked count as one root, because no other
  /// row contains what their strands do in this process.
  trace::root open_roots() const {
    const base::ticks now = base::now();
    trace::root open;
    open.count = 0;
    base::ticks began = now;
    for (const auto& r : open_) {
      if (r->is_inherited) continue;
      began = std::min(began, r->began);
      ++open.count;
    }
    if (has_inherited_) {
      began = std::min(began, forked_at_);
      ++open.count;
    }
    open.begin = since_start(began);
    open.wall = base::to_nanoseconds(now - began);
    return open;
  }

  trace::profile collect(trace::ending how, int signal) {
    const calibration& c = this_machine();
    trace::profile p;
    p.run.version = TINE_VERSION;
    p.run.analyses = request_.analyses;
    p.run.workers = workers_;
    p.run.ended = how;
    p.run.signal = static_cast<std::uint32_t>(signal);
    p.run.asked_threshold = request_.threshold;
    p.run.wall = since_start(base::now());
    p.run.fork_burden = static_cast<std::uint64_t>(c.fork_burden);
    p.run.burden_is_measured = c.is_measured;
    p.run.fork_cost = c.fork_cost;
    p.run.profiled_fork_cost = c.of(request_.analyses).fork;
    p.run.profiled_loop_cost = c.of(request_.analyses).loop;
    describe_process(p);
    merge_samples(p, caps().samples);  // before this thread spends time on the rest
    gathered_.fold_to_cap();
    p.run.threshold = base::to_nanoseconds(point_threshold());
    if ((request_.analyses & trace::grain) != 0) {
      merge_paths(p);
      merge_points(p);
    }
    gathered_.write(p, open_roots());
    if ((request_.analyses & trace::space) != 0) collect_space(p);
    if ((request_.analyses & trace::races) != 0) registered_check->add_rows(p);
    if ((request_.analyses & trace::locks) != 0) found_locks::add_rows(p);
    if ((request_.analyses & trace::timeline) != 0) timeline::add_rows(p, process_began);
    add_chains(p);
    merge_phases(p);  // last, because strands that are still running may open new ones
    if (getpid() == loaded_in) add_job_part(p, process_began);  // a child of fork(2) is no rank
    return p;
  }

  profile_request request_;
  std::string path_;
  std::mutex lock_;
  bool is_last_ = false;        // the last profile has been written
  bool is_announced_ = false;   // path_ is in the list of `tine profile`
  bool is_forked_ = false;      // forked from a profiled process, and no root has begun since
  bool has_inherited_ = false;  // roots were open when this process was forked
  base::ticks forked_at_ = 0;
  unsigned workers_ = 0;  // of the largest pool
  std::vector<std::unique_ptr<followed_root>> open_;
  gathered gathered_;
  trace::space_totals space_;  // only the counts; memory_ has the rest
  space_of_roots memory_;
};

/// Returns a profiler if TINE_PROFILE asks for one, else null.
profiler* profiler_of_environment() {
  try {
    profile_request request = profile_request_of_environment();
    return request.analyses != 0 ? new profiler{std::move(request)} : nullptr;
  } catch (const std::invalid_argument& e) {
    std::fprintf(stderr, "tine: %s. Nothing is profiled.\n", e.what());
    stop_sampling();
    return nullptr;
  }
}

/// The profiler is created by the first root. It is never destroyed, because it is needed after everything else.
struct creation {
  std::mutex lock;
  base::atomic<bool> is_over{false};
  profiler* created = nullptr;
  bool is_known_to_fork = false;  // the profiler was there when the fork(2) in progress began
};
constinit creation the_creation;

/// Returns the profiler; null if TINE_PROFILE does not ask for one.
profiler* the_profiler() {
  creation& c = the_creation;
  if (!c.is_over.load(base::acquire)) {  // pairs with the release below
    const std::lock_guard guard{c.lock};
    if (!c.is_over.load(base::relaxed)) {  // relaxed: under the lock
      c.created = profiler_of_environment();
      c.is_over.store(true, base::release);  // pairs with the acquire above
    }
  }
  return c.created;
}

// A process may be forked while the first root of another thread creates the profiler. These handlers of fork(2) are
// among the first that a process registers, so they run late before a fork, and early after it.
void wait_for_creation() { the_creation.lock.lock(); }
void end_wait_for_creation() { the_creation.lock.unlock(); }
/// A profiler that was created after the fork had begun did not see it. The forked process creates one of its own.
void end_wait_in_forked_process() {
  creation& c = the_creation;
  if (c.created != nullptr && !c.is_known_to_fork)
    c.is_over.store(false, base::relaxed);  // relaxed: there is no other thread
  c.lock.unlock();
}

void profiler::write_kept(trace::ending how, int signal) noexcept { the_profiler()->write(how, signal); }

// A forked process has the memory of its parent. The locks in it must not be held by threads that the forked process
// does not have.
void profiler::before_fork() {
  the_profiler()->lock_.lock();
  the_creation.is_known_to_fork = true;
  lock_notes();
  lock_paths();
  lock_callers();
  timeline::lock();
  found_locks::lock();
}
void profiler::after_fork() {
  found_locks::unlock();
  timeline::unlock();
  unlock_callers();
  unlock_paths();
  unlock_notes();
  the_creation.is_known_to_fork = false;
  the_profiler()->lock_.unlock();
}
void profiler::in_forked_process() {
  found_locks::forget();
  found_locks::unlock();
  timeline::forget();
  timeline::unlock();
  forget_counts();
  unlock_callers();
  unlock_paths();
  forget_points();
  unlock_notes();
  profiler& p = *the_profiler();
  if ((p.request_.analyses & trace::races) != 0) registered_check->forget();
  p.gathered_.forget();
  p.space_ = {};
  p.memory_ = {};
  for (auto& root : p.open_) root->is_inherited = true;
  p.has_inherited_ = !p.open_.empty();
  p.forked_at_ = process_began = base::now();
  set_open_roots(p.has_inherited_ ? 1 : 0);
  p.path_ = destination_of_fork(p.request_.path);
  p.is_forked_ = true;
  p.is_announced_ = p.is_last_ = false;
  forget_keeper();
  the_creation.is_known_to_fork = false;
  p.lock_.unlock();
}

/// Writes the last profile. For a check the keeper writes it, because the calling thread may run a strand that is
/// checked.
void profiler::write_at_end(trace::ending how) {
  if (the_profiler()->is_check() && write_by_keeper(how, 0)) return;
  the_profiler()->write(how);
}

void profiler::on_exit() { write_at_end(trace::ending::normal); }

void profiler::on_terminate() {
  write_at_end(std::current_exception() != nullptr ? trace::ending::exception : trace::ending::terminated);
  if (next_handler() != nullptr) next_handler()();
  std::abort();
}

/// Returns the running strand's `space` vertex; null if the strand is not followed.
space* current_space() noexcept {
  return static_cast<space_with_frames*>(find_vertex(allocating_kind<space_with_frames>));
}

sched::site current_site() noexcept {
  const auto* p = static_cast<const profiled*>(find_vertex(allocating_kind<profiled>));
  return p != nullptr && p->here != nullptr ? p->here->where : 0;
}

/// Counts the allocations of followed strands, except those made in the scheduler. Called on any thread, at any time.
void profiler::on_allocation(std::int64_t bytes) noexcept {
  const sched::hot_words& h = sched::hot::words();
  if (h.self == nullptr || h.in_scheduler != 0) return;
  space* s = current_space();
  if (s == nullptr) return;
  sched::report_released_frames();
  const sched::scheduler_time here;
  if (bytes > 0) {
    s->alloc(bytes, current_site());
  } else {
    s->free(-bytes, current_site());
  }
}

void profiler::on_frames(const void*, std::int64_t bytes) noexcept {
  space* s = current_space();
  if (s == nullptr) return;
  const sched::scheduler_time here;
  s->hold(bytes, current_site());
}

sched::site site_of_call(const sched::observer* caller) noexcept {
  if (the_profiler() == nullptr) return 0;
  const sched::scheduler_time here;
  return site_of_root(caller != nullptr ? site_around(*caller) : 0);
}

sched::observer* begin_root(sched::observer* caller, sched::site from) noexcept {
  const sched::scheduler_time here;
  profiler* p = the_profiler();
  if (caller == nullptr) return p != nullptr ? &p->begin_root(from) : nullptr;
  if (p != nullptr) p->note_workers();
  if (registered_check != nullptr) registered_check->begin_inner_root();
  return caller;
}

void start_root(sched::observer& w) noexcept {
  timeline::note_strand(0);
  const base::ticks now = strand_now_after_rest();
  for (vertex_node* n = &static_cast<vertex_node&>(w); n != nullptr; n = n->outer)
    n->of().kind->start(n->vertex(), now);
}

void end_root(sched::observer& w, bool threw) noexcept {
  const sched::scheduler_time here;
  const base::ticks now = strand_now();
  vertex_node& n = static_cast<vertex_node&>(w);
  for (vertex_node* each = &n; each != nullptr; each = each->outer) each->of().kind->stop(each->vertex(), now);
  the_profiler()->end_root(n, threw);
}

constexpr sched::root_observer profiler_of_roots{&site_of_call, &begin_root, &start_root, &end_root};

/// Returns true if TINE_PROFILE asks for a timeline. Then the profiler is created with the first worker, not by the
/// first root.
bool is_timeline_asked_for() noexcept {
  static const bool is_asked = [] {
    const char* const request = base::environment_variable("TINE_PROFILE");
    return request != nullptr && std::strstr(request, "timeline") != nullptr;
  }();
  return is_asked;
}

sched::event_ring* open_ring(const sched::worker& of) noexcept {
  return is_timeline_asked_for() && the_profiler() != nullptr ? timeline::open_ring(of) : nullptr;
}

/// Opens a phase. The first one that finds no profiler makes all others free.
std::uint32_t open_if_profiled(const char* name) noexcept {
  if (the_profiler() != nullptr) return open_phase(name);
  sched::registered_phase_hooks.store(nullptr, base::relaxed);  // relaxed: see tine::phase
  return trace::nothing;
}

void close_if_profiled(std::uint32_t around) noexcept {
  if (the_profiler() != nullptr) close_phase(around);
}

constexpr sched::phase_hooks profiler_of_phases{&open_if_profiled, &close_if_profiled};

constexpr sched::event_rings rings_of_workers{&open_ring, &timeline::close_ring};

}  // namespace

void write_before_end(trace::ending how) noexcept { write_by_keeper(how, 0); }

void profile_forked_process() noexcept {
  if (profiler* const p = the_profiler()) p->note_found();
}

}  // namespace tine::detail

/// Registers the profiler, before the constructors of static objects, which may run roots. No code refers to this
/// symbol; the CMake target tine::profiler asks the linker for it (-u), and so for this library.
extern "C" TINE_API [[gnu::constructor(104)]] void tine_profiler() {
  pthread_atfork(&tine::detail::wait_for_creation, &tine::detail::end_wait_for_creation,
                 &tine::detail::end_wait_in_forked_process);
  tine::sched::registered_root_observer = &tine::detail::profiler_of_roots;
  tine::sched::registered_event_rings = &tine::detail::rings_of_workers;
  tine::sched::registered_phase_hooks.store(&tine::detail::profiler_of_phases, tine::base::relaxed);  // before main
}
