// attach: the argument that makes an object refer to something that exists. A tag.
#pragma once

namespace tbb {
namespace detail {
namespace on_tine {

/// Selects a constructor that refers to the arena, or the threads, that there are.
struct attach {};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
