// A fork of two branches without results, for the recursive algorithms.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/managed/par.hpp>

#include <utility>

namespace tine::detail {

/// Runs `f()` and `g()`, possibly in parallel. Nothing follows `g`, so the compiler can make a loop of it.
template <class F, class G>
TINE_ALWAYS_INLINE void fork_both(F f, G g) {
  par(std::move(f), std::move(g), [](void_result, void_result) {});
}

}  // namespace tine::detail
