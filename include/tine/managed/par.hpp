// par: two or more branches that may run in parallel. They are plain code that runs in serial order unless a worker is
// idle. Any thread may call it.
#pragma once

#include <tine/detail/managed/fork_elsewhere.hpp>
#include <tine/detail/managed/fork_record.hpp>
#include <tine/managed/par_for.hpp>

#include <concepts>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine {
namespace detail {

/// The form of par: the second branch is the spawn, and `combine` is the continuation of the join.
struct par_form {
  template <class F, class G, class Combine>
  struct ways : shared_ways<par_form, G> {
    using typename shared_ways<par_form, G>::record;
    using first = result_of<F&>;
    using result = std::invoke_result_t<Combine&, first, result_of<G&>>;
    static constexpr bool reclaims_as_unpromoted = true;

    TINE_ALWAYS_INLINE ways(F& f, G& g, Combine& c) noexcept : body{f}, second{g}, combine{c} {}

    TINE_ALWAYS_INLINE void write(sched::address at) noexcept { record::write(at, second); }
    TINE_ALWAYS_INLINE result elsewhere(sched::address at) { return this->pass_elsewhere(at, body, second, combine); }
    TINE_ALWAYS_INLINE result stolen(first&& a, auto& r) { return combine(static_cast<first&&>(a), r.take()); }
    TINE_ALWAYS_INLINE result unpromoted(first&& a, record& r) {
      if constexpr (record::is_worth_rereading) {
        auto again = r.branch_again();
        return combine(static_cast<first&&>(a), value_of(again));
      } else {
        return combine(static_cast<first&&>(a), value_of(second));
      }
    }
    TINE_ALWAYS_INLINE result_of<G&> here(first&, bool) { return value_of(second); }
    TINE_ALWAYS_INLINE result after(first&& a, result_of<G&>&& b) {
      return combine(static_cast<first&&>(a), static_cast<result_of<G&>&&>(b));
    }

    F& body;
    G& second;
    Combine& combine;
  };
};

/// Keeps in the caller's frame a result that doesn't fit a record, because it is over-aligned or large.
template <class R>
class frame_result {
 public:
  static constexpr bool needed = !std::is_reference_v<R> && (sizeof(outcome<R>) > 1024 || alignof(outcome<R>) > 8);

  template <class G>
  void fill(G& g) noexcept {
    threw_ = outcome_.fill(g);
    filled_ = true;
  }
  R take() {
    filled_ = false;
    return outcome_.take(threw_);
  }
  ~frame_result() {
    if (filled_) outcome_.drop(threw_);
  }
  frame_result() = default;
  frame_result(const frame_result&) = delete;
  frame_result& operator=(const frame_result&) = delete;

 private:
  outcome<R> outcome_;
  bool filled_ = false;
  bool threw_ = false;
};

template <class F, class G, class Combine>
TINE_ALWAYS_INLINE decltype(auto) fork_with_frame_result(F& f, G& g, Combine& combine) {
  frame_result<result_of<G&>> slot;
  auto into_slot = [&slot, &g] { slot.fill(g); };
  auto from_slot = [&slot, &combine](result_of<F&>&& a, void_result) -> decltype(auto) {
    return combine(static_cast<result_of<F&>&&>(a), slot.take());
  };
  return fork_here<par_form>(f, into_slot, from_slot);
}

template <class F, class G, class Combine>
TINE_ALWAYS_INLINE decltype(auto) fork_join(F& f, G& g, Combine& combine) {
  if constexpr (frame_result<result_of<G&>>::needed)
    return fork_with_frame_result(f, g, combine);
  else
    return fork_here<par_form>(f, g, combine);
}

/// Three and more branches are a chain of forks: the first branch, with the chain of all the others as its sibling.
/// Oldest-first promotion then promotes the longest rest first.
template <class F>
TINE_ALWAYS_INLINE std::tuple<result_of<F&>> chain(F& f) {
  return std::tuple<result_of<F&>>{value_of(f)};
}

template <class F, class... Rest>
TINE_ALWAYS_INLINE std::tuple<result_of<F&>, result_of<Rest&>...> chain(F& f, Rest&... rest) {
  using head = std::tuple<result_of<F&>>;
  using tail = std::tuple<result_of<Rest&>...>;
  auto others = [&rest...] { return chain(rest...); };
  auto join = [](result_of<F&>&& a, tail&& b) {
    return std::tuple_cat(head{static_cast<result_of<F&>&&>(a)}, std::move(b));
  };
  return fork_join(f, others, join);
}

/// Passes a result on to the callable that combines the results; passes nothing if the branch was void.
template <class R>
TINE_ALWAYS_INLINE std::tuple<R&&> passed_on(R&& r) noexcept {
  return {static_cast<R&&>(r)};
}
TINE_ALWAYS_INLINE std::tuple<> passed_on(void_result) noexcept { return {}; }

template <class C, class Results>
inline constexpr bool takes = false;
template <class C, class... R>
inline constexpr bool takes<C, std::tuple<R...>> = std::is_invocable_v<C&, R...>;

/// Calls `combine` with the results of the branches that were not void.
template <class Combine>
struct leave_void_out {
  Combine& combine;
  template <class... R>
  TINE_ALWAYS_INLINE decltype(auto) operator()(R&&... r) const {
    return std::apply(combine, std::tuple_cat(passed_on(static_cast<R&&>(r))...));
  }
};

template <class C, class... Branches>
concept combines_all = std::invocable<C&, result_of<Branches&>...>;
template <class C, class... Branches>
concept combines_what_is_left = takes<C, decltype(std::tuple_cat(passed_on(std::declval<result_of<Branches&>>())...))>;

/// As `chain`, with a continuation as the last argument: takes the callables as a tuple of references.
template <class Callables, std::size_t... Branch>
TINE_ALWAYS_INLINE decltype(auto) chain_and_combine(Callables all, std::index_sequence<Branch...>) {
  auto& combine = std::get<sizeof...(Branch)>(all);
  using type = std::remove_reference_t<decltype(combine)>;
  if constexpr (combines_all<type, std::remove_reference_t<std::tuple_element_t<Branch, Callables>>...>) {
    return std::apply(combine, chain(std::get<Branch>(all)...));
  } else {
    return std::apply(leave_void_out<type>{combine}, chain(std::get<Branch>(all)...));
  }
}

template <class C, class... Branches>
concept combines = combines_all<C, Branches...> || combines_what_is_left<C, Branches...>;

template <class R>
concept returnable = std::is_reference_v<R> || std::is_move_constructible_v<R>;

/// Reports an error in the caller's terms, which would otherwise come from deep inside.
template <class... Branches>
consteval bool check_results() {
  static_assert((branch<Branches> && ...),
                "tine: a branch is called without arguments: let it capture what it needs, as in [&] { f(x); }");
  if constexpr ((branch<Branches> && ...)) {
    static_assert((returnable<result_of<Branches&>> && ...),
                  "tine: the result of a branch must be void, a reference, or a type that can be moved");
  }
  return true;
}

/// True if one of the arguments of `par` that must be branches isn't. Only the last of three or more may be something
/// else.
template <class F, class G, class... More>
inline constexpr bool are_no_branches = !(branch<F> && branch<G>);
template <class F, class G, class H, class I, class... More>
inline constexpr bool are_no_branches<F, G, H, I, More...> = !(branch<F> && branch<G> && branch<H>);

/// A range of callables that `par` takes.
template <class Range>
concept range_of_branches = random_access_range<Range> &&
                            requires(Range& r) { requires branch<std::remove_reference_t<decltype(*std::begin(r))>>; };

template <class Combine, class... Branches>
consteval bool check_continuation() {
  if constexpr ((branch<Branches> && ...)) {
    static_assert(
        combines<Combine, Branches...>,
        "tine: the last argument is no branch, because it cannot be called without arguments; so it must take the results of all branches, in their order; those of void branches it may leave out");
  }
  return check_results<Branches...>();
}

template <class... Callables, std::size_t... Branch>
consteval bool check_continuation_last(std::index_sequence<Branch...>) {
  using all = std::tuple<Callables...>;
  return check_continuation<std::tuple_element_t<sizeof...(Branch), all>, std::tuple_element_t<Branch, all>...>();
}

}  // namespace detail

/// Runs `f()` and `g()`, possibly in parallel, and returns both results as a pair, for structured bindings:
///
///     auto [a, b] = tine::par([&] { return count(left); }, [&] { return count(right); });
///
/// On one worker the order is the serial one: f, then g. A void branch gives `tine::void_result`; references stay
/// references; results must be movable. It costs about a nanosecond when no worker is idle. You may call `par`
/// anywhere: outside of every pool it starts and uses the default pool.
///
/// An exception of `f` wins: if no worker has started `g`, it is dropped. Otherwise `g` is joined first, and its result
/// or exception is dropped; if it still runs, its next fork or chunk of a loop throws `tine::stopped`, unless it is
/// inside `tine::unstoppable`. An exception of `g` is rethrown here.
///
/// After `par` returns, the caller is on the same thread as before, unless `options::resume` says otherwise. While the
/// caller waits, its thread runs other branches, so don't hold a mutex over the call: see `tine::isolate`.
template <detail::branch F, detail::branch G>
TINE_ALWAYS_INLINE auto par(F f, G g) {
  static_assert(detail::check_results<F, G>());
  using A = detail::result_of<F&>;
  using B = detail::result_of<G&>;
  auto both = [](A&& a, B&& b) { return std::pair<A, B>{static_cast<A&&>(a), static_cast<B&&>(b)}; };
  return detail::fork_join(f, g, both);
}

/// As `par(f, g)`, but returns `combine(f(), g())`. This is the fast form for recursions: the fork knows the
/// continuation of the join, so the compiler can still turn the call of `g` into a loop. `combine` runs on the caller,
/// after both branches. It may leave out the parameters for void branches.
template <detail::branch F, detail::branch G, class Combine>
  requires(!detail::branch<Combine>)
TINE_ALWAYS_INLINE decltype(auto) par(F f, G g, Combine combine) {
  static_assert(detail::check_continuation<Combine, F, G>());
  if constexpr (detail::combines_all<Combine, F, G>) {
    return detail::fork_join(f, g, combine);
  } else {
    detail::leave_void_out<Combine> others{combine};
    return detail::fork_join(f, g, others);
  }
}

/// Runs three or more branches and returns a tuple of their results. If branches throw, the exception of the first of
/// them, in the order of the arguments, is rethrown; branches that no worker has started by then are dropped.
template <detail::branch F, detail::branch G, detail::branch H, detail::branch... More>
TINE_ALWAYS_INLINE auto par(F f, G g, H h, More... more) {
  static_assert(detail::check_results<F, G, H, More...>());
  return detail::chain(f, g, h, more...);
}

/// Runs three or more branches and returns the result of the last argument, which combines their results in the order
/// of the branches.
template <detail::branch F, detail::branch G, detail::branch H, class... More>
  requires(sizeof...(More) > 0 && !(detail::branch<More> && ...))
TINE_ALWAYS_INLINE decltype(auto) par(F f, G g, H h, More... more) {
  static_assert(detail::check_continuation_last<F, G, H, More...>(std::make_index_sequence<2 + sizeof...(More)>{}));
  return detail::chain_and_combine(std::forward_as_tuple(f, g, h, more...),
                                   std::make_index_sequence<2 + sizeof...(More)>{});
}

/// Runs each callable of a range with random access iterators, possibly in parallel. Returns their results in the order
/// of the range, as a std::vector, or nothing if they return void. Results must be movable.
///
///     std::vector<std::function<int()>> jobs = ...;
///     const std::vector<int> results = tine::par(jobs);
///
/// Everything else is as in `par_for` over the range: we don't copy a callable, and if callables throw, the exception
/// of the first of them in the order of the range is rethrown.
template <detail::range_of_branches Range>
auto par(Range&& callables) {
  using result = sched::run_result<decltype(*std::begin(callables))>;
  const auto first = std::begin(callables);
  const auto n = std::end(callables) - first;
  if constexpr (std::is_void_v<result>) {
    par_for(decltype(n){0}, n, [&](auto i) { sched::run_here(first[i]); });
  } else {
    static_assert(
        std::is_object_v<result> && std::is_move_constructible_v<result>,
        "tine: the results of a range of callables go into a std::vector; return a pointer in place of a reference");
    std::vector<std::optional<result>> slots(static_cast<std::size_t>(n));
    par_for(decltype(n){0}, n, [&](auto i) { slots[static_cast<std::size_t>(i)].emplace(sched::run_here(first[i])); });
    std::vector<result> results;
    results.reserve(slots.size());
    for (std::optional<result>& s : slots) results.push_back(*std::move(s));
    return results;
  }
}

/// Refuses branches that cannot be called without arguments, with a message.
template <class F, class G, class... More>
  requires detail::are_no_branches<F, G, More...>
void par(F, G, More...) {
  static_assert(!detail::are_no_branches<F, G, More...>,
                "tine: a branch is called without arguments: let it capture what it needs, as in [&] { f(x); }");
}

/// Refuses one branch, and other ranges, with a message.
template <class F>
  requires(!detail::range_of_branches<F>)
void par(F&&) {
  static_assert(
      detail::range_of_branches<F>,
      "tine: par takes two or more branches, or one range with random access iterators whose items are called without arguments");
}

}  // namespace tine
