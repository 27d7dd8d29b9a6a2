// Chooses the architecture that we compile for. Each file in arch/ has the same functions, and no other header has
// instructions of an architecture. Any thread may call them; the hot words are those of the calling thread.
//
// - `arch::counter`, `arch::counter_rate`, `arch::settle`: the clock.
// - `arch::pause`: one turn of a loop that waits for another thread.
// - `arch::opaque_fraction`: hides from the compiler how a number was computed.
// - `arch::hot`: accesses to the hot words of this thread (detail/sched/hot_words.hpp), by their offsets `At`. If the
//   name of a function ends in `_in_order`, all accesses before it in the program come first for this thread. The
//   compiler may move the others over accesses to other memory. Two accesses without user code in between can share a
//   `block`.
//
// The accesses of `arch::hot` are
//
// - `load<T, At>()`, `store<At>(word)` and `store_in_order<At>(word)`, for a word.
// - `store_number_in_order<At, Value>()`: stores a number of 32 bits, in program order with all accesses before and
//   behind it.
// - `count_down<At>()`: subtracts 1 from a number of 32 bits, and returns true if it is negative then. Signal handlers
//   must not access this number.
// - `is_below_in_order<At>(t)`, `is_above_in_order<At>(value)`: return true if the argument is below, or above, the
//   word.
// - `is<At>(l)`: returns true if the word is `l`, which had better be a small constant.
// - `is_set_in_order<At>()`: returns true if the word isn't zero.
// - `is_outside<Begin, Length>(where, bytes)`: returns true if the `bytes` bytes at `where` don't all lie in a certain
//   range. The word at `Begin` holds the negated start of this range, the word at `Length` its length. (The carry of an
//   addition says that `where` isn't below the range: the end alone could be in the range although the start isn't.)
// - `is_stack_below<At>()`: returns true if the native stack has grown below the address in the word. The compiler may
//   remember the answer.
// - `address()`: returns the address of the block.
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
