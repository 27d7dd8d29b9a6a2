// The loops under the algorithms: plain code over one chunk after another, with a result that is combined in the order
// of the items.
#pragma once

#include <tine/detail/base/consists_of_numbers.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/managed/iterations.hpp>
#include <tine/detail/managed/loop.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// Stands for the question if a result is final, where none is.
struct never_final {};

/// The job of a fold.
template <class Identity, class Pass, class Add, class IsFinal>
struct fold_job {
  using result = std::invoke_result_t<const Identity&>;
  struct kernel {
    Pass run;
  };
  kernel parts;
  Identity begin;
  Add combine;
  IsFinal final;

  static constexpr bool is_copied = cheap_to_copy<kernel>;
  static constexpr bool is_of_algorithm = true;
  static constexpr bool combines_numbers =
      std::is_same_v<result, void_result> || (consists_of_numbers<result> && std::is_empty_v<Add>);

  TINE_ALWAYS_INLINE result identity() const { return begin(); }
  TINE_ALWAYS_INLINE std::conditional_t<is_copied, kernel, const kernel&> kept() const noexcept { return parts; }
  TINE_ALWAYS_INLINE static void pass(const kernel& k, result& so_far, std::uint64_t first, std::uint64_t last) {
    TINE_INLINE_CALLS k.run(so_far, first, last);
  }
  void add(result& so_far, result&& later) const { combine(so_far, std::move(later)); }
  TINE_ALWAYS_INLINE bool is_final(const result& so_far) const
    requires(!std::is_same_v<IsFinal, never_final>)
  {
    return final(so_far);
  }
};

/// Runs `pass(so_far, begin, end)` for consecutive subranges of the numbers from 0 up to `n`, which the runtime chooses
/// as in `par_for_chunks`. Each series of subranges on one worker begins with `identity()`; `add(so_far, later)` puts
/// the results of two consecutive series together. If `n` is 0, the only call is `pass(so_far, 0, 0)`. The functions
/// are called as const, on several workers at once.
template <class Identity, class Pass, class Add>
TINE_ALWAYS_INLINE auto fold_chunks(std::uint64_t n, Identity identity, Pass pass, Add add) {
  fold_job<Identity, Pass, Add, never_final> job{{std::move(pass)}, std::move(identity), std::move(add), {}};
  return run_loop(job, n);
}

/// As `fold_chunks`, but ends early: what follows a result for which `is_final` returns true is not needed. `pass` and
/// `add` must leave such a result as it is.
template <class Identity, class Pass, class Add, class IsFinal>
TINE_ALWAYS_INLINE auto fold_chunks_until(std::uint64_t n, Identity identity, Pass pass, Add add, IsFinal is_final) {
  fold_job<Identity, Pass, Add, IsFinal> job{
      {std::move(pass)}, std::move(identity), std::move(add), std::move(is_final)};
  return run_loop(job, n);
}

/// Runs `pass(begin, end)` for consecutive subranges of the numbers from 0 up to `n`, which the runtime chooses.
template <class Pass>
TINE_ALWAYS_INLINE void for_each_chunk(std::uint64_t n, Pass pass) {
  fold_chunks(
      n, [] { return void_result{}; },
      [pass = std::move(pass)](void_result&, std::uint64_t begin, std::uint64_t end) TINE_INLINED { pass(begin, end); },
      [](void_result&, void_result&&) {});
}

}  // namespace tine::detail
