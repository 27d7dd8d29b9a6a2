// A rank's result so far. Several strands add to it.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace tine::mpi::detail {

/// We don't hold a lock while the program's function combines. It may fork, and a worker that waits at a join may run a
/// strand that adds, too.
template <class R>
class partial_sum {
 public:
  explicit partial_sum(const R& identity) : sum_{identity} {}

  /// Any strand may call this.
  template <class Combine>
  void add(R&& part, Combine& combine) {
    std::optional<R> sum{std::move(part)};
    while (std::optional<R> other = exchange(sum)) sum.emplace(combine(std::move(*other), std::move(*sum)));
  }
  /// The result. Call it when no strand adds any more.
  R& value() noexcept { return *sum_; }

 private:
  /// Leaves `part` here if there is nothing yet, and returns nothing; otherwise takes what is here.
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
