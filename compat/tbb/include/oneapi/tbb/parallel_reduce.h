// parallel_reduce and parallel_deterministic_reduce: the parts of a range have results, which are combined in their
// order. Any thread may call them.
#pragma once

#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/tine/reduction.hpp>

#include <concepts>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// A body that is split and joined.
template <class B, class Range>
concept reduce_body = std::constructible_from<B, B&, split> && requires(B& b, B& right, Range& r) {
  b(r);
  b.join(right);
};

template <class F, class Range, class Value>
concept reduce_function = std::invocable<const F&, Range&, const Value&>;

template <class F, class Value>
concept reduce_join = std::invocable<const F&, const Value&, const Value&>;

/// Only these give the same parts in each run.
template <class P>
concept deterministic_partitioner = partitioner<P> && !is_automatic<cut_of<P>>;

// --- parallel_reduce: the tree of joins depends on what was stolen ---------------------------------------------------

/// If a context stops the call, the body has the results of some subranges.
template <range Range, reduce_body<Range> Body, partitioner P>
void parallel_reduce(const Range& r, Body& body, P&&, task_group_context& context) {
  if (r.empty()) return;
  call_in_context call{context};
  call.run([&] { static_cast<void>(reduce_over<cut_of<P>>(r, by_body<Body>{call, body})); });
}

template <range Range, reduce_body<Range> Body>
void parallel_reduce(const Range& r, Body& body, task_group_context& context) {
  on_tine::parallel_reduce(r, body, auto_partitioner{}, context);
}

template <range Range, reduce_body<Range> Body, partitioner P = auto_partitioner>
void parallel_reduce(const Range& r, Body& body, P&& p = P{}) {
  task_group_context context;
  on_tine::parallel_reduce(r, body, std::forward<P>(p), context);
}

/// If a context stops the call, returns `identity`.
template <range Range, class Value, reduce_function<Range, Value> F, reduce_join<Value> Join, partitioner P>
Value parallel_reduce(const Range& r, const Value& identity, const F& f, const Join& join, P&&,
                      task_group_context& context) {
  Value result(identity);
  if (r.empty()) return result;
  call_in_context call{context};
  call.run([&] { result = reduce_over<cut_of<P>>(r, by_functions<Value, F, Join>{call, identity, f, join}); });
  return result;
}

template <range Range, class Value, reduce_function<Range, Value> F, reduce_join<Value> Join>
Value parallel_reduce(const Range& r, const Value& identity, const F& f, const Join& join,
                      task_group_context& context) {
  return on_tine::parallel_reduce(r, identity, f, join, auto_partitioner{}, context);
}

template <range Range, class Value, reduce_function<Range, Value> F, reduce_join<Value> Join,
          partitioner P = auto_partitioner>
Value parallel_reduce(const Range& r, const Value& identity, const F& f, const Join& join, P&& p = P{}) {
  task_group_context context;
  return on_tine::parallel_reduce(r, identity, f, join, std::forward<P>(p), context);
}

// --- parallel_deterministic_reduce: the tree of joins is that of the splits ------------------------------------------

template <range Range, reduce_body<Range> Body, deterministic_partitioner P>
void parallel_deterministic_reduce(const Range& r, Body& body, P&&, task_group_context& context) {
  if (r.empty()) return;
  call_in_context call{context};
  call.run([&] { static_cast<void>(reduce_tree_over<cut_of<P>>(r, by_body<Body>{call, body})); });
}

template <range Range, reduce_body<Range> Body>
void parallel_deterministic_reduce(const Range& r, Body& body, task_group_context& context) {
  on_tine::parallel_deterministic_reduce(r, body, simple_partitioner{}, context);
}

template <range Range, reduce_body<Range> Body, deterministic_partitioner P = simple_partitioner>
void parallel_deterministic_reduce(const Range& r, Body& body, P&& p = P{}) {
  task_group_context context;
  on_tine::parallel_deterministic_reduce(r, body, std::forward<P>(p), context);
}

template <range Range, class Value, reduce_function<Range, Value> F, reduce_join<Value> Join,
          deterministic_partitioner P>
Value parallel_deterministic_reduce(const Range& r, const Value& identity, const F& f, const Join& join, P&&,
                                    task_group_context& context) {
  Value result(identity);
  if (r.empty()) return result;
  call_in_context call{context};
  call.run([&] { result = reduce_tree_over<cut_of<P>>(r, by_functions<Value, F, Join>{call, identity, f, join}); });
  return result;
}

template <range Range, class Value, reduce_function<Range, Value> F, reduce_join<Value> Join>
Value parallel_deterministic_reduce(const Range& r, const Value& identity, const F& f, const Join& join,
                                    task_group_context& context) {
  return on_tine::parallel_deterministic_reduce(r, identity, f, join, simple_partitioner{}, context);
}

template <range Range, class Value, reduce_function<Range, Value> F, reduce_join<Value> Join,
          deterministic_partitioner P = simple_partitioner>
Value parallel_deterministic_reduce(const Range& r, const Value& identity, const F& f, const Join& join, P&& p = P{}) {
  task_group_context context;
  return on_tine::parallel_deterministic_reduce(r, identity, f, join, std::forward<P>(p), context);
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::parallel_deterministic_reduce;
using detail::on_tine::parallel_reduce;
}  // namespace v1
}  // namespace tbb
