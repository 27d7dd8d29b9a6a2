// Flags that stop what runs under them. Any thread may set one; a strand asks for itself whether it is to stop.
#include <tine/sched/stop_flag.hpp>

namespace tine {

bool stop_flag::request_stop() noexcept {
  // relaxed: a strand that looks at the flag has seen the alert, which is raised afterwards
  if (stopping_.exchange(true, base::relaxed)) return false;
  alert_.raise();
  return true;
}

bool stop_flag::is_stopping() const noexcept {
  if (stop_requested()) return true;
  if (sched::hot::self() == nullptr || !is_to_stop()) return false;
  for (const sched::scope* s = sched::current_scope(); s != nullptr; s = s->outer) {
    if (s->stopping == &stopping_) return true;
  }
  return false;
}

void stop_flag::reset() noexcept {
  alert_.end();
  stopping_.store(false, base::relaxed);  // relaxed: nothing runs under it
}

}  // namespace tine
