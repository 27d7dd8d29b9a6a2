// The architecture for which this file is compiled. Each file in arch/ has the same functions; instructions of an
// architecture are in no other header.
//
// - `arch::counter`, `arch::counter_rate`, `arch::settle`: the clock;
// - `arch::pause`: one turn of a loop that waits for another thread;
// - `arch::opaque_fraction`: hides from the compiler how a number was computed;
// - `arch::hot`: accesses to the hot words of this thread (detail/sched/hot_words.hpp), by their offsets. A function
//   that orders the compiler's accesses says so; the others may be moved over accesses to other memory. Two accesses
//   without user code in between can share a `block`.
#pragma once

#include <tine/detail/base/macros.hpp>

#if !defined(TINE_PORTABLE) && defined(__x86_64__)
#include <tine/detail/base/arch/x86_64.hpp>
namespace tine::base {
namespace arch = x86_64;
}
#elif !defined(TINE_PORTABLE) && defined(__aarch64__)
#include <tine/detail/base/arch/aarch64.hpp>
namespace tine::base {
namespace arch = aarch64;
}
#else
#include <tine/detail/base/arch/portable.hpp>
namespace tine::base {
namespace arch = portable;
}
#endif
