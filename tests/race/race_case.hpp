// The cases of the race detector's tests: small programs with known races, each with a twin without them.
#pragma once

#include <tine/race.hpp>
#include <tine/tine.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace race_test {

/// The runs of a form of a case in which races are found.
enum class found : unsigned char {
  never,
  under_determinism,  ///< only if accesses that are atomic or locked count, too
  always,
};

/// A range of bytes.
struct byte_range {
  std::uintptr_t begin, end;
};

/// The argument of a case: which of its forms is to run, and where it declares its races.
struct subject {
  bool racy;  ///< the form with the race is to run
  std::vector<byte_range> declared;
  std::size_t pairs = 0;  ///< the number of pairs of instructions that race; 0: the case does not declare it

  /// Declares that all races of this case lie in the bytes of `variable`, or in others that are declared.
  template <class T>
  void races_on(const T& variable) {
    races_in(&variable, sizeof variable);
  }
  void races_in(const void* begin, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(begin);
    declared.push_back({at, at + bytes});
  }
};

struct race_case {
  const char* name;
  void (*run)(subject& its);
  found in_racy, in_clean;
  const char* gap;  ///< the reason why the detector does not give these answers; null if it does
};

/// The gap of a case that does not end: it is not run.
inline constexpr const char* hangs = "the check does not end";

/// Adds a case to the list. Returns true.
bool add_case(const race_case& c);

/// Makes the compiler assume that the object is read and written here.
template <class T>
inline void keep(T& object) {
  asm volatile("" : : "r"(&object) : "memory");
}

}  // namespace race_test

/// Defines the case `name`: the body runs with `its`, a subject. `in_racy` and `in_clean` say when races are found in
/// its two forms.
#define TINE_CASE(name, in_racy, in_clean, gap)                                                        \
  static void name(race_test::subject& its);                                                           \
  [[maybe_unused]] static const bool name##_is_added =                                                 \
      race_test::add_case({#name, &name, race_test::found::in_racy, race_test::found::in_clean, gap}); \
  static void name([[maybe_unused]] race_test::subject& its)

/// The usual case: one form has a race, the other none.
#define RACE_CASE(name) TINE_CASE(name, always, never, nullptr)
/// A usual case whose races all lie on `x`. The clean form uses `y` in its place.
#define RACE_ON_X(name)                                                            \
  static void name##_on(race_test::subject& its, int& x, [[maybe_unused]] int& y); \
  RACE_CASE(name) {                                                                \
    int x = 0, y = 0;                                                              \
    its.races_on(x);                                                               \
    name##_on(its, x, y);                                                          \
    race_test::keep(x);                                                            \
    race_test::keep(y);                                                            \
  }                                                                                \
  static void name##_on([[maybe_unused]] race_test::subject& its, int& x, [[maybe_unused]] int& y)
/// The racy form has a race; in the other form, the order of the accesses may change the result, but they do not race.
#define GUARDED_CASE(name) TINE_CASE(name, always, under_determinism, nullptr)
/// In the racy form, the order of accesses may change the result, but they do not race; the other form has neither.
#define ORDER_CASE(name) TINE_CASE(name, under_determinism, never, nullptr)
/// Neither form has a race.
#define CLEAN_CASE(name) TINE_CASE(name, never, never, nullptr)
