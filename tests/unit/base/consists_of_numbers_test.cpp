// Types of which the compiler can tell that they refer to nothing.
#include <tine/detail/base/consists_of_numbers.hpp>

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

enum class color : char { red };
struct sums {
  double x[3];
  int n;
  char c;
};
struct nested {
  sums parts[2];
  color c;
  std::array<int, 3> counts;
};
struct empty {};

struct with_pointer {
  int n;
  int* at;
};
struct with_reference {
  int& to;
};
struct with_function {
  void (*call)();
};
struct with_member {
  int sums::* at;
};
union either {
  int n;
  float x;
};
struct with_union {
  either e;
};
struct without_default {
  explicit without_default(int);
  int n;
};

template <class... T>
constexpr bool all = (tine::detail::consists_of_numbers<T> && ...);
template <class... T>
constexpr bool none = (!tine::detail::consists_of_numbers<T> && ...);

static_assert(all<int, double, bool, color, sums, nested, empty, std::array<long, 4>>);
static_assert(all<std::pair<int, sums>, std::tuple<>, std::tuple<double, std::pair<char, long>>>);
static_assert(none<int*, void (*)(), with_pointer, with_reference, with_function, with_member, either, with_union>);
static_assert(
    none<std::pair<int, char*>, std::tuple<int, with_pointer>, std::span<int>, std::vector<int>, std::string>);
static_assert(none<without_default>);

}  // namespace

TEST_CASE("the types of results that consist of numbers are known to the compiler") { CHECK(all<nested>); }
