// Objects in raw memory, and addresses as words. All pointer casts of tine are in this header, and so are the reasons
// why they are defined. lint rejects a reinterpret_cast elsewhere.
//
// Records, frames and the storage of observers lie in memory that the program reuses for objects of many types. Four
// rules hold:
//
// 1. *An object begins before it is accessed.* Placement new begins it; or `begin_objects` does, if the type is an
//    implicit-lifetime type, so that the object can exist before its members have values: a fork writes two words of
//    its record, and promotion writes the others. Memory that malloc or mmap has just returned holds such objects
//    already. The previous object in reused memory ends without a destructor.
// 2. *A pointer to an object comes from its address by `object_at`.* A cast alone would give a pointer to the byte at
//    that address.
// 3. *A pointer survives the way through a word.* GCC and Clang map a pointer to its address and back without a change
//    of its bits, for any bits: the standard promises only that a pointer that was not changed comes back. Therefore a
//    word may hold flags where every address has zeros, and a pointer variable may hold such a word. It must not be
//    dereferenced before the flags are removed.
// 4. *Addresses are computed in bytes, inside of one allocation.* The standard restricts the arithmetic on the bytes of
//    an object to that object. GCC and Clang restrict it to the allocation that contains the object, and records and
//    storage reach beyond their heads only inside of one shadow stack, one heap block or one complete object.
//
// None of these functions emits an instruction, except for the load of `word_at`.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace tine::base {

/// True for types whose objects may begin without a constructor ([class.prop]; C++23 has std::is_implicit_lifetime). A
/// member of another type does not begin with its object: it needs its own placement new. (An aggregate whose
/// destructor is user-provided is not such a type, but no trait tells.)
template <class T>
inline constexpr bool is_implicit_lifetime =
    std::is_scalar_v<T> || std::is_array_v<T> || std::is_aggregate_v<T> ||
    (std::is_trivially_destructible_v<T> &&
     (std::is_trivially_default_constructible_v<T> || std::is_trivially_copy_constructible_v<T> ||
      std::is_trivially_move_constructible_v<T>));

/// Begins objects of implicit-lifetime types in the `bytes` bytes at `where`: objects of those types, and at those
/// addresses, that the program uses there from now on. Their values are indeterminate. ([intro.object]: the begin of an
/// array of bytes, which does nothing at run time, creates these objects.)
TINE_ALWAYS_INLINE void begin_objects(void* where, std::size_t bytes) noexcept {
  static_cast<void>(::new (where) std::byte[bytes]);
}

/// Returns the object of type `T` at `where`, whose lifetime has begun there.
template <class T>
TINE_ALWAYS_INLINE T* object_at(void* where) noexcept {
  return std::launder(static_cast<T*>(where));
}
template <class T>
TINE_ALWAYS_INLINE const T* object_at(const void* where) noexcept {
  return std::launder(static_cast<const T*>(where));
}

/// Begins an object of type `T` at `where`, with an indeterminate value, and returns it.
template <class T>
TINE_ALWAYS_INLINE T* begin_object(void* where) noexcept {
  static_assert(is_implicit_lifetime<T>, "objects of this type begin by placement new only");
  begin_objects(where, sizeof(T));
  return object_at<T>(where);
}

/// Returns the bytes of an object, and of its neighbours in the same allocation.
template <class T>
TINE_ALWAYS_INLINE std::byte* bytes_of(T& object) noexcept {
  return reinterpret_cast<std::byte*>(__builtin_addressof(object));
}
template <class T>
TINE_ALWAYS_INLINE const std::byte* bytes_of(const T& object) noexcept {
  return reinterpret_cast<const std::byte*>(__builtin_addressof(object));
}

/// Returns the address of an object or of a function as a word.
template <class T>
TINE_ALWAYS_INLINE std::uintptr_t to_word(T* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Returns the pointer with this address: the one from which `to_word` has made the word, if it was one of the same
/// type.
template <class T>
TINE_ALWAYS_INLINE T* from_word(std::uintptr_t word) noexcept {
  return reinterpret_cast<T*>(word);
}

/// A pointer with these bits, which is compared with addresses and never dereferenced. Compilers initialise it before
/// the program runs, which GCC does not do with the result of `from_word`.
template <class T, std::uintptr_t Bits>
inline T* const pointer_constant = reinterpret_cast<T*>(Bits);

/// Returns the word at `where`, for memory that holds either a word or a pointer. Copying the bytes is allowed in both
/// cases.
TINE_ALWAYS_INLINE std::uintptr_t word_at(const void* where) noexcept {
  std::uintptr_t word;
  __builtin_memcpy(&word, where, sizeof word);
  return word;
}

/// Returns the function at an address that the dynamic linker has found. POSIX guarantees that the conversion is
/// possible.
template <class F>
TINE_ALWAYS_INLINE F* function_at(void* where) noexcept {
  static_assert(std::is_function_v<F>);
  return reinterpret_cast<F*>(where);
}

}  // namespace tine::base
