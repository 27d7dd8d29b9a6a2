// Iterations of loops: dependences between them, loops inside of loops and forks, bounds of all kinds.
#include "../race_case.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using race_test::keep;

constexpr std::size_t n = 100;
using numbers = std::array<double, n + 2>;

// Each iteration reads what the next one writes.
RACE_CASE(antidependence) {
  numbers a{}, b{};
  its.races_on(a);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[i] = (its.racy ? a : b)[i + 1] + 1; });
  keep(a);
}

RACE_CASE(long_loop_whose_ends_meet) {
  std::vector<std::uint8_t> a(300'000);
  its.races_on(a[17]);
  tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) { a[its.racy && i == a.size() - 1 ? 17 : i] = 1; });
  keep(a);
}

RACE_CASE(loop_over_small_signed_bounds) {
  std::array<int, 256> a{};
  its.races_on(a[128]);
  tine::par_for(std::int8_t{-128}, std::int8_t{127}, [&](std::int8_t i) {
    a[static_cast<std::size_t>(i + 128)] = 1;
    if (its.racy && i == 100) a[128] = 2;
  });
  keep(a);
}

RACE_CASE(loop_at_the_end_of_the_integers) {
  constexpr std::uint64_t top = std::numeric_limits<std::uint64_t>::max();
  std::array<int, 10> a{};
  its.races_on(a[9]);
  tine::par_for(top - 10, top, [&](std::uint64_t i) { a[its.racy ? 9 : i - (top - 10)] = 1; });
  keep(a);
}

RACE_CASE(loop_over_a_range) {
  std::vector<int> a(n);
  int x = 0;
  its.races_on(x);
  tine::par_for(a, [&](int& item) {
    item = 1;
    if (its.racy) x = item;
  });
  keep(x);
}

RACE_CASE(loop_over_iterators_that_read_ahead) {
  std::vector<int> a(n);
  its.races_in(a.data(), n * sizeof(int));
  tine::par_for(a.begin(), a.end() - 1, [&](int& item) { item = its.racy ? (&item)[1] : 1; });
  keep(a);
}

// The partition into chunks is the runtime's, so all iterations count as parallel.
RACE_CASE(chunks_carry_a_value_over) {
  std::vector<int> a(n);
  int carried = 0;
  its.races_on(carried);
  tine::par_for_chunks(std::size_t{0}, n, [&](std::size_t begin, std::size_t end) {
    int mine = 0;
    for (std::size_t i = begin; i != end; ++i) a[i] = ++(its.racy ? carried : mine);
  });
  keep(carried);
}

CLEAN_CASE(buffers_of_chunks) {
  std::vector<int> a(n);
  tine::par_for_chunks(std::size_t{0}, n, [&](std::size_t begin, std::size_t end) {
    std::vector<int> buffer(end - begin, 1);
    for (std::size_t i = begin; i != end; ++i) a[i] = buffer[i - begin];
  });
  keep(a);
}

}  // namespace
