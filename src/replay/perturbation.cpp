// Draws the choices of a perturbed run. One strand at a time does that.
#include "replay/perturbation.hpp"

#include <algorithm>

namespace tine::detail {

/// The seed also decides how much is placed and how many branches wait, because some errors need few such places, and
/// others many.
perturbation::perturbation(std::uint64_t seed) noexcept : draw_{seed * base::splitmix64::step + 1} {
  constexpr unsigned placed[] = {8, 8, 6, 4, 2}, delayed[] = {4, 2, 6, 1};
  place_ = placed[draw_() % std::size(placed)];
  delay_ = delayed[draw_() % std::size(delayed)];
}

/// A placed strand takes some hundred microseconds, because threads hand it over. So after the first `dense` forks and
/// loops we consider one in k, where k grows with their number. That makes dense · (1 + ln (n / dense)) of n, all over
/// the run.
bool perturbation::considers() noexcept { return ++asked_ <= dense || draw_() % asked_ < dense; }

bool perturbation::places() noexcept {
  if (is_spent() || !considers() || draw_() % 8 >= place_) return false;
  ++placed_;
  return true;
}

std::span<const placed_subrange> perturbation::partition(std::uint64_t n, unsigned workers) {
  const std::uint64_t pieces = 2 + draw_() % std::min<std::uint64_t>(n - 1, 2 * workers + 2);
  std::vector<std::uint64_t> begins{0};
  for (std::uint64_t i = 1; i < pieces; ++i) begins.push_back(draw_() % n);
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::vector<placed_subrange>& made = partitions_.emplace_back();
  for (const std::uint64_t begin : begins) made.push_back({begin, worker(workers)});
  placed_ += static_cast<unsigned>(made.size());
  return made;
}

}  // namespace tine::detail
