// Ringing every doorbell of a pool, from any thread.
#include <tine/sched/alert.hpp>

#include "sched/pool_state.hpp"
#include "sched/visit.hpp"

namespace tine::sched {

alert::alert() noexcept : pool_{hot::self()->pool} {}

alert::~alert() {
  // relaxed: a worker that sees an alert for a little longer rings itself once more
  if (raised_) pool_.alerts.fetch_sub(1, base::relaxed);
}

void alert::raise() noexcept {
  raised_ = true;
  // pairs with the loads in arm_limit and leave_bell: a worker that does not see the alert there has answered its bell
  // before, and so is rung here
  pool_.alerts.fetch_add(1, base::seq_cst);
  pool_.ring_all();
}

void pool_state::ring_all() noexcept {
  const std::lock_guard guard{outside_lock_};
  for (unsigned i = 0; i < members(); ++i) {
    const visit looking{outside_visit, member(i)};
    if (!looking.allowed()) continue;
    hot_words& h = *member(i).words.load(base::relaxed);  // relaxed: published with busy
    // pairs with the exchange in answer
    if (h.limit.load(base::seq_cst) != nullptr) ring(h);
  }
}

}  // namespace tine::sched
