// blocked_range2d: a rectangle of values that can be split. A plain value, so one thread at a time uses it.
#ifndef __TBB_blocked_range2d_H
#define __TBB_blocked_range2d_H

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/tine/longest_dimension.hpp>

#include <cstddef>

namespace tbb {
namespace detail {
namespace on_tine {

/// Rows and columns. It is split along the dimension that has more values in proportion to its grain size.
template <class RowValue, class ColValue = RowValue>
class blocked_range2d {
 public:
  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  blocked_range2d(RowValue row_begin, RowValue row_end, std::size_t row_grainsize, ColValue col_begin, ColValue col_end,
                  std::size_t col_grainsize)
      : rows_{row_begin, row_end, row_grainsize}, cols_{col_begin, col_end, col_grainsize} {}
  blocked_range2d(RowValue row_begin, RowValue row_end, ColValue col_begin, ColValue col_end)
      : rows_{row_begin, row_end}, cols_{col_begin, col_end} {}
  blocked_range2d(blocked_range2d& r, split tag) : blocked_range2d{r} { take_part(r, tag); }
  blocked_range2d(blocked_range2d& r, proportional_split& tag) : blocked_range2d{r} { take_part(r, tag); }
  blocked_range2d(const blocked_range2d&) = default;
  blocked_range2d& operator=(const blocked_range2d&) = default;

  const row_range_type& rows() const { return rows_; }
  const col_range_type& cols() const { return cols_; }
  bool empty() const { return rows_.empty() || cols_.empty(); }
  bool is_divisible() const { return rows_.is_divisible() || cols_.is_divisible(); }

 private:
  template <class Tag>
  void take_part(blocked_range2d& r, Tag& tag) {
    if (on_tine::longest_dimension(rows_, cols_) == 0) {
      rows_ = row_range_type(r.rows_, tag);
    } else {
      cols_ = col_range_type(r.cols_, tag);
    }
  }

  row_range_type rows_;
  col_range_type cols_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::blocked_range2d;
}
}  // namespace tbb

#endif
