// The primitive of all managed forks: par and spork are forms of it.
//
// The way of a fork, docs/internals/way-of-a-fork.md, starts in `usual_path` below.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/sched/fork_protocol.hpp>
#include <tine/detail/sched/shadow_stack.hpp>

#include <type_traits>

namespace tine::detail {

/// Guards a fork while its first branch runs: if the branch throws, the second one is joined and its outcome dropped
/// before the exception leaves the fork.
template <class Record>
class open_fork {
 public:
  TINE_ALWAYS_INLINE explicit open_fork(sched::address at) noexcept : at_{at} {}
  TINE_ALWAYS_INLINE ~open_fork() {
    if (at_ != nullptr && sched::fork_protocol::pop(at_)) discard(at_);
  }
  open_fork(const open_fork&) = delete;
  open_fork& operator=(const open_fork&) = delete;
  TINE_ALWAYS_INLINE void close() noexcept { at_ = nullptr; }

 private:
  TINE_COLD static void discard(sched::address at) noexcept {
    auto& record = *base::object_at<Record>(at);
    if (sched::discard(record) == sched::joined::stolen) record.drop();
  }

  sched::address at_;
};

/// The compiler does not merge the path at whose end this variable lives with another one.
struct merge_barrier {
  TINE_ALWAYS_INLINE ~merge_barrier() { asm volatile("" ::: "memory"); }
};

/// Returns what `path` returns, and tells the compiler that this path ends differently from the usual one. If the
/// compiler merged the two, the result of the second branch would have to survive the merge, and its call could no
/// longer be the loop that a tail call becomes. The `asm` also follows the last call of `path`, so that this is no tail
/// call and its return address is in the function that forks.
template <class Path>
TINE_ALWAYS_INLINE auto unmerged(Path path) -> std::invoke_result_t<Path&> {
  using result = std::invoke_result_t<Path&>;
  if constexpr (std::is_integral_v<result> || std::is_pointer_v<result>) {
    result x = path();
    asm volatile("" : "+r"(x));
    return x;
  } else {
    const merge_barrier end;
    return path();
  }
}

/// Runs one fork, whose record has been written at `at`, the top of `hot`, and its join. `Ways` is the form of the
/// fork. Its members are
///
/// - `record`, `first`, `result`: the types of the record, of the result of the first branch (never void) and of the
///   fork;
/// - `body`: the first branch;
/// - `forks_otherwise()`: the slow path of the fork; returns true if `elsewhere(at)` has to run the fork instead;
/// - `stolen(a, r)`: called with the result of the first branch after the second one ran elsewhere; its outcome is in
///   the record;
/// - `reclaimed(a, r)`: called if the record was promoted, but not stolen, unless `reclaims_as_unpromoted` is true;
/// - `unpromoted(a, r)`: called otherwise. It runs the second branch, or what stands for it.
template <class Ways>
TINE_ALWAYS_INLINE typename Ways::result usual_path(sched::address at, sched::hot::block hot, Ways& ways) {
  using first = typename Ways::first;
  using result = typename Ways::result;
  auto& r = *base::object_at<typename Ways::record>(at);
  if (sched::fork_protocol::push(at, r.end(at), hot)) [[unlikely]] {
    if (ways.forks_otherwise()) return unmerged([&]() TINE_INLINED -> result { return ways.elsewhere(at); });
  }
  open_fork<typename Ways::record> open{at};
  first a = value_of(ways.body);
  open.close();
  if (sched::fork_protocol::pop(at)) [[unlikely]] {
    if (sched::join(r) == sched::joined::stolen) {
      return unmerged([&]() TINE_INLINED -> result { return ways.stolen(static_cast<first&&>(a), r); });
    }
    if constexpr (!Ways::reclaims_as_unpromoted) {
      return unmerged([&]() TINE_INLINED -> result { return ways.reclaimed(static_cast<first&&>(a), r); });
    }
  }
  return ways.unpromoted(static_cast<first&&>(a), r);
}

}  // namespace tine::detail
