// spork: a potential fork whose caller supplies the code for each of its outcomes. par and other forms of parallelism can be
// built from it (Spork, Figure 11).
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/managed/par.hpp>

namespace tine {
namespace detail {

/// The scheduler's descriptor of a spork of `Spawn`.
template <class Spawn, token_sharing Sharing>
struct spork_kind {
  static constexpr sched::descriptor value{&fork_record<Spawn>::run, sizeof(fork_record<Spawn>), false, Sharing};
};

/// Runs a spork that cannot take the usual path: outside every pool, on a strand that is to stop, or on an instrumented strand.
/// For the observer it is a fork of the body, whose second branch is the spawn or the code that runs in its place.
template <token_sharing Sharing, class Body, class Spawn, class Unpromoted, class Promoted, class Unstolen>
TINE_COLD auto spork_elsewhere(sched::address at, Body& body, Spawn& spawn, Unpromoted& unpromoted, Promoted& promoted,
                               Unstolen& unstolen, sched::site known = 0)
    -> std::invoke_result_t<Unpromoted&, result_of<Body&>>;

template <class Record, class A, class Promoted, class Unstolen>
TINE_COLD decltype(auto) join_spork(Record* record, A&& a, Promoted& promoted, Unstolen& unstolen) {
  if (sched::join(*record) == sched::joined::reclaimed) return unstolen(static_cast<A&&>(a));
  return promoted(static_cast<A&&>(a), record->take());
}

}  // namespace detail

/// Runs `body()`, and lets an idle worker run `spawn()` meanwhile. Then, with the result a of `body`:
///
/// - if no worker was idle, returns `unpromoted(a)`; `spawn` is dropped without having been called, and its work is left to
///   `unpromoted`;
/// - if another worker ran `spawn()`, which gave b, waits for it and returns `promoted(a, b)`;
/// - if `spawn` was promoted, but no worker has begun it, returns `unstolen(a)`.
///
/// All three must return the same type. `Sharing` says how many tokens a promoted `spawn` takes along under the policy
/// `heartbeat`. A void result is `tine::void_result`. An exception of `body` wins; if a worker has begun `spawn`, it is joined
/// first. An exception of `spawn` is thrown instead of the call of `promoted`. Called outside every pool, `spork` uses the
/// default pool. The rules of `par` for threads and locks hold here, too.
///
///     // par, for two sums
///     tine::spork([&] { return left(); }, [&] { return right(); }, [&](long a) { return a + right(); },
///                 std::plus<>{}, [&](long a) { return a + right(); });
template <token_sharing Sharing = token_sharing::half, detail::branch Body, detail::branch Spawn, class Unpromoted,
          class Promoted, class Unstolen>
TINE_ALWAYS_INLINE auto spork(Body body, Spawn spawn, Unpromoted unpromoted, Promoted promoted, Unstolen unstolen)
    -> std::invoke_result_t<Unpromoted&, detail::result_of<Body&>> {
  namespace hot = sched::hot;
  using record = detail::fork_record<Spawn>;
  using A = detail::result_of<Body&>;
  using B = detail::result_of<Spawn&>;
  using result = std::invoke_result_t<Unpromoted&, A>;
  static_assert(std::is_same_v<std::invoke_result_t<Promoted&, A, B>, result> &&
                    std::is_same_v<std::invoke_result_t<Unstolen&, A>, result>,
                "tine: all three ways out of a spork must return the same type");
  static_assert(sizeof(record) <= sched::max_record_bytes && alignof(record) <= 8,
                "tine: the result of a spork's spawn is too large or too strictly aligned; let it be a pointer");

  const sched::address at = hot::top();
  record* r = record::write(at, spawn, detail::spork_kind<Spawn, Sharing>::value);
  hot::set_top(record::end(at));
  if (hot::is_past_limit(at)) [[unlikely]] {
    if (sched::forks_otherwise()) {
      return detail::stolen_path<result>(
          detail::spork_elsewhere<Sharing>(at, body, spawn, unpromoted, promoted, unstolen));
    }
  }
  detail::open_fork<record> open{at};
  A a = detail::value_of(body);
  open.close();
  hot::set_top(at);
  if (hot::is_promoted(at)) [[unlikely]]
    return detail::join_spork(r, static_cast<A&&>(a), promoted, unstolen);
  return unpromoted(static_cast<A&&>(a));
}

namespace detail {

/// Runs a spork as an instrumented fork, which is open, and of which idle workers know.
template <class Fork, class Body, class Unpromoted, class Promoted, class Unstolen>
TINE_ALWAYS_INLINE auto spork_at(Fork& fork, Body& body, Unpromoted& unpromoted, Promoted& promoted, Unstolen& unstolen)
    -> std::invoke_result_t<Unpromoted&, result_of<Body&>> {
  result_of<Body&> a = value_of(body);
  if (fork.is_stolen()) {
    fork.join();
    return promoted(std::move(a), fork.record().take());
  }
  auto result = fork.was_promoted() ? unstolen(std::move(a)) : unpromoted(std::move(a));
  fork.join();
  return result;
}

template <token_sharing Sharing, class Body, class Spawn, class Unpromoted, class Promoted, class Unstolen>
TINE_COLD auto spork_elsewhere(sched::address at, Body& body, Spawn& spawn, Unpromoted& unpromoted, Promoted& promoted,
                               Unstolen& unstolen, sched::site known)
    -> std::invoke_result_t<Unpromoted&, result_of<Body&>> {
  if (sched::is_next_counted()) {
    const counted_once here;
    sched::position own;
    counted_fork<fork_record<Spawn>> fork{own, at};
    fork.serve();
    return spork_at(fork, body, unpromoted, promoted, unstolen);
  }
  const auto where = known != 0 ? known : base::to_word(__builtin_return_address(0));
  if (known == 0 && sched::is_requested() && sched::must_stop()) stop_at_fork<fork_record<Spawn>>(at);
  sched::hot::set_top(at);
  if (sched::is_instrumented()) {
    observed_fork<fork_record<observed_branch<Spawn>>> fork{at, where};
    fork.push(spawn);
    return spork_at(fork, body, unpromoted, promoted, unstolen);
  }
  if (sched::hot::self() != nullptr) return spork<Sharing>(body, spawn, unpromoted, promoted, unstolen);
  const auto inside = [&]() -> decltype(auto) {
    return spork_elsewhere<Sharing>(sched::hot::top(), body, spawn, unpromoted, promoted, unstolen, where);
  };
  return sched::call_in_default_pool(inside);
}

}  // namespace detail
}  // namespace tine
