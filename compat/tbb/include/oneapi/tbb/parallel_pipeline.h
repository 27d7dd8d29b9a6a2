// parallel_pipeline: items pass through a chain of filters, several items at once. Any thread may call it.
#pragma once

#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/tine/pipeline_run.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// The types that a filter takes and returns, from its body.
template <class Function>
struct filter_types;
template <class R, class A>
struct filter_types<R(A)> {
  using input = std::conditional_t<std::is_same_v<A, d1::flow_control&>, void, std::remove_cvref_t<A>>;
  using output = std::remove_cvref_t<R>;
};
template <class R, class A>
struct filter_types<R (*)(A)> : filter_types<R(A)> {};
template <class R, class A>
struct filter_types<R (*)(A) noexcept> : filter_types<R(A)> {};
template <class R, class C, class A>
struct filter_types<R (C::*)(A)> : filter_types<R(A)> {};
template <class R, class C, class A>
struct filter_types<R (C::*)(A) const> : filter_types<R(A)> {};
template <class R, class C, class A>
struct filter_types<R (C::*)(A) noexcept> : filter_types<R(A)> {};
template <class R, class C, class A>
struct filter_types<R (C::*)(A) const noexcept> : filter_types<R(A)> {};
template <class Body>
  requires requires { &Body::operator(); }
struct filter_types<Body> : filter_types<decltype(&Body::operator())> {};

template <class Input, class Output, class Body>
class typed_stage final : public filter_stage {
 public:
  typed_stage(filter_mode m, const Body& body) : filter_stage{m}, body_(body) {}

  void call(token_value& value, d1::flow_control& control) const override {
    if constexpr (std::is_void_v<Input>) {
      value = result_of([&]() -> decltype(auto) { return body_(control); });
    } else {
      value = value.pass_to<std::decay_t<Input>>(
          [&](auto&& item) { return result_of([&]() -> decltype(auto) { return body_(std::move(item)); }); });
    }
  }

 private:
  template <class F>
  static token_value result_of(const F& f) {
    if constexpr (std::is_void_v<Output>) {
      f();
      return {};
    } else {
      return token_value::of(static_cast<std::decay_t<Output>>(f()));
    }
  }

  const Body body_;
};

/// A filter, or a chain of filters, that takes an `Input` and returns an `Output`. The first filter of a pipeline takes
/// a flow_control, and its `Input` is void; the `Output` of the last one is void.
template <class Input, class Output>
class filter {
 public:
  filter() = default;
  template <class Body>
  filter(filter_mode mode, const Body& body) {
    chain_.push_back(std::make_shared<typed_stage<Input, Output, Body>>(mode, body));
  }

  filter& operator&=(const filter<Output, Output>& right) { return *this = *this & right; }
  void clear() { chain_.clear(); }
  template <class To>
  filter<Input, To> operator&(const filter<Output, To>& right) const {
    filter<Input, To> both;
    both.chain_ = chain_;
    both.chain_.insert(both.chain_.end(), right.chain_.begin(), right.chain_.end());
    return both;
  }

 private:
  template <class, class>
  friend class filter;
  friend void run_pipeline(std::size_t, const filter<void, void>&, task_group_context&);
  filter_chain chain_;
};

template <class Body>
filter(filter_mode, Body) -> filter<typename filter_types<Body>::input, typename filter_types<Body>::output>;

template <class Input, class Output, class Body>
filter<Input, Output> make_filter(filter_mode mode, const Body& body) {
  return {mode, body};
}
template <class Body>
auto make_filter(filter_mode mode, const Body& body) {
  return filter<typename filter_types<Body>::input, typename filter_types<Body>::output>{mode, body};
}

inline void run_pipeline(std::size_t max_tokens, const filter<void, void>& f, task_group_context& context) {
  if (max_tokens == 0)
    throw std::invalid_argument{"tbb::parallel_pipeline: the number of tokens is 0, but must be positive"};
  if (f.chain_.empty()) throw std::invalid_argument{"tbb::parallel_pipeline: the chain of filters is empty"};
  call_in_context call{context};
  call.run([&] { pipeline_run{call, f.chain_, max_tokens}.run(); });
}

/// Runs a chain of filters until the first one calls `flow_control::stop`. At most `max_tokens` items are between the
/// first filter and the end of the last one.
inline void parallel_pipeline(std::size_t max_tokens, const filter<void, void>& chain, task_group_context& context) {
  run_pipeline(max_tokens, chain, context);
}
inline void parallel_pipeline(std::size_t max_tokens, const filter<void, void>& chain) {
  task_group_context context;
  run_pipeline(max_tokens, chain, context);
}
/// Runs several filters as a chain. The last argument may be a context.
template <class A, class B, class T, class... More>
void parallel_pipeline(std::size_t max_tokens, const filter<A, B>& first, const filter<B, T>& second, More&&... more) {
  on_tine::parallel_pipeline(max_tokens, first & second, std::forward<More>(more)...);
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::filter;
using detail::on_tine::filter_mode;
using detail::on_tine::make_filter;
using detail::on_tine::parallel_pipeline;
}  // namespace v1
}  // namespace tbb
