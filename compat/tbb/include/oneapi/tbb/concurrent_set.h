// concurrent_set, which is oneTBB's, with oneTBB's enumerable_thread_specific inside.
#pragma once
#pragma GCC system_header  // #include_next is an extension

#if __has_include_next(<oneapi/tbb/concurrent_set.h>)
#include <oneapi/tbb/tine/hide_onetbb_copies.hpp>

#define enumerable_thread_specific detail::d1::enumerable_thread_specific
#include_next <oneapi/tbb/concurrent_set.h>
#undef enumerable_thread_specific
#else
#error "tine: <tbb/concurrent_set.h> needs oneTBB's headers, which the compiler doesn't find."
#endif
