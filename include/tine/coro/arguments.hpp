// What a fork or a call keeps of a callable and its arguments until the child has taken them into its frame.
//
// A fork's awaiter lies in the parent's frame, which a thief may go on with as soon as the record is written. So a fork
// first moves everything into native variables; and because the child may outlive those, too, nothing in the child may
// refer to them. Where the callable says what its parameters are, that is checked here.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// Stands for the type of a parameter that a callable does not tell, because it is overloaded or a template.
struct untold;

template <class... Params>
struct parameter_list {};

/// The parameters of a callable, the object of a member function included; void if it does not tell.
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
    using type = parameter_list<untold, P...>;      \
  };
TINE_MEMBER()
TINE_MEMBER(const)
TINE_MEMBER(noexcept)
TINE_MEMBER(const noexcept)
TINE_MEMBER(&)
TINE_MEMBER(const&)
#undef TINE_MEMBER

template <class F>
struct of_call_operator;
template <class... P>
struct of_call_operator<parameter_list<untold, P...>> {
  using type = parameter_list<P...>;
};

template <class F>
struct parameters_of<F, std::void_t<decltype(&F::operator())>> {
  using type = typename of_call_operator<typename parameters_of<decltype(&F::operator())>::type>::type;
};

/// The type of parameter number `I` of `F`, or untold.
template <class List, std::size_t I>
struct parameter {
  using type = untold;
};
template <class... P, std::size_t I>
  requires(I < sizeof...(P))
struct parameter<parameter_list<P...>, I> {
  using type = std::tuple_element_t<I, std::tuple<P...>>;
};

/// A reference on its way: to something that outlives the child.
template <class T>
struct kept_reference {
  T* target;
  TINE_ALWAYS_INLINE T& pass() const noexcept { return *target; }
};

/// A value on its way.
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
    return Function(std::forward<Args>(args)...);
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

/// How an argument `A&&` is kept for a parameter `P`.
template <class P, class A>
struct keeping {  // by value, or not told
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

/// The callable: a variable stays where it is, for it outlives the join; an empty one or a pointer is copied.
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

/// How a call, whose expression outlives the child, keeps what it was given.
template <class A>
using held = std::conditional_t<std::is_scalar_v<A> || std::is_empty_v<A>, A, A&&>;

}  // namespace tine::detail
