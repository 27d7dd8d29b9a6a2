// sequential: a region in which every fork is a plain call. poll: serves work requests in long code that never forks.
// Both act on the calling strand only.
#pragma once

#include <tine/detail/sched/fork_protocol.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/shadow_stack.hpp>
#include <tine/sched/pool.hpp>

#include <utility>

namespace tine {
namespace detail {

/// Keeps records from `from` up sequential as long as it lives. Nothing inside can be promoted, so nothing inside can
/// suspend: the thread is the same at both ends. The promotion limit is a byte below `from`, where no record starts.
/// Code that observes a strand moves it only along records, so an odd one tells that code that it must neither promote
/// nor place anything (detail/sched/observer.hpp).
class promotion_limit_at {
 public:
  explicit promotion_limit_at(sched::hot_words& h, sched::address from) noexcept
      : words_{h}, before_{h.promotion_limit.load(base::relaxed)} {  // relaxed: own word
    if (from <= before_) {
      h.promotion_limit.store(from - 1, base::relaxed);
    } else if (!sched::is_odd(before_)) {
      h.promotion_limit.store(before_ - 1, base::relaxed);
    }
  }
  ~promotion_limit_at() { words_.promotion_limit.store(before_, base::relaxed); }
  promotion_limit_at(const promotion_limit_at&) = delete;
  promotion_limit_at& operator=(const promotion_limit_at&) = delete;

 private:
  sched::hot_words& words_;
  sched::address before_;
};

}  // namespace detail

/// Runs `f()` with every fork inside it sequential, and returns its result. The thread doesn't change inside, so this
/// is a place for a lock that you hold over code that forks; inside `tine::isolate` such code runs in parallel. Without
/// either, a worker that waits at a join runs other work, which may want the same lock on the same thread. Forks made
/// before the call may still be stolen meanwhile.
template <class F>
auto sequential(F&& f) -> decltype(std::forward<F>(f)()) {
  if (sched::hot::self() == nullptr) {
    const auto inside = [&]() -> decltype(auto) { return tine::sequential(std::forward<F>(f)); };
    return sched::call_in_default_pool(inside);
  }
  const detail::promotion_limit_at region{sched::hot::words(), sched::hot::top()};
  return std::forward<F>(f)();
}

/// Returns true if the calling code is inside `tine::sequential` on a worker of a pool.
inline bool is_sequential() noexcept { return sched::hot::self() != nullptr && sched::is_kept_sequential(); }

/// Lets an idle worker have a pending fork now. Never needed for correctness: a worker that doesn't poll is interrupted
/// after some tens of microseconds. For long, cold code in programs that run with `options::interrupt` off.
TINE_ALWAYS_INLINE void poll() noexcept {
  if (sched::is_top_past_limit()) [[unlikely]] {
    if (sched::poll() == sched::polled::instrumented) sched::serve_observed();
  }
}

}  // namespace tine
