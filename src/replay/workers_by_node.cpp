// Assigns recorded workers to a pool with other NUMA nodes. Plain functions of values.
#include "replay/workers_by_node.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tine::detail {
namespace {

struct node {
  std::vector<unsigned> workers;
  bool has_first;
};

/// Returns the nodes, largest first. A worker without a node is a node of its own.
std::vector<node> nodes_of(const pool_nodes& of, unsigned owners) {
  std::map<int, node> by_number;
  for (unsigned i = 0; i < owners; ++i) {
    const int number = i < of.node_of.size() ? of.node_of[i] : -1 - static_cast<int>(i);
    node& n = by_number[number];
    n.workers.push_back(i);
    n.has_first |= i == of.first;
  }
  std::vector<node> all;
  for (auto& [number, n] : by_number) all.push_back(std::move(n));
  // by the lowest worker, because the machine chose the numbers
  std::ranges::sort(all, {},
                    [](const node& n) { return std::tuple{-static_cast<long>(n.workers.size()), n.workers.front()}; });
  return all;
}

class matching {
 public:
  matching(unsigned owners, std::vector<node> pool, std::size_t workers)
      : rounds_{(owners + workers - 1) / workers},
        left_{owners},
        taken_(pool.size()),
        pool_{std::move(pool)},
        result_(owners) {}

  void place(const node& recorded) {
    for (std::size_t done = 0; done < recorded.workers.size();) {
      const std::size_t wanted = recorded.workers.size() - done;
      const std::size_t to = best(wanted, recorded.has_first);
      const node& n = pool_[to];
      for (std::size_t space = std::min(wanted, space_on(to)); space-- > 0; --left_) {
        result_[recorded.workers[done++]] = n.workers[taken_[to]++ % n.workers.size()];
      }
    }
  }
  std::vector<unsigned> result() && { return std::move(result_); }

 private:
  /// Returns how many places the node must get before one of its workers takes its last place.
  std::size_t owed_to(std::size_t i) const {
    const std::size_t least = (rounds_ - 1) * pool_[i].workers.size();
    return least - std::min(least, taken_[i]);
  }

  /// Returns how many of the remaining workers may be placed on the node.
  std::size_t space_on(std::size_t i) const {
    std::size_t owed = 0;
    for (std::size_t n = 0; n < pool_.size(); ++n) owed += owed_to(n);
    return std::min(rounds_ * pool_[i].workers.size() - taken_[i], owed_to(i) + left_ - owed);
  }

  std::size_t best(std::size_t wanted, bool has_first) const {
    std::size_t found = 0;
    std::tuple<bool, std::size_t, bool> most{};
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      const std::size_t space = space_on(i);
      const std::tuple value{space >= wanted && taken_[i] == 0, space, pool_[i].has_first == has_first};
      if (i == 0 || value > most) {
        found = i;
        most = value;
      }
    }
    return found;
  }

  const std::size_t rounds_;        ///< how many places a worker may take
  std::size_t left_;                ///< recorded workers that have no place yet
  std::vector<std::size_t> taken_;  ///< by node of the pool
  const std::vector<node> pool_;
  std::vector<unsigned> result_;
};

}  // namespace

std::vector<unsigned> workers_by_node(const pool_nodes& recorded, unsigned owners, const pool_nodes& pool) {
  const auto workers = static_cast<unsigned>(pool.node_of.size());
  matching m{owners, nodes_of(pool, workers), workers};
  for (const node& n : nodes_of(recorded, owners)) m.place(n);
  return std::move(m).result();
}

}  // namespace tine::detail
