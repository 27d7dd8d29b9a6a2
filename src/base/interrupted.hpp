// A signal handler reads the registers of the code that its signal interrupted, and continues the system call in which
// that code waited. `where` is the handler's third argument. The files in arch/ define for their architecture
//
// - `program_counter(where)`, `stack_pointer(where)`, `frame_pointer(where)`: registers of that code; 0 if they are not
//   known;
// - `knows_registers`: true if these are known, and calls are continued;
// - `stack_pointer_in_context`: the offset of the stack pointer in a ucontext_t;
// - `ends_a_call(where)`: returns true if the code waited in a system call that the kernel is going to end with EINTR.
//   (Calls that the kernel restarts itself are not recognised: there the program counter stands before the call again);
// - `continue_call(where)`: continues that call, inside the handler, and leaves its result where the interrupted code
//   expects it. Returns false, and does nothing, if the call is not known to be one that restart_syscall continues:
//   nanosleep, clock_nanosleep with a relative time, or poll if `continues_poll`. For these the kernel keeps what is
//   left to do until a handler returns. If another handler has returned meanwhile, restart_syscall answers EINTR, which
//   is then right;
// - `store_bound(at)`: stores an address below all that the calling function keeps on its stack, with what
//   jump_fcontext stores there. All stores before it in the program come first, and it comes before all that follow.
#pragma once

#if !defined(TINE_PORTABLE) && defined(__x86_64__)
#include "base/arch/x86_64.hpp"
namespace tine::base {
namespace interrupted = x86_64;
}
#elif !defined(TINE_PORTABLE) && defined(__aarch64__)
#include "base/arch/aarch64.hpp"
namespace tine::base {
namespace interrupted = aarch64;
}
#else
#include "base/arch/portable.hpp"
namespace tine::base {
namespace interrupted = portable;
}
#endif
