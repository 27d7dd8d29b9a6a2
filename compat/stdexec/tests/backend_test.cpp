// The back end of the parallel scheduler, called as a front end calls it. The declarations are a stand-in for stdexec's.
#include <tine/parallel_scheduler_backend.hpp>

#include <tine/sync.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace {

namespace psr = stdexec::parallel_scheduler_replacement;

enum class ending { none, value, error, stopped };

/// Keeps how an operation ended and which calls it got. `wait` returns when it has ended.
class operation final : public psr::bulk_item_receiver_proxy {
 public:
  explicit operation(std::size_t n = 0, std::optional<stdexec::inplace_stop_token> stop = {}) : calls(n), stop_{stop} {}

  void set_value() noexcept override {
    is_on_worker = static_cast<bool>(tine::this_worker());
    tine::par([] {}, [] {});  // the continuation may fork
    end(ending::value);
  }
  void set_error(std::exception_ptr) noexcept override { end(ending::error); }
  void set_stopped() noexcept override { end(ending::stopped); }
  void execute(std::size_t begin, std::size_t end) noexcept override {
    if (end <= begin || end > calls.size() || how_ != ending::none) ++wrong;
    longest = std::max(longest.load(), end - begin);
    for (std::size_t i = begin; i < end && i < calls.size(); ++i) ++calls[i];
    if (on_execute) on_execute();
  }
  ending wait() {
    is_over_.wait();
    return how_;
  }
  bool has_called_each_once() const {
    return wrong == 0 && std::ranges::all_of(calls, [](const std::atomic<int>& c) { return c == 1; });
  }

  std::vector<std::atomic<int>> calls;
  std::atomic<int> wrong{0};
  std::atomic<std::size_t> longest{0};
  bool is_on_worker = false;
  std::function<void()> on_execute;
  const std::thread::id made_by = std::this_thread::get_id();

 private:
  std::optional<stdexec::inplace_stop_token> stop_token() const noexcept override { return stop_; }
  void end(ending how) noexcept {
    if (how_ != ending::none || std::this_thread::get_id() == made_by) ++wrong;
    how_ = how;
    is_over_.count_down();
  }

  const std::optional<stdexec::inplace_stop_token> stop_;
  std::atomic<ending> how_{ending::none};
  tine::latch is_over_{1};
};

/// Runs a test on the program's back end, and on pools with one worker, two, and more than processors.
template <class Body>
void with_each_backend(Body body) {
  body(*psr::query_parallel_scheduler_backend());
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    tine::pool p{{.workers = workers, .pin = tine::affinity::none}};
    tine::parallel_scheduler_backend b{p};
    body(b);
  }
}

}  // namespace

TEST_CASE("every query gets the same back end, so that schedulers are equal") {
  CHECK(psr::query_parallel_scheduler_backend() == psr::query_parallel_scheduler_backend());
  CHECK(psr::query_parallel_scheduler_backend() != nullptr);
}

TEST_CASE("schedule completes on a worker, which may fork") {
  with_each_backend([](psr::parallel_scheduler_backend& b) {
    for (int round = 0; round < 50; ++round) {
      operation o;
      b.schedule(o, {});
      CHECK(o.wait() == ending::value);
      CHECK(o.is_on_worker);
      CHECK(o.wrong == 0);
    }
  });
}

TEST_CASE("many operations run at once") {
  with_each_backend([](psr::parallel_scheduler_backend& b) {
    std::vector<std::unique_ptr<operation>> all;
    for (int i = 0; i < 300; ++i) all.push_back(std::make_unique<operation>(100));
    for (std::size_t i = 0; i < all.size(); ++i) {
      i % 2 == 0 ? b.schedule_bulk_chunked(100, *all[i], {}) : b.schedule_bulk_unchunked(100, *all[i], {});
    }
    for (const auto& o : all) {
      CHECK(o->wait() == ending::value);
      CHECK(o->has_called_each_once());
    }
  });
}

TEST_CASE("a bulk operation calls each index once, in subranges or alone") {
  with_each_backend([](psr::parallel_scheduler_backend& b) {
    for (const std::size_t n : {0U, 1U, 7U, 100'000U}) {
      CAPTURE(n);
      operation chunked{n}, single{n};
      b.schedule_bulk_chunked(n, chunked, {});
      b.schedule_bulk_unchunked(n, single, {});
      CHECK(chunked.wait() == ending::value);
      CHECK(single.wait() == ending::value);
      CHECK(chunked.has_called_each_once());
      CHECK(single.has_called_each_once());
      CHECK(single.longest == (n == 0 ? 0 : 1));
      if (n == 100'000) CHECK(chunked.longest > 1);
    }
  });
}

TEST_CASE("the indices of a bulk operation run in parallel") {
  tine::pool p{{.workers = 2, .pin = tine::affinity::none}};
  tine::parallel_scheduler_backend b{p};
  operation o{100'000};
  std::atomic<bool> is_helped{false};
  std::atomic<std::thread::id> first{};
  o.on_execute = [&] {
    std::thread::id none{};
    if (!first.compare_exchange_strong(none, std::this_thread::get_id()) && none != std::this_thread::get_id())
      is_helped = true;
    for (int i = 0; i < 100 && !is_helped; ++i) std::this_thread::yield();
  };
  b.schedule_bulk_unchunked(100'000, o, {});
  CHECK(o.wait() == ending::value);
  CHECK(is_helped);
}

TEST_CASE("a stop request ends a bulk operation early") {
  with_each_backend([](psr::parallel_scheduler_backend& b) {
    stdexec::inplace_stop_source before;
    before.request_stop();
    operation none{1000, before.get_token()};
    b.schedule_bulk_chunked(1000, none, {});
    CHECK(none.wait() == ending::stopped);
    CHECK(std::ranges::all_of(none.calls, [](const std::atomic<int>& c) { return c == 0; }));

    stdexec::inplace_stop_source during;
    operation some{100'000, during.get_token()};
    some.on_execute = [&] { during.request_stop(); };
    b.schedule_bulk_unchunked(100'000, some, {});
    CHECK(some.wait() == ending::stopped);
    CHECK(some.wrong == 0);
    CHECK(std::ranges::any_of(some.calls, [](const std::atomic<int>& c) { return c == 0; }));

    stdexec::inplace_stop_source after;
    operation all{1, after.get_token()};
    all.on_execute = [&] { after.request_stop(); };
    b.schedule_bulk_unchunked(1, all, {});
    CHECK(all.wait() == ending::value);
  });
}
