// libgomp's entry points for worksharing: loops over long and over unsigned long long, ordered and doacross ones,
// sections, and scopes with reductions. They are called in the implicit tasks of a team, on their own strands.
#include "fail.hpp"
#include "icvs.hpp"
#include "place_of_return.hpp"
#include "reductions.hpp"
#include "task.hpp"
#include "team.hpp"
#include "workshare.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstring>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

using ull = unsigned long long;
constexpr unsigned most_dimensions = 64;

template <class T>
bool hand_out(const workshare& w, const chunk_of_iterations& c, T* first, T* last) noexcept {
  *first = static_cast<T>(w.space.value(c.first));
  *last = static_cast<T>(w.space.value(c.last));
  return true;
}

template <class T>
bool next(T* first, T* last) noexcept {
  member& me = current_member("a loop");
  chunk_of_iterations c{};
  return take_chunk(me, c) && hand_out(*me.at, c, first, last);
}

template <class T>
bool next_ordered(T* first, T* last) noexcept {
  member& me = current_member("an ordered loop");
  chunk_of_iterations c{};
  return take_ordered_chunk(me, c) && hand_out(*me.at, c, first, last);
}

/// Arguments of GOMP_loop_start and its kin beyond the loop itself.
struct extras {
  std::uintptr_t* reductions = nullptr;
  void** memory = nullptr;  ///< in: bytes; out: a block of zeros that the team shares
};

/// Enters the construct; `prepare` fills in the loop.
template <class Prepare>
member& enter(const extras& more, Prepare prepare) {
  member& me = current_member("a worksharing construct");
  bool is_first = false;
  workshare& w = enter_share(
      me,
      [&](workshare& fresh) {
        prepare(fresh, *me.vars);
        if (more.reductions != nullptr) {
          register_reductions(more.reductions, me.group == nullptr ? nullptr : me.group->reductions, me.team->size);
          fresh.reductions = more.reductions;
        }
        if (more.memory != nullptr) fresh.memory.reset(new char[reinterpret_cast<std::uintptr_t>(*more.memory)]());
      },
      &is_first);
  if (more.reductions != nullptr) start_shared_reductions(me, w, is_first, more.reductions);
  if (more.memory != nullptr) *more.memory = w.memory.get();
  return me;
}

void start(const iteration_space& space, schedule sched, std::uint64_t chunk, const extras& more = {}) {
  enter(more, [&](workshare& w, const icvs& vars) { prepare_loop(w, space, sched, chunk, vars); });
}

template <class T>
void start_doacross(unsigned dimensions, const T* counts, schedule sched, std::uint64_t chunk,
                    const extras& more = {}) {
  if (dimensions > most_dimensions)
    fail("a doacross loop has %u dimensions; tine allows %u.", dimensions, most_dimensions);
  std::array<std::uint64_t, most_dimensions> extent{};
  std::copy(counts, counts + dimensions, extent.begin());
  enter(more, [&](workshare& w, const icvs& vars) {
    prepare_loop(w, iteration_space::of(true, 0, extent[0], 1), sched, chunk, vars);
    prepare_doacross(w, extent.data(), dimensions);
  });
}

std::uint64_t size(long chunk) noexcept { return static_cast<std::uint64_t>(std::max(chunk, 0L)); }
std::uint64_t size(ull chunk) noexcept { return chunk; }

template <class T>
void post(const T* counts) noexcept {
  member& me = current_member("ordered depend(source)");
  if (me.at->progress == nullptr) return;
  std::array<std::uint64_t, most_dimensions> at{};
  std::copy(counts, counts + me.at->progress->extent.size(), at.begin());
  post_iteration(*me.team, *me.at, at.data());
}

}  // namespace

extern "C" {

#define TINE_NEXT(name, how)                                                         \
  bool GOMP_loop_##name##_next(long* first, long* last) { return how(first, last); } \
  bool GOMP_loop_ull_##name##_next(ull* first, ull* last) { return how(first, last); }
#define TINE_LOOP(name, sched, how)                                                                          \
  bool GOMP_loop_##name##_start(long from, long to, long step, long chunk, long* first, long* last) {        \
    start(iteration_space::of(from, to, step), sched, size(chunk));                                          \
    return how(first, last);                                                                                 \
  }                                                                                                          \
  bool GOMP_loop_ull_##name##_start(bool up, ull from, ull to, ull step, ull chunk, ull* first, ull* last) { \
    start(iteration_space::of(up, from, to, step), sched, chunk);                                            \
    return how(first, last);                                                                                 \
  }                                                                                                          \
  TINE_NEXT(name, how)
#define TINE_LOOP_RUNTIME(name, how)                                                              \
  bool GOMP_loop_##name##_start(long from, long to, long step, long* first, long* last) {         \
    start(iteration_space::of(from, to, step), schedule::runtime, 0);                             \
    return how(first, last);                                                                      \
  }                                                                                               \
  bool GOMP_loop_ull_##name##_start(bool up, ull from, ull to, ull step, ull* first, ull* last) { \
    start(iteration_space::of(up, from, to, step), schedule::runtime, 0);                         \
    return how(first, last);                                                                      \
  }                                                                                               \
  TINE_NEXT(name, how)
#define TINE_LOOP_ANY(name, how)                                                                               \
  bool GOMP_loop_##name(long from, long to, long step, long sched, long chunk, long* first, long* last,        \
                        std::uintptr_t* reductions, void** memory) {                                           \
    start(iteration_space::of(from, to, step), schedule_of(sched), size(chunk), {reductions, memory});         \
    return first == nullptr || how(first, last);                                                               \
  }                                                                                                            \
  bool GOMP_loop_ull_##name(bool up, ull from, ull to, ull step, long sched, ull chunk, ull* first, ull* last, \
                            std::uintptr_t* reductions, void** memory) {                                       \
    start(iteration_space::of(up, from, to, step), schedule_of(sched), chunk, {reductions, memory});           \
    return first == nullptr || how(first, last);                                                               \
  }
#define TINE_DOACROSS(name, type, sched)                                                                  \
  bool GOMP_loop_##name##_start(unsigned dimensions, type* counts, type chunk, type* first, type* last) { \
    start_doacross(dimensions, counts, sched, size(chunk));                                               \
    return next(first, last);                                                                             \
  }
#define TINE_DOACROSS_ANY(prefix, type)                                                                               \
  bool GOMP_loop_##prefix##_runtime_start(unsigned dimensions, type* counts, type* first, type* last) {               \
    start_doacross(dimensions, counts, schedule::runtime, 0);                                                         \
    return next(first, last);                                                                                         \
  }                                                                                                                   \
  bool GOMP_loop_##prefix##_start(unsigned dimensions, type* counts, long sched, type chunk, type* first, type* last, \
                                  std::uintptr_t* reductions, void** memory) {                                        \
    start_doacross(dimensions, counts, schedule_of(sched), size(chunk), {reductions, memory});                        \
    return first == nullptr || next(first, last);                                                                     \
  }

TINE_LOOP(static, schedule::fixed, next)
TINE_LOOP(dynamic, schedule::dynamic, next)
TINE_LOOP(guided, schedule::guided, next)
TINE_LOOP(nonmonotonic_dynamic, schedule::dynamic, next)
TINE_LOOP(nonmonotonic_guided, schedule::guided, next)
TINE_LOOP(ordered_static, schedule::fixed, next_ordered)
TINE_LOOP(ordered_dynamic, schedule::dynamic, next_ordered)
TINE_LOOP(ordered_guided, schedule::guided, next_ordered)
TINE_LOOP_RUNTIME(runtime, next)
TINE_LOOP_RUNTIME(nonmonotonic_runtime, next)
TINE_LOOP_RUNTIME(maybe_nonmonotonic_runtime, next)
TINE_LOOP_RUNTIME(ordered_runtime, next_ordered)
TINE_LOOP_ANY(start, next)
TINE_LOOP_ANY(ordered_start, next_ordered)
TINE_DOACROSS(doacross_static, long, schedule::fixed)
TINE_DOACROSS(doacross_dynamic, long, schedule::dynamic)
TINE_DOACROSS(doacross_guided, long, schedule::guided)
TINE_DOACROSS_ANY(doacross, long)
TINE_DOACROSS(ull_doacross_static, ull, schedule::fixed)
TINE_DOACROSS(ull_doacross_dynamic, ull, schedule::dynamic)
TINE_DOACROSS(ull_doacross_guided, ull, schedule::guided)
TINE_DOACROSS_ANY(ull_doacross, ull)

#undef TINE_NEXT
#undef TINE_LOOP
#undef TINE_LOOP_RUNTIME
#undef TINE_LOOP_ANY
#undef TINE_DOACROSS
#undef TINE_DOACROSS_ANY

void GOMP_loop_end() { wait_at_barrier(current_member("a loop"), false); }
void GOMP_loop_end_nowait() {}
bool GOMP_loop_end_cancel() { return wait_at_barrier(current_member("a loop"), true); }

void GOMP_ordered_start() { begin_ordered(current_member("ordered")); }
void GOMP_ordered_end() { end_ordered(current_member("ordered")); }  // the turn ends with the chunk

void GOMP_doacross_post(long* counts) { post(counts); }
void GOMP_doacross_ull_post(ull* counts) { post(counts); }

#define TINE_DOACROSS_WAIT(name, type)                                                \
  void GOMP_doacross_##name(type first, ...) {                                        \
    member& me = current_member("ordered depend(sink)");                              \
    if (me.at->progress == nullptr) return;                                           \
    std::array<std::uint64_t, most_dimensions> at{static_cast<std::uint64_t>(first)}; \
    va_list more;                                                                     \
    va_start(more, first);                                                            \
    for (std::size_t d = 1; d < me.at->progress->extent.size(); ++d)                  \
      at[d] = static_cast<std::uint64_t>(va_arg(more, type));                         \
    va_end(more);                                                                     \
    wait_for_iteration(*me.team, *me.at, at.data());                                  \
  }
TINE_DOACROSS_WAIT(wait, long)
TINE_DOACROSS_WAIT(ull_wait, ull)
#undef TINE_DOACROSS_WAIT

unsigned GOMP_sections_next() {
  long section = 0, end = 0;
  return next(&section, &end) ? static_cast<unsigned>(section) : 0;
}

unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
  start(iteration_space::of(1L, static_cast<long>(count) + 1, 1L), schedule::dynamic, 1, {reductions, memory});
  return GOMP_sections_next();
}

unsigned GOMP_sections_start(unsigned count) { return GOMP_sections2_start(count, nullptr, nullptr); }

void GOMP_sections_end() { GOMP_loop_end(); }
void GOMP_sections_end_nowait() {}
bool GOMP_sections_end_cancel() { return GOMP_loop_end_cancel(); }

void GOMP_scope_start(std::uintptr_t* reductions) {
  enter({reductions, nullptr}, [](workshare&, const icvs&) {});
}

void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
  end_shared_reductions(current_member("a reduction of tasks"), is_cancelled);
}

}  // extern "C"

#pragma GCC visibility pop
