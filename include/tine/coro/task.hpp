// task: the return type of tine's coroutines, and its promise. One strand at a time runs a task and touches its
// promise; only the flags and counters in the frame (frame.hpp) have several writers.
#pragma once

#include <tine/coro/eventually.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/race_branch.hpp>
#include <tine/detail/coro/frame.hpp>
#include <tine/detail/coro/segmented_stack.hpp>

#include <concepts>
#include <type_traits>

namespace tine {

template <class T>
class task;
namespace detail {
inline namespace TINE_CHECKING {
template <class T>
class promise;
}
}  // namespace detail
struct join_t;
class resumption;

namespace detail {

/// Where a task's result goes: a plain object if its type has no destructor, a pointer for a reference, and an
/// eventually otherwise.
template <class T>
struct result_slot_of {
  using type = std::conditional_t<std::is_trivially_destructible_v<T>, T, eventually<T>>;
};
template <class T>
struct result_slot_of<T&> {
  using type = T*;
};
template <>
struct result_slot_of<void> {
  struct type {};
};
template <class T>
using result_slot = typename result_slot_of<T>::type;

inline namespace TINE_CHECKING {

/// A frame is the awaiter of its own joins, so a join needs no object.
class joining : public frame {
 public:
  /// Returns true if the join has nothing to do: no continuation of the task was stolen, no child threw, and the task
  /// did not fork on an observed strand.
  TINE_ALWAYS_INLINE bool await_ready() noexcept {
    note_join();
    return !up.has(link::stolen | link::child_threw | link::observed);
  }
  TINE_ALWAYS_INLINE bool await_suspend(std::coroutine_handle<>) noexcept { return leave_at_join(*this); }
  TINE_ALWAYS_INLINE void await_resume() {
    if (up.has(link::child_threw)) [[unlikely]]
      rethrow(*this);
  }

#if TINE_CHECKS
  void note_fork() noexcept { has_open_forks_ = true; }
  void note_join() noexcept { has_open_forks_ = false; }
  void check_joined() const noexcept {
    if (has_open_forks_) {
      base::fatal("a task ended after a tine::fork without a join: co_await tine::join before co_return.");
    }
  }
  void check_outside_fork() const noexcept {
    if (has_open_forks_)
      base::fatal("tine::scratch between a fork and its join: the task may be on another stack there.");
  }

 private:
  bool has_open_forks_ = false;
#else
  TINE_ALWAYS_INLINE void note_fork() noexcept {}
  TINE_ALWAYS_INLINE void note_join() noexcept {}
  TINE_ALWAYS_INLINE void check_joined() const noexcept {}
  TINE_ALWAYS_INLINE void check_outside_fork() const noexcept {}
#endif
};

/// The words of a promise that are written at birth. The child finds them in fiber-local words, in which its parent has
/// just left them: passing them as arguments would change the signature of every coroutine.
template <class T>
class newborn : public joining {
 public:
  explicit newborn(sched::hot::block b = {}) noexcept
      : slot_{base::from_word<result_slot<T>>(fiber_state::get<result_slot_word>(b))} {
#if TINE_CHECKS
    if (fiber_state::get<parent_link>() == 0) {
      base::fatal(
          "a coroutine was called as if it were a function. Give it to co_await tine::fork or tine::call, or to tine::run outside coroutines.");
    }
#endif
    up.be_born(fiber_state::get<parent_link>(b));
#if TINE_CHECKS
    fiber_state::set<parent_link>(0);
#endif
  }

 protected:
  result_slot<T>* slot_;
};

/// The part of a promise that stores the coroutine's result.
template <class T>
class placed_by : public newborn<T> {
 public:
  template <class U = T>
    requires std::constructible_from<T, U>
  TINE_ALWAYS_INLINE void return_value(U&& value) noexcept(std::is_nothrow_constructible_v<T, U>) {
    this->check_joined();
    if constexpr (std::is_trivially_destructible_v<T>) {
      ::new (static_cast<void*>(this->slot_)) T(std::forward<U>(value));
    } else {
      this->slot_->emplace(std::forward<U>(value));
    }
  }
};
template <class T>
class placed_by<T&> : public newborn<T&> {
 public:
  TINE_ALWAYS_INLINE void return_value(T& value) noexcept {
    this->check_joined();
    *this->slot_ = __builtin_addressof(value);
  }
};
template <>
class placed_by<void> : public newborn<void> {
 public:
  TINE_ALWAYS_INLINE void return_void() noexcept { this->check_joined(); }
};

}  // namespace TINE_CHECKING

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<task<T>> = true;

template <class A>
concept awaits_outside = requires(std::remove_reference_t<A>& a, resumption r) {
  { a.await_suspend(r) } -> std::same_as<void>;
};
template <class A>
class parking;

template <class A>
concept awaitable_in_task = requires { typename std::remove_cvref_t<A>::tine_awaitable; };

/// The object that we give to the compiler to await: the awaiter itself, or with g++ a trivial object that knows the
/// awaiter's address. g++ 12 copies an awaiter that it gets by reference. A join's awaiter is the frame itself, and a
/// fork's holds the arguments, so neither may be copied.
#ifdef __clang__
template <class A>
using awaited = A&&;
#else
template <class A>
struct awaited {
  TINE_ALWAYS_INLINE awaited(A&& a) noexcept : it{__builtin_addressof(a)} {}
  TINE_ALWAYS_INLINE bool await_ready() const noexcept { return it->await_ready(); }
  template <class Promise>
  TINE_ALWAYS_INLINE bool await_suspend(std::coroutine_handle<Promise> h) const
      noexcept(noexcept(std::declval<A>().await_suspend(h))) {
    return it->await_suspend(h);
  }
  TINE_ALWAYS_INLINE decltype(auto) await_resume() const { return it->await_resume(); }
  std::remove_reference_t<A>* it;
};
#endif

inline namespace TINE_CHECKING {

template <class T>
class promise final : public placed_by<T> {
 public:
  /// Never returns null. (It is not noexcept, because g++ would then ask for a way to handle null.)
  TINE_ALWAYS_INLINE static void* operator new(std::size_t bytes) {
    return allocate_frame(bytes, alignment_of_frame(bytes));
  }
  TINE_ALWAYS_INLINE static void operator delete(void* where, std::size_t bytes) noexcept {
    release_frame(where, alignment_of_frame(bytes));
  }

  task<T> get_return_object() noexcept { return {}; }
  /// A child runs at once, on its parent's native stack.
  std::suspend_never initial_suspend() noexcept {
#if TINE_RACE
    tine_race_begin_child();
#endif
    return {};
  }
  /// The frame ends when its code returns; the code that resumed it does the rest.
  std::suspend_never final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept {
    if constexpr (std::is_object_v<T> && !std::is_trivially_destructible_v<T>) {
      eventually_access::empty(*this->slot_);
    } else if constexpr (std::is_object_v<T>) {
      if ((this->up.get() & link::into_eventually) != 0) eventually_access::empty_around(this->slot_);
    }
    end_by_exception(*this, this->slot_);
  }

  TINE_ALWAYS_INLINE awaited<joining&> await_transform(const join_t&) noexcept { return *this; }
  template <awaits_outside A>
  auto await_transform(A&& awaiter) noexcept {
    return parking<std::remove_reference_t<A>>{awaiter};
  }
  template <class A>
  TINE_ALWAYS_INLINE awaited<A> await_transform(A&& awaitable) noexcept {
    using given = std::remove_cvref_t<A>;
    static_assert(!is_task<given>, "tine: a task is awaited through tine::call: write co_await tine::call(leaf, n)");
    static_assert(
        is_task<given> || awaitable_in_task<A>,
        "tine: a task can await tine::fork, tine::call, tine::join, tine::scratch, tine::resume_on, and objects whose await_suspend takes a tine::resumption; but nothing that would resume it by its coroutine handle");
    if constexpr (requires { awaitable.belongs_to(*this); }) awaitable.belongs_to(*this);
    return static_cast<A&&>(awaitable);
  }
};

}  // namespace TINE_CHECKING

template <class T>
consteval bool fits_into_frame() {
  if constexpr (std::is_object_v<T>) {
    return alignof(T) <= most_frame_alignment;
  } else {
    return true;
  }
}

/// Checks the parameters of a coroutine, which live in its frame. An rvalue reference there would refer to an object
/// that ends with the call.
template <class... Params>
consteval bool check_parameters() {
  static_assert(
      (fits_into_frame<Params>() && ...),
      "tine: the frame of a task is aligned to at most 64 bytes: keep this parameter in a tine::scratch array, and take a reference to it");
  static_assert(
      (!std::is_rvalue_reference_v<Params> && ...),
      "tine: a task cannot take an rvalue reference: the object has ended when the task continues elsewhere. Take the parameter by value");
  return true;
}

}  // namespace detail

/// The return type of coroutines that fork and join:
///
///     tine::task<long> fib(long n) {
///       if (n < 2) co_return n;
///       long a;
///       co_await tine::fork(&a, fib, n - 1);
///       const long b = co_await tine::call(fib, n - 2);
///       co_await tine::join;
///       co_return a + b;
///     }
///
///     long f = tine::run(fib, 30);
///
/// `T` is void, a reference, or a type that can be moved. A frame holds variables, parameters and results of types that
/// are aligned to at most 64 bytes. (clang takes any alignment of a variable. g++ drops that of a variable that is
/// stricter than its type's: write `struct alignas(32) block { ... };`, not `alignas(32) double a[4];`.) To run a task,
/// use `tine::fork` or `tine::call` in another task, and `tine::run` or `tine::pool::run` elsewhere; there is no other
/// way. A plain function may stand for a coroutine if it returns the result of calling that coroutine at once. If it
/// throws instead, the program ends with a message.
///
/// A task may continue on another thread after every co_await, so don't hold thread-local addresses or locks over one.
template <class T = void>
class [[nodiscard]] task {
 public:
  using result_type = T;

 private:
  friend class detail::promise<T>;
  task() noexcept = default;  // private: a function that is not a coroutine can't make a task
  // private, too: it can't copy one either. (If these were deleted, every coroutine would return its task in memory.)
  task(const task&) noexcept = default;
  task& operator=(const task&) noexcept = default;
};

}  // namespace tine

template <class T, class... Params>
struct std::coroutine_traits<tine::task<T>, Params...> {
  static_assert(tine::detail::check_parameters<Params...>());
  using promise_type = tine::detail::promise<T>;
};
