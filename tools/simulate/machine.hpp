// The machine that is simulated: the distances between workers, and sets of workers that can be counted by distance.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tine::simulate {

/// The greatest number of workers that can be simulated.
inline constexpr unsigned most_workers = 65536;

/// A set of workers, as bits.
class worker_set {
 public:
  explicit worker_set(std::size_t workers) : bits_((workers + 63) / 64) {}

  bool has(std::size_t w) const noexcept { return (bits_[w / 64] >> (w % 64) & 1) != 0; }
  std::size_t size() const noexcept { return size_; }
  void add(std::size_t w) noexcept {
    if (!has(w)) bits_[w / 64] |= std::uint64_t{1} << (w % 64), ++size_;
  }
  void remove(std::size_t w) noexcept {
    if (has(w)) bits_[w / 64] &= ~(std::uint64_t{1} << (w % 64)), --size_;
  }
  /// Returns the number of members from `from` on and below `to`.
  std::size_t count(std::size_t from, std::size_t to) const noexcept;
  /// Returns the member before which there are `k` members in the range that begins at `from`; there must be more than
  /// `k`.
  std::size_t member(std::size_t from, std::size_t k) const noexcept;

 private:
  std::vector<std::uint64_t> bits_;
  std::size_t size_ = 0;
};

/// Workers are numbered so that those which are close to each other are neighbours. Immutable.
class machine {
 public:
  struct range {
    std::uint32_t from, to;
  };

  /// A machine whose workers are all at distance 1.
  explicit machine(unsigned workers);

  /// A machine of which `topology` describes the processors, in hwloc's notation, such as "node:2 core:32", in which a
  /// missing last level means pu:1. Workers take processors as those of a pool do. If there are fewer processors than
  /// workers, the machine consists of as many of such machines, side by side, as are needed. An empty text stands for
  /// the constructor without a topology. Throws std::invalid_argument, which names the text, if it describes no machine
  /// or one of more than 4096 processors.
  machine(unsigned workers, const std::string& topology);

  unsigned workers() const noexcept { return static_cast<unsigned>(node_.size()); }
  unsigned levels() const noexcept { return static_cast<unsigned>(levels_.size()); }
  /// Returns the NUMA node of a worker, from 0 on.
  std::uint32_t node(std::size_t w) const noexcept { return node_[w]; }
  std::uint32_t nodes() const noexcept { return nodes_; }
  /// Returns the workers whose distance from `w` is at most `level` + 1; `level` is below `levels()`.
  range within(std::size_t w, unsigned level) const noexcept { return levels_[level][w]; }
  /// Returns the distance that belongs to the level.
  unsigned distance(unsigned level) const noexcept { return distances_[level]; }

 private:
  void add_level(unsigned distance, const std::vector<unsigned>& links);

  std::vector<std::uint32_t> node_;
  std::uint32_t nodes_ = 1;
  std::vector<std::vector<range>> levels_;  // by level, then by worker
  std::vector<unsigned> distances_;         // by level, ascending
};

}  // namespace tine::simulate
