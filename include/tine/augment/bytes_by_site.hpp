// A map from places in the program to the bytes that they hold. It is a value; one object belongs to one thread at a
// time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace tine {

/// A small sorted map from sites to bytes, which owns no memory until its first entry. Both `add` may throw
/// std::bad_alloc; the map is then as before.
class bytes_by_site {
 public:
  /// A site and the bytes that belong to it.
  struct entry {
    /// the address in the program that names the site
    std::uintptr_t site;
    /// may be negative
    std::int64_t bytes;

    friend bool operator==(const entry&, const entry&) noexcept = default;
  };

  /// Adds `bytes`, which may be negative, to those of `site`. Takes O(log n) time for a known site of n, and O(n) for a
  /// new one.
  void add(std::uintptr_t site, std::int64_t bytes) {
    const auto at = std::lower_bound(all_.begin(), all_.end(), site, by_site);
    if (at != all_.end() && at->site == site) {
      at->bytes += bytes;
    } else {
      all_.insert(at, {site, bytes});
    }
  }

  /// Adds all entries of `other`, which is empty afterwards. The smaller map is merged into the larger one, in
  /// time that is linear in the sizes of both, or in the larger one's if the other has fewer than 4 entries.
  void add(bytes_by_site&& other) {
    if (all_.size() < other.all_.size()) std::swap(all_, other.all_);
    if (other.all_.size() < 4) {
      for (const entry& e : other.all_) add(e.site, e.bytes);
    } else {
      all_ = merged(all_, other.all_);
    }
    other.all_.clear();
  }

  /// Removes all entries; the memory stays with the map.
  void clear() noexcept { all_.clear(); }

  /// Returns the bytes of `site`, or 0 if the map has no entry for it. Takes O(log n) time.
  std::int64_t at(std::uintptr_t site) const noexcept {
    const auto at = std::lower_bound(all_.begin(), all_.end(), site, by_site);
    return at != all_.end() && at->site == site ? at->bytes : 0;
  }
  /// Returns the entries, sorted by site. A site may have an entry with 0 bytes. The reference is valid until the map
  /// changes.
  const std::vector<entry>& entries() const noexcept { return all_; }

 private:
  static bool by_site(const entry& e, std::uintptr_t site) noexcept { return e.site < site; }

  static std::vector<entry> merged(const std::vector<entry>& x, const std::vector<entry>& y) {
    std::vector<entry> all;
    all.reserve(x.size() + y.size());
    auto a = x.begin(), b = y.begin();
    while (a != x.end() && b != y.end()) {
      if (a->site == b->site) {
        all.push_back({a->site, a->bytes + b->bytes});
        ++a, ++b;
      } else {
        all.push_back(a->site < b->site ? *a++ : *b++);
      }
    }
    all.insert(all.end(), a, x.end());
    all.insert(all.end(), b, y.end());
    return all;
  }

  std::vector<entry> all_;
};

}  // namespace tine
