// Reproducible reductions of random length, in random schedules: sums of floating-point numbers have the bits of an
// oracle, which computes the same grouping by recursion over the numbers of the items. Some of the loops have costly
// iterations, some are nested.
//
// Long form: 250,000 reductions at 1, 2, 8 and 32 workers each.
#include "command.hpp"
#include "settings.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/managed/reproducible.hpp>

#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace {

using namespace tine::stress;

/// Returns a number of any size up to 2^40, positive or negative.
double number(std::uint64_t h) {
  const double fraction = static_cast<double>(mix(h) >> 11) * 0x1p-53;
  const double scale = static_cast<double>(std::uint64_t{1} << (mix(h + 1) % 41));
  return (h & 1) != 0 ? -fraction * scale : fraction * scale;
}

/// Spends some time in one of a thousand iterations of some loops.
double costly(std::uint64_t h, std::uint64_t i) {
  volatile double x = 1;
  if (h % 3 == 0 && mix(h + i) % 1000 == 0) {
    for (int k = 0; k < 2000; ++k) x = x * 1.0000001;
  }
  return number(h * 1'000'003 + i);
}

/// The sum of the 2^level items from `first` on: that of its two halves.
double segment(std::uint64_t h, std::uint64_t first, unsigned level) {
  if (level == 0) return number(h * 1'000'003 + first);
  const std::uint64_t half = std::uint64_t{1} << (level - 1);
  return segment(h, first, level - 1) + segment(h, first + half, level - 1);
}

/// The sum of `n` items: that of the longest segments, from the first on.
double expected(std::uint64_t h, std::uint64_t n) {
  double sum = 0;
  bool is_first = true;
  for (std::uint64_t at = 0; at != n;) {
    unsigned level = 0;
    while ((std::uint64_t{2} << level) <= n - at) ++level;
    const double next = segment(h, at, level);
    sum = is_first ? next : sum + next;
    is_first = false;
    at += std::uint64_t{1} << level;
  }
  return 0.0 + sum;
}

double found(std::uint64_t h, std::uint64_t n) {
  return tine::par_reduce(
      tine::reproducible, std::uint64_t{0}, n, 0.0, [h](std::uint64_t i) { return costly(h, i); }, std::plus<>{});
}

std::uint64_t length(std::uint64_t h) {
  switch (h % 16) {
    case 0:
      return mix(h) % 50'000;
    case 1:
    case 2:
    case 3:
      return mix(h) % 2'000;
    default:
      return mix(h) % 100;
  }
}

bool differ(double a, double b) { return std::memcmp(&a, &b, sizeof a) != 0; }

void compare(tine::pool& p, std::uint64_t seed, const char* setting) {
  const std::uint64_t h = mix(seed), n = length(h);
  const double right = expected(h, n);
  // Two of them at once, in branches that steal from each other.
  const auto [first, second] =
      p.run([=] { return tine::par([=] { return found(h, n); }, [=] { return found(h, n); }); });
  if (differ(first, right) || differ(second, right)) {
    fail("%s, seed %llu: the sum of %llu numbers is %a and %a instead of %a", setting,
         static_cast<unsigned long long>(seed), static_cast<unsigned long long>(n), first, second, right);
  }
}

void try_workers(unsigned workers, const command& c, watchdog& dog) {
  constexpr bool slow = TINE_ASAN != 0 || TINE_TSAN != 0;
  const long enough = c.is_long ? 125'000 : slow ? 400 : 4'000;
  const long pairs = play(
      workers, c, dog, c.is_long ? 1000 : 100, [&](long played) { return played < enough; },
      [](tine::pool& p, std::uint64_t seed, const char* name, int) { compare(p, seed, name); });
  std::printf("%u workers: %ld reductions, all with the bits of the oracle\n", workers, 2 * pairs);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  watchdog dog{"reductions"};
  if (c.workers != 0) {
    try_workers(c.workers, c, dog);
  } else {
    for (const unsigned workers : {1U, 2U, 8U, 32U}) try_workers(workers, c, dog);
  }
  return 0;
}
