// Owners that a program wants: makes the subranges of loops, and passes owners and cuts to the observer that places the
// strand's work.
#include <tine/sched/owners.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tine {

std::vector<cut> block(std::uint64_t n, unsigned workers) {
  __extension__ using wide = unsigned __int128;
  const auto begin_of = [&](unsigned k) { return static_cast<std::uint64_t>(static_cast<wide>(n) * k / workers); };
  std::vector<cut> cuts;
  for (unsigned k = 0; k < workers; ++k) {
    if (begin_of(k) != begin_of(k + 1)) cuts.push_back({begin_of(k), static_cast<int>(k)});
  }
  return cuts;
}

std::vector<cut> cyclic(std::uint64_t n, std::uint64_t length, unsigned workers) {
  if (length == 0) throw std::invalid_argument{"tine::cyclic: pieces of 0 iterations; give a length of at least 1"};
  std::vector<cut> cuts;
  int owner = 0;
  for (std::uint64_t begin = 0; begin < n; begin += std::min(length, n - begin)) {
    cuts.push_back({begin, owner});
    owner = (owner + 1) % static_cast<int>(std::max(workers, 1U));
  }
  return cuts;
}

namespace sched {
namespace {

[[noreturn]] void refuse(std::span<const cut> cuts, std::size_t i, const std::string& why) {
  throw std::invalid_argument{"tine: cut " + std::to_string(i) + " of a loop begins at " +
                              std::to_string(cuts[i].begin) + ", " + why +
                              "; cuts are given in growing order, and each begins inside the loop"};
}

void check_owner(int owner, const char* of) {
  if (owner >= any_worker) return;
  throw std::invalid_argument{"tine: the owner of " + std::string{of} + " is " + std::to_string(owner) +
                              "; give a worker's number, from 0 on, or tine::any_worker"};
}

void check(std::span<const cut> cuts, std::uint64_t n) {
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    check_owner(cuts[i].owner, "a cut");
    if (cuts[i].begin >= n) refuse(cuts, i, "and the loop has " + std::to_string(n) + " iterations");
    if (i > 0 && cuts[i].begin <= cuts[i - 1].begin) refuse(cuts, i, "not after the one before it");
  }
}

bool has_owner(std::span<const cut> cuts) noexcept {
  return std::ranges::any_of(cuts, [](const cut& c) { return c.owner >= 0; });
}

/// Returns the observer that places work of the running strand; null if there is none, or if nothing of the strand may be
/// placed on a worker.
observer* director() noexcept {
  observer* const w = observer::current();
  const bool directs = w != nullptr && w->events->placer != nullptr && !is_kept_sequential();
  return directs ? w : nullptr;
}

}  // namespace

void hint_owner(int owner) {
  check_owner(owner, "a fork");
  observer* const w = director();
  if (w != nullptr && owner >= 0) w->events->placer->hint_owner(*w, owner);
}

placement_hint::placement_hint(std::span<const cut> cuts, std::uint64_t n) : cuts_{cuts} {
  check(cuts, n);
  observer* const w = director();
  if (w == nullptr || !has_owner(cuts)) return;
  w->events->placer->hint_cuts(*w, *this);
  at_ = w;
}

placement_hint::~placement_hint() {
  if (at_ != nullptr) at_->events->placer->forget_hint(*at_);
}

}  // namespace sched
}  // namespace tine
