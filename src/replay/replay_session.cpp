// The convergence test of a replay session. One thread at a time uses a session.
#include <tine/replay/replay_session.hpp>

#include <algorithm>

namespace tine {

void replayed::time_workers() {
  duration_ns = performed.duration_ns();
  busy_ns = performed.busy_ns();
  idle_ns.clear();
  for (const std::uint64_t busy : busy_ns) idle_ns.push_back(duration_ns - std::min(busy, duration_ns));
}

void replay_session::note(const replayed& phase) {
  constexpr int enough_calm = 2, most_mended = 16;
  if (converged_) {
    const bool is_long = phase.duration_ns > best_ns_ + best_ns_ / 2;
    calm_ = is_long ? calm_ + 1 : 0;
    if (calm_ < enough_calm) return;
    converged_ = false;
    mended_ = calm_ = 0;
    best_ns_ = 0;
    return;
  }
  // the first phase of a session, or after the load has moved, is the shortest in any case
  const bool is_shorter = best_ns_ == 0 || phase.duration_ns < best_ns_ - best_ns_ / 50;
  calm_ = is_shorter ? 0 : calm_ + 1;
  if (best_ns_ == 0 || phase.duration_ns < best_ns_) {
    best_ = phase.performed;
    best_ns_ = std::max<std::uint64_t>(phase.duration_ns, 1);
  }
  if (std::exchange(has_schedule_, true)) ++mended_;
  converged_ = calm_ >= enough_calm || mended_ >= most_mended;
}

}  // namespace tine
