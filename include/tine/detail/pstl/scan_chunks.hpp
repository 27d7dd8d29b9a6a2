// The scans of standard algorithms, which need a second pass only where another worker has taken a part (docs/papers.md, "adaptive prefix").
// A series is consecutive chunks on one worker. The first series of a loop knows the value before each of its chunks, and scans it at once: on
// one worker that is the whole scan. A later series only reduces its chunks, and keeps one entry for each; when the series before it is
// complete, a loop over these entries scans the chunks.
#pragma once

#include <tine/detail/pstl/in_chunks.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace tine::detail::pstl {

/// A chunk that is reduced but not scanned.
template <class T>
struct reduced_chunk {
  std::uint64_t begin, end;
  T value;
};

/// A series of chunks. `prefix` is the value behind the first series; other series have none.
template <class T>
struct scanned_series {
  std::optional<T> prefix;
  std::vector<reduced_chunk<T>> waiting;

  TINE_ALWAYS_INLINE void set(T next) { prefix.emplace(std::move(next)); }
};

/// Scans the chunks of a later series: `scan(begin, end, value)` scans a chunk behind `value`. Leaves in `prefix` the value behind them.
template <class T, class Combine, class Scan>
void scan_waiting(scanned_series<T>& first, std::vector<reduced_chunk<T>> later, const Combine& combine,
                  const Scan& scan) {
  for (reduced_chunk<T>& c : later) {
    T before = *first.prefix;
    first.set(call(combine, *first.prefix, c.value));
    c.value = std::move(before);
  }
  for_each_chunk(later.size(), [&later, &scan](std::uint64_t begin, std::uint64_t end) {
    const stop_guard chunk;
    for (std::uint64_t k = begin; k < end; ++k) {
      reduced_chunk<T>& c = later[static_cast<std::size_t>(k)];
      scan(c.begin, c.end, std::move(c.value));
    }
  });
}

/// Appends `later` to `so_far`. If `so_far` is the first series of the loop, scans the chunks of `later`.
template <class T, class Combine, class Scan>
void append_series(scanned_series<T>& so_far, scanned_series<T>&& later, const Combine& combine, const Scan& scan) {
  if (so_far.prefix.has_value()) {
    scan_waiting(so_far, std::move(later.waiting), combine, scan);
  } else if (so_far.waiting.empty()) {
    so_far = std::move(later);
  } else {
    so_far.waiting.insert(so_far.waiting.end(), std::make_move_iterator(later.waiting.begin()),
                          std::make_move_iterator(later.waiting.end()));
  }
}

/// For each chunk [i, j) of the indices from 0 up to `n` calls `reduce(i, j - i)`, and later `scan(i, j - i, value)`, where `value` is `init`
/// combined with the results of `reduce` for all chunks before. In the end calls `apex` with the combination of all. In libstdc++, `apex` comes
/// before every `scan`; its callers only want the total, and the order does not matter to them.
template <class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void strict_scan_chunks(Index n, const T& init, const Reduce& reduce, const Combine& combine, const Scan& scan,
                        const Apex& apex) {
  using series = scanned_series<T>;
  const stop_guard whole;
  if (n <= 0) return static_cast<void>(apex(init));
  const auto scan_chunk = [&scan](std::uint64_t begin, std::uint64_t end, T before) {
    static_cast<void>(call(scan, static_cast<Index>(begin), static_cast<Index>(end - begin), std::move(before)));
  };
  const series all = fold_chunks(
      static_cast<std::uint64_t>(n), [] { return series{}; },
      [&](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        T value = call(reduce, static_cast<Index>(begin), static_cast<Index>(end - begin));
        if (begin == 0) so_far.prefix.emplace(init);
        if (so_far.prefix.has_value()) {
          scan_chunk(begin, end, *so_far.prefix);
          so_far.set(call(combine, *so_far.prefix, value));
        } else {
          so_far.waiting.push_back({begin, end, std::move(value)});
        }
      },
      [&](series& so_far, series&& later) { append_series(so_far, std::move(later), combine, scan_chunk); });
  static_cast<void>(apex(*all.prefix));
}

/// Scans the items from 0 up to `n`: `scan(i, j, value)` scans a subrange behind `value`, and returns the value behind it; `reduce(i, j,
/// value)` only returns that value; `transform(i)` is the value of an item. Returns the value behind all items.
template <class Index, class Transform, class T, class Combine, class Reduce, class Scan>
T transform_scan_chunks(Index n, const Transform& transform, const T& init, const Combine& combine,
                        const Reduce& reduce, const Scan& scan) {
  using series = scanned_series<T>;
  const stop_guard whole;
  if (n <= 0) return init;
  const auto scan_chunk = [&scan](std::uint64_t begin, std::uint64_t end, T before) {
    static_cast<void>(call(scan, static_cast<Index>(begin), static_cast<Index>(end), std::move(before)));
  };
  series all = fold_chunks(
      static_cast<std::uint64_t>(n), [] { return series{}; },
      [&](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        if (begin == 0) so_far.prefix.emplace(init);
        if (so_far.prefix.has_value()) {
          T before = std::move(*so_far.prefix);
          so_far.set(call(scan, static_cast<Index>(begin), static_cast<Index>(end), std::move(before)));
        } else {
          T value = call(transform, static_cast<Index>(begin));
          if (begin + 1 < end) {
            T rest = call(reduce, static_cast<Index>(begin + 1), static_cast<Index>(end), std::move(value));
            so_far.waiting.push_back({begin, end, std::move(rest)});
          } else {
            so_far.waiting.push_back({begin, end, std::move(value)});
          }
        }
      },
      [&](series& so_far, series&& later) { append_series(so_far, std::move(later), combine, scan_chunk); });
  return *std::move(all.prefix);
}

}  // namespace tine::detail::pstl
