// The library describes itself to debuggers: tine-gdb.py finds the object `tine_debugger` by its name. The program
// itself does not use it.
#pragma once

#include "base/layout_entry.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::sched {

struct pool_list;

/// The table of a front end's coroutines (src/coro/debugger_layout.cpp).
extern "C" const base::layout_entry tine_coroutine_layout[];

struct debugger {
  char magic[8];
  std::uint64_t version;
  const base::layout_entry* scheduler;
  const base::layout_entry* coroutines;
  const void* fibers;      ///< the head of the list of fibers (guard_pages.hpp)
  const pool_list* pools;  ///< null before the library's constructors have run
};

}  // namespace tine::sched

extern "C" TINE_API tine::sched::debugger tine_debugger;
