// Square matrices of doubles, and views of the parts that a recursion works on.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace bench::matmul {

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

}  // namespace bench::matmul
