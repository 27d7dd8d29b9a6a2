// Placement hints: makes partitions of loops, and passes the workers that a program names to the region that places the
// strand's work. Only the running strand's thread uses a hint.
#include <tine/sched/placement_hint.hpp>

#include <tine/detail/sched/scope.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tine {

std::vector<placed_subrange> block(std::uint64_t n, unsigned workers) {
  __extension__ using wide = unsigned __int128;
  const auto begin_of = [&](unsigned k) { return static_cast<std::uint64_t>(static_cast<wide>(n) * k / workers); };
  std::vector<placed_subrange> partition;
  for (unsigned k = 0; k < workers; ++k) {
    if (begin_of(k) != begin_of(k + 1)) partition.push_back({begin_of(k), static_cast<int>(k)});
  }
  return partition;
}

std::vector<placed_subrange> cyclic(std::uint64_t n, std::uint64_t length, unsigned workers) {
  if (length == 0) throw std::invalid_argument{"tine::cyclic: pieces of 0 iterations; give a length of at least 1"};
  std::vector<placed_subrange> partition;
  int worker = 0;
  for (std::uint64_t begin = 0; begin < n; begin += std::min(length, n - begin)) {
    partition.push_back({begin, worker});
    worker = (worker + 1) % static_cast<int>(std::max(workers, 1U));
  }
  return partition;
}

namespace sched {
namespace {

[[noreturn]] void refuse(std::span<const placed_subrange> partition, std::size_t i, const std::string& why) {
  throw std::invalid_argument{"tine: subrange " + std::to_string(i) + " of a loop begins at " +
                              std::to_string(partition[i].begin) + ", " + why +
                              "; subranges are given in growing order, and each begins inside the loop"};
}

void check_worker(int worker, const char* of) {
  if (worker >= any_worker) return;
  throw std::invalid_argument{"tine: the worker of " + std::string{of} + " is " + std::to_string(worker) +
                              "; give a worker's number, from 0 on, or tine::any_worker"};
}

void check(std::span<const placed_subrange> partition, std::uint64_t n) {
  for (std::size_t i = 0; i < partition.size(); ++i) {
    check_worker(partition[i].worker, "a subrange");
    if (partition[i].begin >= n) refuse(partition, i, "and the loop has " + std::to_string(n) + " iterations");
    if (i > 0 && partition[i].begin <= partition[i - 1].begin) refuse(partition, i, "not after the one before it");
  }
}

bool names_a_worker(std::span<const placed_subrange> partition) noexcept {
  return std::ranges::any_of(partition, [](const placed_subrange& s) { return s.worker >= 0; });
}

/// Returns the running strand if its region may place its next fork or loop; throws if the region cannot. Null: there
/// is no region, or nothing of the strand may be placed on a worker.
region_strand* placing_strand() {
  region_strand* const s = region_strand::current();
  if (s == nullptr || must_keep_thread() || has_unstealable_observer()) return nullptr;
  s->in->check_may_place();
  return s;
}

}  // namespace

void hint_worker(int worker) {
  check_worker(worker, "a fork");
  region_strand* const s = worker >= 0 ? placing_strand() : nullptr;
  if (s == nullptr) return;
  s->hinted_worker = worker;
  set_position(*position::current());
}

placement_hint::placement_hint(std::span<const placed_subrange> partition, std::uint64_t n) : partition_{partition} {
  check(partition, n);
  if (names_a_worker(partition)) at_ = placing_strand();
  if (at_ != nullptr) at_->hint = this;
}

placement_hint::~placement_hint() {
  if (at_ != nullptr) at_->hint = nullptr;
}

}  // namespace sched
}  // namespace tine
