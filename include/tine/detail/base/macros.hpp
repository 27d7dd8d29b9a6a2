// tine's macros for what the compiler and the build offer. Everything here is a fact about them, never a switch for
// users; sched/options.hpp has those.
#pragma once

#if !defined(__linux__) || __SIZEOF_POINTER__ != 8
#error "tine runs on Linux, on processors with 64 bits."
#endif

#define TINE_ALWAYS_INLINE __attribute__((always_inline)) inline
#define TINE_INLINED __attribute__((always_inline))  // for a lambda
#define TINE_NOINLINE __attribute__((noinline))
#define TINE_COLD __attribute__((noinline, cold))

/// Before a declaration whose definition is in the library: programs may link it. Where tine is linked statically,
/// CMake's targets define TINE_STATIC. Code without it works with both kinds of the library, and takes an instruction
/// more for each access to the hot words.
#ifdef TINE_STATIC
#define TINE_API
#else
#define TINE_API __attribute__((visibility("default")))
#endif

/// Before a statement: the compiler inlines the calls in it, however large they are. (clang 16 crashes at it in a
/// template.)
#if defined(__clang__) && __clang_major__ >= 17
#define TINE_INLINE_CALLS [[clang::always_inline]]
#else
#define TINE_INLINE_CALLS
#endif

/// Behind the parameters of a function: the compiler rejects a call if it knows that the condition on the arguments
/// holds.
#if defined(__clang__)
#define TINE_REFUSE_IF(condition, message)                                              \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"") \
      __attribute__((diagnose_if(condition, message, "error"))) _Pragma("clang diagnostic pop")
#else
#define TINE_REFUSE_IF(condition, message)
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TINE_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define TINE_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TINE_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define TINE_TSAN 1
#endif
// TINE_RACE: the code is instrumented for tine's race detector. The compiler inserts what it inserts for
// ThreadSanitizer, and libtine_race takes the calls.
#if defined(TINE_RACE_DETECTION)
#if !defined(TINE_TSAN)
#error "TINE_RACE_DETECTION needs -fsanitize=thread, which makes the compiler report accesses to memory."
#endif
#undef TINE_TSAN
#define TINE_RACE 1
#else
#define TINE_RACE 0
#endif
// TINE_UNCHECKED, on a function: the race detector checks none of its accesses, nor those of the functions that it
// always inlines. The compiler inlines no other instrumented function into it.
#if TINE_RACE
#define TINE_UNCHECKED __attribute__((no_sanitize("thread")))
#else
#define TINE_UNCHECKED
#endif
#ifndef TINE_ASAN
#define TINE_ASAN 0
#endif
#ifndef TINE_TSAN
#define TINE_TSAN 0
#endif

// Starts the definition of an inline function that only calls a slow path of the library. With clang's `preserve_most`
// the caller keeps its values in registers over the call, which is rare (fib: 1.87 instead of 2.16 ns per fork). The
// function must be noexcept: the unwinder restores only the registers that every function preserves.
//
// The library's own functions have the platform's convention, because the library may come from another compiler than
// the program (docs/internals/decisions/019-programs-keep-their-registers.md). The symbol of such an inline function
// exists only where it has this convention, because all other builds inline it. It is hidden, because the dynamic
// linker doesn't preserve r10 when it binds a symbol at the first call.
#if defined(__clang__) && !TINE_ASAN && !TINE_TSAN
#define TINE_SLOW_PATH __attribute__((noinline, cold, preserve_most, visibility("hidden"))) inline
#else
#define TINE_SLOW_PATH TINE_ALWAYS_INLINE
#endif

// TINE_CHECKS: whether coroutines check how they are used. Programs without NDEBUG do; if a program defines
// TINE_CHECKED, its release builds do, too.
//
// TINE_CHECKING: the inline namespace of everything that has another layout or meaning without these checks. You may
// link a program from files with and without them.
#if !defined(NDEBUG) || defined(TINE_CHECKED)
#define TINE_CHECKS 1
#define TINE_CHECKING checked
#else
#define TINE_CHECKS 0
#define TINE_CHECKING unchecked
#endif
