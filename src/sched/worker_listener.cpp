// The listeners of a pool, and how each worker tells them on its own thread that it begins and ends to work.
#include <tine/sched/worker_listener.hpp>

#include "sched/pool_state.hpp"

#include <algorithm>
#include <mutex>

namespace tine {
namespace sched {

void listener_list::add(worker_listener& with) {
  const std::lock_guard guard{lock_};
  all_.push_back({++last_number_, &with});
  version_.fetch_add(1, base::relaxed);  // relaxed: workers that see it take the lock
}

void listener_list::remove(const worker_listener& with) noexcept {
  const std::lock_guard guard{lock_};
  std::erase_if(all_, [&](const entry& e) { return e.who == &with; });
}

/// Calls the listeners that `told` doesn't have yet. Afterwards it has those that there are.
void listener_list::tell_beginning(told_listeners& told, bool is_caller) noexcept {
  const std::shared_lock guard{lock_};
  told.version = version();
  std::erase_if(told.numbers, [&](std::uint64_t n) {
    return std::none_of(all_.begin(), all_.end(), [&](const entry& e) { return e.number == n; });
  });
  for (const entry& e : all_) {
    if (std::find(told.numbers.begin(), told.numbers.end(), e.number) != told.numbers.end()) continue;
    told.numbers.push_back(e.number);
    e.who->begins(is_caller);
  }
}

/// Calls the listeners that `told` has, if they still listen.
void listener_list::tell_end(told_listeners& told, bool is_caller) noexcept {
  const std::shared_lock guard{lock_};
  for (const entry& e : all_) {
    if (std::find(told.numbers.begin(), told.numbers.end(), e.number) != told.numbers.end()) e.who->ends(is_caller);
  }
  told = {};
}

void worker::tell_of_beginning() noexcept { pool.listeners.tell_beginning(told_, call_.root != nullptr); }

void worker::tell_of_end() noexcept {
  if (told_.version != 0) pool.listeners.tell_end(told_, call_.root != nullptr);
}

void attach_listener(pool& to, worker_listener& with) { to.state_->here().listeners.add(with); }
void detach_listener(pool& to, const worker_listener& with) noexcept { to.state_->here().listeners.remove(with); }

}  // namespace sched

void listen(pool& to, worker_listener& with) { sched::attach_listener(to, with); }
void stop_listening(pool& to, worker_listener& with) noexcept { sched::detach_listener(to, with); }

}  // namespace tine
