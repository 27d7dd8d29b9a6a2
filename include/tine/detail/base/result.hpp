// The outcome of a branch: a value, a reference, nothing, or an exception, in raw storage that records can overlay. The
// branch fills it; its joiner takes it after the join.
#pragma once

#include <tine/detail/base/language.hpp>
#include <tine/detail/base/macros.hpp>

#include <exception>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tine {

/// Stands for the result of a branch that returns void. A callable that combines results may leave it out.
struct void_result {
  friend constexpr bool operator==(void_result, void_result) noexcept { return true; }
};

namespace detail {

/// Calls `f`, which may be a pointer to a member, with `args`. Replaces std::invoke, because <functional> takes long to
/// compile.
template <class F, class... Args>
TINE_ALWAYS_INLINE decltype(auto) invoked(F&& f, Args&&... args) {
  return std::apply(std::forward<F>(f), std::tuple<Args&&...>(std::forward<Args>(args)...));
}

/// Calls `f` with `args`; a void result becomes `void_result`.
template <class F, class... Args>
TINE_ALWAYS_INLINE decltype(auto) value_of(F&& f, Args&&... args) {
  if constexpr (std::is_void_v<std::invoke_result_t<F, Args...>>) {
    std::forward<F>(f)(std::forward<Args>(args)...);
    return void_result{};
  } else {
    return std::forward<F>(f)(std::forward<Args>(args)...);
  }
}

/// Returns the exception that a handler for all types has caught. Ends the program with a message if that isn't an
/// exception of C++: the thread is about to end, although other strands' frames lie on its stacks.
TINE_API TINE_COLD std::exception_ptr caught_exception() noexcept;

/// The type that `value_of` returns: never void.
template <class F, class... Args>
using result_of = decltype(value_of(std::declval<F>(), std::declval<Args>()...));

/// True if moving or destroying a result of type `T` doesn't run code of the program.
template <class T>
inline constexpr bool moves_without_code =
    std::is_trivially_move_constructible_v<T> && std::is_trivially_destructible_v<T>;

/// Storage for the outcome of one call: empty until `fill`, and empty again after `take` or `drop`. It is trivial to
/// create and to leave, so it may overlay other things; if you fill it, you must take or drop the outcome.
template <class R>
class outcome {
  static_assert(std::is_reference_v<R> || (std::is_object_v<R> && std::is_move_constructible_v<R>),
                "tine: the result of a branch must be void, a reference, or a type that can be moved");
  using stored = std::conditional_t<std::is_reference_v<R>, std::remove_reference_t<R>*, std::remove_cv_t<R>>;

 public:
  outcome() noexcept {}
  ~outcome() {}
  outcome(const outcome&) = delete;
  outcome& operator=(const outcome&) = delete;

  /// Calls `f` and keeps its result or its exception. Returns true if `f` threw.
  template <class F>
  bool fill(F& f) noexcept {
    try {
      if constexpr (std::is_reference_v<R>) {
        auto&& r = f();
        ::new (&value_) stored{__builtin_addressof(r)};
      } else {
        ::new (&value_) stored(value_of(f));
      }
      return false;
    } catch (...) {
      ::new (&error_) std::exception_ptr{caught_exception()};
      return true;
    }
  }

  /// Returns the value, moved out, or throws the exception again.
  R take(bool threw) {
    if (threw) {
      const emptied<std::exception_ptr> end{error_};
      std::rethrow_exception(std::move(error_));
    }
    if constexpr (std::is_reference_v<R>) {
      return static_cast<R>(*value_);
    } else {
      const emptied<stored> end{value_};
      return std::move(value_);
    }
  }

  /// Returns the exception that was thrown.
  const std::exception_ptr& error() const noexcept { return error_; }

  /// Destroys the value or the exception.
  void drop(bool threw) noexcept {
    if (threw) {
      destroy(error_);
    } else {
      destroy(value_);
    }
  }

 private:
  template <class T>
  static void destroy(T& kept) noexcept {
    kept.~T();
  }
  template <class T>
  struct emptied {
    T& kept;
    explicit emptied(T& k) noexcept : kept{k} {}
    ~emptied() { destroy(kept); }
  };

  union {
    stored value_;
    std::exception_ptr error_;
  };
};

}  // namespace detail
}  // namespace tine
