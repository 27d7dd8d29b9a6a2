// libomp's entry points for parallel regions, leagues of teams, and cancellation, as clang calls them. Any thread may
// call them.
#include "compiled_task.hpp"
#include "fail.hpp"
#include "icvs.hpp"
#include "task.hpp"
#include "team.hpp"
#include "workshare.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <utility>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

constexpr int most_shared = 256;

/// The function of a region and the addresses of its shared variables, which follow in the call.
struct region_call {
  microtask body;
  std::array<void*, most_shared> shared;
  void (*invoke)(const region_call&, i4*, i4*);
};

/// A callee ignores the arguments behind its own, so a few functions serve all numbers of shared variables.
template <int Count>
void invoke(const region_call& c, i4* global, i4* bound) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    c.body(global, bound, c.shared[I]...);
  }(std::make_index_sequence<Count>{});
}

template <int Count>
void pad(region_call& c, int count) noexcept {
  std::fill(c.shared.begin() + count, c.shared.begin() + Count, nullptr);
  c.invoke = &invoke<Count>;
}

[[gnu::always_inline]] inline void read_call(region_call& c, microtask body, int count, va_list arguments) noexcept {
  if (count > most_shared) fail("a region shares %d variables; tine allows %d.", count, most_shared);
  c.body = body;
  for (int i = 0; i < count; ++i) c.shared[static_cast<std::size_t>(i)] = va_arg(arguments, void*);
  if (count <= 6) return pad<6>(c, count);
  if (count <= 24) return pad<24>(c, count);
  pad<most_shared>(c, count);
}

void run_call(void* data) {
  const auto& c = *static_cast<const region_call*>(data);
  i4 global = current().number, bound = global;
  c.invoke(c, &global, &bound);
}

void run_team_of_league(void* data, unsigned number) {
  const auto& c = *static_cast<const region_call*>(data);
  i4 global = 0, bound = static_cast<i4>(number);
  c.invoke(c, &global, &bound);
}

/// The size of the next region: num_threads has been pushed for it, or not.
unsigned next_size() {
  task& me = current();
  return size_of_team(me, std::exchange(me.next_team_size, std::uint16_t{0}));
}

/// The values of the clauses num_teams and thread_limit, until the league starts on the same thread.
struct next_league {
  unsigned teams = 0, thread_limit = 0;
};
thread_local next_league asked_league;

enum cancelled_kind : i4 { of_parallel = 1, of_loop = 2, of_sections = 3, of_taskgroup = 4 };

bool is_cancelled(i4 kind) {
  task& t = current();
  // relaxed, here and below: hints
  if (kind == of_taskgroup) return t.group != nullptr && t.group->cancelled.load(std::memory_order_relaxed);
  if (kind == of_parallel) return t.team->cancelled.load(std::memory_order_relaxed);
  return t.team->cancelled_loop.load(std::memory_order_relaxed) == current_member("cancellation point").barriers + 1;
}

/// Loops with a static schedule are not known to us. But a loop that may be cancelled ends with a barrier, so the
/// number of barriers before it names it. Such a loop is neither ordered nor a doacross loop, so no member waits in it.
void cancel_loop() {
  const member& me = current_member("cancel");
  me.team->cancelled_loop.store(me.barriers + 1, std::memory_order_relaxed);
}

}  // namespace

extern "C" {

void __kmpc_begin(const ident*, i4) {}
void __kmpc_end(const ident*) {}

i4 __kmpc_global_thread_num(const ident*) {
  const task* const me = current_or_null();
  return me == nullptr ? 0 : me->number;
}
i4 __kmpc_bound_thread_num(const ident* at) { return __kmpc_global_thread_num(at); }
i4 __kmpc_global_num_threads(const ident*) { return static_cast<i4>(current().team->size); }
i4 __kmpc_bound_num_threads(const ident* at) { return __kmpc_global_num_threads(at); }
i4 __kmpc_in_parallel(const ident*) { return current().team->active_level > 0 ? 1 : 0; }
i4 __kmpc_ok_to_fork(const ident*) { return 1; }

void __kmpc_push_num_threads(const ident*, i4, i4 threads) {
  task& me = current();
  me.next_team_size = static_cast<std::uint16_t>(size_of_team(me, threads == 0 ? 1 : static_cast<unsigned>(threads)));
}
void __kmpc_push_proc_bind(const ident*, i4, i4) {}  // there are no places
void __kmpc_pop_num_threads(const ident*, i4) { current().next_team_size = 0; }
void __kmpc_set_thread_limit(const ident*, i4, i4 limit) {
  if (limit > 0) change_vars(current(), [limit](icvs& v) { v.thread_limit = static_cast<unsigned>(limit); });
}

void __kmpc_fork_call(const ident*, i4 count, microtask body, ...) {
  region_call c;
  va_list arguments;
  va_start(arguments, body);
  read_call(c, body, count, arguments);
  va_end(arguments);
  run_region(&run_call, &c, next_size(), place_of_return(), nullptr, nullptr,
             reinterpret_cast<function>(reinterpret_cast<void*>(body)));
}

void __kmpc_fork_call_if(const ident*, i4, microtask body, i4 does_fork, void* shared) {
  region_call c;
  c.body = body;
  c.shared[0] = shared;
  pad<6>(c, 1);
  const unsigned size = next_size();
  run_region(&run_call, &c, does_fork != 0 ? size : 1, place_of_return(), nullptr, nullptr,
             reinterpret_cast<function>(reinterpret_cast<void*>(body)));
}

void __kmpc_serialized_parallel(const ident*, i4) {
  current().next_team_size = 0;
  start_region(nullptr, nullptr, 1, place_of_return());
}
void __kmpc_end_serialized_parallel(const ident*, i4) { end_region(); }

void __kmpc_push_num_teams(const ident*, i4, i4 teams, i4 thread_limit) {
  asked_league = {static_cast<unsigned>(std::max(teams, 0)), static_cast<unsigned>(std::max(thread_limit, 0))};
}
void __kmpc_push_num_teams_51(const ident* at, i4 number, i4, i4 most_teams, i4 thread_limit) {
  __kmpc_push_num_teams(at, number, most_teams, thread_limit);
}

void __kmpc_fork_teams(const ident*, i4 count, microtask body, ...) {
  region_call c;
  va_list arguments;
  va_start(arguments, body);
  read_call(c, body, count, arguments);
  va_end(arguments);
  const next_league l = std::exchange(asked_league, {});
  run_league(l.teams != 0 ? l.teams : static_cast<unsigned>(std::max(process().num_teams, 1)), l.thread_limit,
             &run_team_of_league, &c, place_of_return());
}

i4 __kmpc_cancellationpoint(const ident*, i4, i4 kind) { return process().cancellation && is_cancelled(kind) ? 1 : 0; }

i4 __kmpc_cancel(const ident*, i4, i4 kind) {
  if (!process().cancellation) return 0;
  task& t = current();
  if (kind == of_parallel) {
    cancel_region(*t.team);
  } else if (kind == of_loop || kind == of_sections) {
    cancel_loop();
  } else if (t.group != nullptr) {
    t.group->cancelled.store(true, std::memory_order_relaxed);  // relaxed: a hint
  }
  return 1;
}

}  // extern "C"

#pragma GCC visibility pop
