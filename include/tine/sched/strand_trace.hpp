// The logical stack of the running strand as a value, for a program's crash handlers, logs and assertions. Any thread
// may ask for its own.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tine {

/// The kinds of entries in a strand's trace.
enum class trace_kind : unsigned char {
  call,   ///< a native frame of this strand; the code is the return address in it
  fork,   ///< an open fork around the strand; the code is the function that runs the fork's second branch
  loop,   ///< a loop around the strand; the code is the function that runs subranges of the loop
  await,  ///< a coroutine that waits for the one before; the code is the function that resumes it
  root,   ///< the root; the code is the function that runs it, or, for a submitted coroutine, the one that ends it
};

/// Returns the name of the kind: `call`, `fork`, `loop`, `await` or `root`.
TINE_API const char* name(trace_kind k) noexcept;

/// One entry of a strand's trace.
struct trace_entry {
  /// An address in the program's code, for `addr2line`, `dladdr` or a debugger. The symbol of a fork or a loop contains
  /// the type of its lambda, and so the function that forks. A return address is behind its call: look up the address
  /// minus 1.
  const void* code;
  trace_kind kind;  ///< what the entry stands for
  friend bool operator==(const trace_entry&, const trace_entry&) = default;
};

/// Writes the logical stack of the running strand, the innermost entry first, and returns the number of entries
/// written. The trace starts with the native frames of this strand. If the strand was stolen, or placed on a worker,
/// its own fork follows. Then come the forks and loops around this fork, those around the strand that forked, and so on
/// up to the root. We don't list forks that are open on the strand itself, because native frames show them. Nor do we
/// list the native frames of other strands, because these strands run meanwhile.
///
/// Returns 0 outside of every pool. The trace ends without a root if `into` is full, or behind a fork that a resumed
/// coroutine has made by plain code. A sanitizer, or a compiler option that omits unwind tables, shortens the part with
/// native frames.
///
/// Async-signal-safe with glibc 2.35 or later: it doesn't lock or allocate. Any thread may call it.
TINE_API std::size_t this_strand_trace(std::span<trace_entry> into) noexcept;

/// As above, with all entries, at most 4096. Not async-signal-safe. Throws std::bad_alloc.
TINE_API std::vector<trace_entry> this_strand_trace();

/// Writes at most 64 entries of the trace to the file descriptor, one per line: the kind, and the address in a form
/// that `addr2line` reads, `program(+0x1234) [0x55d0c0de1234]`. Writes nothing outside of every pool. Async-signal-safe
/// like `this_strand_trace`. The runtime prints this text itself when it ends the program with a message.
TINE_API void print_this_strand_trace(int file) noexcept;

}  // namespace tine
