// Small kernels of scientific and of irregular programs.
#include "../race_case.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using race_test::keep;

constexpr int side = 16;
using matrix = std::array<std::array<double, side>, side>;

double& at(matrix& m, int i, int j) { return m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }

RACE_CASE(jacobi_and_gauss_seidel) {
  matrix a{}, b{};
  its.races_on(a);
  for (int step = 0; step < 3; ++step) {
    matrix& to = its.racy ? a : b;  // the racy form is the iteration of Gauss and Seidel, which is serial
    tine::par_for(1, side - 1, [&](int i) {
      for (int j = 1; j < side - 1; ++j)
        at(to, i, j) = (at(a, i - 1, j) + at(a, i + 1, j) + at(a, i, j - 1) + at(a, i, j + 1)) / 4;
    });
    std::swap(a, b);
  }
  keep(a);
}

struct point {
  float x, y;
};

// Loops that clang vectorises with accesses of more than 16 bytes, also for the oldest processors.
RACE_CASE(loop_over_points) {
  std::array<point, 256> points{};
  its.races_on(points[17]);
  tine::par(
      [&] {
        for (point& p : points) p = {p.x * 2 + 1, p.y * 3 + 2};
      },
      [&] {
        if (its.racy) points[17].y = 1;
      });
  keep(points);
}

RACE_CASE(loop_with_a_pragma) {
  std::array<point, 256> points{};
  its.races_on(points[17]);
  tine::par(
      [&] {
#ifdef __clang__
#pragma clang loop vectorize(enable)
#else
#pragma GCC ivdep
#endif
        for (std::size_t i = 0; i < 256; ++i) points[i] = {points[i].x * 2 + 1, points[i].y * 3 + 2};
      },
      [&] {
        if (its.racy) points[17].y = 1;
      });
  keep(points);
}

RACE_CASE(transposition_in_place) {
  matrix a{};
  its.races_on(a);
  tine::par_for(0, side, [&](int i) {
    for (int j = its.racy ? 0 : i + 1; j < side; ++j) std::swap(at(a, i, j), at(a, j, i));
  });
  keep(a);
}

RACE_CASE(matrix_product) {
  matrix a{}, b{}, c{};
  its.races_on(c);
  tine::par_for(0, side, [&](int i) {
    tine::par_for(0, side, [&](int k) {
      for (int j = 0; j < side; ++j) {
        if (its.racy)
          at(c, i, j) += at(a, i, k) * at(b, k, j);  // all k add to the same element
        else
          at(c, i, k) += at(a, i, j) * at(b, j, k);
      }
    });
  });
  keep(c);
}

// The recursion on quadrants: the products that go to the same quadrant must be in two phases.
void multiply(matrix& c, matrix& a, matrix& b, int ci, int cj, int ai, int aj, int bi, int bj, int size,
              bool in_one_phase) {
  if (size == 2) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) at(c, ci + i, cj + j) += at(a, ai + i, aj + k) * at(b, bi + k, bj + j);
    return;
  }
  const int h = size / 2;
  const auto phase = [&](int k) {
    tine::par([&] { multiply(c, a, b, ci, cj, ai, aj + k, bi + k, bj, h, in_one_phase); },
              [&] { multiply(c, a, b, ci, cj + h, ai, aj + k, bi + k, bj + h, h, in_one_phase); },
              [&] { multiply(c, a, b, ci + h, cj, ai + h, aj + k, bi + k, bj, h, in_one_phase); },
              [&] { multiply(c, a, b, ci + h, cj + h, ai + h, aj + k, bi + k, bj + h, h, in_one_phase); });
  };
  if (in_one_phase) {
    tine::par([&] { phase(0); }, [&] { phase(h); });
  } else {
    phase(0);
    phase(h);
  }
}

RACE_CASE(recursive_matrix_product) {
  matrix a{}, b{}, c{};
  its.races_on(c);
  multiply(c, a, b, 0, 0, 0, 0, 0, 0, 8, its.racy);
  keep(c);
}

RACE_CASE(prefix_sums_by_doubling) {
  constexpr int n = 64;
  std::vector<long> x(n, 1), y(n);
  its.races_in(x.data(), n * sizeof(long));
  its.races_in(y.data(), n * sizeof(long));
  for (int d = 1; d < n; d *= 2) {
    std::vector<long>& to = its.racy ? x : y;
    tine::par_for(0, n, [&](int i) {
      const auto k = static_cast<std::size_t>(i);
      to[k] = i >= d ? x[k] + x[k - static_cast<std::size_t>(d)] : x[k];
    });
    if (!its.racy) std::swap(x, y);
  }
  keep(x);
}

RACE_CASE(histogram_in_shared_bins) {
  constexpr std::size_t bins = 8, rows = 4, n = 200;
  std::array<std::array<int, bins>, rows> count{};
  its.races_on(count);
  tine::par_for(std::size_t{0}, rows, [&](std::size_t row) {
    for (std::size_t i = row * n / rows; i < (row + 1) * n / rows; ++i) ++count[its.racy ? 0 : row][i * 31 % bins];
  });
  for (std::size_t row = 1; row < rows; ++row)
    for (std::size_t b = 0; b < bins; ++b) count[0][b] += count[row][b];
  keep(count);
}

RACE_CASE(dot_product_into_one_sum) {
  constexpr std::size_t n = 100;
  std::array<double, n> x{};
  std::array<double, n> parts{};
  double sum = 0;
  its.races_on(sum);
  tine::par_for(std::size_t{0}, n, [&](std::size_t i) { (its.racy ? sum : parts[i]) += x[i] * x[i]; });
  keep(sum);
  keep(parts);
}

RACE_CASE(largest_element_with_its_position) {
  constexpr int n = 100;
  struct best {
    int value = -1, at = -1;
  } shared;
  its.races_on(shared);
  const auto value = [](int i) { return i * 37 % n; };
  if (its.racy) {
    tine::par_for(0, n, [&](int i) {
      if (value(i) > shared.value) shared = {value(i), i};
    });
  } else {
    shared = tine::par_reduce(
        0, n, best{}, [&](int i) { return best{value(i), i}; },
        [](const best& a, const best& b) { return b.value > a.value ? b : a; });
  }
  keep(shared);
}

// Merge sort: the halves of the ranges, and those of the buffer, are apart.
void merge_sort(int* begin, int* buffer, std::size_t n, std::size_t shift) {
  if (n < 2) return;
  const std::size_t h = n / 2;
  tine::par([=] { merge_sort(begin, buffer, h, shift); },
            [=] { merge_sort(begin + h, buffer + h - std::min(shift, h), n - h, shift); });
  std::merge(begin, begin + h, begin + h, begin + n, buffer);
  std::copy(buffer, buffer + n, begin);
}

RACE_CASE(merge_sort_with_overlapping_buffers) {
  constexpr std::size_t n = 100;
  std::vector<int> a(n), buffer(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<int>(i * 37 % n);
  its.races_in(buffer.data(), n * sizeof(int));
  merge_sort(a.data(), buffer.data(), n, its.racy ? 1 : 0);
  keep(a);
}

void quick_sort(int* begin, int* end) {
  if (end - begin < 2) return;
  const int pivot = begin[(end - begin) / 2];
  int* const less = std::partition(begin, end, [=](int x) { return x < pivot; });
  int* const more = std::partition(less, end, [=](int x) { return x == pivot; });
  tine::par([=] { quick_sort(begin, less); }, [=] { quick_sort(more, end); });
}

RACE_CASE(quick_sort_of_overlapping_ranges) {
  std::vector<int> a(64);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 37 % 64);
  its.races_in(a.data(), a.size() * sizeof(int));
  if (its.racy) {
    tine::par([&] { quick_sort(a.data(), a.data() + 33); }, [&] { quick_sort(a.data() + 32, a.data() + 64); });
  } else {
    quick_sort(a.data(), a.data() + 64);
  }
  keep(a);
}

// The sieve: several primes cross out the same number. In the clean form each strand owns a segment.
RACE_CASE(sieve) {
  constexpr std::size_t n = 400;
  std::vector<char> is_composite(n);
  its.races_in(is_composite.data(), n);
  if (its.racy) {
    tine::par_for(std::size_t{2}, std::size_t{20}, [&](std::size_t p) {
      for (std::size_t i = p * p; i < n; i += p) is_composite[i] = 1;
    });
  } else {
    tine::par_for(std::size_t{0}, std::size_t{4}, [&](std::size_t segment) {
      for (std::size_t p = 2; p < 20; ++p)
        for (std::size_t i = p * p; i < n; i += p)
          if (i / (n / 4) == segment) is_composite[i] = 1;
    });
  }
  keep(is_composite);
}

// LU decomposition: the rows below the pivot are independent; with the pivot's own row among them they are not.
RACE_CASE(lu_decomposition) {
  matrix a{};
  for (int i = 0; i < side; ++i) at(a, i, i) = 2;
  its.races_on(a);
  for (int k = 0; k < side - 1; ++k) {
    tine::par_for(its.racy ? k : k + 1, side, [&](int i) {
      const double factor = at(a, i, k) / 2;
      for (int j = k; j < side; ++j) at(a, i, j) -= factor * at(a, k, j);
    });
  }
  keep(a);
}

// All shortest paths: the row and the column of k do not change in step k, but they are read.
RACE_CASE(shortest_paths) {
  matrix d{};
  its.races_on(d);
  for (int k = 0; k < side; ++k) {
    tine::par_for(0, side, [&](int i) {
      if (!its.racy && i == k) return;
      for (int j = 0; j < side; ++j) {
        const double way = at(d, i, k) + at(d, k, j);
        if (its.racy || way < at(d, i, j)) at(d, i, j) = way;
      }
    });
  }
  keep(d);
}

struct node {
  std::vector<std::size_t> next;
  bool seen = false;
};

// Breadth-first search: two nodes of one level find the same node of the next one.
RACE_CASE(breadth_first_search) {
  constexpr std::size_t n = 64;
  std::vector<node> graph(n);
  for (std::size_t i = 1; i < n; ++i) graph[i / 2].next.push_back(i);  // a tree
  if (its.racy)
    for (std::size_t i = 4; i < 8; ++i) graph[i].next.push_back(17);
  its.races_on(graph[17].seen);
  std::vector<std::size_t> level{1};
  while (!level.empty()) {
    tine::par_for(level, [&](std::size_t i) {
      for (const std::size_t next : graph[i].next) graph[next].seen = true;
    });
    std::vector<std::size_t> below;
    for (const std::size_t i : level) below.insert(below.end(), graph[i].next.begin(), graph[i].next.end());
    std::ranges::sort(below);
    const auto repeated = std::ranges::unique(below);
    below.erase(repeated.begin(), repeated.end());
    level = below;
  }
  keep(graph);
}

// Trees with parents: children update a sum in their parent.
struct tree {
  tree* parent = nullptr;
  std::vector<tree> children;
  int sum = 0;
};

void sum_up(tree& t, bool upwards) {
  tine::par_for(t.children, [&](tree& child) {
    sum_up(child, upwards);
    if (upwards) t.sum += child.sum;
  });
  if (!upwards)
    for (const tree& child : t.children) t.sum += child.sum;
}

RACE_CASE(sums_of_a_tree) {
  tree root;
  root.children.resize(5);
  for (tree& child : root.children) child.children.resize(1);
  its.races_on(root.sum);
  sum_up(root, its.racy);
  keep(root);
}

// Butterflies of a transform: each level pairs i with i + half.
RACE_CASE(butterflies) {
  constexpr std::size_t n = 32;
  std::array<double, n> a{};
  its.races_on(a);
  for (std::size_t half = 1; half < n; half *= 2) {
    tine::par_for(std::size_t{0}, n / 2, [&](std::size_t k) {
      const std::size_t i = its.racy ? k : k / half * 2 * half + k % half;
      const double sum = a[i] + a[i + half], difference = a[i] - a[i + half];
      a[i] = sum;
      a[i + half] = difference;
    });
  }
  keep(a);
}

// Sparse matrices by rows and by columns: by columns, the products go to elements of the result that others share.
RACE_CASE(sparse_matrix_vector_product) {
  constexpr std::size_t n = 20, entries = 60;
  std::array<std::size_t, entries> row{}, column{};
  for (std::size_t k = 0; k < entries; ++k) {
    row[k] = k / 3;
    column[k] = k * 7 % n;
  }
  std::array<double, n> x{}, y{};
  its.races_on(y);
  if (its.racy) {
    tine::par_for(std::size_t{0}, entries, [&](std::size_t k) { y[row[k]] += x[column[k]]; });
  } else {
    tine::par_for(std::size_t{0}, n, [&](std::size_t i) {
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) y[i] += x[column[k]];
    });
  }
  keep(y);
}

int queens(int row, int n, std::array<int, 8>& columns, bool in_place) {
  if (row == n) return 1;
  std::array<int, 8> counts{};
  tine::par_for(0, n, [&](int c) {
    for (int r = 0; r < row; ++r) {
      const int other = columns[static_cast<std::size_t>(r)];
      if (other == c || other - c == row - r || c - other == row - r) return;
    }
    if (in_place) {
      columns[static_cast<std::size_t>(row)] = c;
      counts[static_cast<std::size_t>(c)] = queens(row + 1, n, columns, in_place);
    } else {
      std::array<int, 8> own = columns;
      own[static_cast<std::size_t>(row)] = c;
      counts[static_cast<std::size_t>(c)] = queens(row + 1, n, own, in_place);
    }
  });
  int sum = 0;
  for (const int k : counts) sum += k;
  return sum;
}

RACE_CASE(queens_on_one_board) {
  std::array<int, 8> board{};
  its.races_on(board);
  int solutions = queens(0, 5, board, its.racy);
  keep(solutions);
}

// A pipeline of three stages over blocks: a stage may begin a block when the stage before it has ended that block.
RACE_CASE(wavefront) {
  matrix a{};
  its.races_on(a);
  for (int wave = 0; wave < 2 * side - 1; ++wave) {
    tine::par_for(0, side, [&](int i) {
      const int j = wave - i;
      if (j < 0 || j >= side) return;
      const double above = i > 0 ? at(a, i - 1, j) : 0;
      const double beside = j > 0 ? at(a, i, j - 1) : 0;
      const double diagonal = its.racy && i > 0 && j + 1 < side ? at(a, i - 1, j + 1) : 0;  // of the same wave
      at(a, i, j) = above + beside + diagonal;
    });
  }
  keep(a);
}

}  // namespace
