// The record of one managed fork. It holds the second branch until the fiber that forked or a thief runs the branch;
// then, if a thief runs it, its outcome.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/sched/kept_record.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/detail/sched/shadow_stack.hpp>

#include <concepts>
#include <new>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// A callable that may be a branch of a fork.
template <class F>
concept branch = std::invocable<F&>;

/// A reference to a callable, which stays where it is.
template <class F>
struct by_reference {
  explicit by_reference(F& f) noexcept : target{&f} {}
  template <class... Args>
  TINE_ALWAYS_INLINE decltype(auto) operator()(Args&&... args) const {
    return (*target)(std::forward<Args>(args)...);
  }

  F* target;
};

/// How a record keeps a callable. We copy small trivially copyable closures, which frees the caller from having them in
/// memory at all. Other callables stay with the caller, which outlives every use.
template <class F>
using kept = std::conditional_t<std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F> && sizeof(F) <= 64 &&
                                    alignof(F) <= 8,
                                F, by_reference<F>>;

/// Stands for a `sched::kept_record` where no code of the program runs.
struct nothing_kept {
  nothing_kept(sched::address, sched::address) noexcept {}
};

template <class G>
struct fork_record;

/// The scheduler's descriptor of a fork of `G`.
template <class G>
struct fork_kind {
  static const sched::descriptor value;
};

/// The record. The fork writes `what` and the branch; promotion initialises the rest of the head; the thief replaces
/// the branch by its outcome. All members are public, so the record is an aggregate, and `begin_object` can begin it
/// without writing them. An object of this type cannot be a variable: the destructor is deleted, because that of the
/// union is.
template <class G>
struct fork_record : sched::task {
  using branch = kept<G>;
  using result = result_of<G&>;
  using kept_while_moved = std::conditional_t<moves_without_code<result>, nothing_kept, sched::kept_record>;

  /// Writes a record for `g` at the top of the shadow stack, without yet moving the top.
  TINE_ALWAYS_INLINE static fork_record* write(sched::address at, G& g,
                                               const sched::descriptor& kind = fork_kind<G>::value) noexcept {
    auto* r = base::begin_object<fork_record>(at);
    r->what = &kind;
    ::new (static_cast<void*>(&r->branch_)) branch(g);
    return r;
  }

  sched::address begin() noexcept { return base::bytes_of(*this); }
  static fork_record* at(sched::address where) noexcept { return base::object_at<fork_record>(where); }
  TINE_ALWAYS_INLINE static sched::address end(sched::address at) noexcept { return at + sizeof(fork_record); }

  /// True if the owner should read the branch from the record again. If a branch has more values than a caller can keep
  /// in registers over the first branch, it would be stored twice: in the record and in the caller's frame.
  static constexpr bool is_worth_rereading = std::is_same_v<branch, G> && sizeof(G) > 32;
  /// Returns the branch as it was written. Copy it before you call it: its own forks write here.
  TINE_ALWAYS_INLINE branch branch_again() const noexcept { return branch_; }

  /// Called by the thief: runs the branch and keeps its outcome in the record. Returns true if the branch threw.
  static bool run(sched::task& t) noexcept {
    auto& r = static_cast<fork_record&>(t);
    branch g = r.branch_;
    ::new (static_cast<void*>(&r.outcome_)) outcome<result>;
    auto body = [&g]() -> decltype(auto) { return sched::stop_before_begin(), g(); };
    return r.outcome_.fill(body);
  }

  /// Called after a join that found the branch stolen: returns its value, or throws its exception. (The temporary keeps
  /// the record until the value has been moved.)
  TINE_COLD result take() { return static_cast<void>(kept_while_moved{begin(), end(begin())}), outcome_.take(threw()); }
  /// Called after such a join if the caller doesn't need the outcome: destroys the value or the exception.
  void drop() noexcept {
    const sched::kept_record keep{begin(), end(begin())};
    outcome_.drop(threw());
  }

  bool threw() const noexcept { return (done.flags() & sched::completion::threw) != 0; }

  union {
    branch branch_;
    outcome<result> outcome_;
  };
};

template <class G>
constinit inline const sched::descriptor fork_kind<G>::value{&fork_record<G>::run, sizeof(fork_record<G>)};

}  // namespace tine::detail
