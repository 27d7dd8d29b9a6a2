// The matrix of NPB CG.
#pragma once

#include <vector>

namespace bench::cg {

/// A matrix in compressed rows: the elements of row i have the numbers from starts[i] to before starts[i + 1], in the order of
/// their columns.
struct sparse_matrix {
  std::vector<int> starts;
  std::vector<int> columns;
  std::vector<double> values;
};

/// Returns a random symmetric matrix with a condition of about 10: the sum of w·x·xᵀ over `rows` random sparse vectors x with
/// `nonzeros` elements (and one more on the diagonal), with weights w that fall from 1 to 0.1, and 0.1 − shift on the diagonal.
/// It is the matrix that NPB 3.4's makea gives.
sparse_matrix make_matrix(int rows, int nonzeros, double shift);

}  // namespace bench::cg
