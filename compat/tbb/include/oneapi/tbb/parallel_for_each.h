// parallel_for_each: calls a body for each item of a sequence, and for the items that the body adds. Any thread may
// call it.
#pragma once

#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/tine/added_task.hpp>
#include <oneapi/tbb/tine/subranges.hpp>

#include <concepts>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tbb {
namespace detail {
namespace on_tine {

/// Takes items that a body adds while it runs. Each of them is a task.
template <class Item>
class feeder {
 public:
  void add(const Item& item) { add_item(Item(item)); }
  void add(Item&& item) { add_item(std::move(item)); }

 protected:
  feeder() = default;
  ~feeder() = default;

 private:
  virtual void add_item(Item&& item) = 0;
};

template <class Body, class Item, class Reference>
inline constexpr bool takes_feeder = std::invocable<const Body&, Reference, feeder<Item>&>;
template <class Body, class Item>
inline constexpr bool may_feed = takes_feeder<Body, Item, Item&> || takes_feeder<Body, Item, Item&&>;

/// Calls `body` for an item, which it may move from if `Reference` is an rvalue; with the feeder, if it takes one.
template <class Item, class Reference, class Body>
void call_for_item(const Body& body, Reference item, feeder<Item>* added) {
  if constexpr (takes_feeder<Body, Item, Reference>) {
    body(static_cast<Reference>(item), *added);
  } else if constexpr (takes_feeder<Body, Item, Item&>) {
    body(item, *added);
  } else if constexpr (std::invocable<const Body&, Reference>) {
    body(static_cast<Reference>(item));
  } else {
    body(item);
  }
}

/// One call of parallel_for_each. `Item`: the type of the items.
template <class Item, class Body>
class for_each_call final : public feeder<Item> {
 public:
  for_each_call(call_in_context& call, const Body& body) : call_{call}, body_{body} {}

  template <class It>
  void run(It first, It last) {
    if constexpr (std::random_access_iterator<It>) {
      run_all(first, last, [](const It& i) -> decltype(auto) { return *i; });
    } else {
      run_in_batches(first, last);
    }
    if constexpr (may_feed<Body, Item>) added_.wait();
  }

 private:
  template <class It, class Get>
  void run_all(It first, It last, const Get& get) {
    tine::par_fold(
        first, last, 1, [] { return tine::void_result{}; },
        [this, &get](tine::void_result&, It begin, It end) {
          call_.body([&] {
            for (; begin != end; ++begin) call_for_item<Item, decltype(get(begin))>(body_, get(begin), this);
          });
        },
        [](tine::void_result&, tine::void_result&&) {});
  }

  /// Only one strand may advance the iterators of other sequences. So we collect a batch of iterators, or of items if
  /// the iterators make them, and run it as a loop. A deque doesn't move or copy its items when it grows.
  template <class It>
  void run_in_batches(It first, It last) {
    constexpr std::size_t most = 4096;
    constexpr bool keeps_items = !std::forward_iterator<It>;
    std::conditional_t<keeps_items, std::deque<Item>, std::vector<It>> batch;
    while (first != last) {
      call_.body([&] {
        for (; first != last && batch.size() != most; ++first) {
          if constexpr (keeps_items) {
            batch.emplace_back(*first);
          } else {
            batch.push_back(first);
          }
        }
      });
      run_all(batch.begin(), batch.end(), [](const auto& i) -> decltype(auto) {
        if constexpr (keeps_items) {
          return std::move(*i);
        } else {
          return **i;
        }
      });
      batch.clear();
    }
  }

  void add_item([[maybe_unused]] Item&& item) override {
    if constexpr (may_feed<Body, Item>) {
      add_task(added_, [this, item = std::move(item)]() mutable {
        call_.body([&] { call_for_item<Item, Item&&>(body_, std::move(item), this); });
      });
    }
  }

  call_in_context& call_;
  const Body& body_;
  struct no_tasks {};
  [[no_unique_address]] std::conditional_t<may_feed<Body, Item>, tine::task_group, no_tasks> added_;
};

template <std::input_iterator It, class Body>
void parallel_for_each(It first, It last, const Body& body, task_group_context& context) {
  call_in_context call{context};
  call.run([&] { for_each_call<std::iter_value_t<It>, Body>{call, body}.run(first, last); });
}

template <std::input_iterator It, class Body>
void parallel_for_each(It first, It last, const Body& body) {
  task_group_context context;
  on_tine::parallel_for_each(first, last, body, context);
}

template <class Sequence>
concept sequence = requires(Sequence& s) {
  { std::begin(s) } -> std::input_iterator;
  std::end(s);
};

template <sequence Sequence, class Body>
void parallel_for_each(Sequence&& s, const Body& body, task_group_context& context) {
  on_tine::parallel_for_each(std::begin(s), std::end(s), body, context);
}

template <sequence Sequence, class Body>
void parallel_for_each(Sequence&& s, const Body& body) {
  on_tine::parallel_for_each(std::begin(s), std::end(s), body);
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::feeder;
using detail::on_tine::parallel_for_each;
}  // namespace v1
}  // namespace tbb
