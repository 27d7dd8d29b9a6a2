// The flow graph, which is oneTBB's: its nodes run on oneTBB's threads, so the program links oneTBB.
//
// The graph needs oneTBB's arenas and contexts. They are defined in tbb::detail::d1, where ours aren't, but oneTBB's
// headers would also export them under the names of ours. So we include these headers with another name for v1.
#pragma once
#pragma GCC system_header  // compilers warn of #include_next elsewhere

#include <oneapi/tbb/tine/flow_control.hpp>
#include <oneapi/tbb/tine/split.hpp>

#if __has_include_next(<oneapi/tbb/flow_graph.h>)

#include <oneapi/tbb/task_group.h>
#if __has_include(<oneapi/tbb/tine/isolation.hpp>)
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#undef __TBB_info_H
#undef __TBB_task_arena_H
#endif

#define v1 \
  v1 {}    \
  namespace onetbb_v1
#include_next <oneapi/tbb/info.h>
#include_next <oneapi/tbb/task_arena.h>
#include_next <oneapi/tbb/task_group.h>
#undef v1

#include_next <oneapi/tbb/flow_graph.h>

#else
#error "tine: <tbb/flow_graph.h> needs oneTBB's headers, which the compiler doesn't find."
#endif
