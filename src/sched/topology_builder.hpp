// Puts the processors of a machine in the order in which pools use them, while a topology is read. One thread uses it.
#pragma once

#include "sched/topology.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace tine::sched {

/// Takes the processors that the process may use one after the other, in the order of the machine's tree, so that those
/// of a core follow one another, and neighbouring cores, too.
class topology_builder {
 public:
  /// Adds something that processors share: the machine, a package, a cache or a core. `parent`: the number of what
  /// contains it; -1: nothing does. Returns its number.
  int add_resource(int parent) {
    const int depth = parent < 0 ? 0 : result_.tree_[static_cast<std::size_t>(parent)].depth + 1;
    result_.tree_.push_back({parent, depth});
    return static_cast<int>(result_.tree_.size()) - 1;
  }

  /// Adds a processor, whose `core` is the number of a resource. `speed` is greater for faster processors.
  void add(const processor& p, int speed) {
    rank_ = p.core == core_ ? rank_ + 1 : 0;
    core_ = p.core;
    if (rank_ == ranks_.size()) ranks_.emplace_back();
    ranks_[rank_][speed].push_back(p);
    ++count_by_speed_[speed];
  }

  /// Returns the topology of the processors that were added, which are near that many NUMA nodes.
  topology finished(unsigned nodes) && {
    for (const by_speed& rank : ranks_) {
      for (const auto& [speed, alike] : rank) {
        result_.processors_.insert(result_.processors_.end(), alike.begin(), alike.end());
      }
    }
    for (const auto& [speed, count] : count_by_speed_) result_.kinds_.push_back(count);
    result_.nodes_ = nodes;
    return std::move(result_);
  }

  /// Returns a speed for each kind of cores. `stated`: the capacities or frequencies of the kinds, the slowest kind
  /// first; 0: the system states none. A favoured core, whose frequency is a little higher than that of its neighbours,
  /// is a kind of its own for the system. If we took such a core first, we would tear neighbours apart. So kinds within
  /// a tenth of the fastest of them count as one.
  static std::vector<int> speeds(const std::vector<double>& stated) {
    std::vector<int> result(stated.size());
    double fastest = 0;  // of the kinds that count as one
    auto speed = static_cast<int>(stated.size());
    for (std::size_t kind = stated.size(); kind-- > 0;) {
      const bool is_another = stated[kind] == 0 || stated[kind] < 0.9 * fastest;
      if (is_another) --speed;
      if (is_another || fastest == 0) fastest = stated[kind];
      result[kind] = speed;
    }
    return result;
  }

 private:
  using by_speed = std::map<int, std::vector<processor>, std::greater<>>;  // the fastest kind first

  int core_ = -1;         // the core of the processor added last
  std::size_t rank_ = 0;  // its number among the processors of its core
  // [0]: the first processor of each core, [1]: the second processors, …; neighbouring cores follow one another.
  std::vector<by_speed> ranks_;
  std::map<int, unsigned, std::greater<>> count_by_speed_;
  topology result_;
};

}  // namespace tine::sched
