// Random nests of loops, reductions and forks, each compared with its serial elision: every iteration runs once,
// results are combined in order (by a combine that is associative and not commutative), the first exception in order
// arrives, and no object is left alive. The cost of an iteration is between nothing and tens of microseconds and
// changes within a loop, so that the chunk sizes are wrong again and again.
//
// Long form: 10^5 nests at 1, 2, 8 and 32 workers each.
#include "command.hpp"
#include "settings.hpp"

#include <tine/detail/base/macros.hpp>

#include <atomic>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <utility>

namespace {

using namespace tine::stress;

constexpr auto relaxed = std::memory_order_relaxed;  // counters, which are read when all is joined

struct census {
  std::atomic<long> alive{0}, begun{0}, ended{0}, iterations{0};
} counts;

/// x -> a * x + b: composition is associative and not commutative.
struct affine {
  std::uint64_t a = 1, b = 0;
  friend bool operator==(const affine&, const affine&) = default;
  friend affine operator*(const affine& first, const affine& then) {
    return {first.a * then.a, first.b * then.a + then.b};
  }
};

/// An affine function on the heap that counts its live objects.
class owned {
 public:
  explicit owned(affine v) : value_{std::make_unique<affine>(v)} { counts.alive.fetch_add(1, relaxed); }
  owned(const owned& other) : owned{*other.value_} {}
  owned(owned&& other) noexcept : value_{std::move(other.value_)} { counts.alive.fetch_add(1, relaxed); }
  owned& operator=(owned&& other) noexcept = default;
  owned& operator=(const owned&) = delete;
  ~owned() { counts.alive.fetch_sub(1, relaxed); }
  const affine& operator*() const { return *value_; }

 private:
  std::unique_ptr<affine> value_;
};

struct error {
  std::uint64_t number;
};

struct visit {
  visit() { counts.begun.fetch_add(1, relaxed); }
  ~visit() { counts.ended.fetch_add(1, relaxed); }
};

struct shape {
  int depth;
  int rarity;  ///< one leaf in 2^rarity throws
};

[[gnu::noinline]] void spend(std::uint64_t steps) {
  volatile double x = 1;
  for (std::uint64_t i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
}

/// Spends a time that changes within a loop: nothing at first and much later, the other way round, or much once in a
/// while.
void spend_time(std::uint64_t h, std::uint64_t i, std::uint64_t n) {
  switch (h >> 60) {
    case 0:
      return spend(i < n / 2 ? 0 : 300);
    case 1:
      return spend(i < n / 2 ? 300 : 0);
    case 2:
      return spend(mix(h + i) % 97 == 0 ? 20'000 : 1);
    case 3:
      return spend(i);
    default:
      return;
  }
}

affine leaf(std::uint64_t h, std::uint64_t i, std::uint64_t n, shape s) {
  const visit v;
  counts.iterations.fetch_add(1, relaxed);
  spend_time(h, i, n);
  const std::uint64_t x = mix(h + i * 0x9e37);
  if ((x & ((std::uint64_t{1} << s.rarity) - 1)) == 0) throw error{x};
  return {x | 1, x >> 7};
}

template <bool Parallel>
affine nest(std::uint64_t seed, int depth, shape s);

template <bool Parallel>
affine iteration(std::uint64_t h, std::uint64_t i, std::uint64_t n, int depth, shape s) {
  if (depth == 0 || mix(h ^ i) % 4 != 0) return leaf(h, i, n, s);
  return nest<Parallel>(h + i * 31, depth - 1, s);
}

/// Writes the values of all iterations to an array, and combines them afterwards.
template <bool Parallel>
affine into_array(std::uint64_t h, std::uint64_t n, int depth, shape s) {
  const auto found = std::make_unique<affine[]>(n);
  const auto body = [&, found = found.get()](std::uint64_t i) { found[i] = iteration<Parallel>(h, i, n, depth, s); };
  if constexpr (Parallel) {
    tine::par_for(std::uint64_t{0}, n, body);
  } else {
    for (std::uint64_t i = 0; i < n; ++i) body(i);
  }
  affine all;
  for (std::uint64_t i = 0; i < n; ++i) all = all * found[i];
  return all;
}

template <bool Parallel, class Value>
affine reduced(std::uint64_t h, std::uint64_t n, int depth, shape s) {
  const auto map = [=](std::uint64_t i) { return Value{iteration<Parallel>(h, i, n, depth, s)}; };
  const auto combine = [](const Value& a, const Value& b) {
    if constexpr (std::is_same_v<Value, affine>) {
      return a * b;
    } else {
      return Value{*a * *b};
    }
  };
  const auto value_of = [](const Value& v) {
    if constexpr (std::is_same_v<Value, affine>) {
      return v;
    } else {
      return *v;
    }
  };
  if constexpr (Parallel) {
    return value_of(tine::par_reduce(std::uint64_t{0}, n, Value{affine{}}, map, combine));
  } else {
    Value all{affine{}};
    for (std::uint64_t i = 0; i < n; ++i) all = combine(all, map(i));
    return value_of(all);
  }
}

template <bool Parallel>
affine forked(std::uint64_t h, int depth, shape s) {
  const auto f = [=] { return nest<Parallel>(h * 3 + 1, depth - 1, s); };
  const auto g = [=] { return nest<Parallel>(h * 5 + 2, depth - 1, s); };
  if constexpr (Parallel) {
    return tine::par(f, g, [](const affine& a, const affine& b) { return a * b; });
  } else {
    const affine a = f();
    return a * g();
  }
}

std::uint64_t length(std::uint64_t h) {
  switch (h % 8) {
    case 0:
      return h >> 8 & 3;
    case 1:
      return h >> 8 & 511;
    default:
      return h >> 8 & 15;
  }
}

template <bool Parallel>
[[gnu::noinline]] affine nest(std::uint64_t seed, int depth, shape s) {
  const visit v;
  const std::uint64_t h = mix(seed);
  const std::uint64_t n = length(mix(h));
  switch (h % 4) {
    case 0:
      return into_array<Parallel>(h, n, depth, s);
    case 1:
      return reduced<Parallel, affine>(h, n, depth, s);
    case 2:
      return reduced<Parallel, owned>(h, n, depth, s);
    default:
      return depth == 0 ? leaf(h, 0, 1, s) : forked<Parallel>(h, depth, s);
  }
}

/// Returns the value and 0, or the number of the exception.
template <bool Parallel>
std::pair<affine, std::uint64_t> outcome(std::uint64_t seed, shape s) {
  try {
    return {nest<Parallel>(seed, s.depth, s), 0};
  } catch (const error& e) {
    return {{}, e.number};
  }
}

void compare(tine::pool& p, std::uint64_t seed, const char* setting) {
  const shape s{1 + static_cast<int>(mix(seed) % 3),
                mix(seed + 1) % 2 == 0 ? 60 : 4 + static_cast<int>(mix(seed + 2) % 10)};
  const auto expected = outcome<false>(mix(seed * 77), s);
  const auto found = p.run([=] { return outcome<true>(mix(seed * 77), s); });
  const auto number = static_cast<unsigned long long>(seed);
  if (found != expected) {
    fail("%s, seed %llu: %llx,%llx or exception %llx instead of %llx,%llx or %llx", setting, number,
         static_cast<unsigned long long>(found.first.a), static_cast<unsigned long long>(found.first.b),
         static_cast<unsigned long long>(found.second), static_cast<unsigned long long>(expected.first.a),
         static_cast<unsigned long long>(expected.first.b), static_cast<unsigned long long>(expected.second));
  }
  if (counts.begun.load() != counts.ended.load() || counts.alive.load() != 0) {
    fail("%s, seed %llu: %ld begun, %ld ended, %ld results left", setting, number, counts.begun.load(),
         counts.ended.load(), counts.alive.load());
  }
}

void try_workers(unsigned workers, const command& c, watchdog& dog) {
  constexpr bool slow = TINE_ASAN != 0 || TINE_TSAN != 0;
  const long enough = c.is_long ? 100'000 : slow ? 160 : 800;
  counts.iterations.store(0);
  const long nests = play(
      workers, c, dog, c.is_long ? 200 : 20, [&](long played) { return played < enough; },
      [](tine::pool& p, std::uint64_t seed, const char* name, int) { compare(p, seed, name); });
  std::printf("%u workers: %ld nests, %ld iterations, all as in serial\n", workers, nests, counts.iterations.load());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  watchdog dog{"loops"};
  if (c.workers != 0) {
    try_workers(c.workers, c, dog);
  } else {
    for (const unsigned workers : {1U, 2U, 8U, 32U}) try_workers(workers, c, dog);
  }
  return 0;
}
