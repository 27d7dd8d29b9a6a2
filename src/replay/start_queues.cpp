// Slots: they hand strands out in recorded order.
#include "replay/start_queues.hpp"

#include <algorithm>
#include <mutex>

namespace tine::detail {

start_queues::start_queues(const schedule& follow, const worker_mapping& who)
    : joins_{static_cast<std::uint32_t>(follow.pieces().size())},
      slots_(follow.pieces().size() + follow.steps().size()),
      lists_{new list[who.count()]},
      list_count_{who.count()} {
  struct begin {
    std::uint32_t stamp, slot;
    int owner;
  };
  std::vector<begin> begins;
  std::vector<bool> is_delay(follow.pieces().size());  // only a serial replay waits with a first branch
  for (const schedule::step& t : follow.steps()) {
    if (t.what == schedule::kind::fork && t.pieces == 2) is_delay[t.first_piece] = true;
  }
  for (std::uint32_t i = 0; i < follow.pieces().size(); ++i) {
    const schedule::segment& s = follow.pieces()[i].run;
    if (s.owner != schedule::no_worker && !is_delay[i]) begins.push_back({s.stamp, index({i, false}), s.owner});
  }
  for (std::uint32_t i = 0; i < follow.steps().size(); ++i) {
    const schedule::segment& s = follow.steps()[i].after;
    if (s.owner != schedule::no_worker) begins.push_back({s.stamp, index({i, true}), s.owner});
  }
  std::ranges::sort(begins, {}, &begin::stamp);
  for (unsigned i = 0; i < list_count_; ++i) lists_[i].worker = &who.member(i);
  for (const begin& b : begins) {
    slots_[b.slot].list = who.index_of(b.owner);
    lists_[slots_[b.slot].list].order.push_back(b.slot);
  }
}

void start_queues::submit(list& l, slot& s) noexcept {
  s.is = state::over;
  running_.fetch_add(1, base::relaxed);  // relaxed: the submitting strand runs, or is still counted
  sched::submit(*s.what, l.worker, *l.worker);
}

void start_queues::hand_out(list& l) noexcept {
  for (; l.next < l.order.size(); ++l.next) {
    slot& s = slots_[l.order[l.next]];
    if (s.is == state::awaited) return;
    if (s.is == state::filled) submit(l, s);
  }
}

void start_queues::fill(slot_id id, sched::submission& what) noexcept {
  const std::uint32_t i = index(id);
  list& l = list_of(i);
  const std::lock_guard guard{l.lock};
  slots_[i].what = &what;
  // relaxed: the strand that gives the order up sets this first, and then looks for filled slots under this lock
  if (is_disordered_.load(base::relaxed)) return submit(l, slots_[i]);
  slots_[i].is = state::filled;
  hand_out(l);
}

bool start_queues::take(slot_id id, const sched::worker& here) noexcept {
  const std::uint32_t i = index(id);
  list& l = list_of(i);
  if (l.worker != &here) return false;
  const std::lock_guard guard{l.lock};
  hand_out(l);
  // strands that were submitted before have not begun while they are in the inbox; under the lock the slots add no
  // other strand
  const bool is_next = l.next < l.order.size() && l.order[l.next] == i && !here.box.has_pinned();
  if (!is_next && !is_disordered_.load(base::relaxed)) return false;  // relaxed: as in fill
  slots_[i].is = state::over;
  hand_out(l);
  return true;
}

void start_queues::skip(slot_id id) noexcept {
  const std::uint32_t i = index(id);
  list& l = list_of(i);
  const std::lock_guard guard{l.lock};
  if (slots_[i].is != state::awaited) return;
  slots_[i].is = state::over;
  hand_out(l);
}

bool start_queues::rest() noexcept {
  // release pairs with the acquire of the strand that comes last, so that it sees the slots that all others have filled
  if (running_.fetch_sub(1, base::acq_rel) != 1) return false;
  give_up_order();
  return true;
}

void start_queues::give_up_order() noexcept {
  is_disordered_.store(true, base::relaxed);  // relaxed: the locks order it
  for (unsigned i = 0; i < list_count_; ++i) {
    list& l = lists_[i];
    const std::lock_guard guard{l.lock};
    for (const std::uint32_t s : l.order) {
      if (slots_[s].is == state::filled) submit(l, slots_[s]);
    }
  }
}

}  // namespace tine::detail
