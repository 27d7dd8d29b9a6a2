// Small kernels of scientific and of irregular programs.
#include "../race_case.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using race_test::keep;

constexpr int side = 16;
using matrix = std::array<std::array<double, side>, side>;

double& at(matrix& m, int i, int j) { return m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }

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

}  // namespace
