// Flags that stop what runs under them. Any thread may set one; a strand asks for itself whether it is to stop.
#include <tine/sched/stop_flag.hpp>

namespace tine {

bool stop_flag::request_stop() noexcept {
  // relaxed: a strand that looks at the flag has seen the alert, which is raised afterwards
  if (stopping_.exchange(true, base::relaxed)) return false;
  alert_.raise();
  return true;
}

/// The calling strand is to stop. Returns true if it is inside of `run`.
bool stop_flag::is_stopped_from_around() const noexcept {
  if (sched::hot::self() == nullptr) return false;
  for (const sched::scope* s = sched::current_scope(); s != nullptr; s = s->outer) {
    if (s->stopping == &stopping_) return true;
  }
  return false;
}

void stop_flag::clear() noexcept {
  alert_.end();
  stopping_.store(false, base::relaxed);  // relaxed: nothing runs under it
}

}  // namespace tine
