// A text table that fits the terminal: first the widest columns of text shrink, then whole columns are dropped, by
// rank.
#pragma once

#include "cli/palette.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tine::cli {

class table {
 public:
  enum class side { left, right };

  /// A column. The texts of a column with `may_shrink` lose their middle if there is no space. If that is not enough,
  /// the table drops columns, the highest `rank` first; it never drops a column of rank 0.
  struct column {
    std::string name;
    side align = side::right;
    bool may_shrink = false;
    int rank = 0;
  };

  explicit table(std::vector<column> columns) : columns_{std::move(columns)} {}

  /// A row, with a text for each column, and the colour of the row.
  void add(std::vector<std::string> row, emphasis why = emphasis::none) {
    rows_.push_back(std::move(row)), emphases_.push_back(why);
  }

  bool empty() const noexcept { return rows_.empty(); }
  std::size_t rows() const noexcept { return rows_.size(); }

  /// Returns the table in lines of at most `width` columns, if its rank-0 columns fit into that.
  std::string text(std::size_t width, const palette& paint = {}) const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<emphasis> emphases_;  ///< of each row
};

/// Returns the number of columns that `text` takes: one for each code point, which is right for the texts that are
/// shown here.
std::size_t width_of(const std::string& text);

/// Returns `text` in at most `width` columns, with … in place of the removed middle.
std::string shortened(const std::string& text, std::size_t width);

/// Returns all texts in at most `width` columns. Different texts stay different where there is space for their
/// differences: of texts that would look the same, such as instances of one template, only the shared parts are
/// shortened, arguments first. Where that is not enough, a number follows.
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, std::size_t width);

/// Returns a line of a finding: a word, and what it says.
std::string labelled(std::string_view word, const std::string& text);

}  // namespace tine::cli
