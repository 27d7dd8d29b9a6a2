// matmul: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/program.hpp"

#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <bit>
#include <random>
#include <vector>

namespace bench {
namespace {

// Without forks.

/// Adds the product of a and b, of size n, to c.
[[gnu::noinline]] void serial_multiply(view a, view b, view c, int n) {
  if (n == leaf_size) return multiply_leaf(a, b, c);
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
  serial_multiply(A.q11, B.q11, C.q11, half);
  serial_multiply(A.q11, B.q12, C.q12, half);
  serial_multiply(A.q21, B.q11, C.q21, half);
  serial_multiply(A.q21, B.q12, C.q22, half);

  serial_multiply(A.q12, B.q21, C.q11, half);
  serial_multiply(A.q12, B.q22, C.q12, half);
  serial_multiply(A.q22, B.q21, C.q21, half);
  serial_multiply(A.q22, B.q22, C.q22, half);
}

void serial(const problem& p) { serial_multiply(p.a.all(), p.b.all(), p.c.all(), p.n); }

// On tine: the four quadrants of C in parallel, first one half of their sums, then the other.

/// Runs four branches in parallel as two pairs.
template <class F1, class F2, class F3, class F4>
void par4(F1 f1, F2 f2, F3 f3, F4 f4) {
  tine::par([&] { tine::par(f1, f2); }, [&] { tine::par(f3, f4); });
}

/// Adds the product of a and b, of size n, to c.
[[gnu::noinline]] void managed_multiply(view a, view b, view c, int n) {
  if (n == leaf_size) return multiply_leaf(a, b, c);
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
  par4([&] { managed_multiply(A.q11, B.q11, C.q11, half); }, [&] { managed_multiply(A.q11, B.q12, C.q12, half); },
       [&] { managed_multiply(A.q21, B.q11, C.q21, half); }, [&] { managed_multiply(A.q21, B.q12, C.q22, half); });
  par4([&] { managed_multiply(A.q12, B.q21, C.q11, half); }, [&] { managed_multiply(A.q12, B.q22, C.q12, half); },
       [&] { managed_multiply(A.q22, B.q21, C.q21, half); }, [&] { managed_multiply(A.q22, B.q22, C.q22, half); });
}

void managed(const problem& p) { managed_multiply(p.a.all(), p.b.all(), p.c.all(), p.n); }

// On tine's coroutines: the four quadrants of C in parallel, first one half of their sums, then the other.

/// Adds the product of a and b, of size n, to c.
tine::task<void> coro_multiply(view a, view b, view c, int n) {
  if (n == leaf_size) {
    multiply_leaf(a, b, c);
    co_return;
  }
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
  co_await tine::fork(coro_multiply, A.q11, B.q11, C.q11, half);
  co_await tine::fork(coro_multiply, A.q11, B.q12, C.q12, half);
  co_await tine::fork(coro_multiply, A.q21, B.q11, C.q21, half);
  co_await tine::call(coro_multiply, A.q21, B.q12, C.q22, half);
  co_await tine::join;

  co_await tine::fork(coro_multiply, A.q12, B.q21, C.q11, half);
  co_await tine::fork(coro_multiply, A.q12, B.q22, C.q12, half);
  co_await tine::fork(coro_multiply, A.q22, B.q21, C.q21, half);
  co_await tine::call(coro_multiply, A.q22, B.q22, C.q22, half);
  co_await tine::join;
}

void coro(const problem& p) { tine::run(coro_multiply, p.a.all(), p.b.all(), p.c.all(), p.n); }

/// Returns m·x. Every step is exact; see the class's comment.
std::vector<double> times(const matrix& m, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (int i = 0; i < m.size(); ++i)
    for (int j = 0; j < m.size(); ++j)
      y[static_cast<std::size_t>(i)] += m.all().row(i)[j] * x[static_cast<std::size_t>(j)];
  return y;
}

void fill_with_small_integers(matrix& m, std::mt19937_64& random) {
  std::uniform_int_distribution<int> element{-8, 8};
  for (int i = 0; i < m.size(); ++i)
    for (int j = 0; j < m.size(); ++j) m.all().row(i)[j] = element(random);
}

}  // namespace

void problem::reset() {
  if (a.size() != n) {
    a = matrix{n};
    b = matrix{n};
    c = matrix{n};
    std::mt19937_64 random{1};  // a fixed seed: the same product in every process
    fill_with_small_integers(a, random);
    fill_with_small_integers(b, random);
  }
  c.fill(0);
}

bool problem::product_is_right() const {
  // |C·x| <= 64·n·n·2^20 < 2^53 for n <= 8192.
  std::mt19937_64 random{2};
  std::uniform_int_distribution<int> element{0, (1 << 20) - 1};
  for (int round = 0; round < 2; ++round) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& e : x) e = element(random);
    if (times(c, x) != times(a, times(b, x))) return false;
  }
  return true;
}

double problem::sum() const {
  double total = 0;
  for (double e : times(c, std::vector<double>(static_cast<std::size_t>(n), 1.0))) total += e;
  return total;
}

program describe_program() {
  static problem p;
  const auto by = [](std::string name, runtime_kind runtime, void (*multiply)(const problem&)) -> variant {
    return {std::move(name), runtime, [multiply] { multiply(p); }};
  };
  return {
      .name = "matmul",
      .description = "Multiplies two square matrices of doubles by recursion on quadrants.",
      .add_options =
          [](options& o) {
            const auto is_power = [](int n) { return std::has_single_bit(static_cast<unsigned>(n)); };
            o.number_of_kind("--n", p.n, {leaf_size, largest_n}, "power of two", is_power,
                             "Rows and columns, a power of two");
          },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = {by("serial", runtime_kind::serial, serial), by("managed", runtime_kind::tine, managed),
                   by("coro", runtime_kind::tine_tasks, coro), by("tbb", runtime_kind::tbb, tbb),
                   by("openmp", runtime_kind::openmp, openmp)},
      .examine = []() -> finding {
        if (p.product_is_right()) return {p.sum(), ""};
        return {p.sum(), format("C is not the product of A and B (n = {})", p.n)};
      },
  };
}

}  // namespace bench
