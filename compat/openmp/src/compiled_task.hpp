// The types in libomp's interface, as clang passes them to the `__kmpc_*` functions, and what their files share. The
// thread numbers that compiled code passes along are not used: a strand knows the task that it runs.
#pragma once

#include "place_of_return.hpp"
#include "team.hpp"

#include <cstddef>
#include <cstdint>

namespace tine::openmp {

using i4 = std::int32_t;
using u4 = std::uint32_t;
using i8 = std::int64_t;
using u8 = std::uint64_t;

/// The place of a construct in the program. We name places by return addresses instead, so only the flags are read.
struct ident {
  i4 reserved_1;
  i4 flags;
  i4 reserved_2, reserved_3;
  const char* source;

  static constexpr i4 atomic_reduce = 0x10;  ///< the compiler has emitted a reduction by atomic operations as well
};

/// A region or a team: the addresses of two thread numbers, and then those of the shared variables.
using microtask = void (*)(i4*, i4*, ...);

struct compiled_task;
using task_routine = i4 (*)(i4 thread, compiled_task*);

/// A task as the compiler knows it. Its private variables follow.
struct compiled_task {
  void* shareds;
  task_routine routine;
  i4 part;  ///< of an untied task: where its next run starts
  union {
    i4 priority;
    task_routine destructors;
  } data1, data2;
};
static_assert(sizeof(compiled_task) == 40);

enum compiled_flag : u4 {
  compiled_tied = 1U << 0,
  compiled_final = 1U << 1,
  compiled_destructors = 1U << 3,
  compiled_detachable = 1U << 6,
};

/// A dependence of a task.
struct compiled_dependence {
  void* address;
  std::size_t length;
  unsigned char kind;  ///< 1: in; 2 and 3: out, inout; 4: mutexinoutset; 8: inoutset; 0x80: omp_all_memory
};

}  // namespace tine::openmp
