// A stand-in for stdexec: the declarations that a back end of the parallel scheduler needs, as P2079 has them.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

namespace stdexec {

class inplace_stop_source;

class inplace_stop_token {
 public:
  bool stop_requested() const noexcept { return flag_ != nullptr && flag_->load(); }

 private:
  friend class inplace_stop_source;
  const std::atomic<bool>* flag_ = nullptr;
};

class inplace_stop_source {
 public:
  void request_stop() noexcept { flag_ = true; }
  inplace_stop_token get_token() const noexcept {
    inplace_stop_token t;
    t.flag_ = &flag_;
    return t;
  }

 private:
  std::atomic<bool> flag_{false};
};

struct get_stop_token_t {};
inline constexpr get_stop_token_t get_stop_token{};

namespace parallel_scheduler_replacement {

class receiver_proxy {
 public:
  virtual ~receiver_proxy() = default;
  virtual void set_value() noexcept = 0;
  virtual void set_error(std::exception_ptr) noexcept = 0;
  virtual void set_stopped() noexcept = 0;

  template <class Value, class Query>
  std::optional<Value> try_query(Query) const noexcept {
    static_assert(std::is_same_v<Value, inplace_stop_token> && std::is_same_v<Query, get_stop_token_t>);
    return stop_token();
  }

 private:
  virtual std::optional<inplace_stop_token> stop_token() const noexcept = 0;
};

class bulk_item_receiver_proxy : public receiver_proxy {
 public:
  virtual void execute(std::size_t, std::size_t) noexcept = 0;
};

struct parallel_scheduler_backend {
  virtual ~parallel_scheduler_backend() = default;
  virtual void schedule(receiver_proxy&, std::span<std::byte>) noexcept = 0;
  virtual void schedule_bulk_chunked(std::size_t, bulk_item_receiver_proxy&, std::span<std::byte>) noexcept = 0;
  virtual void schedule_bulk_unchunked(std::size_t, bulk_item_receiver_proxy&, std::span<std::byte>) noexcept = 0;
};

std::shared_ptr<parallel_scheduler_backend> query_parallel_scheduler_backend();

}  // namespace parallel_scheduler_replacement
}  // namespace stdexec
