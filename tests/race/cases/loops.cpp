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

// Each iteration reads what the one before it wrote.
RACE_CASE(true_dependence) {
  numbers a{}, b{};
  its.races_on(a);
  tine::par_for(std::size_t{1}, n, [&](std::size_t i) { a[i] = (its.racy ? a : b)[i - 1] + 1; });
  keep(a);
}

RACE_CASE(true_dependence_only_between_the_last_two) {
  numbers a{};
  its.races_on(a[n - 2]);
  tine::par_for(std::size_t{1}, n, [&](std::size_t i) {
    if (its.racy && i == n - 1) a[i] = a[i - 1];
    a[i] += 1;
  });
  keep(a);
}

RACE_CASE(first_and_last_iteration_write_the_same) {
  numbers a{};
  its.races_on(a[0]);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[its.racy && i == n - 1 ? 0 : i] = 1; });
  keep(a);
}

RACE_CASE(output_dependence_on_a_scalar) {
  double last = 0;
  numbers a{};
  its.races_on(last);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) {
    a[i] = static_cast<double>(i);
    if (its.racy || i == n - 1) last = a[i];  // the clean form is the lastprivate one
  });
  keep(last);
}

// A variable outside of the loop stands for a temporary of each iteration.
RACE_CASE(shared_temporary) {
  double outside = 0;
  numbers a{}, b{};
  its.races_on(outside);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) {
    double inside = 0;
    double& temporary = its.racy ? outside : inside;
    temporary = a[i];
    b[i] = temporary * 2;
  });
  keep(b);
}

// The body owns a copy of the variable.
CLEAN_CASE(captured_by_value) {
  int offset = 3;
  keep(offset);
  std::array<int, n> a{};
  tine::par_for(0, static_cast<int>(n), [offset, &a](int i) {
    int mine = offset;
    mine += i;
    a[static_cast<std::size_t>(i)] = mine;
  });
  keep(a);
}

RACE_CASE(stencil_in_place) {
  numbers a{}, b{};
  its.races_on(a);
  numbers& to = its.racy ? a : b;
  tine::par_for(std::size_t{1}, n, [&](std::size_t i) { to[i] = (a[i - 1] + a[i] + a[i + 1]) / 3; });
  keep(to);
}

// Iterations that write elements i % k meet those of i + k.
RACE_CASE(modulo_stride) {
  std::array<int, n> a{};
  const std::size_t stride = its.racy ? n / 2 : n;
  its.races_in(a.data(), stride * sizeof(int));
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[i % stride] += 1; });
  keep(a);
}

// Even elements are written, odd ones are read.
RACE_CASE(even_and_odd_elements) {
  numbers a{};
  its.races_on(a);
  tine::par_for(std::size_t{0}, n / 2, [&](std::size_t i) { a[2 * i] = a[2 * i + (its.racy ? 2 : 1)]; });
  keep(a);
}

RACE_CASE(reversed_copy_in_place) {
  numbers a{};
  its.races_in(a.data(), n * sizeof(double));
  tine::par_for(std::size_t{0}, its.racy ? n : n / 2, [&](std::size_t i) {
    const double kept = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = kept;
  });
  keep(a);
}

RACE_CASE(indirect_writes) {
  std::array<int, n> a{};
  std::vector<std::size_t> at(n);
  for (std::size_t i = 0; i < n; ++i) at[i] = (i * 37) % n;  // a permutation
  if (its.racy) at[70] = at[3];
  its.races_on(a[at[3]]);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[at[i]] = static_cast<int>(i); });
  keep(a);
}

RACE_CASE(indirect_reads_and_direct_writes) {
  std::array<int, n> a{};
  std::vector<std::size_t> from(n);
  for (std::size_t i = 0; i < n; ++i) from[i] = i;
  if (its.racy) from[20] = 60;
  its.races_on(a[60]);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[i] = a[from[i]] + 1; });
  keep(a);
}

// Two loops in series, each with its own iterations.
CLEAN_CASE(loops_in_series) {
  numbers a{};
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[i] = 1; });
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[n - 1 - i] += 1; });
  keep(a);
}

// Two loops in two branches are not in series.
RACE_CASE(loops_in_two_branches) {
  numbers a{}, b{};
  its.races_in(a.data(), n * sizeof(double));
  numbers& second = its.racy ? a : b;
  tine::par([&] { tine::par_for(std::size_t{0}, n, [&](std::size_t i) { a[i] = 1; }); },
            [&] { tine::par_for(std::size_t{0}, n, [&](std::size_t i) { second[i] += 1; }); });
  keep(a);
}

constexpr std::size_t side = 12;
using square = std::array<std::array<int, side>, side>;

RACE_CASE(nested_loops_ignore_the_outer_index) {
  square a{};
  its.races_on(a);
  tine::par_for(std::size_t{0}, side, [&](std::size_t i) {
    tine::par_for(std::size_t{0}, side, [&](std::size_t j) { a[its.racy ? 0 : i][j] = 1; });
  });
  keep(a);
}

RACE_CASE(nested_loops_ignore_the_inner_index) {
  square a{};
  its.races_on(a);
  tine::par_for(std::size_t{0}, side, [&](std::size_t i) {
    tine::par_for(std::size_t{0}, side, [&](std::size_t j) { a[i][its.racy ? 0 : j] = 1; });
  });
  keep(a);
}

// The inner loop is serial; only the outer index separates the strands.
RACE_CASE(serial_inner_loop_carries_over_rows) {
  square a{};
  its.races_on(a);
  tine::par_for(std::size_t{1}, side, [&](std::size_t i) {
    for (std::size_t j = 1; j < side; ++j) a[i][j] = a[its.racy ? i - 1 : i][j - 1] + 1;
  });
  keep(a);
}

// A loop over pairs of indices, as by OpenMP's `collapse`.
RACE_CASE(collapsed_loops) {
  square a{};
  its.races_on(a);
  tine::par_for(std::size_t{0}, side * side, [&](std::size_t k) {
    const std::size_t i = k / side, j = k % side;
    a[i][j] = 1;
    if (its.racy && j + 1 < side) a[i][j] += a[i][j + 1];
  });
  keep(a);
}

RACE_CASE(triangular_loops) {
  square a{};
  its.races_on(a);
  tine::par_for(std::size_t{0}, side, [&](std::size_t i) {
    tine::par_for(std::size_t{0}, i, [&](std::size_t j) {
      a[i][j] = 1;
      a[its.racy ? 0 : j][i] = 1;
    });
  });
  keep(a);
}

RACE_CASE(fork_inside_loop_inside_fork) {
  std::array<int, n> a{};
  int x = 0;
  its.races_on(x);
  tine::par(
      [&] {
        tine::par_for(std::size_t{0}, n, [&](std::size_t i) {
          tine::par([&] { a[i] = 1; },
                    [&] {
                      if (its.racy && i == n / 2) x = 1;
                    });
        });
      },
      [&] { x = 2; });
  keep(x);
  keep(a);
}

// Branches of the same iteration share the iteration's variables.
RACE_CASE(variable_of_one_iteration_is_shared_by_its_branches) {
  std::array<int, 4> sums{};
  int where = 0;
  (void)where;
  tine::par_for(std::size_t{0}, std::size_t{4}, [&](std::size_t i) {
    int x = 0, y = 0;
    if (i == 2) its.races_on(x);  // one iteration alone declares, and races
    tine::par([&] { x += 1; }, [&] { (its.racy && i == 2 ? x : y) += 1; });
    sums[i] = x + y;
  });
  keep(sums);
}

RACE_CASE(loop_of_one_iteration) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par([&] { tine::par_for(0, 1, [&](int) { ++x; }); },
            [&] { tine::par_for(0, 1, [&](int) { ++(its.racy ? x : y); }); });
  tine::par_for(0, 1, [&](int) { ++x; });
  keep(x);
}

CLEAN_CASE(empty_loops) {
  int x = 0;
  tine::par_for(0, 0, [&](int) { ++x; });
  tine::par_for(5, -5, [&](int) { ++x; });
  tine::par([&] { tine::par_for(0, 0, [&](int) { ++x; }); }, [&] { ++x; });
  keep(x);
}

RACE_CASE(loop_of_two_iterations) {
  int x[2]{};
  its.races_on(x[0]);
  tine::par_for(0, 2, [&](int i) { ++x[its.racy ? 0 : i]; });
  keep(x);
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

// The iterations before and after a loop are in series with it.
CLEAN_CASE(phases_in_a_serial_loop) {
  numbers a{}, b{};
  for (int phase = 0; phase < 5; ++phase) {
    tine::par_for(std::size_t{1}, n, [&](std::size_t i) { b[i] = a[i - 1] + a[i + 1]; });
    tine::par_for(std::size_t{1}, n, [&](std::size_t i) { a[i] = b[i]; });
  }
  keep(a);
}

// As above, but the phases are branches of one fork.
RACE_CASE(phases_without_a_join) {
  numbers a{}, b{}, c{};
  its.races_on(b);
  tine::par([&] { tine::par_for(std::size_t{1}, n, [&](std::size_t i) { b[i] = a[i - 1]; }); },
            [&] { tine::par_for(std::size_t{1}, n, [&](std::size_t i) { c[i] = (its.racy ? b : a)[i]; }); });
  keep(c);
}

// Work that one strand of many does, as by OpenMP's `single`: without a join behind it, others read too early.
RACE_CASE(one_iteration_initialises) {
  int value = 0;
  std::array<int, n> seen{};
  its.races_on(value);
  if (!its.racy) value = 42;
  keep(value);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) {
    if (its.racy && i == 0) value = 42;
    seen[i] = value;
  });
  keep(seen);
}

}  // namespace
