// Ranges of iterations that wait on one rank. Any worker may take from them; a lock protects them.
#include <tine/detail/mpi/iteration_ranges.hpp>

namespace tine::mpi::detail {

void waiting_ranges::add(iteration_range r) {
  if (r.size() == 0) return;
  const std::lock_guard guard{lock_};
  has_begun_ = false;
  if (!all_.empty() && all_.back().end == r.begin) {
    all_.back().end = r.end;
  } else {
    all_.push_back(r);
  }
}

iteration_range waiting_ranges::take_front(std::uint64_t wanted, unsigned takers) noexcept {
  const std::lock_guard guard{lock_};
  if (all_.empty()) return {};
  has_begun_ = true;
  iteration_range& r = all_.front();
  const std::uint64_t share = std::max<std::uint64_t>(1, r.size() / takers);
  const iteration_range taken{r.begin, r.begin + std::min(wanted, share)};
  r.begin = taken.end;
  if (r.size() == 0) all_.erase(all_.begin());
  return taken;
}

iteration_range waiting_ranges::take_half() noexcept {
  const std::lock_guard guard{lock_};
  if (!has_begun_) return {};
  const auto r = std::ranges::max_element(all_, {}, &iteration_range::size);
  if (r == all_.end()) return {};
  const iteration_range taken{r->begin + r->size() / 2, r->end};
  r->end = taken.begin;
  if (r->size() == 0) all_.erase(r);
  return taken;
}

std::vector<iteration_range> waiting_ranges::in_order() const {
  const std::lock_guard guard{lock_};
  std::vector<iteration_range> sorted = all_;
  std::ranges::sort(sorted, {}, &iteration_range::begin);
  std::vector<iteration_range> joined;
  for (const iteration_range& r : sorted) {
    if (!joined.empty() && joined.back().end == r.begin) {
      joined.back().end = r.end;
    } else {
      joined.push_back(r);
    }
  }
  return joined;
}

}  // namespace tine::mpi::detail
