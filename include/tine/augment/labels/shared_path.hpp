// The way from the root of a computation down to a strand: one level for each fork or loop around the strand, outermost
// first. All schemes of labels consist of paths. A shared_path is a value; its levels never change and are shared
// between copies and threads.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace tine::labels {

/// A list that grows at its inner end. To copy, extend or shorten it takes O(1) at any length. Copies share their
/// levels, also across threads; one shared_path object belongs to one thread at a time. If memory runs out, the program
/// ends, because forks cannot throw.
template <class Level>
class shared_path {
 public:
  /// A level in memory. Paths that share it also share the cells around it.
  struct cell {
    /// the number of paths and cells that refer to this cell
    base::atomic<std::uint64_t> owners;
    std::uint64_t length;  ///< the length of the list that ends here
    /// null at the outermost level
    cell* outer;
    /// of the innermost element of the list that ends here
    Level level;
  };

  shared_path() noexcept = default;
  shared_path(const shared_path& o) noexcept : last_{o.last_} { keep(last_); }
  shared_path(shared_path&& o) noexcept : last_{std::exchange(o.last_, nullptr)} {}
  shared_path& operator=(shared_path o) noexcept {
    std::swap(last_, o.last_);
    return *this;
  }
  ~shared_path() { drop(last_); }

  /// Returns this list with one more level inside.
  shared_path extended(const Level& level) const noexcept {
    keep(last_);
    return shared_path{new cell{base::atomic<std::uint64_t>{1}, length() + 1, last_, level}};
  }

  /// Returns the number of levels.
  std::uint64_t length() const noexcept { return last_ != nullptr ? last_->length : 0; }

  /// Returns the innermost level, whose `outer` leads to the outer levels; null if the list is empty.
  const cell* last() const noexcept { return last_; }

 private:
  explicit shared_path(cell* last) noexcept : last_{last} {}

  static void keep(cell* n) noexcept {
    // relaxed: the thread that copies a shared_path holds one, so the count cannot fall to zero meanwhile
    if (n != nullptr) n->owners.fetch_add(1, base::relaxed);
  }

  /// Gives up one share of the list. It does not recurse, because the last owner of a deep nest frees all its levels
  /// here.
  static void drop(cell* n) noexcept {
    // acq_rel pairs with itself in drop on other threads, so that they have read the level for the last time before it
    // is freed.
    while (n != nullptr && n->owners.fetch_sub(1, base::acq_rel) == 1) delete std::exchange(n, n->outer);
  }

  cell* last_ = nullptr;
};

/// The place at which two lists of levels part: the outermost level at which they differ. It is null for a list that
/// has ended there. Two nulls mean that the lists are equal.
template <class Level>
struct parting {
  /// the level of the first list
  const Level* a;
  /// the level of the second list
  const Level* b;
};

/// A list of levels with its innermost level apart. Labels hold the list in this form, because that level changes at
/// every join, and only the levels around it are shared.
template <class Level>
struct open_path {
  /// the levels around the innermost one
  shared_path<Level> around;
  /// the innermost level
  Level here;
};

/// Iterates over the levels of an open shared_path from the inside out.
template <class Level>
class outward {
 public:
  explicit outward(const open_path<Level>& t) noexcept
      : level_{&t.here}, next_{t.around.last()}, left_{t.around.length() + 1} {}

  const Level* level() const noexcept { return level_; }  ///< null after the outermost level
  std::uint64_t left() const noexcept { return left_; }   ///< number of levels from this one outwards
  const void* around() const noexcept { return next_; }   ///< equal for two paths if they share all levels around
  /// Moves to the next level outwards.
  void step() noexcept {
    level_ = next_ != nullptr ? &next_->level : nullptr;
    next_ = next_ != nullptr ? next_->outer : nullptr;
    --left_;
  }

 private:
  const Level* level_;
  const typename shared_path<Level>::cell* next_;
  std::uint64_t left_;
};

/// Compares two paths from the inside out, until they share the levels around or end. If both come from one run, the
/// time is the distance to the place where they meet; otherwise it is at most the length of the longer path.
template <class Level>
parting<Level> parting_of(const open_path<Level>& x, const open_path<Level>& y) noexcept {
  outward<Level> a{x}, b{y};
  parting<Level> found{nullptr, nullptr};
  for (; a.left() > b.left(); a.step()) found.a = a.level();
  for (; b.left() > a.left(); b.step()) found.b = b.level();
  for (; a.level() != nullptr && a.level() != b.level(); a.step(), b.step()) {
    if (!(*a.level() == *b.level())) found = {a.level(), b.level()};
    if (a.around() == b.around()) break;
  }
  return found;
}

/// Returns a text of the levels from the outside in. `write(text, level)` writes each level.
template <class Level, class Write>
std::string text_of(const open_path<Level>& t, Write write) {
  std::string inner_first;
  for (outward<Level> o{t}; o.level() != nullptr; o.step()) {
    std::string one;
    write(one, *o.level());
    inner_first.append(one.rbegin(), one.rend());
  }
  return {inner_first.rbegin(), inner_first.rend()};
}

}  // namespace tine::labels
