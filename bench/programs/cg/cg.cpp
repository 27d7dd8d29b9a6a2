// cg: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/blocks/program_of_phases.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace bench {
namespace {

constexpr double condition = 0.1;

/// NPB's random numbers (randlc): x ← 5¹³·x mod 2⁴⁶, as fractions of 2⁴⁶.
class npb_random {
 public:
  /// Returns the next number in (0, 1), exactly x/2⁴⁶.
  double operator()() {
    state_ = state_ * 1220703125 & mask;  // the product is modulo 2⁶⁴, which 2⁴⁶ divides
    return static_cast<double>(state_) * 0x1p-46;
  }

 private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;
  std::uint64_t state_ = 314159265;
};

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

/// Adds up the elements of a row that have the same column, in the order in which they are given, and sorts the sums by
/// columns (sparse).
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

namespace {

constexpr problem_class classes[] = {
    {"S", 1400, 7, 15, 10, 8.5971775078648},
    {"W", 7000, 8, 15, 12, 10.362595087124},
    {"A", 14000, 11, 15, 20, 17.130235054029},
    {"B", 75000, 13, 75, 60, 22.712745482631},
};

}  // namespace

problem::problem() : chosen{&classes[1]} {}

void problem::reset() {
  if (std::exchange(made_, chosen) != chosen) source = make_matrix(chosen->rows, chosen->nonzeros, chosen->shift);
  zeta = 0;
  rows = {static_cast<std::size_t>(chosen->rows), static_cast<std::size_t>(block)};
}

void problem::allocate() {
  starts.renew(rows.units + 1);
  columns.renew(source.columns.size());
  values.renew(source.values.size());
  for (untouched<double>* vector : {&x, &z, &p, &q, &r}) vector->renew(rows.units);
  part.renew(static_cast<std::size_t>(rows.blocks()));
}

std::string problem::mistake() const {
  if (std::abs(zeta - chosen->zeta) <= 1e-10 * chosen->zeta) return "";
  return format("zeta is {:.14g}, not {:.14g} (class {})", zeta, chosen->zeta, chosen->name);
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    std::vector<std::pair<std::string, const problem_class*>> named;
    for (const problem_class& c : classes) named.emplace_back(c.name, &c);
    o.word("--class", p.chosen, named, "NPB's class", "A");
    o.number("--block", p.block, {1, largest_block}, "Rows of a block");
  };
  program it{
      .name = "cg",
      .description = "Finds the smallest eigenvalue of a sparse matrix by conjugate gradients (NPB CG).",
      .add_options = add_options,
  };
  return program_of_phases(p, std::move(it));
}

}  // namespace bench
