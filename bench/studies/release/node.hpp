// A node of a tree that is never changed, and that many trees may share. Counts who holds it.
#pragma once

#include "studies/release/tally.hpp"

#include <atomic>
#include <cstdint>

namespace bench::release {

/// A height of the plane: a number below a power of two.
using rank = std::uint32_t;

/// A part of a tree: how many ranks are in it, and its halves. No node stands for the empty part.
class node {
 public:
  node(const node* l, const node* r) : left{l}, right{r}, size{size_of(l) + size_of(r)} { tally::add(1); }
  static const node* leaf() { return new node; }
  ~node() { tally::add(-1); }
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  static std::uint32_t size_of(const node* t) noexcept { return t != nullptr ? t->size : 0; }

  /// One more holder.
  static const node* shared(const node* t) noexcept {
    if (t != nullptr) t->holders_.fetch_add(1, std::memory_order_relaxed);
    return t;
  }
  /// One holder less; says whether that was the last one. Acquire and release, so that whoever deletes a node does so after
  /// all who have read it.
  bool let_go() const noexcept { return holders_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// Whether a caller who holds it is the only one, so that nobody can come to hold it. If not, others may let go at any time.
  bool has_one_holder() const noexcept { return holders_.load(std::memory_order_relaxed) == 1; }

  const node* const left = nullptr;
  const node* const right = nullptr;
  const std::uint32_t size = 1;

 private:
  node() { tally::add(1); }

  mutable std::atomic<std::uint32_t> holders_{1};
};

}  // namespace bench::release
