// The rare changes of the order of strands: those by the tasks of groups, and by roots of other threads.
#include "race/order.hpp"

#include "race/detector_time.hpp"

#include <algorithm>
#include <utility>

namespace tine::detail {

void order::set_task(std::uint32_t depth, interval_owner group) noexcept {
  task_depth_ = depth;
  task_group_ = group;
  found_length_ = 0;
  find_inner();
}

/// The interval is that of the construct or the task, without those inside of it that stay open.
bool order::push_around(strand_number lo, strand_number hi, interval_owner owner) noexcept {
  const detector_time here;
  const bool is_loose = (owner & of_group) != 0;
  has_had_loose_ = true;
  std::size_t first = open_.size();
  while (first != 0 && open_[first - 1].lo >= lo) --first;
  // Tasks of the same group that a task has added are closed together with it.
  std::size_t kept = first;
  for (std::size_t i = first; i < open_.size(); ++i) {
    if (is_loose && open_[i].owner == owner) {
      --loose_;
    } else {
      open_[kept++] = open_[i];
    }
  }
  while (open_.size() > kept) open_.pop();
  bool is_done = true;
  const auto add = [&](strand_number from, strand_number to) {
    if (from == to) return;
    is_done = is_done && open_.push({from, to, owner});
    loose_ += is_loose;
  };
  for (std::size_t i = first; i < kept; ++i) add(std::exchange(lo, open_[i].hi), open_[i].lo);
  add(lo, hi);
  if (kept != first)
    std::sort(open_.begin() + first, open_.end(), [](const interval& a, const interval& b) { return a.lo < b.lo; });
  if (first != 0 && first != open_.size()) {
    interval &before = open_[first - 1], &own = open_[first];
    if (before.owner == owner && own.owner == owner && before.hi == own.lo) {
      before.hi = own.hi;
      std::move(open_.begin() + first + 1, open_.end(), open_.begin() + first);
      open_.pop();
      loose_ -= is_loose;
    }
  }
  found_length_ = 0;
  find_inner();
  return is_done;
}

/// The latest iteration has added tasks.
bool order::extend_around(strand_number hi, interval_owner owner, strand_number first) noexcept {
  strand_number from = first;
  for (const interval& i : open_) {
    if (i.owner == owner) from = std::max(from, i.hi);
  }
  end_gap_at(from);
  return push_around(from, hi, owner);
}

void order::remove(interval_owner owner, strand_number from, growing_list<interval>* closed) noexcept {
  const detector_time here;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].owner != owner) {
      open_[kept++] = open_[i];
      continue;
    }
    if (closed != nullptr && open_[i].lo < from) closed->push(open_[i]);
    loose_ -= (owner & of_group) != 0;
  }
  while (open_.size() > kept) open_.pop();
  found_length_ = 0;
  find_inner();
}

bool order::insert(strand_number lo, strand_number hi, interval_owner owner) noexcept {
  const detector_time here;
  if (!open_.push({lo, hi, owner})) return false;
  has_had_loose_ = true;
  std::size_t at = open_.size() - 1;
  for (; at != 0 && open_[at - 1].lo > lo; --at) std::swap(open_[at], open_[at - 1]);
  loose_ += (owner & of_group) != 0;
  end_gap_at(lo);
  found_length_ = 0;
  find_inner();
  return true;
}

bool order::has(interval_owner owner) const noexcept {
  return std::any_of(open_.begin(), open_.end(), [owner](const interval& i) { return i.owner == owner; });
}

void order::interrupt(interval_owner team) noexcept {
  interrupted_ = std::min(interrupted_, team);
  found_length_ = 0;
  find_inner();
}

void order::end_interruption(interval_owner team) noexcept {
  if (interrupted_ >= team) interrupted_ = no_owner;
  found_length_ = 0;
  find_inner();
}

bool order::replace(interval_owner owner, strand_number from, const growing_list<interval>& ranges) noexcept {
  growing_list<interval> others;  // in the order of `open_`, as those that are kept there
  std::size_t kept = 0;
  for (const interval& i : open_) {
    if (i.lo < from) {
      open_[kept++] = i;
    } else if (i.owner != owner) {
      others.push(i);
    }
  }
  while (open_.size() > kept) open_.pop();
  bool is_done = true;
  const interval* other = others.begin();
  strand_number end = from;  // of what has been opened
  const auto open_other = [&] {
    is_done = open_.push(*other) && is_done;
    end = other++->hi;
  };
  for (const interval& r : ranges) {
    while (other != others.end() && other->lo < r.hi) {
      if (std::max(r.lo, end) < other->lo) is_done = open_.push({std::max(r.lo, end), other->lo, owner}) && is_done;
      open_other();
    }
    if (std::max(r.lo, end) < r.hi) is_done = open_.push({std::max(r.lo, end), r.hi, owner}) && is_done;
  }
  while (other != others.end()) open_other();
  has_had_loose_ = true;
  end_gap_at(from);
  found_length_ = 0;
  find_inner();
  return is_done;
}

void order::clear() noexcept {
  open_.clear();
  loose_ = task_depth_ = 0;
  task_group_ = 0;
  has_had_loose_ = false;
  interrupted_ = no_owner;
  found_length_ = 0;
  find_inner();
}

}  // namespace tine::detail
