// libomp's entry points for taskloops and for reductions over tasks, as clang calls them. A strand calls them for the
// task that it runs.
#include "compiled_reduction.hpp"
#include "compiled_task.hpp"
#include "task.hpp"
#include "task_block.hpp"
#include "taskloop_division.hpp"
#include "team.hpp"

#include <cstring>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

using copy_privates = void (*)(compiled_task* to, compiled_task* from, i4 is_last);

compiled_task* copy_of(compiled_task* t) {
  const task_block& b = task_block::of(t);
  compiled_task* const copy = new_compiled_task(b.flags, b.task_bytes, b.shared_bytes, t->routine);
  void* const shareds = copy->shareds;
  std::memcpy(static_cast<void*>(copy), t, b.bytes());
  copy->shareds = shareds;
  return copy;
}

/// The word of a copy that is at the place of this word of the original.
u8& word_of(compiled_task* copy, const compiled_task* t, const u8* word) noexcept {
  const auto place = reinterpret_cast<const std::byte*>(word) - reinterpret_cast<const std::byte*>(t);
  return *reinterpret_cast<u8*>(reinterpret_cast<std::byte*>(copy) + place);
}

/// Each task is a copy of `t`, whose bounds are in its private variables.
void run_taskloop(compiled_task* t, bool is_deferrable, const u8* lower, const u8* upper, i8 step, bool has_group,
                  unsigned flags, u8 clause, copy_privates copy, const void* returns) {
  task& me = current();
  const auto by = static_cast<u8>(step);
  const u8 count = (step > 0 ? (*upper - *lower) / by : (*lower - *upper) / (0 - by)) + 1, first = *lower;
  if (count == 0) return end_compiled_task(t);
  const taskloop_division d = divide_taskloop(count, flags, clause, me.team->size);
  if (has_group) start_group(me);
  u8 at = 0;
  for (u8 i = 0; i < d.tasks; ++i) {
    const u8 end = std::min(at + d.length(i), count);
    compiled_task* const next = copy_of(t);
    word_of(next, t, lower) = first + at * by;
    word_of(next, t, upper) = first + (end - 1) * by;
    if (copy != nullptr) copy(next, t, end == count ? 1 : 0);
    make_compiled_task(next, is_deferrable, returns);
    at = end;
  }
  end_compiled_task(t);
  if (has_group) end_group(me);
}

enum clause_of_taskloop : i4 { no_clause = 0, grainsize = 1, num_tasks = 2 };

unsigned flags_of(i4 clause, bool is_strict) noexcept {
  return (clause == grainsize ? flag_grainsize : 0U) | (is_strict ? flag_strict : 0U);
}

}  // namespace

extern "C" {

void __kmpc_taskloop(const ident*, i4, compiled_task* t, i4 is_deferrable, u8* lower, u8* upper, i8 step,
                     i4 has_nogroup, i4 clause, u8 value, copy_privates copy) {
  run_taskloop(t, is_deferrable != 0, lower, upper, step, has_nogroup == 0, flags_of(clause, false), value, copy,
               place_of_return());
}
void __kmpc_taskloop_5(const ident*, i4, compiled_task* t, i4 is_deferrable, u8* lower, u8* upper, i8 step,
                       i4 has_nogroup, i4 clause, u8 value, i4 is_strict, copy_privates copy) {
  run_taskloop(t, is_deferrable != 0, lower, upper, step, has_nogroup == 0, flags_of(clause, is_strict != 0), value,
               copy, place_of_return());
}

void __kmpc_taskgroup(const ident*, i4) { start_group(current()); }
void __kmpc_end_taskgroup(const ident*, i4) { end_group_with_reductions(current()); }

void* __kmpc_taskred_init(i4, i4 count, const compiled_reduction* list) { return reduce_in_group(count, list); }
void* __kmpc_task_reduction_init(i4, i4 count, const compiled_reduction_4* list) {
  return reduce_in_group(count, with_originals(count, list).data());
}
void* __kmpc_taskred_modifier_init(const ident*, i4, i4, i4 count, const compiled_reduction* list) {
  return reduce_in_team(count, list);
}
void* __kmpc_task_reduction_modifier_init(const ident*, i4, i4, i4 count, const compiled_reduction_4* list) {
  return reduce_in_team(count, with_originals(count, list).data());
}
void __kmpc_task_reduction_modifier_fini(const ident*, i4, i4) { end_group_with_reductions(current()); }
void* __kmpc_task_reduction_get_th_data(i4, void*, void* variable) {
  find_copies(1, 0, &variable);
  return variable;
}

}  // extern "C"

#pragma GCC visibility pop
