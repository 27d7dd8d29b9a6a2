// Lets oneTBB's concurrent_map and concurrent_set have oneTBB's enumerable_thread_specific, beside ours. Only their
// headers here include this file.
//
// All parts of a program must agree on the layout of a container, so it keeps oneTBB's type, tbb::detail::d1::…. But
// oneTBB's header would also export that under the name of ours. So we include it with another name for v1. The headers
// that it includes itself come first, under their own name.
#pragma once
#pragma GCC system_header  // #include_next is an extension

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/task.h>

#include <oneapi/tbb/concurrent_vector.h>
#include <oneapi/tbb/profiling.h>
#include <oneapi/tbb/tbb_allocator.h>

#undef __TBB_task_H
#define v1 \
  v1 {}    \
  namespace onetbb_v1
#include_next <oneapi/tbb/enumerable_thread_specific.h>
#include_next <oneapi/tbb/task.h>
#undef v1
