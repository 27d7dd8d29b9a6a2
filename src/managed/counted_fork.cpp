// The joins of counted forks whose second branch was promoted, and their slow path, on the strand that forks.
#include <tine/detail/managed/counted_fork.hpp>
#include <tine/detail/sched/scope.hpp>

namespace tine::detail {

using sched::joined;
using sched::region_strand;

joined join_counted(sched::task& t, sched::position& p) noexcept {
  region_strand::current()->in->pause();
  const joined how = sched::plain::join(t);
  if (how == joined::stolen) region_strand::current()->in->resume_after(p);
  return how;
}

joined discard_counted(sched::task& t, sched::position& p) noexcept {
  region_strand::current()->in->pause();
  const joined how = sched::plain::discard(t);
  if (how == joined::stolen) region_strand::current()->in->resume_after(p);
  return how;
}

bool serve_unless_stopping() noexcept {
  if (sched::must_stop()) return false;
  sched::serve_requests();
  return true;
}

}  // namespace tine::detail
