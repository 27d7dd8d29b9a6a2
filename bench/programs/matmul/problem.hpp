// C = A·B for square matrices by recursion on quadrants: few forks, much memory traffic.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

namespace bench {

// Square matrices of doubles, and views of the parts that a recursion works on.

/// Bytes in a cache line; every row starts on one.
constexpr std::size_t line = 64;

/// A rectangle inside a row-major matrix; its rows are `stride` elements apart. Does not own the elements.
struct view {
  double* first;
  std::ptrdiff_t stride;

  view at(int row, int column) const { return {first + row * stride + column, stride}; }
  double* row(int i) const { return first + i * stride; }
};

/// A square matrix whose rows are a cache line longer than they need to be. Without that line the rows of a matrix of
/// 1024 columns would all start in the same few sets of the cache, and a block of 64 rows would evict itself.
class matrix {
 public:
  explicit matrix(int n)
      : n_{n},
        stride_{n + static_cast<std::ptrdiff_t>(line / sizeof(double))},
        elements_{static_cast<double*>(std::aligned_alloc(line, bytes()))} {
    if (elements_ == nullptr) throw std::bad_alloc{};
    fill(0);
  }

  int size() const { return n_; }
  view all() const { return {elements_.get(), stride_}; }
  void fill(double x) {
    for (std::ptrdiff_t i = 0; i < n_ * stride_; ++i) elements_[static_cast<std::size_t>(i)] = x;
  }

 private:
  struct free_elements {
    void operator()(double* p) const { std::free(p); }
  };

  std::size_t bytes() const { return static_cast<std::size_t>(n_ * stride_) * sizeof(double); }

  int n_;
  std::ptrdiff_t stride_;
  std::unique_ptr<double[], free_elements> elements_;
};

// The product of two small blocks: the kernel of all variants.

/// Blocks of this size are multiplied without further cuts: three of them fit into the first two caches, and one
/// product takes about ten microseconds.
constexpr int leaf_size = 64;

/// Four doubles in a vector register. `lanes[]` may alias the matrices' elements.
using lanes [[gnu::vector_size(32), gnu::may_alias]] = double;

constexpr int tile_rows = 4;
constexpr int tile_lanes = 2;
constexpr int tile_columns = tile_lanes * static_cast<int>(sizeof(lanes) / sizeof(double));

/// Adds the product of `tile_rows` rows of a and `tile_columns` columns of b to the tile c. The tile stays in eight
/// vector registers, because two multiply-add units with a latency of four cycles need eight independent sums.
[[gnu::always_inline]] inline void multiply_tile(view a, view b, view c) {
  lanes sums[tile_rows][tile_lanes];
  for (int i = 0; i < tile_rows; ++i)
    for (int j = 0; j < tile_lanes; ++j) sums[i][j] = reinterpret_cast<lanes*>(c.row(i))[j];
  for (int k = 0; k < leaf_size; ++k) {
    const lanes* b_row = reinterpret_cast<const lanes*>(b.row(k));
    for (int i = 0; i < tile_rows; ++i)
      for (int j = 0; j < tile_lanes; ++j) sums[i][j] += a.row(i)[k] * b_row[j];
  }
  for (int i = 0; i < tile_rows; ++i)
    for (int j = 0; j < tile_lanes; ++j) reinterpret_cast<lanes*>(c.row(i))[j] = sums[i][j];
}

/// Adds the product of the blocks a and b to c, all of `leaf_size`. Out of line, so that all variants run the same
/// machine code.
[[gnu::noinline]] inline void multiply_leaf(view a, view b, view c) {
  for (int j = 0; j < leaf_size; j += tile_columns)
    for (int i = 0; i < leaf_size; i += tile_rows) multiply_tile(a.at(i, 0), b.at(0, j), c.at(i, j));
}

constexpr int default_n = 2048;
constexpr int largest_n = 8192;

/// The four quadrants of a matrix of size 2·half.
struct quadrants {
  quadrants(view m, int half) : q11{m}, q12{m.at(0, half)}, q21{m.at(half, 0)}, q22{m.at(half, half)} {}
  view q11, q12, q21, q22;
};

/// The matrices of one product. The elements of A and B are integers from -8 to 8, so that every intermediate sum is a
/// whole number far below 2^53: all orders of summation give exactly the same C, and C can be checked exactly.
class problem {
 public:
  problem() = default;

  /// Makes the inputs if `n` has changed since the last call, and sets C to zero.
  void reset();

  /// Returns a description of the mistake in C, or "". Uses Freivalds' method: compares C·x with A·(B·x) for random
  /// vectors x, which takes only n² steps each. A wrong C passes with a probability below 2^-40.
  std::string mistake() const;

  /// Returns the sum of the elements of C: the answer that is reported.
  double answer() const;

  int n = default_n;
  matrix a{0};
  matrix b{0};
  matrix c{0};
};

/// Adds the product of a and b, of size n, to c: the four quadrants of c in parallel, first one half of their sums,
/// then the other. `Four{}` runs four branches.
template <class Four>
[[gnu::noinline]] void multiply(view a, view b, view c, int n) {
  if (n == leaf_size) return multiply_leaf(a, b, c);
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
  Four{}([&] { multiply<Four>(A.q11, B.q11, C.q11, half); }, [&] { multiply<Four>(A.q11, B.q12, C.q12, half); },
         [&] { multiply<Four>(A.q21, B.q11, C.q21, half); }, [&] { multiply<Four>(A.q21, B.q12, C.q22, half); });
  Four{}([&] { multiply<Four>(A.q12, B.q21, C.q11, half); }, [&] { multiply<Four>(A.q12, B.q22, C.q12, half); },
         [&] { multiply<Four>(A.q22, B.q21, C.q21, half); }, [&] { multiply<Four>(A.q22, B.q22, C.q22, half); });
}

template <class Four>
void solve(problem& p) {
  multiply<Four>(p.a.all(), p.b.all(), p.c.all(), p.n);
}

// The rivals, which are null in the executable without them.
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench
