// A table in text that fits the terminal: the widest columns of text give way first, then whole columns from the right.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tine::cli {

class table {
 public:
  enum class side { left, right };

  /// A column. Those that may shrink lose their middle when there is no room. `rank` says which go first when that is not
  /// enough: the highest; 0 never does.
  struct column {
    std::string name;
    side align = side::right;
    bool may_shrink = false;
    int rank = 0;
  };

  explicit table(std::vector<column> columns) : columns_{std::move(columns)} {}

  /// A row, with a text for each column.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  bool empty() const noexcept { return rows_.empty(); }
  std::size_t rows() const noexcept { return rows_.size(); }

  /// The table in lines of at most `width` columns, if its rank-0 columns fit into that.
  std::string text(std::size_t width) const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// How many columns `text` takes: one for each code point, which is right for what is shown here.
std::size_t width_of(const std::string& text);

/// `text` in at most `width` columns, with … for what its middle lost.
std::string shortened(const std::string& text, std::size_t width);

/// All of them in at most `width` columns. Different texts stay different where there is room for what they differ in: of texts that
/// would look the same, as instances of one template do, only the parts that they share give way; arguments of templates first.
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, std::size_t width);

}  // namespace tine::cli
