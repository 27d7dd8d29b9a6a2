// The back end of std::execution's parallel scheduler (P2079) on tine, for stdexec. Include this header in exactly one
// source file of a program: it defines the function by which stdexec finds the back end.
#pragma once

#if defined(STDEXEC_PARALLEL_SCHEDULER_HEADER_ONLY)
#error \
    "With STDEXEC_PARALLEL_SCHEDULER_HEADER_ONLY stdexec defines query_parallel_scheduler_backend itself: leave the macro out."
#endif

#include <stdexec/execution.hpp>

#include <tine/managed.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace tine {
namespace detail {

namespace replacement = stdexec::parallel_scheduler_replacement;

}  // namespace detail

/// Runs the work of `stdexec::get_parallel_scheduler()` in a pool, each operation as a root of its own. Code that
/// continues an operation is on a worker of the pool: it may fork, and its forks share the workers.
///
/// Thread-safety: any thread may call it. The pool must live as long as the back end.
class parallel_scheduler_backend final : public detail::replacement::parallel_scheduler_backend {
 public:
  explicit parallel_scheduler_backend(pool& in = default_pool()) noexcept : pool_{in} {}

  /// Completes `r` on a worker.
  void schedule(detail::replacement::receiver_proxy& r, std::span<std::byte>) noexcept override {
    submit(r, [&r] { r.set_value(); });
  }

  /// Calls `r.execute(begin, end)` for subranges of the indices below `n`, in parallel, and then completes `r`. The
  /// lengths of the subranges are those of `par_for_chunks`. Once a stop is requested, no further one begins, and `r`
  /// completes as stopped if one is left out.
  void schedule_bulk_chunked(std::size_t n, detail::replacement::bulk_item_receiver_proxy& r,
                             std::span<std::byte>) noexcept override {
    submit(r, [n, &r] {
      bulk all{r};
      par_for_chunks(std::size_t{0}, n, [&all](std::size_t begin, std::size_t end) { all.execute(begin, end); });
      all.complete();
    });
  }

  /// As schedule_bulk_chunked, with a call for each index.
  void schedule_bulk_unchunked(std::size_t n, detail::replacement::bulk_item_receiver_proxy& r,
                               std::span<std::byte>) noexcept override {
    submit(r, [n, &r] {
      bulk all{r};
      par_for(std::size_t{0}, n, [&all](std::size_t i) { all.execute(i, i + 1); });
      all.complete();
    });
  }

 private:
  /// A bulk operation while it runs; several workers execute parts of it.
  class bulk {
   public:
    explicit bulk(detail::replacement::bulk_item_receiver_proxy& r)
        : receiver_{r}, stop_{r.template try_query<stdexec::inplace_stop_token>(stdexec::get_stop_token)} {}

    void execute(std::size_t begin, std::size_t end) noexcept {
      if (stop_.has_value() && stop_->stop_requested()) {
        is_incomplete_.store(true, std::memory_order_relaxed);  // relaxed: the end of the loop publishes it
      } else {
        receiver_.execute(begin, end);
      }
    }
    void complete() noexcept {
      // relaxed: as above
      is_incomplete_.load(std::memory_order_relaxed) ? receiver_.set_stopped() : receiver_.set_value();
    }

   private:
    detail::replacement::bulk_item_receiver_proxy& receiver_;
    const std::optional<stdexec::inplace_stop_token> stop_;
    std::atomic<bool> is_incomplete_{false};
  };

  /// Submits a root that completes `r`. If there is no memory for it, `r` completes with an error.
  template <class Root>
  void submit(detail::replacement::receiver_proxy& r, Root root) noexcept {
    try {
      pool_.submit(std::move(root)).detach();
    } catch (...) {
      r.set_error(std::current_exception());
    }
  }

  pool& pool_;
};

}  // namespace tine

/// The function by which stdexec finds its back end: the same one for all schedulers, in the default pool.
auto stdexec::parallel_scheduler_replacement::query_parallel_scheduler_backend()
    -> std::shared_ptr<stdexec::parallel_scheduler_replacement::parallel_scheduler_backend> {
  static const auto backend = std::make_shared<tine::parallel_scheduler_backend>();
  return backend;
}
