// The vertices of the detector: they follow the forks and loops of a root, and keep its context up to date.
#pragma once

#include <tine/detail/augment/kind.hpp>

namespace tine::detail {

/// The table of the detector's vertex. A vertex that is created, but does not belong to a fork or loop, stands for a
/// root.
extern const vertex_kind race_kind;

}  // namespace tine::detail
