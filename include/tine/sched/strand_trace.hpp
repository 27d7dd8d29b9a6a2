// The logical stack of the running strand as a value: for crash handlers, logs and assertions of a program.
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
/// written. The trace begins with the native frames of this strand. If the strand was stolen, or placed on a worker,
/// there follows its own fork, then the forks and loops around this fork, then those around the strand that forked, and
/// so on up to the root. Forks that are open on the strand itself are not listed, because native frames show them. The
/// native frames of other strands are not listed either, because these strands run meanwhile.
///
/// Returns 0 outside every pool. The trace ends without a root if `into` is full, or behind a fork that a resumed
/// coroutine has made by plain code. A sanitizer or a compiler option that omits unwind tables shortens the part with
/// native frames.
///
/// Async-signal-safe with glibc 2.35 or later: it takes no lock and allocates nothing. Any thread may call it.
TINE_API std::size_t this_strand_trace(std::span<trace_entry> into) noexcept;

/// As above, with all entries, at most 4096. Not async-signal-safe. Throws std::bad_alloc.
TINE_API std::vector<trace_entry> this_strand_trace();

/// Writes the trace to the file descriptor, at most 64 entries, each in one line: the kind, and the address in a form
/// that `addr2line` reads, `program(+0x1234) [0x55d0c0de1234]`. Writes nothing outside every pool. Async-signal-safe as
/// `this_strand_trace`. The runtime prints this text itself when it ends the program with a message.
TINE_API void print_this_strand_trace(int file) noexcept;

}  // namespace tine
