// The back end's scans, made of functions of chunks. (Scans of items are those of tine's algorithms: the pattern of all
// scans calls them.) A series is consecutive chunks on one worker. The first series of a loop knows the value before
// each of its chunks, and scans it at once. A later series only reduces its chunks, and keeps an entry for each. When
// the series before it is complete, a loop over these entries scans the chunks.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/pstl/const_callable.hpp>
#include <tine/detail/pstl/stop_guard.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace tine::detail::pstl {

/// A chunk that is reduced but not scanned. We don't unite chunks as in `prefix_blocks`, because libstdc++'s set
/// operations scan each chunk by the values before and behind it.
template <class T>
struct reduced_chunk {
  std::uint64_t begin, end;
  T value;
};

/// A series of chunks. `prefix` is the value behind the first series; other series don't have one.
template <class T>
struct scanned_series {
  std::optional<T> prefix;
  std::vector<reduced_chunk<T>> waiting;

  /// Combines the value of the chunk behind the first series into the prefix. Returns the prefix from before.
  template <class Combine>
  T advance(const Combine& combine, T value) {
    T before = *std::move(prefix);
    prefix.emplace(call(combine, before, std::move(value)));
    return before;
  }
};

/// For each chunk [i, j) of the indices from 0 up to `n`, calls `reduce(i, j - i)`, and later `scan(i, j - i, value)`,
/// where `value` is `init` combined with the results of `reduce` for all chunks before. At the end calls `apex` with
/// the combination of all. In libstdc++ `apex` comes before every `scan`; its callers only want the total, so the order
/// doesn't matter.
template <class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void strict_scan_chunks(Index n, const T& init, const Reduce& reduce, const Combine& combine, const Scan& scan,
                        const Apex& apex) {
  using series = scanned_series<T>;
  const stop_guard whole;
  if (n <= 0) return static_cast<void>(apex(init));
  const auto scan_chunk = [&scan](std::uint64_t begin, std::uint64_t end, T before) {
    static_cast<void>(call(scan, static_cast<Index>(begin), static_cast<Index>(end - begin), std::move(before)));
  };
  const auto scan_waiting = [&scan_chunk](std::vector<reduced_chunk<T>>& chunks) {
    for_each_chunk(chunks.size(), [&](std::uint64_t begin, std::uint64_t end) {
      const stop_guard chunk;
      for (std::uint64_t k = begin; k < end; ++k) {
        reduced_chunk<T>& c = chunks[k];
        scan_chunk(c.begin, c.end, std::move(c.value));
      }
    });
  };
  const series all = fold_chunks(
      static_cast<std::uint64_t>(n), [] { return series{}; },
      [&](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        T value = call(reduce, static_cast<Index>(begin), static_cast<Index>(end - begin));
        if (begin == 0) so_far.prefix.emplace(init);
        if (so_far.prefix.has_value()) {
          scan_chunk(begin, end, so_far.advance(combine, std::move(value)));
        } else {
          so_far.waiting.push_back({begin, end, std::move(value)});
        }
      },
      [&](series& so_far, series&& later) {
        if (so_far.prefix.has_value()) {
          for (reduced_chunk<T>& c : later.waiting) c.value = so_far.advance(combine, std::move(c.value));
          scan_waiting(later.waiting);
        } else if (so_far.waiting.empty()) {
          so_far = std::move(later);
        } else {
          so_far.waiting.insert(so_far.waiting.end(), std::make_move_iterator(later.waiting.begin()),
                                std::make_move_iterator(later.waiting.end()));
        }
      });
  static_cast<void>(apex(*all.prefix));
}

/// Scans the items from 0 up to `n`: `scan(i, j, value)` scans a subrange behind `value`, `reduce(i, j, value)` only
/// returns the value behind the subrange, and `transform(i)` is the value of an item. Returns the value behind all
/// items. (Only temporary policies come here.)
template <class Index, class Transform, class T, class Combine, class Reduce, class Scan>
T transform_scan_chunks(Index n, const Transform& transform, const T& init, const Combine& combine,
                        const Reduce& reduce, const Scan& scan) {
  std::optional<T> all;
  strict_scan_chunks(
      n, init,
      [&](Index i, Index length) {
        T first = call(transform, i);
        return length == 1 ? first : call(reduce, i + 1, i + length, std::move(first));
      },
      combine,
      [&](Index i, Index length, T before) { static_cast<void>(call(scan, i, i + length, std::move(before))); },
      [&all](const T& total) { all.emplace(total); });
  return *std::move(all);
}

}  // namespace tine::detail::pstl
