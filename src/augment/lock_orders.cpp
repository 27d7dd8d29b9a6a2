// Records the orders in which locks were taken, and finds the cycles in them. The lock checker's lock protects it.
#include "augment/lock_orders.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tine::detail {
namespace {

constexpr std::size_t most_orders = 1 << 14;
constexpr unsigned most_of_kind = 8;
constexpr std::size_t most_search_steps = 200'000;  // of the search for one cycle: about a millisecond
constexpr std::size_t most_searches = 2000;

/// Returns a number for the use of a lock.
std::uint64_t number_of(const lock_use& use) noexcept { return std::uint64_t{use.lock} * 2 + (use.is_shared ? 1 : 0); }

}  // namespace

void lock_orders::add(const locked& strand, const std::vector<held_lock>& held, lock_use to, const void* at,
                      std::uint32_t stack) {
  std::vector<std::uint64_t> numbers;
  std::vector<lock_use> uses;
  for (const held_lock& h : held) {
    numbers.push_back(number_of(h.use));
    uses.push_back(h.use);
  }
  std::ranges::sort(numbers);
  for (const held_lock& h : held) {
    const auto [known, is_new] = known_.try_emplace({h.use.lock, to.lock, h.stack, stack, numbers}, 0u);
    if (known->second == most_of_kind) continue;
    if (orders_.size() == most_orders) {
      dropped_ += is_new;
      continue;
    }
    ++known->second;
    const lock_strand runs{.root = strand.root, .root_began = strand.root_began, .label = strand.label};
    orders_.push_back({{h.use, to, uses, runs}, h.at, at, h.stack, stack, strand.around, strand.branch});
  }
}

/// Returns the orders that may be part of a cycle. Again and again we remove those whose first lock is the second lock
/// of none, and those whose second lock is the first lock of none.
std::vector<std::size_t> lock_orders::in_cycles() const {
  std::vector<std::size_t> left(orders_.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  for (std::size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    std::set<lock_number> from, to;
    for (const std::size_t i : left) {
      from.insert(orders_[i].edge.from.lock);
      to.insert(orders_[i].edge.to.lock);
    }
    std::erase_if(left, [&](std::size_t i) {
      return !to.contains(orders_[i].edge.from.lock) || !from.contains(orders_[i].edge.to.lock);
    });
  }
  return left;
}

std::vector<std::vector<std::size_t>> lock_orders::cycles(const std::map<std::uint64_t, std::uint64_t>& ended) {
  const std::vector<std::size_t> candidates = in_cycles();
  std::vector<lock_edge> edges;
  for (const std::size_t i : candidates) {
    lock_edge& e = edges.emplace_back(orders_[i].edge);
    if (const auto end = ended.find(e.strand.root); end != ended.end()) e.strand.root_ended = end->second;
  }
  std::vector<std::vector<std::size_t>> found;
  std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> known;
  std::set<std::pair<std::uint32_t, std::uint32_t>> in_found;
  std::size_t searches = 0;
  was_cut_ = false;
  for (std::size_t first = 0; first < edges.size(); ++first) {
    const recorded_order& o = orders_[candidates[first]];
    if (in_found.contains({o.taken, o.event})) continue;
    if (++searches > most_searches) {
      was_cut_ = true;
      break;
    }
    std::vector<std::size_t> cycle = shortest_cycle(edges, first, most_search_steps, was_cut_);
    if (cycle.empty()) continue;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;
    for (std::size_t& each : cycle) {
      each = candidates[each];
      calls.emplace_back(orders_[each].taken, orders_[each].event);
    }
    in_found.insert(calls.begin(), calls.end());
    std::ranges::sort(calls);
    if (known.insert(calls).second) found.push_back(std::move(cycle));
  }
  return found;
}

}  // namespace tine::detail
