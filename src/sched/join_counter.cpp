// Join counters, where a strand waits for the strands that were placed on workers, and excursions to another worker.
// All strands that arrive run this code, each on its own thread.
#include "sched/join_counter.hpp"

#include "base/fp_environment.hpp"
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/region.hpp>
#include <tine/detail/sched/scope.hpp>

namespace tine::sched {

void join_counter::expect(task& t) noexcept {
  t.become_task();
  t.done.~completion();
  ::new (static_cast<void*>(&t.done)) completion{base::to_word(this) | waits_at_join_counter};
  t.inherit(current_scope());
  t.set_fp_words(base::fp_control());
}

void region::wait(void* storage) noexcept { join_counter_of(storage).wait(); }

bool join_counter::arrive(std::uint32_t fp_flags) noexcept {
  fp_flags_.fetch_or(fp_flags, base::relaxed);  // relaxed: the arrival publishes it
  placement_policy& by = with;
  by.pin();
  // release pairs with the acquire of the last one to arrive, so that it sees what all others have written. Unless this
  // arrival is the last, `this` may be gone afterwards
  const bool is_last = missing.fetch_sub(1, base::acq_rel) == 1;
  const bool resumes_here = is_last && by.dispatch(*this);
  if (!is_last) by.arrived_early();
  by.unpin();
  return resumes_here;
}

void join_counter::wait() noexcept {
  hot::enter_scheduler();
  // pairs with the release in arrive: the strand is going to read the results of the others
  const bool alone = missing.load(base::acquire) == 1;
  if (!alone || !with.may_resume_here(*this)) hot::self()->suspend_at(*this);
  base::raise_fp(fp_flags_.load(base::relaxed));  // relaxed: all others have arrived
  hot::leave_scheduler();
}

void join_counter::wait_for_placement() noexcept {
  missing.store(1, base::relaxed);  // relaxed: no other thread counts
  wait();
}

namespace {

enum class claim : unsigned char { pinned, affine, bound };

class fixed_placement final : public placement_policy {
 public:
  fixed_placement(worker& to, claim how) noexcept : to_{to}, how_{how} {}
  ~fixed_placement() { wait_until_unpinned(); }
  fixed_placement(const fixed_placement&) = delete;
  fixed_placement& operator=(const fixed_placement&) = delete;

  bool may_resume_here(join_counter&) noexcept override { return hot::self() == &to_; }
  bool dispatch(join_counter& r) noexcept override {
    r.back.is_bound = how_ == claim::bound;
    how_ == claim::affine ? submit_affine(r.back, to_) : submit(r.back, &to_, to_);
    return false;
  }
  void arrived_early() noexcept override {}

 private:
  worker& to_;
  const claim how_;
};

void move_to(worker& to, claim how) noexcept {
  fixed_placement there{to, how};
  join_counter{there, 1}.wait();
}

}  // namespace

excursion::excursion(worker& to, bool insists) noexcept : back_to_{to.pool.keeps_threads() ? hot::self() : nullptr} {
  if (back_to_ != nullptr) back_to_->expect_back();
  move_to(to, insists ? claim::pinned : claim::affine);
}

excursion::~excursion() {
  if (back_to_ == nullptr) return;
  move_to(*back_to_, claim::bound);
  back_to_->note_back();
}

void worker::suspend_at(join_counter& r) noexcept {
  promote_all(hot::words());
  // relaxed, here and below: own words. Records at or above the promotion limit are still pending, and stay with the
  // strand
  const address top = hot::top();
  const address bot = hot::words().bot.load(base::relaxed);
  const address promotion_limit = hot::words().promotion_limit.load(base::relaxed);
  leave_fiber(departure::then::wait, &r, top, top);
  hot_words& h = hot::words();
  h.promotion_limit.store(promotion_limit, base::relaxed);
  h.bot.store(bot, base::relaxed);
}

}  // namespace tine::sched
