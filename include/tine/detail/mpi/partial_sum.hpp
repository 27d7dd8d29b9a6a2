// The result of a rank so far, to which several strands add.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace tine::mpi::detail {

/// No lock is held while the program's function combines: it may fork, and a worker that waits at a join may run a
/// strand that adds, too.
template <class R>
class partial_sum {
 public:
  explicit partial_sum(const R& identity) : sum_{identity} {}

  /// Any strand.
  template <class Combine>
  void add(R&& part, Combine& combine) {
    std::optional<R> sum{std::move(part)};
    while (std::optional<R> other = exchange(sum)) sum.emplace(combine(std::move(*other), std::move(*sum)));
  }
  /// The result, when no strand adds any more.
  R& value() noexcept { return *sum_; }

 private:
  /// Leaves `part` here if nothing is, and returns nothing; otherwise takes what is here.
  std::optional<R> exchange(std::optional<R>& part) {
    const std::lock_guard guard{lock_};
    if (sum_) return std::exchange(sum_, std::nullopt);
    sum_ = std::move(part);
    return std::nullopt;
  }

  std::mutex lock_;
  std::optional<R> sum_;
};

}  // namespace tine::mpi::detail
