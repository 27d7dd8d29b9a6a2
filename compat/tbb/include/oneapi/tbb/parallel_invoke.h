// parallel_invoke: calls functions, possibly in parallel. Any thread may call it.
#pragma once

#include <oneapi/tbb/task_group.h>
#include <tine/managed/par.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

template <class... F>
void invoke_in(task_group_context& context, const F&... functions) {
  static_assert((std::invocable<const F&> && ...), "tine: parallel_invoke calls its functions without arguments");
  call_in_context call{context};
  call.run([&] { tine::par([&call, &functions] { call.body([&] { static_cast<void>(functions()); }); }...); });
}

/// Calls all functions. The last argument may be a context.
template <class F, class G, class... More>
  requires(std::invocable<const F&> && std::invocable<const G&>)
void parallel_invoke(const F& f, const G& g, More&&... more) {
  const auto all = std::tie(f, g, more...);
  constexpr std::size_t last = sizeof...(More) + 1;
  if constexpr (std::is_same_v<std::tuple_element_t<last, decltype(all)>, task_group_context&>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      on_tine::invoke_in(std::get<last>(all), std::get<I>(all)...);
    }(std::make_index_sequence<last>{});
  } else {
    task_group_context context;
    on_tine::invoke_in(context, f, g, more...);
  }
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::parallel_invoke;
}
}  // namespace tbb
