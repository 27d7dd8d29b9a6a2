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

struct serial_four {
  template <class F1, class F2, class F3, class F4>
  [[gnu::always_inline]] void operator()(const F1& f1, const F2& f2, const F3& f3, const F4& f4) const {
    f1();
    f2();
    f3();
    f4();
  }
};

/// Two pairs of branches.
struct managed_four {
  template <class F1, class F2, class F3, class F4>
  [[gnu::always_inline]] void operator()(const F1& f1, const F2& f2, const F3& f3, const F4& f4) const {
    tine::par([&] { tine::par(f1, f2); }, [&] { tine::par(f3, f4); });
  }
};

void serial(problem& p) { solve<serial_four>(p); }
void managed(problem& p) { solve<managed_four>(p); }

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

void coro(problem& p) { tine::run(coro_multiply, p.a.all(), p.b.all(), p.c.all(), p.n); }

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

std::string problem::mistake() const {
  // |C·x| <= 64·n·n·2^20 < 2^53 for n <= 8192.
  std::mt19937_64 random{2};
  std::uniform_int_distribution<int> element{0, (1 << 20) - 1};
  for (int round = 0; round < 2; ++round) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& e : x) e = element(random);
    if (times(c, x) != times(a, times(b, x))) return format("C is not the product of A and B (n = {})", n);
  }
  return "";
}

double problem::answer() const {
  double total = 0;
  for (double e : times(c, std::vector<double>(static_cast<std::size_t>(n), 1.0))) total += e;
  return total;
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    const auto is_power = [](int n) { return std::has_single_bit(static_cast<unsigned>(n)); };
    o.number_of_kind("--n", p.n, {leaf_size, largest_n}, "power of two", is_power, "Rows and columns, a power of two");
  };
  program it{
      .name = "matmul",
      .description = "Multiplies two square matrices of doubles by recursion on quadrants.",
      .add_options = add_options,
  };
  return completed<problem>(std::move(it), p,
                            {{"serial", runtime_kind::serial, serial},
                             {"managed", runtime_kind::tine, managed},
                             {"coro", runtime_kind::tine_tasks, coro},
                             {"tbb", runtime_kind::tbb, tbb},
                             {"openmp", runtime_kind::openmp, openmp}});
}

}  // namespace bench
