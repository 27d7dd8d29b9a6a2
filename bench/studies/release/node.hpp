// A node of an immutable tree. Many trees may share a node, and each node counts its holders.
#pragma once

#include "studies/release/tally.hpp"

#include <atomic>
#include <cstdint>

namespace bench::release {

/// A height of the plane: a number below a power of two.
using rank = std::uint32_t;

/// A part of a tree: the number of ranks in it, and its halves. A null pointer stands for the empty part.
class node {
 public:
  node(const node* l, const node* r) : left{l}, right{r}, size{size_of(l) + size_of(r)} { tally::add(1); }
  static const node* leaf() { return new node; }
  ~node() { tally::add(-1); }
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  static std::uint32_t size_of(const node* t) noexcept { return t != nullptr ? t->size : 0; }

  /// Adds a holder, and returns `t`.
  static const node* shared(const node* t) noexcept {
    if (t != nullptr) t->holders_.fetch_add(1, std::memory_order_relaxed);
    return t;
  }
  /// Removes a holder. Returns true if that was the last one. Acquire and release, so that the thread that deletes a
  /// node does so after all reads of the node by its holders.
  bool let_go() const noexcept { return holders_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// Returns true if the calling holder is the only holder; then no other thread can become a holder. If the result is
  /// false, other holders may release the node at any time.
  bool has_one_holder() const noexcept { return holders_.load(std::memory_order_relaxed) == 1; }

  const node* const left = nullptr;
  const node* const right = nullptr;
  const std::uint32_t size = 1;

 private:
  node() { tally::add(1); }

  mutable std::atomic<std::uint32_t> holders_{1};
};

}  // namespace bench::release
