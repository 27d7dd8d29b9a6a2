// The rendezvous of a strand with the strands that it has given away, and excursions to another worker.
#include "sched/rendezvous.hpp"

#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/sched/scope.hpp>

namespace tine::sched {

void rendezvous::expect(task& t) noexcept {
  t.become_task();
  t.done.~completion();
  ::new (static_cast<void*>(&t.done)) completion{reinterpret_cast<completion::word>(this) | waits_at_rendezvous};
  t.inside = current_scope();
}

bool rendezvous::arrive() noexcept {
  host& by = with;
  by.enter();
  // release pairs with the acquire of the last one to arrive, so that it sees what all others have written. Unless this
  // arrival is the last, `this` may be gone afterwards
  const bool is_last = missing.fetch_sub(1, base::acq_rel) == 1;
  const bool goes_on = is_last && by.pass(*this);
  if (!is_last) by.await_others();
  by.leave();
  return goes_on;
}

void rendezvous::meet() noexcept {
  hot::enter_scheduler();
  // pairs with the release in arrive: the strand is going to read the results of the others
  const bool alone = missing.load(base::acquire) == 1;
  if (!alone || !with.may_go_on(*this)) hot::self()->suspend_at(*this);
  hot::leave_scheduler();
}

void rendezvous::meet_alone() noexcept {
  missing.store(1, base::relaxed);  // relaxed: no other thread counts
  meet();
}

namespace {

enum class claim : unsigned char { named, kept, bound };

class way final : public host {
 public:
  way(worker& to, claim how) noexcept : to_{to}, how_{how} {}
  ~way() { wait_for_visitors(); }
  way(const way&) = delete;
  way& operator=(const way&) = delete;

  bool may_go_on(rendezvous&) noexcept override { return hot::self() == &to_; }
  bool pass(rendezvous& r) noexcept override {
    r.back.is_bound = how_ == claim::bound;
    how_ == claim::kept ? submit_kept(r.back, to_) : submit(r.back, &to_, to_);
    return false;
  }
  void await_others() noexcept override {}

 private:
  worker& to_;
  const claim how_;
};

void move_to(worker& to, claim how) noexcept {
  way there{to, how};
  rendezvous{there, 1}.meet();
}

}  // namespace

excursion::excursion(worker& to, bool insists) noexcept : back_to_{to.pool.keeps_threads() ? hot::self() : nullptr} {
  if (back_to_ != nullptr) back_to_->expect_back();
  move_to(to, insists ? claim::named : claim::kept);
}

excursion::~excursion() {
  if (back_to_ == nullptr) return;
  move_to(*back_to_, claim::bound);
  back_to_->note_back();
}

void worker::suspend_at(rendezvous& r) noexcept {
  promote_all(hot::words());
  // relaxed, here and below: own words. Records at or above the ceiling are still pending, and stay with the strand
  const address top = hot::top();
  const address bot = hot::words().bot.load(base::relaxed);
  const address ceiling = hot::words().ceiling.load(base::relaxed);
  leave_fiber(departure::then::meet, &r, top, top);
  hot_words& h = hot::words();
  h.ceiling.store(ceiling, base::relaxed);
  h.bot.store(bot, base::relaxed);
}

}  // namespace tine::sched
