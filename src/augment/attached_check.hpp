// A check that another library brings: it follows roots by a vertex of its own, and adds its rows to the profile. The race detector is one.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/augment/kind.hpp>
#include <tine/detail/base/macros.hpp>

namespace tine::detail {

struct attached_check {
  const vertex_kind* kind;
  /// Called before the first root. Returns false, and prints why, if nothing can be checked. `strict`: in the stricter form.
  bool (*open)(bool strict) noexcept;
  /// A strand that is checked begins a root in another pool.
  void (*begin_inner_root)() noexcept;
  void (*add_rows)(trace::profile& to);
  /// Forgets what was found, because this process was forked and its parent reports that.
  void (*forget)() noexcept;
};

/// The check; null: the program has none. Registered before main.
TINE_API extern constinit const attached_check* registered_check;

}  // namespace tine::detail
