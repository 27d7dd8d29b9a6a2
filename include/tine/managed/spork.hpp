// spork: a potential fork whose caller supplies the code for each of its outcomes. par and other forms of parallelism
// can be built from it (Spork, Figure 11).
#pragma once

#include <tine/detail/managed/fork_elsewhere.hpp>
#include <tine/detail/managed/fork_record.hpp>

namespace tine {
namespace detail {

/// The form of spork. For the observer it is a fork of the body, whose second branch is the spawn or the code that runs
/// in its place.
template <token_sharing Sharing>
struct spork_form {
  template <class Body, class Spawn, class Unpromoted, class Promoted, class Unstolen>
  struct ways : shared_ways<spork_form, Spawn> {
    using typename shared_ways<spork_form, Spawn>::record;
    using first = result_of<Body&>;
    using result = std::invoke_result_t<Unpromoted&, first>;
    static constexpr bool reclaims_as_unpromoted = false;
    static constexpr sched::descriptor kind{&record::run, sizeof(record), false, Sharing};

    TINE_ALWAYS_INLINE ways(Body& b, Spawn& s, Unpromoted& u, Promoted& p, Unstolen& un) noexcept
        : body{b}, second{s}, unpromoted_{u}, promoted_{p}, unstolen_{un} {}

    TINE_ALWAYS_INLINE void write(sched::address at) noexcept { record::write(at, second, kind); }
    TINE_ALWAYS_INLINE result elsewhere(sched::address at) {
      return this->pass_elsewhere(at, body, second, unpromoted_, promoted_, unstolen_);
    }
    TINE_ALWAYS_INLINE result stolen(first&& a, auto& r) { return promoted_(static_cast<first&&>(a), r.take()); }
    TINE_ALWAYS_INLINE result reclaimed(first&& a, record&) { return unstolen_(static_cast<first&&>(a)); }
    TINE_ALWAYS_INLINE result unpromoted(first&& a, record&) { return unpromoted_(static_cast<first&&>(a)); }
    TINE_ALWAYS_INLINE result_of<Unpromoted&, first> here(first& a, bool promoted) {
      return promoted ? value_of(unstolen_, static_cast<first&&>(a)) : value_of(unpromoted_, static_cast<first&&>(a));
    }
    TINE_ALWAYS_INLINE result after(first&&, result_of<Unpromoted&, first>&& b) {
      if constexpr (!std::is_void_v<result>) return static_cast<result_of<Unpromoted&, first>&&>(b);
    }

    Body& body;
    Spawn& second;

   private:
    Unpromoted& unpromoted_;
    Promoted& promoted_;
    Unstolen& unstolen_;
  };
};

}  // namespace detail

/// Runs `body()`, and lets an idle worker run `spawn()` meanwhile. Then, with the result a of `body`:
///
/// - if no worker was idle, returns `unpromoted(a)`; `spawn` is dropped without having been called, and its work is
///   left to `unpromoted`;
/// - if another worker ran `spawn()`, which gave b, waits for it and returns `promoted(a, b)`;
/// - if `spawn` was promoted, but no worker has begun it, returns `unstolen(a)`.
///
/// All three must return the same type, which may be void. `Sharing` says how many tokens a promoted `spawn` takes
/// along under the policy `heartbeat`. A void result is `tine::void_result`. An exception of `body` wins; if a worker
/// has begun `spawn`, it is joined first. An exception of `spawn` is thrown instead of the call of `promoted`. Called
/// outside every pool, `spork` uses the default pool. The rules of `par` for threads and locks hold here, too.
///
///     // par, for two sums
///     tine::spork([&] { return left(); }, [&] { return right(); }, [&](long a) { return a + right(); },
///                 std::plus<>{}, [&](long a) { return a + right(); });
template <token_sharing Sharing = token_sharing::half, detail::branch Body, detail::branch Spawn, class Unpromoted,
          class Promoted, class Unstolen>
TINE_ALWAYS_INLINE auto spork(Body body, Spawn spawn, Unpromoted unpromoted, Promoted promoted, Unstolen unstolen)
    -> std::invoke_result_t<Unpromoted&, detail::result_of<Body&>> {
  using A = detail::result_of<Body&>;
  using B = detail::result_of<Spawn&>;
  using result = std::invoke_result_t<Unpromoted&, A>;
  static_assert(std::is_same_v<std::invoke_result_t<Promoted&, A, B>, result> &&
                    std::is_same_v<std::invoke_result_t<Unstolen&, A>, result>,
                "tine: all three ways out of a spork must return the same type");
  return detail::fork_here<detail::spork_form<Sharing>>(body, spawn, unpromoted, promoted, unstolen);
}

}  // namespace tine
