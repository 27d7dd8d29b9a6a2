// blocked_range3d: a box of values that can be split. A plain value, so one thread at a time uses it.
#ifndef __TBB_blocked_range3d_H
#define __TBB_blocked_range3d_H

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/tine/longest_dimension.hpp>

#include <cstddef>

namespace tbb {
namespace detail {
namespace on_tine {

/// Pages, rows and columns. It is split along the dimension that has most values in proportion to its grain size.
template <class PageValue, class RowValue = PageValue, class ColValue = RowValue>
class blocked_range3d {
 public:
  using page_range_type = blocked_range<PageValue>;
  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  blocked_range3d(PageValue page_begin, PageValue page_end, std::size_t page_grainsize, RowValue row_begin,
                  RowValue row_end, std::size_t row_grainsize, ColValue col_begin, ColValue col_end,
                  std::size_t col_grainsize)
      : pages_{page_begin, page_end, page_grainsize},
        rows_{row_begin, row_end, row_grainsize},
        cols_{col_begin, col_end, col_grainsize} {}
  blocked_range3d(PageValue page_begin, PageValue page_end, RowValue row_begin, RowValue row_end, ColValue col_begin,
                  ColValue col_end)
      : pages_{page_begin, page_end}, rows_{row_begin, row_end}, cols_{col_begin, col_end} {}
  blocked_range3d(blocked_range3d& r, split tag) : blocked_range3d{r} { take_part(r, tag); }
  blocked_range3d(blocked_range3d& r, proportional_split& tag) : blocked_range3d{r} { take_part(r, tag); }
  blocked_range3d(const blocked_range3d&) = default;
  blocked_range3d& operator=(const blocked_range3d&) = default;

  const page_range_type& pages() const { return pages_; }
  const row_range_type& rows() const { return rows_; }
  const col_range_type& cols() const { return cols_; }
  bool empty() const { return pages_.empty() || rows_.empty() || cols_.empty(); }
  bool is_divisible() const { return pages_.is_divisible() || rows_.is_divisible() || cols_.is_divisible(); }

 private:
  template <class Tag>
  void take_part(blocked_range3d& r, Tag& tag) {
    const std::size_t longest = on_tine::longest_dimension(pages_, rows_, cols_);
    if (longest == 0) {
      pages_ = page_range_type(r.pages_, tag);
    } else if (longest == 1) {
      rows_ = row_range_type(r.rows_, tag);
    } else {
      cols_ = col_range_type(r.cols_, tag);
    }
  }

  page_range_type pages_;
  row_range_type rows_;
  col_range_type cols_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::blocked_range3d;
}
}  // namespace tbb

#endif
