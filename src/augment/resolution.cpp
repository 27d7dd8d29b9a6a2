// The resolution of a profile. All orders here are relaxed: the numbers decide how finely the profile distinguishes,
// and do not order other data.
#include "augment/resolution.hpp"

#include "augment/sampled.hpp"
#include "trace/description.hpp"

#include <tine/detail/base/atomic.hpp>

#include <algorithm>

namespace tine::detail {
namespace {

struct resolution {
  base::atomic<base::ticks> threshold{base::to_ticks(100)};
  base::atomic<std::size_t> nodes{0};
  base::atomic<std::size_t> most_nodes{0};  ///< the threshold doubles when there are more nodes
  profile_caps caps = caps_for(usual_profile_bytes);
  resolution() noexcept { most_nodes.store(caps.nodes, base::relaxed); }
};

/// Never destroyed, because strands count until the process ends.
resolution& now() noexcept {
  static resolution& r = *new resolution;
  return r;
}

}  // namespace

profile_caps caps_for(std::uint64_t bytes) noexcept {
  const auto rows = [](std::uint64_t share, std::uint32_t row) { return static_cast<std::size_t>(share / row); };
  return {.points = rows(bytes / 4, row_budget(trace::type_of<trace::point>())),
          .nodes = rows(bytes / 2, row_budget(trace::type_of<trace::node>())),
          .paths = rows(bytes / 8, row_budget(trace::type_of<trace::path>())),
          .roots = rows(bytes / 8, row_budget(trace::type_of<trace::root>())),
          .samples = rows(bytes / 32, row_budget(trace::type_of<trace::sample>())),
          .events = rows(bytes / 2, row_budget(trace::type_of<trace::timeline_event>()))};
}

void set_resolution(std::uint64_t threshold_ns, const profile_caps& caps) noexcept {
  resolution& r = now();
  r.caps = caps;
  r.most_nodes.store(caps.nodes, base::relaxed);
  r.threshold.store(std::max<base::ticks>(1, base::to_ticks(static_cast<double>(threshold_ns) / 1e3)), base::relaxed);
  set_longest_skipped(point_threshold());
}

const profile_caps& caps() noexcept { return now().caps; }

base::ticks point_threshold() noexcept { return now().threshold.load(base::relaxed); }

void double_threshold(base::ticks from) noexcept {
  now().threshold.compare_exchange_strong(from, 2 * from, base::relaxed, base::relaxed);
}

void count_node() noexcept {
  resolution& r = now();
  const std::size_t n = r.nodes.fetch_add(1, base::relaxed) + 1;
  std::size_t most = r.most_nodes.load(base::relaxed);
  if (n <= most) [[likely]]
    return;
  // Open strands fold their nodes when they next add a node, so the count falls later. Until then it may grow by an
  // eighth of the cap for each doubling; otherwise a burst would double the threshold without end.
  if (!r.most_nodes.compare_exchange_strong(most, n + r.caps.nodes / 8, base::relaxed, base::relaxed)) return;
  double_threshold(r.threshold.load(base::relaxed));
}

void forget_node() noexcept {
  resolution& r = now();
  const std::size_t n = r.nodes.fetch_sub(1, base::relaxed) - 1;
  if (n == r.caps.nodes * 3 / 4) r.most_nodes.store(r.caps.nodes, base::relaxed);
}

std::size_t counted_nodes() noexcept { return now().nodes.load(base::relaxed); }

}  // namespace tine::detail
