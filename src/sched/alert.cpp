// Alerts: any thread may make the strands of all pools check whether they must stop, by a work request to every busy
// worker. Also the list of pools.
#include <tine/detail/sched/alert.hpp>

#include "sched/hazard.hpp"
#include "sched/pool_state.hpp"

#include <utility>

namespace tine::sched {

void alert::end() noexcept {
  if (std::exchange(raised_, false)) end_alert();
}

void alert::raise() noexcept {
  raised_ = true;
  raise_alert();
}

void raise_alert() noexcept {
  pool_list& all = pools();
  const std::lock_guard guard{all.lock};
  ++all.alerts;
  for (pool_state* p : all.all) p->begin_alert();
}

void end_alert() noexcept {
  pool_list& all = pools();
  const std::lock_guard guard{all.lock};
  --all.alerts;
  for (pool_state* p : all.all) p->end_alert();
}

void pool_state::begin_alert() noexcept {
  // pairs with the loads in set_limit_for_run and rearm_limit: a worker that doesn't see the alert there has set its
  // limit before, and so gets a request here. A worker that sees the alert there, in enter_scope or in must_stop also
  // sees the flag that was set before it
  alerts.fetch_add(1, base::seq_cst);
  for (unsigned i = 0; i < members(); ++i) {
    const hazard held{external_hazard, member(i)};
    if (!held.allowed()) continue;
    hot_words& h = *member(i).words.load(base::relaxed);  // relaxed: published with busy
    // pairs with the exchange in acknowledge
    if (h.limit.load(base::seq_cst) != nullptr) post_request(h);
  }
}

void pool_state::end_alert() noexcept {
  // relaxed: a worker that sees an alert for a little longer looks at its scopes once more
  alerts.fetch_sub(1, base::relaxed);
}

/// A pool that is constructed while an alert is raised takes part in that alert.
void pool_list::add(pool_state& p) {
  const std::lock_guard guard{lock};
  all.push_back(&p);
  p.alerts.store(alerts, base::relaxed);  // relaxed: no other thread knows the pool yet
}

void pool_list::remove(pool_state& p) noexcept {
  const std::lock_guard guard{lock};
  std::erase(all, &p);
}

}  // namespace tine::sched
