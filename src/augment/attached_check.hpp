// A check that another library brings along: it follows roots by a vertex of its own and adds rows to the profile. The
// race detector is one.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/augment/kind.hpp>
#include <tine/detail/base/macros.hpp>

namespace tine::detail {

struct attached_check {
  const vertex_kind* kind;
  /// Called before the first root. `strict`: the check takes its stricter form.
  void (*open)(bool strict) noexcept;
  /// A checked strand starts a root in another pool.
  void (*begin_inner_root)() noexcept;
  void (*add_rows)(trace::profile& to);
  /// Forgets what was found and counted, because this process was forked, and the parent reports that.
  void (*forget)() noexcept;
};

/// The check; null if the program has none. Registered before main.
TINE_API extern constinit const attached_check* registered_check;

/// The calling thread is about to end the process without its exit handlers, or to run another program in it. Writes
/// the profile if the process has one. Async-signal-safe, and safe in a child of vfork.
TINE_API void write_before_end(trace::ending how) noexcept;

/// The program has set the default action of a signal. If that signal is a fault, we write the profile before it ends
/// the process. Async-signal-safe.
TINE_API void catch_default_action(int number) noexcept;

/// The check has found something. From now on a forked process leaves a profile, even if it only continues its parent's
/// roots.
TINE_API void profile_forked_process() noexcept;

}  // namespace tine::detail
