// The tables of counts of a histogram. All workers of the loop share the set of tables; a table belongs to the chunk
// that has borrowed it.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/lending_set.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/race_branch.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tine::detail {

/// The tables of counts, with a count for each bin. The series of items that begins with the first item of the range
/// has the first table. Each chunk of another series borrows a table, so there are only as many tables as chunks run at
/// the same time, however often parts of the loop are stolen.
class bin_tables {
  using table = std::vector<std::size_t>;

 public:
  explicit bin_tables(std::size_t bins) : first_(bins) {}

  std::size_t bins() const noexcept { return first_.size(); }
  std::size_t* first() noexcept { return first_.data(); }

  /// A table other than the first one, from the constructor to the destructor of this object.
  class borrowed {
   public:
    explicit borrowed(bin_tables& from) : table_{from.others_} {
      if ((*table_).size() == from.bins()) return;
      (*table_).resize(from.bins());
#if TINE_RACE
      // Strands have the same table one after the other.
      tine_race_ignore_memory(&*table_, sizeof(table));
      tine_race_ignore_memory(counts(), from.bins() * sizeof(std::size_t));
#endif
    }
    std::size_t* counts() const noexcept { return (*table_).data(); }

   private:
    lending_set<table>::borrowed table_;
  };

  /// Called after the loop. Returns the counts of all tables.
  table sum() && {
    others_.for_each([this](const table& t) {
      for_each_chunk(bins(),
                     [to = first_.data(), from = t.data()](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
                       for (std::uint64_t k = begin; k != end; ++k) to[k] += from[k];
                     });
    });
    return std::move(first_);
  }

 private:
  table first_;
  lending_set<table> others_;
};

/// Throws std::out_of_range.
[[noreturn]] TINE_COLD inline void refuse_bin(const std::string& bin, std::size_t bins) {
  throw std::out_of_range{"tine::histogram: an item is in bin " + bin + ", but there are " + std::to_string(bins) +
                          " bins, from 0 on: give it more bins, or a projection that returns fewer"};
}

/// Returns the position of a bin in a table. Negative numbers become large ones.
template <std::integral I>
TINE_ALWAYS_INLINE std::size_t checked_bin(I bin, std::size_t bins) {
  const auto k = static_cast<std::size_t>(bin);
  if (k >= bins) [[unlikely]]
    refuse_bin(std::to_string(bin), bins);
  return k;
}

/// The bins of a series of items: a list, as long as there are so few that they are not worth a table; the others are
/// in a table.
class bin_series {
 public:
  /// Adds the bins of the `n` items from `i` on, the first of which is the item number `begin` of the range.
  template <class It, class Proj>
  TINE_ALWAYS_INLINE void add_items(It i, std::uint64_t begin, std::uint64_t n, bin_tables& tables, const Proj& proj) {
    if (begin == 0) is_first_ = true;
    if (is_first_) {
      count(i, n, tables.first(), tables.bins(), proj);
    } else {
      add_later_items(i, n, tables, proj);
    }
  }

  /// Adds the list of another series.
  void add(bin_series&& later, bin_tables& tables) {
    is_first_ = is_first_ || later.is_first_;
    if (is_first_) {
      empty_into(tables.first());
      later.empty_into(tables.first());
      return;
    }
    if (!fits(later.list_.size(), tables)) empty_into(bin_tables::borrowed{tables}.counts());
    list_.insert(list_.end(), later.list_.begin(), later.list_.end());
  }

 private:
  /// The compiler does not know that counting leaves the members of the objects as they are; therefore all parameters
  /// are values.
  template <class It, class Proj>
  TINE_ALWAYS_INLINE static void count(It i, std::uint64_t n, std::size_t* counts, std::size_t bins, const Proj& proj) {
    for (; n != 0; --n, ++i) ++counts[checked_bin(std::invoke(proj, *i), bins)];
  }

  template <class It, class Proj>
  TINE_ALWAYS_INLINE void add_later_items(It i, std::uint64_t n, bin_tables& tables, const Proj& proj) {
    if (fits(n, tables)) {
      if (list_.empty()) list_.reserve(n);
      for (; n != 0; --n, ++i) list_.push_back(checked_bin(std::invoke(proj, *i), tables.bins()));
      return;
    }
    const bin_tables::borrowed table{tables};
    empty_into(table.counts());
    count(i, n, table.counts(), tables.bins(), proj);
  }

  bool fits(std::uint64_t more, const bin_tables& tables) const noexcept {
    return list_.size() + more <= std::min<std::uint64_t>(tables.bins() / 4, 4096);
  }

  void empty_into(std::size_t* counts) noexcept {
    for (const std::size_t bin : list_) ++counts[bin];
    list_.clear();
  }

  std::vector<std::size_t> list_;
  bool is_first_ = false;
};

}  // namespace tine::detail
