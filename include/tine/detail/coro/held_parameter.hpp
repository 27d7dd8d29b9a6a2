// Keeps the callable and the arguments of a fork or a call until the child has taken them into its frame.
//
// A fork's awaiter lies in the parent's frame, with which a thief may continue as soon as the record is written. So a
// fork first moves everything into native variables. The child may outlive these variables, too, so nothing in the
// child may refer to them. Where the types of the callable's parameters are known, this header checks that.
#pragma once

#include <tine/detail/base/result.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// Stands for the type of a parameter that is unknown, because the callable is overloaded or a template.
struct untold;

/// Stands for the first parameter of a member function: its object, or something that points to it.
struct the_object;

template <class... Params>
struct parameter_list {};

/// The parameters of a callable, the object of a member function included; void if they are unknown.
template <class F, class = void>
struct parameters_of {
  using type = void;
};
template <class R, class... P>
struct parameters_of<R (*)(P...)> {
  using type = parameter_list<P...>;
};
template <class R, class... P>
struct parameters_of<R (*)(P...) noexcept> {
  using type = parameter_list<P...>;
};

#define TINE_MEMBER(QUALIFIERS)                     \
  template <class R, class C, class... P>           \
  struct parameters_of<R (C::*)(P...) QUALIFIERS> { \
    using type = parameter_list<the_object, P...>;  \
  };
TINE_MEMBER()
TINE_MEMBER(const)
TINE_MEMBER(noexcept)
TINE_MEMBER(const noexcept)
TINE_MEMBER(&)
TINE_MEMBER(const&)
TINE_MEMBER(&&)
TINE_MEMBER(& noexcept)
TINE_MEMBER(const& noexcept)
TINE_MEMBER(&& noexcept)
#undef TINE_MEMBER

template <class F>
struct of_call_operator;
template <class... P>
struct of_call_operator<parameter_list<the_object, P...>> {
  using type = parameter_list<P...>;
};

template <class F>
struct parameters_of<F, std::void_t<decltype(&F::operator())>> {
  using type = typename of_call_operator<typename parameters_of<decltype(&F::operator())>::type>::type;
};

/// The type of parameter number `I` in `List`; `untold` if it is unknown.
template <class List, std::size_t I>
struct parameter {
  using type = untold;
};
template <class... P, std::size_t I>
  requires(I < sizeof...(P))
struct parameter<parameter_list<P...>, I> {
  using type = std::tuple_element_t<I, std::tuple<P...>>;
};

/// A reference on its way to the child. Its target outlives the child.
template <class T>
struct kept_reference {
  T* target;
  TINE_ALWAYS_INLINE T& pass() const noexcept { return *target; }
};

/// A value on its way to the child.
template <class T>
struct kept_value {
  T value;
  TINE_ALWAYS_INLINE T&& pass() noexcept { return std::move(value); }
};

/// A function that is known when the program is compiled: nothing has to be kept.
template <auto Function>
struct known_function {
  static constexpr auto pass() noexcept { return Function; }
};

template <auto Function>
struct known_callable {
  template <class... Args>
  TINE_ALWAYS_INLINE decltype(auto) operator()(Args&&... args) const {
    if constexpr (std::is_member_pointer_v<decltype(Function)>) {
      return invoked(Function, std::forward<Args>(args)...);
    } else {
      return Function(std::forward<Args>(args)...);
    }
  }
};

template <class A>
struct unwrapped {
  using type = A;
};
template <class T>
struct unwrapped<std::reference_wrapper<T>> {
  using type = T&;
};

/// How a fork keeps an argument `A&&` for a parameter `P`.
template <class P, class A>
struct keeping {  // by value, or unknown
  using target = std::conditional_t<std::is_same_v<P, untold>, std::decay_t<A>, std::remove_cv_t<P>>;
  using type = kept_value<target>;
  static_assert(std::is_nothrow_move_constructible_v<target>,
                "tine: an argument of fork must not throw when it is moved");
  TINE_ALWAYS_INLINE static type keep(A&& a) { return {target(std::forward<A>(a))}; }
};
template <class P, class A>
struct keeping<P&, A> {
  using type = kept_reference<P>;
  using given = std::remove_cvref_t<A>;
  static constexpr bool is_wrapped = !std::is_same_v<typename unwrapped<given>::type, given>;
  static_assert(is_wrapped || (std::is_lvalue_reference_v<A> && std::is_convertible_v<std::remove_reference_t<A>*, P*>),
                "tine: a forked task takes this parameter by reference, so the argument must be an object of that type "
                "that lives until the join: pass a variable, or take the parameter by value");
  TINE_ALWAYS_INLINE static type keep(A&& a) {
    if constexpr (is_wrapped) {
      return {__builtin_addressof(a.get())};
    } else {
      return {__builtin_addressof(a)};
    }
  }
};

template <class T>
struct keeping<untold, std::reference_wrapper<T>> {
  using type = kept_reference<T>;
  TINE_ALWAYS_INLINE static type keep(std::reference_wrapper<T> a) noexcept { return {__builtin_addressof(a.get())}; }
};
template <class T>
struct keeping<untold, std::reference_wrapper<T>&> : keeping<untold, std::reference_wrapper<T>> {};
template <class T>
struct keeping<untold, const std::reference_wrapper<T>&> : keeping<untold, std::reference_wrapper<T>> {};

/// The object of a member function, to which the child refers. A pointer and a std::reference_wrapper are copied;
/// anything else, including a smart pointer, must be a variable.
template <class A>
struct keeping<the_object, A> {
  static constexpr bool is_pointer = std::is_pointer_v<std::remove_cvref_t<A>>;
  static_assert(is_pointer || std::is_lvalue_reference_v<A>,
                "tine: a forked member function refers to its object, so that must be a variable that lives until the "
                "join, or a pointer to one");
  using type =
      std::conditional_t<is_pointer, kept_value<std::remove_cvref_t<A>>, kept_reference<std::remove_reference_t<A>>>;
  TINE_ALWAYS_INLINE static type keep(A&& a) {
    if constexpr (is_pointer) {
      return {a};
    } else {
      return {__builtin_addressof(a)};
    }
  }
};
template <class A>
  requires(!std::is_same_v<typename unwrapped<std::remove_cvref_t<A>>::type, std::remove_cvref_t<A>>)
struct keeping<the_object, A> : keeping<typename unwrapped<std::remove_cvref_t<A>>::type, A> {};

/// The type that the callable gets from a fork for an argument `A&&`: a decayed copy if the parameter is unknown;
/// otherwise the argument itself, from which the parameter is made.
template <class P, class A>
struct handed_over {
  using type = A;
};
template <class A>
struct handed_over<untold, A> {
  using type = typename unwrapped<std::decay_t<A>>::type;
};

/// How a fork keeps the callable: a variable stays where it is, because it outlives the join; an empty callable or a
/// pointer is copied.
template <class F>
struct keeping_callable {
  using type = kept_value<std::decay_t<F>>;
  static_assert(
      std::is_empty_v<std::decay_t<F>> || !std::is_class_v<std::decay_t<F>>,
      "tine: a task would refer to the captures of a temporary: give the lambda a name that outlives the join");
  TINE_ALWAYS_INLINE static type keep(F&& f) { return {std::forward<F>(f)}; }
};
template <class F>
  requires(std::is_class_v<F> && !std::is_empty_v<F>)
struct keeping_callable<F&> {
  using type = kept_reference<F>;
  TINE_ALWAYS_INLINE static type keep(F& f) { return {__builtin_addressof(f)}; }
};

// The expression of a call outlives the child, so most arguments stay as they are. `near()` returns the form that goes
// into a native variable on the way.

/// An argument that stays as it is: a reference to it.
template <class A>
struct held_reference {
  A&& target;
  TINE_ALWAYS_INLINE A&& pass() const noexcept { return static_cast<A&&>(target); }
  TINE_ALWAYS_INLINE held_reference near() const noexcept { return {pass()}; }
};

/// A copy that need not be in memory, because nothing will refer to it.
template <class A>
struct held_copy {
  A value;
  TINE_ALWAYS_INLINE A&& pass() noexcept { return std::move(value); }
  TINE_ALWAYS_INLINE held_copy near() noexcept { return {std::move(value)}; }
};

/// A parameter that is made from an argument of another type, or by a constructor that may throw. It is made before the
/// child is started, because then it is too late for both.
template <class P>
struct held_parameter {
  using value_type = std::remove_cvref_t<P>;
  using passed = std::conditional_t<std::is_reference_v<P>, P, value_type>;
  template <class A>
  explicit held_parameter(A&& a) : value(std::forward<A>(a)) {}
  value_type value;
  TINE_ALWAYS_INLINE passed&& pass() noexcept { return static_cast<passed&&>(value); }
  TINE_ALWAYS_INLINE held_reference<passed> near() noexcept { return {pass()}; }
};

/// How a call keeps an argument `A&&` for a parameter `P`.
template <class P, class A>
struct holding {  // by value
  using plain = std::remove_cvref_t<A>;
  using kept = std::conditional_t<std::is_scalar_v<plain>, held_copy<plain>, held_reference<A>>;
  using type = std::conditional_t<std::is_nothrow_constructible_v<P, A>, kept, held_parameter<P>>;
};
template <class A>
struct holding<untold, A> {
  using type = held_reference<A>;
};
template <class A>
struct holding<the_object, A> {
  using type = held_reference<A>;
};
template <class P, class A>
struct holding<P&, A> {
  using given = typename unwrapped<std::remove_cvref_t<A>>::type;
  static constexpr bool is_bound =
      !std::is_const_v<P> || std::is_reference_v<given> || std::is_convertible_v<std::remove_reference_t<A>*, P*>;
  using type = std::conditional_t<is_bound, held_reference<A>, held_parameter<P&>>;
};
template <class F, std::size_t I, class A>
using held_of = typename holding<typename parameter<typename parameters_of<std::decay_t<F>>::type, I>::type, A>::type;

/// How a call keeps the callable: a scalar or empty callable is copied, because nothing refers to it.
template <class F>
using held_callable = std::conditional_t<std::is_scalar_v<F> || std::is_empty_v<F>, held_copy<F>, held_reference<F>>;

}  // namespace tine::detail
