// Types whose values refer to nothing.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

namespace tine::detail {

template <class T>
struct bytes_like {
  unsigned char all[sizeof(T)];
};

/// True if the compiler can compute the bytes of a `T{}`, which it refuses for types with pointers, references and
/// unions.
template <class T>
concept has_constant_bytes = std::is_trivially_copyable_v<T> && requires {
  typename std::bool_constant<(static_cast<void>(__builtin_bit_cast(bytes_like<T>, T{})), true)>;
};

template <class T>
inline constexpr bool is_made_of_numbers =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || (std::is_class_v<T> && has_constant_bytes<T>);
template <class A, class B>
inline constexpr bool is_made_of_numbers<std::pair<A, B>> = is_made_of_numbers<A> && is_made_of_numbers<B>;
template <class... T>
inline constexpr bool is_made_of_numbers<std::tuple<T...>> = (is_made_of_numbers<T> && ...);

/// True if a `T` consists of numbers: it has no pointer to memory elsewhere. False for some such types, too, as those
/// without a constexpr default constructor.
template <class T>
concept consists_of_numbers = is_made_of_numbers<T>;

}  // namespace tine::detail
