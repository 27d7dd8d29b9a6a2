// See matrix.hpp. The names in parentheses are those of NPB's own functions.
#include "programs/cg/matrix.hpp"

#include "harness/npb_random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

namespace bench::cg {
namespace {

constexpr double condition = 0.1;

struct element {
  int column;
  double value;
};
using row = std::vector<element>;

row::iterator find(row& r, int column) {
  return std::find_if(r.begin(), r.end(), [column](const element& e) { return e.column == column; });
}

/// Returns `nonzeros` random elements in different columns (sprnvc).
row random_row(npb_random& random, int rows, int nonzeros) {
  const int range = static_cast<int>(std::bit_ceil(static_cast<unsigned>(rows)));
  row r;
  while (std::ssize(r) < nonzeros) {
    const double value = random();
    const int column = static_cast<int>(range * random());
    if (column < rows && find(r, column) == r.end()) r.push_back({column, value});
  }
  return r;
}

/// Sets one element (vecset).
void set(row& r, int column, double value) {
  if (const auto there = find(r, column); there != r.end()) {
    there->value = value;
  } else {
    r.push_back({column, value});
  }
}

/// Adds up the elements of a row that have the same column, in the order in which they are given, and sorts the sums by columns
/// (sparse).
class gatherer {
 public:
  explicit gatherer(int columns) : sums_(static_cast<std::size_t>(columns)) {}

  void append(const row& r, sparse_matrix& to) {
    std::vector<int> columns;
    for (const element& e : r) {
      double& sum = sums_[static_cast<std::size_t>(e.column)];
      if (sum == 0) columns.push_back(e.column);  // no partial sum becomes 0 again
      sum += e.value;
    }
    std::sort(columns.begin(), columns.end());
    for (int column : columns) {
      to.columns.push_back(column);
      to.values.push_back(std::exchange(sums_[static_cast<std::size_t>(column)], 0));
    }
    to.starts.push_back(static_cast<int>(to.columns.size()));
  }

 private:
  std::vector<double> sums_;  // of the row that is being appended; otherwise 0
};

}  // namespace

sparse_matrix make_matrix(int rows, int nonzeros, double shift) {
  npb_random random;
  random();  // NPB draws one number before it makes the matrix
  std::vector<row> sums(static_cast<std::size_t>(rows));
  double weight = 1;
  const double falling = std::pow(condition, 1.0 / rows);
  for (int i = 0; i < rows; ++i) {
    row x = random_row(random, rows, nonzeros);
    set(x, i, 0.5);
    for (const element& a : x)
      for (const element& b : x) {
        const bool is_diagonal = a.column == i && b.column == i;
        const double value = b.value * (weight * a.value);
        sums[static_cast<std::size_t>(a.column)].push_back({b.column, is_diagonal ? value + condition - shift : value});
      }
    weight *= falling;
  }
  sparse_matrix gathered{{0}, {}, {}};
  gatherer gather{rows};
  for (const row& r : sums) gather.append(r, gathered);
  return gathered;
}

}  // namespace bench::cg
