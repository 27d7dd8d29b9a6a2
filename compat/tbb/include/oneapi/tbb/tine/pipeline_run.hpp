// A run of a pipeline: tokens that pass through stages. A token is on one strand at a time. If a serial stage is busy,
// or it isn't the token's turn, the token stays there until a token leaves the stage.
//
// Any strand may move a token; a lock for each stage guards what waits there. No lock is held over code of the program.
#pragma once

#include <oneapi/tbb/tine/added_task.hpp>
#include <oneapi/tbb/tine/flow_control.hpp>
#include <oneapi/tbb/tine/task_group_context.hpp>
#include <oneapi/tbb/tine/token_value.hpp>
#include <tine/sched/pool.hpp>
#include <tine/sched/unstoppable.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tbb::detail::on_tine {

enum class filter_mode : unsigned { parallel, serial_in_order, serial_out_of_order };

/// A filter of a chain, without its types.
class filter_stage {
 public:
  explicit filter_stage(filter_mode m) noexcept : mode{m} {}
  virtual ~filter_stage() = default;
  filter_stage(const filter_stage&) = delete;
  filter_stage& operator=(const filter_stage&) = delete;
  /// Replaces the value by the result of the filter. `control`: of the first filter.
  virtual void call(token_value& value, d1::flow_control& control) const = 0;

  const filter_mode mode;
};

using filter_chain = std::vector<std::shared_ptr<const filter_stage>>;

class pipeline_run {
 public:
  pipeline_run(call_in_context& call, const filter_chain& chain, std::size_t max_tokens)
      : call_{call}, max_tokens_{max_tokens} {
    for (const auto& s : chain) stages_.push_back(std::make_unique<stage>(*s));
  }

  void run() {
    start_input();
    tasks_.wait();
  }

 private:
  struct token {
    std::uint64_t number = 0;
    bool is_numbered = false;  // by the first stage that has an order
    token_value value;
  };

  /// A stage, and the tokens that wait for it, in the order in which they may enter.
  class stage {
   public:
    explicit stage(const filter_stage& f) noexcept : filter{f} {}
    bool is_serial() const noexcept { return filter.mode != filter_mode::parallel; }

    /// Returns true if the token enters. Otherwise it stays here until `leave` returns it.
    bool enter(token& t) {
      if (!is_serial()) return true;
      const std::lock_guard guard{lock_};
      const bool is_ordered = filter.mode == filter_mode::serial_in_order;
      if (is_ordered && !t.is_numbered) {
        t.number = entered_++;
        t.is_numbered = true;
      }
      if (!is_busy_ && (!is_ordered || t.number == next_)) return is_busy_ = true;
      waiting_.emplace(is_ordered ? t.number : entered_++, std::move(t));
      return false;
    }
    /// Called by the strand that has run the stage. Returns true if `next` is a token that has entered now.
    bool leave(token& next) {
      if (!is_serial()) return false;
      const std::lock_guard guard{lock_};
      ++next_;
      const auto first = waiting_.begin();
      is_busy_ = first != waiting_.end() && (filter.mode != filter_mode::serial_in_order || first->first == next_);
      if (!is_busy_) return false;
      next = std::move(first->second);
      waiting_.erase(first);
      return true;
    }

    const filter_stage& filter;

   private:
    std::mutex lock_;
    bool is_busy_ = false;
    std::uint64_t next_ = 0;     // number of the token whose turn it is
    std::uint64_t entered_ = 0;  // number for the next token that gets one here
    std::map<std::uint64_t, token> waiting_;
  };

  /// Starts a task that reads tokens, unless there are as many as workers, the input has ended, or there are enough
  /// tokens.
  void start_input() {
    if (may_read(false)) add_task(tasks_, [this] { read_tokens(); });
  }
  bool may_read(bool is_reader) {
    const std::lock_guard guard{input_lock_};
    if (is_reader) --readers_;
    if (has_ended_ || live_ == max_tokens_ || readers_ == max_readers_) return false;
    if (stages_[0]->is_serial() && is_reading_.load(std::memory_order_relaxed)) return false;
    is_reading_.store(true, std::memory_order_relaxed);
    ++live_;
    ++readers_;
    return true;
  }

  /// Reads a token and passes it through the stages, as long as there are tokens.
  void read_tokens() {
    do {
      token t;
      if (!stages_[0]->is_serial()) start_input();
      d1::flow_control control;
      call_.body([&] { stages_[0]->filter.call(t.value, control); });
      if (!has_read(t, control)) return;
      start_input();
      pass(std::move(t), 1);
      await_input();
    } while (!tine::is_stopping() && may_read(true));  // a loop without forks
  }
  /// Waits for the end of a short call of the first filter: a new task would take longer than that.
  void await_input() const noexcept {
    // relaxed: a hint
    for (int turns = 200; turns != 0 && is_reading_.load(std::memory_order_relaxed); --turns) {
    }
  }
  /// Called when the first filter has returned. Returns false if it has found the end of the input.
  bool has_read(token& t, const d1::flow_control& control) {
    const std::lock_guard guard{input_lock_};
    is_reading_.store(false, std::memory_order_relaxed);
    if (control.is_pipeline_stopped) {
      has_ended_ = true;
      --live_;
      --readers_;
      return false;
    }
    if (stages_[0]->is_serial()) {
      t.number = read_++;
      t.is_numbered = true;
    }
    return true;
  }

  /// Passes a token through the stages from number `at` on. `has_entered`: it is in that stage already.
  void pass(token t, std::size_t at, bool has_entered = false) {
    for (; at != stages_.size(); ++at, has_entered = false) {
      stage& s = *stages_[at];
      if (!has_entered && !s.enter(t)) return;
      d1::flow_control unused;
      call_.body([&] { s.filter.call(t.value, unused); });
      if (token next; s.leave(next)) {
        add_task(tasks_, [this, at, next = std::move(next)]() mutable { continue_with(std::move(next), at); });
      }
    }
    const std::lock_guard guard{input_lock_};
    --live_;
  }
  /// Passes a token on that has waited for a stage, and has entered it now.
  void continue_with(token t, std::size_t at) {
    pass(std::move(t), at, true);
    start_input();
  }

  call_in_context& call_;
  const std::size_t max_tokens_;
  const std::size_t max_readers_ = tine::worker_count();
  std::vector<std::unique_ptr<stage>> stages_;
  std::mutex input_lock_;
  std::size_t live_ = 0;
  std::size_t readers_ = 0;              // tasks that read tokens
  std::atomic<bool> is_reading_{false};  // relaxed everywhere: it changes under the lock
  bool has_ended_ = false;
  std::uint64_t read_ = 0;
  tine::task_group tasks_;
};

}  // namespace tbb::detail::on_tine
