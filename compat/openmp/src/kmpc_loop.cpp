// libomp's entry points for loops, as clang calls them: static ones, whose bounds are computed here, those that take
// chunk after chunk, ordered and doacross ones, and loops over a league. They are called on the strands of a team's
// implicit tasks. Bounds are inclusive.
#include "compiled_task.hpp"
#include "fail.hpp"
#include "icvs.hpp"
#include "task.hpp"
#include "team.hpp"
#include "workshare.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <type_traits>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

constexpr int most_dimensions = 64;

/// The compiler's numbers of schedules. Ordered ones are larger by 32, and those after 160 repeat all of them.
enum compiled_schedule : i4 {
  fixed_chunked = 33,
  fixed_whole = 34,
  dynamic_chunked = 35,
  guided_chunked = 36,
  by_runtime = 37,
  by_compiler = 38,
  trapezoidal = 39,
  fixed_greedy = 40,
  fixed_balanced = 41,
  guided_iterative = 42,
  guided_analytical = 43,
  fixed_stealing = 44,
  fixed_balanced_chunked = 45,
  guided_simd = 46,
  by_runtime_simd = 47,
  last_unordered = 63,
  league_chunked = 91,
  league_whole = 92,
  from_unmerged = 160,
  modifiers = 3 << 29,
};

struct decoded_schedule {
  schedule kind;
  bool is_ordered, has_chunk;
};

decoded_schedule decode(i4 number) noexcept {
  i4 plain = number & ~modifiers;
  if (plain > from_unmerged) plain -= from_unmerged - 32;
  const bool is_ordered = plain > last_unordered;
  switch (is_ordered ? plain - 32 : plain) {
    case fixed_chunked:
    case fixed_balanced_chunked:
      return {schedule::fixed, is_ordered, true};
    case fixed_whole:
    case fixed_greedy:
    case fixed_balanced:
      return {schedule::fixed, is_ordered, false};
    case dynamic_chunked:
    case fixed_stealing:
      return {schedule::dynamic, is_ordered, true};
    case guided_chunked:
    case guided_iterative:
    case guided_analytical:
    case guided_simd:
    case trapezoidal:
      return {schedule::guided, is_ordered, true};
    case by_runtime:
    case by_runtime_simd:
      return {schedule::runtime, is_ordered, false};
    case by_compiler:
      return {schedule::automatic, is_ordered, false};
    default:
      fail("a loop has the unknown schedule %d.", number);
  }
}

/// The iterations from `lower` to `upper`, which both belong to them. We count in 64 bits, whatever the type is.
template <class T>
iteration_space space_of(T lower, T upper, std::make_signed_t<T> step) noexcept {
  const auto from = static_cast<u8>(lower), to = static_cast<u8>(upper), by = static_cast<u8>(i8{step});
  u8 count = 0;
  if (step > 0 && lower <= upper) count = (to - from) / by + 1;
  if (step < 0 && lower >= upper) count = (from - to) / (0 - by) + 1;
  return {from, to + by, by, count};
}

/// The threads of a team, or the teams of a league, share a loop.
struct sharers {
  u8 number, count;
};
sharers threads_of_team() {
  const task& me = current();
  return {static_cast<u8>(me.number), me.team->size};
}
sharers teams_of_league() {
  const league_place l = current().team->league;
  return {l.number, l.size};
}

/// The bounds of a static loop, which the compiler's code keeps. `stride` leads from a chunk to the next one.
template <class T>
struct loop_bounds {
  T *lower, *upper;
  std::make_signed_t<T>* stride;
};

/// Replaces the bounds by those of the caller's part, or of its first chunk. Returns true if the last iteration is in
/// it, or in a later chunk. Without a chunk size each gets one part.
template <class T>
bool share_out(const loop_bounds<T>& b, std::make_signed_t<T> step, bool is_chunked, std::make_signed_t<T> chunk,
               sharers by) noexcept {
  const iteration_space all = space_of(*b.lower, *b.upper, step);
  const auto set = [&](const chunk_of_iterations& c, u8 stride) {
    *b.lower = static_cast<T>(all.start + c.first * all.step);
    *b.upper = static_cast<T>(all.start + c.last * all.step - all.step);
    if (b.stride != nullptr) *b.stride = static_cast<std::make_signed_t<T>>(stride * all.step);
  };
  if (all.count == 0) {  // the bounds say so already
    if (b.stride != nullptr) *b.stride = step;
    return false;
  }
  if (!is_chunked) {
    const chunk_of_iterations part = part_of(all.count, by.number, by.count);
    set(part, all.count);
    return part.first < part.last && part.last == all.count;
  }
  const u8 length = std::clamp<u8>(static_cast<u8>(std::max<std::make_signed_t<T>>(chunk, 1)), 1, all.count);
  const u8 chunks = (all.count - 1) / length + 1, in_use = std::min(chunks, by.count);
  const bool has_any = by.number < chunks;
  const u8 first = by.number * length;
  set(has_any ? chunk_of_iterations{first, first + length} : chunk_of_iterations{all.count, all.count},
      in_use * length);
  return has_any && (chunks - 1) % by.count == by.number;
}

void store(i4* is_last, bool value) noexcept {
  if (is_last != nullptr) *is_last = value ? 1 : 0;
}

template <class T>
void start_static(i4 number, i4* is_last, const loop_bounds<T>& b, std::make_signed_t<T> step,
                  std::make_signed_t<T> chunk) noexcept {
  const i4 plain = number & ~modifiers;
  const bool is_of_league = plain == league_chunked || plain == league_whole;
  const bool is_chunked = is_of_league ? plain == league_chunked : decode(number).has_chunk;
  store(is_last, share_out(b, step, is_chunked, chunk, is_of_league ? teams_of_league() : threads_of_team()));
}

/// A loop over a league and the threads of its teams at once.
template <class T>
void start_static_of_both(i4 number, i4* is_last, const loop_bounds<T>& b, T* upper_of_team, std::make_signed_t<T> step,
                          std::make_signed_t<T> chunk) noexcept {
  const bool is_in_team = share_out(loop_bounds<T>{b.lower, b.upper, nullptr}, step, false, {}, teams_of_league());
  *upper_of_team = *b.upper;
  const bool is_in_thread = share_out(b, step, decode(number).has_chunk, chunk, threads_of_team());
  store(is_last, is_in_team && is_in_thread);
}

template <class T>
void start_dispatch(i4 number, T lower, T upper, std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
  const decoded_schedule s = decode(number);
  member& me = current_member("a loop");
  enter_share(me, [&](workshare& w) {
    const u8 length = s.has_chunk ? static_cast<u8>(std::max<std::make_signed_t<T>>(chunk, 1)) : 0;
    prepare_loop(w, space_of(lower, upper, step), s.kind, length, *me.vars);
    w.is_ordered = s.is_ordered;
  });
}

template <class T>
i4 next_of_dispatch(i4* is_last, T* lower, T* upper, std::make_signed_t<T>* step) noexcept {
  member& me = current_member("a loop");
  const workshare& w = *me.at;
  chunk_of_iterations c{};
  if (!(w.is_ordered ? take_ordered_chunk(me, c) : take_chunk(me, c))) return 0;
  *lower = static_cast<T>(w.space.value(c.first));
  *upper = static_cast<T>(w.space.value(c.last - 1));
  if (step != nullptr) *step = static_cast<std::make_signed_t<T>>(w.space.step);
  store(is_last, c.last == w.space.count);
  return 1;
}

/// A dimension of a doacross loop. Clang counts iterations from 0, and `upper` is their number.
struct dimension {
  i8 lower, upper, step;
};

/// Returns false if the values name no iteration of the loop: one before its start is a large number here.
bool find_iteration(const workshare& w, const i8* values, std::array<u8, most_dimensions>& at) noexcept {
  const auto& extent = w.progress->extent;
  for (std::size_t d = 0; d < extent.size(); ++d) {
    at[d] = static_cast<u8>(values[d]);
    if (at[d] >= extent[d]) return false;
  }
  return true;
}

workshare& doacross_of(const member& me) {
  if (me.doacross == nullptr) fail("ordered depend is outside of a doacross loop.");
  return *me.doacross;
}

}  // namespace

extern "C" {

#define TINE_LOOP(suffix, type, signed_type)                                                                          \
  void __kmpc_for_static_init_##suffix(const ident*, i4, i4 kind, i4* is_last, type* lower, type* upper,              \
                                       signed_type* stride, signed_type step, signed_type chunk) {                    \
    start_static<type>(kind, is_last, {lower, upper, stride}, step, chunk);                                           \
  }                                                                                                                   \
  void __kmpc_team_static_init_##suffix(const ident*, i4, i4* is_last, type* lower, type* upper, signed_type* stride, \
                                        signed_type step, signed_type chunk) {                                        \
    start_static<type>(league_chunked, is_last, {lower, upper, stride}, step, chunk);                                 \
  }                                                                                                                   \
  void __kmpc_dist_for_static_init_##suffix(const ident*, i4, i4 kind, i4* is_last, type* lower, type* upper,         \
                                            type* upper_of_team, signed_type* stride, signed_type step,               \
                                            signed_type chunk) {                                                      \
    start_static_of_both<type>(kind, is_last, {lower, upper, stride}, upper_of_team, step, chunk);                    \
  }                                                                                                                   \
  void __kmpc_dispatch_init_##suffix(const ident*, i4, i4 kind, type lower, type upper, signed_type step,             \
                                     signed_type chunk) {                                                             \
    start_dispatch<type>(kind, lower, upper, step, chunk);                                                            \
  }                                                                                                                   \
  void __kmpc_dist_dispatch_init_##suffix(const ident*, i4, i4 kind, i4* is_last, type lower, type upper,             \
                                          signed_type step, signed_type chunk) {                                      \
    store(is_last, share_out(loop_bounds<type>{&lower, &upper, nullptr}, step, false, {}, teams_of_league()));        \
    start_dispatch<type>(kind, lower, upper, step, chunk);                                                            \
  }                                                                                                                   \
  i4 __kmpc_dispatch_next_##suffix(const ident*, i4, i4* is_last, type* lower, type* upper, signed_type* step) {      \
    return next_of_dispatch<type>(is_last, lower, upper, step);                                                       \
  }                                                                                                                   \
  void __kmpc_dispatch_fini_##suffix(const ident*, i4) {} /* an iteration's turn ends with its chunk */

TINE_LOOP(4, i4, i4)
TINE_LOOP(4u, u4, i4)
TINE_LOOP(8, i8, i8)
TINE_LOOP(8u, u8, i8)
#undef TINE_LOOP

void __kmpc_for_static_fini(const ident*, i4) {}
void __kmpc_dispatch_deinit(const ident*, i4) {}

void __kmpc_ordered(const ident*, i4) { begin_ordered(current_member("ordered")); }
void __kmpc_end_ordered(const ident*, i4) { end_ordered(current_member("ordered")); }

void __kmpc_doacross_init(const ident*, i4, i4 dimensions, const dimension* loop) {
  if (dimensions < 1 || dimensions > most_dimensions)
    fail("a doacross loop has %d dimensions; tine allows %d.", dimensions, most_dimensions);
  std::array<u8, most_dimensions> extent{};
  for (i4 d = 0; d < dimensions; ++d) {
    if (loop[d].lower != 0 || loop[d].step != 1) fail("a doacross loop doesn't count its iterations from 0.");
    extent[static_cast<std::size_t>(d)] = static_cast<u8>(std::max<i8>(loop[d].upper, 0));
  }
  member& me = current_member("a doacross loop");
  workshare& w = enter_share(
      me, [&](workshare& fresh) { prepare_doacross(fresh, extent.data(), static_cast<unsigned>(dimensions)); });
  w.left.fetch_add(1, std::memory_order_relaxed);  // relaxed: this member is in it. It stays when its chunks come
  me.doacross = &w;
}
void __kmpc_doacross_fini(const ident*, i4) {
  member& me = current_member("a doacross loop");
  leave_share(*me.team, doacross_of(me));
  me.doacross = nullptr;
}
void __kmpc_doacross_post(const ident*, i4, const i8* values) {
  const member& me = current_member("ordered depend(source)");
  const workshare& w = doacross_of(me);
  std::array<u8, most_dimensions> at{};
  if (find_iteration(w, values, at)) post_iteration(*me.team, w, at.data());
}
void __kmpc_doacross_wait(const ident*, i4, const i8* values) {
  const member& me = current_member("ordered depend(sink)");
  const workshare& w = doacross_of(me);
  std::array<u8, most_dimensions> at{};
  if (find_iteration(w, values, at)) wait_for_iteration(*me.team, w, at.data());
}

}  // extern "C"

#pragma GCC visibility pop
