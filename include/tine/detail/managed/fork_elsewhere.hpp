// The slow paths of a managed fork: instrumented, stopping, and outside of every pool. They run on the strand that
// forks.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/race_branch.hpp>
#include <tine/detail/managed/counted_fork.hpp>
#include <tine/detail/managed/fast_path.hpp>
#include <tine/detail/managed/fork_record.hpp>
#include <tine/detail/managed/reported_fork.hpp>
#include <tine/sched/pool.hpp>

#include <type_traits>
#include <utility>

namespace tine::detail {

/// A form of fork, e.g. par, is a class with a template `ways<Callables...>` (see fast_path), whose objects refer to
/// the callables of one fork, the first branch first. Besides the members for the fast path they have
///
/// - `second`: the second branch as thieves call it.
/// - `write(at)`: writes the record, without yet moving the top.
/// - `here(a, promoted)`: runs the second branch, or what stands for it, on this strand.
/// - `after(a, b)`: what follows the join with the result of `here`.
/// - `stolen(a, r)`: as for the fast path, for any type of record.
template <class Form, class... Callables>
using ways_of = typename Form::template ways<Callables...>;

/// Passes a kept callable to a slow path: in registers if it fits, by reference otherwise.
template <class Kept>
TINE_ALWAYS_INLINE auto passed(Kept& callable) noexcept {
  if constexpr (sizeof(Kept) <= 16) {
    return callable;
  } else {
    return by_reference<Kept>{callable};
  }
}

/// Called when the slow path of a fork with this record has found that the strand is to stop. On an instrumented strand
/// the observer and the region don't know of the fork. We drop the record before the throw: while an exception unwinds
/// the stack, the signal handler would promote the branch as one that is not to stop (worker::shielded).
template <class Record>
[[noreturn]] TINE_COLD void stop_at_fork(sched::address at) {
  {
    const open_fork<Record> dropped{at};
  }
  sched::throw_stopped();
}

/// Returns the place of a fork in the program: the return address of the call that leads here. If the fork is in a
/// library function that forks for its callers, its first branch has the place of the caller in `forked_at`.
template <class First, class... Others>
TINE_ALWAYS_INLINE sched::site place_of_fork(const void* returns, const First& first, const Others&...) noexcept {
  if constexpr (requires { first.forked_at; }) {
    return first.forked_at;
  } else if constexpr (requires { first.target->forked_at; }) {
    return first.target->forked_at;
  } else {
    return base::to_word(returns);
  }
}

/// Runs the branches and the join of an instrumented fork that idle workers know of.
template <class Fork, class Ways>
TINE_ALWAYS_INLINE typename Ways::result run_branches(Fork& fork, Ways& ways) {
  using first = typename Ways::first;
  first a = value_of(ways.body);
  if (fork.is_stolen()) [[unlikely]] {
    fork.join();
    return ways.stolen(static_cast<first&&>(a), fork.record());
  }
  decltype(auto) b = ways.here(a, fork.was_promoted());
  fork.join();
  return ways.after(static_cast<first&&>(a), static_cast<decltype(b)&&>(b));
}

#if TINE_RACE
/// Calls `part`, a part of a fork that is the program's, from the code of the fork itself, which isn't instrumented.
template <class Part, class... Args>
TINE_NOINLINE decltype(auto) call_instrumented(Part part, Args... args) {
  return part(args...);
}

/// Stands for the record of a branch that was stolen.
template <class R>
struct outcome_here {
  outcome<R> outcome_;
  bool threw;
  R take() { return outcome_.take(threw); }
};

/// Calls `run` in a frame of its own, and reports that frame. All that `run` needs comes in registers: the memory of a
/// closure in the frame of the fork could be that of a variable that the other branch writes.
template <class Run, class... Args>
TINE_NOINLINE decltype(auto) call_branch(Run run, Args... args) {
  const race_branch here{__builtin_frame_address(0)};
  return run(args...);
}

/// As run_branches, for code that is instrumented for the race detector: each branch reports its frames. The spawn of a
/// spork runs, too, because the detector looks for races between it and the body. Inlined into a function that isn't
/// instrumented.
template <class Fork, class Ways>
TINE_ALWAYS_INLINE typename Ways::result run_checked_branches(Fork& fork, Ways& ways) {
  using first = typename Ways::first;
  using spawned = outcome_here<result_of<decltype(ways.second)&>>;
  std::conditional_t<Ways::reclaims_as_unpromoted, void_result, spawned> elsewhere;
  const auto take_stolen =
      [](Ways* w, std::remove_reference_t<first>* result, auto* outcome)
          TINE_INLINED -> decltype(auto) { return w->stolen(static_cast<first&&>(*result), *outcome); };
  first a = call_branch([](auto* body) TINE_INLINED -> first { return value_of(*body); }, &ways.body);
  if (fork.is_stolen()) [[unlikely]] {
    fork.join();
    return call_instrumented(take_stolen, &ways, __builtin_addressof(a), &fork.record());
  }
  if constexpr (!Ways::reclaims_as_unpromoted) {
    if (sched::has_unstealable_observer()) {
      elsewhere.threw = call_branch([](auto* spawn, spawned* into) TINE_INLINED { return into->outcome_.fill(*spawn); },
                                    &ways.second, &elsewhere);
      fork.join();
      return call_instrumented(take_stolen, &ways, __builtin_addressof(a), &elsewhere);
    }
  }
  decltype(auto) b =
      call_branch([](Ways* w, std::remove_reference_t<first>* result, bool promoted)
                      TINE_INLINED -> decltype(auto) { return w->here(static_cast<first&>(*result), promoted); },
                  &ways, __builtin_addressof(a), fork.was_promoted());
  fork.join();
  return call_instrumented(
      [](Ways* w, std::remove_reference_t<first>* result, std::remove_reference_t<decltype(b)>* other)
          TINE_INLINED -> decltype(auto) {
            return w->after(static_cast<first&&>(*result), static_cast<decltype(b)&&>(*other));
          },
      &ways, __builtin_addressof(a), __builtin_addressof(b));
}
#endif

/// Runs a fork, and reports it to the parties of the strand. `where` is the place of the fork in the program.
template <class Form, class... Callables>
TINE_ALWAYS_INLINE auto fork_reported(sched::address at, sched::site where, const sched::fork_steps& steps,
                                      Callables&... callables) -> typename ways_of<Form, Callables...>::result {
  ways_of<Form, Callables...> ways{callables...};
  using second = std::remove_reference_t<decltype(ways.second)>;
  reported_fork<second> fork{at, where, steps, ways.second};
#if TINE_RACE
  return run_checked_branches(fork, ways);
#else
  return run_branches(fork, ways);
#endif
}

/// The slow paths of a fork with this record and copies of the callables: the callables of the fast path never have to
/// be in memory.
template <class Form, class Record, class... Kept>
struct fork_elsewhere {
  using ways = ways_of<Form, Kept...>;
  using result = typename ways::result;

  /// Chooses between the others. The return address of this function is the place of the fork in the program (see
  /// unmerged). All calls are tail calls, so a fork has one native frame. Forks that only one analysis observes come
  /// first after counted ones, because programs that are profiled have few others.
  TINE_COLD TINE_UNCHECKED static result run(sched::address at, Kept... kept) {
    const std::uintptr_t position = sched::hot::fiber_local<sched::position_word>();
    if ((position & sched::counted_bit) != 0) return run_counted(at, kept...);
    const sched::site where = place_of_fork(__builtin_return_address(0), kept...);
    if (const sched::fork_steps* const steps = own_steps(position); steps != nullptr)
      return run_reported(at, kept..., where, *steps);
    return run_apart(at, kept..., where, true);
  }

  TINE_COLD static result run_counted(sched::address at, Kept... kept) {
    ways here{kept...};
    sched::position own;
    counted_fork<Record> fork{own, at};
    fork.serve();
    return run_branches(fork, here);
  }

  TINE_COLD TINE_UNCHECKED static result run_reported(sched::address at, Kept... kept, sched::site where,
                                                      const sched::fork_steps& steps) {
    return fork_reported<Form>(at, where, steps, kept...);
  }

  /// Runs a fork on an instrumented strand; on a strand that is to stop; or outside of every pool, where it runs the
  /// same fork inside the default pool. Without parties a reported fork is a plain one, so all these share its code.
  /// `where` is the place of the fork in the program. `is_new`: a work request may ask the fork to stop.
  TINE_COLD TINE_UNCHECKED static result run_apart(sched::address at, Kept... kept, sched::site where, bool is_new) {
    if (sched::is_next_counted()) {
      const counted_once here;
      return run_counted(at, kept...);
    }
    if (is_new && sched::is_requested() && sched::must_stop()) [[unlikely]]
      stop_at_fork<Record>(at);
    if (!sched::is_instrumented()) sched::hot::set_top(at);
    if (sched::hot::self() != nullptr) return run_reported(at, kept..., where, steps_of_strand());
    const auto inside = [&]() -> decltype(auto) { return run_apart(sched::hot::top(), kept..., where, false); };
    return sched::call_in_default_pool(inside);
  }
};

/// The base class of every form's ways: the record, and the calls that lead from the fast path to the slow ones.
template <class Form, class G>
struct shared_ways {
  using record = fork_record<G>;
  static_assert(sizeof(record) <= sched::max_record_bytes && alignof(record) <= 8,
                "tine: the result of a spork's spawn is too large or too strictly aligned; let it be a pointer");

  TINE_ALWAYS_INLINE static bool forks_otherwise() noexcept { return sched::forks_otherwise(); }

  template <class... Callables>
  TINE_ALWAYS_INLINE static decltype(auto) pass_elsewhere(sched::address at, Callables&... callables) {
    return pass_kept(at, kept<Callables>(callables)...);
  }

 private:
  template <class... Kept>
  TINE_ALWAYS_INLINE static decltype(auto) pass_kept(sched::address at, Kept... kept) {
    return fork_elsewhere<Form, record, decltype(passed(kept))...>::run(at, passed(kept)...);
  }
};

/// Runs one fork of this form and its join.
template <class Form, class... Callables>
TINE_ALWAYS_INLINE auto fork_here(Callables&... callables) -> typename ways_of<Form, Callables...>::result {
  ways_of<Form, Callables...> ways{callables...};
  const sched::hot::block hot;  // writing the record doesn't run user code: see `kept`
  const sched::address at = sched::hot::top(hot);
#if TINE_RACE
  // An observed fork that isn't in a region doesn't need a record here, and the detector would check each write to it.
  if (sched::is_armed() && !sched::hot::is_fiber_local_set<sched::position_word>())
    return unmerged([&]() TINE_INLINED -> typename ways_of<Form, Callables...>::result { return ways.elsewhere(at); });
#endif
  ways.write(at);
  return fast_path(at, hot, ways);
}

}  // namespace tine::detail
