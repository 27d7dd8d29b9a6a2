// libgomp's entry points for parallel regions, teams and cancellation. Any thread may call them.
#include "icvs.hpp"
#include "place_of_return.hpp"
#include "reductions.hpp"
#include "task.hpp"
#include "team.hpp"
#include "workshare.hpp"

#include <algorithm>
#include <mutex>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

/// The loop of a combined construct.
struct first_loop {
  iteration_space space;
  schedule sched;
  std::uint64_t chunk;
};

void prepare_first_loop(team& t, void* with) {
  const auto& l = *static_cast<first_loop*>(with);
  prepare_loop(t.first_share, l.space, l.sched, l.chunk, *t.vars);
}

enum cancelled_construct : unsigned { of_parallel = 1, of_loop = 2, of_sections = 4, of_taskgroup = 8 };

}  // namespace

extern "C" {

void GOMP_parallel(function fn, void* data, unsigned threads, unsigned) {
  run_region(fn, data, size_of_team(current(), threads), place_of_return());
}

void GOMP_parallel_start(function fn, void* data, unsigned threads) {
  start_region(fn, data, size_of_team(current(), threads), place_of_return());
}

void GOMP_parallel_end() { end_region(); }

unsigned GOMP_parallel_reductions(function fn, void* data, unsigned threads, unsigned) {
  const unsigned size = size_of_team(current(), threads);
  auto* const reductions = *static_cast<std::uintptr_t**>(data);
  const taskgroup* const outer = current().group;
  register_reductions(reductions, outer == nullptr ? nullptr : outer->reductions, size);
  taskgroup group{.reductions = reductions};
  run_region(fn, data, size, place_of_return(), [](team& t, void* g) { t.group = static_cast<taskgroup*>(g); }, &group);
  return size;
}

#define TINE_PARALLEL_LOOP(name, sched)                                                                          \
  void GOMP_parallel_loop_##name(function fn, void* data, unsigned threads, long start, long end, long step,     \
                                 long chunk, unsigned) {                                                         \
    first_loop l{iteration_space::of(start, end, step), sched, static_cast<std::uint64_t>(std::max(chunk, 0L))}; \
    run_region(fn, data, size_of_team(current(), threads), place_of_return(), prepare_first_loop, &l);           \
  }
#define TINE_PARALLEL_LOOP_RUNTIME(name)                                                                     \
  void GOMP_parallel_loop_##name(function fn, void* data, unsigned threads, long start, long end, long step, \
                                 unsigned) {                                                                 \
    first_loop l{iteration_space::of(start, end, step), schedule::runtime, 0};                               \
    run_region(fn, data, size_of_team(current(), threads), place_of_return(), prepare_first_loop, &l);       \
  }
#define TINE_PARALLEL_LOOP_START(name, sched)                                                                        \
  void GOMP_parallel_loop_##name##_start(function fn, void* data, unsigned threads, long start, long end, long step, \
                                         long chunk) {                                                               \
    first_loop l{iteration_space::of(start, end, step), sched, static_cast<std::uint64_t>(std::max(chunk, 0L))};     \
    start_region(fn, data, size_of_team(current(), threads), place_of_return(), prepare_first_loop, &l);             \
  }

TINE_PARALLEL_LOOP(static, schedule::fixed)
TINE_PARALLEL_LOOP(dynamic, schedule::dynamic)
TINE_PARALLEL_LOOP(guided, schedule::guided)
TINE_PARALLEL_LOOP(nonmonotonic_dynamic, schedule::dynamic)
TINE_PARALLEL_LOOP(nonmonotonic_guided, schedule::guided)
TINE_PARALLEL_LOOP_RUNTIME(runtime)
TINE_PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime)
TINE_PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime)
TINE_PARALLEL_LOOP_START(static, schedule::fixed)
TINE_PARALLEL_LOOP_START(dynamic, schedule::dynamic)
TINE_PARALLEL_LOOP_START(guided, schedule::guided)

void GOMP_parallel_loop_runtime_start(function fn, void* data, unsigned threads, long start, long end, long step) {
  first_loop l{iteration_space::of(start, end, step), schedule::runtime, 0};
  start_region(fn, data, size_of_team(current(), threads), place_of_return(), prepare_first_loop, &l);
}

#undef TINE_PARALLEL_LOOP
#undef TINE_PARALLEL_LOOP_RUNTIME
#undef TINE_PARALLEL_LOOP_START

void GOMP_parallel_sections(function fn, void* data, unsigned threads, unsigned count, unsigned) {
  first_loop l{iteration_space::of(1L, static_cast<long>(count) + 1, 1L), schedule::dynamic, 1};
  run_region(fn, data, size_of_team(current(), threads), place_of_return(), prepare_first_loop, &l);
}

void GOMP_parallel_sections_start(function fn, void* data, unsigned threads, unsigned count) {
  first_loop l{iteration_space::of(1L, static_cast<long>(count) + 1, 1L), schedule::dynamic, 1};
  start_region(fn, data, size_of_team(current(), threads), place_of_return(), prepare_first_loop, &l);
}

bool GOMP_cancellation_point(int which) {
  if (!process().cancellation) return false;
  const task& t = current();
  if ((which & (of_loop | of_sections)) != 0)
    return current_member("cancellation point").at->cancelled.load(std::memory_order_relaxed);
  if ((which & of_taskgroup) != 0 && t.group != nullptr && t.group->cancelled.load(std::memory_order_relaxed))
    return true;
  return t.team->cancelled.load(std::memory_order_relaxed);
}

bool GOMP_cancel(int which, bool does) {
  if (!process().cancellation) return false;
  if (!does) return GOMP_cancellation_point(which);
  task& t = current();
  if ((which & (of_loop | of_sections)) != 0) {
    member& me = current_member("cancel");
    me.at->cancelled.store(true, std::memory_order_relaxed);  // relaxed: a hint
    me.team->events.wake();
  } else if ((which & of_taskgroup) != 0) {
    if (t.group != nullptr) t.group->cancelled.store(true, std::memory_order_relaxed);  // relaxed: a hint
  } else {
    cancel_region(*t.team);
  }
  return true;
}

void GOMP_teams_reg(function fn, void* data, unsigned teams, unsigned thread_limit, unsigned) {
  constexpr unsigned default_teams = 3;
  if (teams == 0) teams = process().num_teams != 0 ? static_cast<unsigned>(process().num_teams) : default_teams;
  struct body {
    function fn;
    void* data;
  } b{fn, data};
  run_league(
      teams, thread_limit, [](void* with, unsigned) { static_cast<body*>(with)->fn(static_cast<body*>(with)->data); },
      &b, place_of_return());
}

void GOMP_teams(unsigned, unsigned thread_limit) {
  if (thread_limit != 0) change_vars(current(), [&](icvs& v) { v.thread_limit = thread_limit; });
}

bool GOMP_teams4(unsigned, unsigned, unsigned thread_limit, bool is_first) {
  if (is_first) GOMP_teams(0, thread_limit);
  return is_first;
}

int omp_get_num_teams() { return static_cast<int>(current().team->league.size); }
int omp_get_team_num() { return static_cast<int>(current().team->league.number); }

}  // extern "C"

#pragma GCC visibility pop
