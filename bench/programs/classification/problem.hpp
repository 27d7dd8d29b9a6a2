// The problem classification: learn a decision tree from rows of known classes, and predict the classes of other rows by it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench::classification {

constexpr std::size_t usual_n = 500'000;
constexpr std::size_t large_n = 5'000'000;
constexpr std::size_t largest_n = 20'000'000;

// The shape of the data set covtype (Blackard and Dean 1999).
constexpr std::uint32_t features = 54;
constexpr std::uint32_t continuous =
    10;  ///< the first features; their values are from 0 to 255. The values of the others are 0 and 1.
constexpr std::size_t classes = 7;

using label = std::uint8_t;
using row = std::uint32_t;

/// For each class a number of rows.
using class_counts = std::array<std::uint32_t, classes>;

/// A decision tree. A leaf has no subtrees.
struct node {
  label predicted = 0;        ///< by a leaf
  std::uint32_t feature = 0;  ///< by which other nodes choose a subtree
  std::uint32_t cut = 0;      ///< rows whose value is less go to `less`, others to `rest`
  std::unique_ptr<node> less, rest;
};

/// A split must save more than this number of bits in the description of the node's classes: about what its own description takes.
constexpr double least_gain = 16;

/// Rows of known classes, the tree that is learned from the first four fifths of them, and its predictions for the others.
class problem {
 public:
  /// Makes the rows if `n` has changed since the last call, and forgets the tree and the predictions.
  void reset();
  /// Returns the number of right predictions: the answer that is reported.
  std::size_t answer() const;
  /// Returns a description of the mistake in the tree or in the predictions; empty if they are right.
  std::string mistake() const;

  std::size_t trained() const { return n - n / 5; }
  std::uint8_t value_of(row r, std::uint32_t feature) const { return columns[feature][r]; }

  std::size_t n = usual_n;
  std::array<std::vector<std::uint8_t>, features> columns;
  std::vector<label> labels;
  std::vector<double> x_log_x;  ///< x · log₂ x, for all x up to n

  std::unique_ptr<node> tree;
  std::vector<label> predictions;  ///< for the rows from `trained()` on

 private:
  std::string mistake_at(const node& at, const std::vector<row>& rows) const;
};

/// Returns the leaf of the row.
inline const node& leaf_of(const problem& p, row r) {
  const node* at = p.tree.get();
  while (at->less) at = (p.value_of(r, at->feature) < at->cut ? at->less : at->rest).get();
  return *at;
}

}  // namespace bench::classification

namespace bench {
using classification::problem;
}
