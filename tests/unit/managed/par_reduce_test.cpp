// par_reduce combines results in the order of the iterations, whatever is promoted and when. Exceptions follow that
// order, too.
#include <tine/tine.hpp>

#include <tine/base/ticks.hpp>

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using tine::par_for;
using tine::par_reduce;
using tine::pool;
using tine::promotion;

/// 2 by 2 matrices of integers modulo 2^32: their product is associative and not commutative.
struct matrix {
  std::uint32_t a = 1, b = 0, c = 0, d = 1;
  friend bool operator==(const matrix&, const matrix&) = default;
  friend matrix operator*(const matrix& x, const matrix& y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};

matrix nth(int i) {
  const auto n = static_cast<std::uint32_t>(i);
  return {n, n * 7 + 1, n ^ 5U, 3 * n + 2};
}

std::string text_of(int i) { return std::to_string(i) + ","; }

std::string serial_text(int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text_of(i);
  return all;
}

matrix serial_product(int n) {
  matrix all;
  for (int i = 0; i < n; ++i) all = all * nth(i);
  return all;
}

/// Polls for a while in some iterations, so that a worker serves the request of an idle worker, and promotes, in the
/// middle of one.
void disturb(std::uint64_t seed, int i) {
  const std::uint64_t h = (seed + static_cast<std::uint64_t>(i)) * 0x9e3779b97f4a7c15U;
  if (h >> 56 != 0) return;
  const tine::base::ticks begun = tine::base::now();
  while (tine::base::now() - begun < (h & 0xffff)) tine::poll();
}

std::vector<tine::options> every_pool() {
  std::vector<tine::options> all;
  for (const unsigned workers : {1U, 2U, 3U, 8U}) {
    for (const auto policy : {promotion::on_demand(1, 30), promotion::heartbeat(50, 4), promotion::eager()}) {
      all.push_back({.workers = workers, .promote = policy});
    }
  }
  return all;
}

TEST_CASE("combines that are not commutative keep their order in every schedule") {
  constexpr int n = 2000;
  const std::string text = serial_text(n);
  const matrix product = serial_product(n);
  for (const tine::options& o : every_pool()) {
    pool p{o};
    p.run([&] {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const auto word = [&](int i) {
          disturb(seed, i);
          return text_of(i);
        };
        const auto factor = [&](int i) {
          disturb(seed + 99, i);
          return nth(i);
        };
        REQUIRE(par_reduce(0, n, std::string{}, word, std::plus<>{}) == text);
        REQUIRE(par_reduce(0, n, matrix{}, factor, std::multiplies<>{}) == product);
      }
    });
  }
}

TEST_CASE("nested reductions") {
  pool p{{.workers = 3, .promote = promotion::eager()}};
  const auto row = [](int i) {
    return par_reduce(0, i, std::string{"("}, text_of, [](std::string a, const std::string& b) {
      return b.starts_with('(') ? std::move(a) + b.substr(1) : std::move(a) + b;
    });
  };
  std::string right;
  for (int i = 0; i < 60; ++i) right += "(" + serial_text(i);
  CHECK(p.run([&] { return par_reduce(0, 60, std::string{}, row, std::plus<>{}); }) == right);
}

TEST_CASE("the result has the type that combine returns") {
  const auto halves = par_reduce(0, 10, 0, [](int i) { return i / 2.0; }, std::plus<>{});
  static_assert(std::is_same_v<decltype(halves), const double>);
  CHECK(halves == 22.5);
  const auto bytes = std::vector<std::uint8_t>(1000, 200);
  CHECK(par_reduce(bytes, 0L, [](std::uint8_t b) { return b; }, std::plus<>{}) == 200'000);
  CHECK(par_reduce(bytes.begin(), bytes.end(), 0L, [](std::uint8_t b) { return b; }, std::plus<>{}) == 200'000);
}

TEST_CASE("a loop without iterations returns the identity") {
  CHECK(par_reduce(3, 3, 42, [](int i) { return i; }, std::plus<>{}) == 42);
  CHECK(par_reduce(3, 1, std::string{"none"}, text_of, std::plus<>{}) == "none");
}

struct alignas(64) wide {
  std::array<long, 32> sums{};
};

TEST_CASE("results that are too large or too strictly aligned for a promoted subrange") {
  for (const tine::options& o : every_pool()) {
    pool p{o};
    const wide all = p.run([] {
      return par_reduce(
          0, 3000, wide{},
          [](int i) {
            wide w;
            w.sums[static_cast<std::size_t>(i % 32)] = i;
            return w;
          },
          [](wide a, const wide& b) {
            REQUIRE(reinterpret_cast<std::uintptr_t>(&b) % 64 == 0);
            for (std::size_t k = 0; k < 32; ++k) a.sums[k] += b.sums[k];
            return a;
          });
    });
    long sum = 0;
    for (const long s : all.sums) sum += s;
    CHECK(sum == 3000L * 2999 / 2);
  }
}

// --- exceptions -----------------------------------------------------------------------------------------------------

struct failure : std::runtime_error {
  explicit failure(int i) : std::runtime_error{"iteration " + std::to_string(i)}, iteration{i} {}
  int iteration;
};

/// Returns the iteration whose failure `f` throws, or -1.
template <class F>
int failed_in(F f) {
  try {
    f();
  } catch (const failure& e) {
    return e.iteration;
  }
  return -1;
}

TEST_CASE("the first exception in the order of the iterations wins, and everything begun has ended") {
  for (const tine::options& o : every_pool()) {
    CAPTURE(o.workers);
    pool p{o};
    p.run([&] {
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        std::atomic<int> begun{0}, ended{0};
        const int first = static_cast<int>(seed * 37 % 1500);
        const int got = failed_in([&] {
          par_for(0, 1500, [&](int i) {
            begun.fetch_add(1);
            disturb(seed, i);
            ended.fetch_add(1);
            if (i >= first && (i - first) % 5 == 0) throw failure{i};
          });
        });
        REQUIRE(got == first);
        REQUIRE(begun.load() == ended.load());
        REQUIRE(begun.load() > first);
      }
    });
  }
}

/// A result that counts how many results are alive.
class counted {
 public:
  static inline std::atomic<int> alive{0};
  explicit counted(int v) : value{v} { alive.fetch_add(1); }
  counted(const counted& other) : value{other.value} { alive.fetch_add(1); }
  counted(counted&& other) noexcept : value{other.value} { alive.fetch_add(1); }
  counted& operator=(const counted&) = default;
  ~counted() { alive.fetch_sub(1); }
  int value;
};

TEST_CASE("results of subranges that are not needed any more are destroyed") {
  for (const tine::options& o : every_pool()) {
    pool p{o};
    p.run([&] {
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const int bad = static_cast<int>(seed * 53 % 1000);
        const int got = failed_in([&] {
          par_reduce(
              0, 1000, counted{0},
              [&](int i) {
                disturb(seed, i);
                if (i == bad && seed % 2 == 0) throw failure{i};
                return counted{i};
              },
              [&](counted a, const counted& b) {
                if (b.value == bad && seed % 2 == 1) throw failure{bad};
                return counted{a.value > b.value ? a.value : b.value};
              });
        });
        REQUIRE(got == bad);
        REQUIRE(counted::alive.load() == 0);
      }
    });
  }
}

TEST_CASE("an exception out of a loop inside a loop") {
  for (const tine::options& o : every_pool()) {
    pool p{o};
    p.run([&] {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const int got = failed_in([&] {
          par_for(0, 30, [&](int i) {
            par_for(0, 30, [&](int j) {
              disturb(seed, i * 30 + j);
              if (i * 30 + j >= 400) throw failure{i * 30 + j};
            });
          });
        });
        REQUIRE(got == 400);
      }
    });
  }
}

TEST_CASE("an exception out of a loop inside a fork that was not stolen") {
  pool p{{.workers = 1}};
  p.run([] {
    const int got = failed_in([] {
      tine::par(
          [] {
            par_for(0, 100'000, [](int i) {
              if (i == 500) throw failure{i};
            });
          },
          [] { FAIL("never begun"); });
    });
    CHECK(got == 500);
  });
}

TEST_CASE("an exception outside every pool") {
  CHECK(failed_in([] {
          par_for(0, 100'000, [](int i) {
            if (i == 777) throw failure{i};
          });
        }) == 777);
}

}  // namespace
