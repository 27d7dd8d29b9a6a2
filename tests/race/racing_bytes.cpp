#include "racing_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace race_test {
namespace {

/// A set of strands or accesses, by their numbers.
class numbers {
 public:
  bool has(std::size_t n) const { return n < in_.size() && in_[n]; }
  void add(std::size_t n) {
    if (n >= in_.size()) in_.resize(n + 1);
    in_[n] = true;
  }
  void add(const numbers& others) {
    if (others.in_.size() > in_.size()) in_.resize(others.in_.size());
    for (std::size_t n = 0; n < others.in_.size(); ++n) in_[n] = in_[n] || others.in_[n];
  }

 private:
  std::vector<bool> in_;
};

struct made_access {
  int buffer;  ///< its number; -1: the memory
  int place, bytes;
  bool writes, is_atomic;
  std::size_t strand = 0;
  numbers acquired{};    ///< the accesses before it by the order of atomic operations
  std::set<int> held{};  ///< as the number of the instance of `locked`, times `locks`, plus the number of the lock
};

/// A lock that both hold since the same moment was taken before they parted.
bool have_common_lock(const made_access& x, const made_access& y) {
  for (const int a : x.held) {
    for (const int b : y.held) {
      if (a != b && a % locks == b % locks) return true;
    }
  }
  return false;
}

class oracle {
 public:
  explicit oracle(const part& p) {
    visit(p, {0, -1, {}});
    run_postponed();
  }

  racing_bytes races(bool determinism) const {
    racing_bytes found;
    byte_set mixed;  // an access was ordered behind some of those that it would race with, but not behind all
    for (std::size_t b = 0; b < made_.size(); ++b) {
      struct partners {
        bool ordered = false, racing = false;
      };
      std::map<int, partners> by_place;
      for (std::size_t a = 0; a < b; ++a) {
        const made_access &x = made_[a], &y = made_[b];
        if (x.buffer != y.buffer || !(x.writes || y.writes) || !are_parallel(x, y)) continue;
        if (!determinism && ((x.is_atomic && y.is_atomic) || have_common_lock(x, y))) continue;
        const bool is_ordered = !determinism && y.acquired.has(a);
        for (int i = std::max(x.place, y.place); i < std::min(x.place + x.bytes, y.place + y.bytes); ++i)
          (is_ordered ? by_place[i].ordered : by_place[i].racing) = true;
      }
      for (const auto& [place, its] : by_place) {
        const std::pair byte{made_[b].buffer, place};
        if (its.racing) found.all.insert(byte);
        if (its.racing && its.ordered) mixed.insert(byte);
        if (its.racing && !mixed.contains(byte)) found.certain.insert(byte);
      }
    }
    return found;
  }

 private:
  struct position {
    int i, buffer;
    std::array<int, groups> open;  ///< the instances of groups; 0: none
  };

  /// The latest change of a word by an atomic operation: what its strand knew then.
  struct release {
    std::size_t strand;
    std::size_t accesses;  ///< the number that were made until then
    numbers acquired;
  };
  struct group {
    bool has_had_tasks = false;
    std::vector<std::size_t> ends;  ///< the last strands of the tasks since the last wait
    numbers acquired;               ///< by these tasks
  };
  struct postponed_task {
    const part* its;
    position here;
    std::size_t caller;
    numbers acquired;
  };

  bool is_before(std::size_t strand, std::size_t other) const { return before_[other].has(strand); }
  bool are_parallel(const made_access& x, const made_access& y) const {
    return x.strand != y.strand && !is_before(x.strand, y.strand) && !is_before(y.strand, x.strand);
  }
  /// Begins a strand after those.
  void begin_after(const std::vector<std::size_t>& strands) {
    numbers all;
    for (const std::size_t s : strands) {
      all.add(before_[s]);
      all.add(s);
    }
    strand_ = before_.size();
    before_.push_back(std::move(all));
  }

  // --- memory ------------------------------------------------------------------------------------------------------

  /// Writes 1 or, atomically, 2 to the word. Returns false if it has this value.
  bool change(const made_access& a) {
    std::array<unsigned char, memory_bytes>& bytes = bytes_[a.buffer];
    bool has_changed = false;
    for (int i = 0; i < a.bytes; ++i) {
      const unsigned char value = i != 0 ? 0 : a.is_atomic ? 2 : 1;
      has_changed = has_changed || bytes[static_cast<std::size_t>(a.place + i)] != value;
      bytes[static_cast<std::size_t>(a.place + i)] = value;
    }
    return has_changed;
  }
  void acquire(const release& from) {
    for (std::size_t i = 0; i < from.accesses; ++i) {
      if (made_[i].strand == from.strand || is_before(made_[i].strand, from.strand)) acquired_.add(i);
    }
    acquired_.add(from.acquired);
  }
  /// An atomic word is known by its first byte.
  void make(made_access a) {
    const std::pair word{a.buffer, a.place};
    if (a.is_atomic && !a.writes && releases_.contains(word)) acquire(releases_.at(word));
    a.strand = strand_;
    a.acquired = acquired_;
    a.held = held_;
    made_.push_back(a);
    if (a.writes && change(a) && a.is_atomic) releases_[word] = {strand_, made_.size(), acquired_};
  }

  // --- parts -------------------------------------------------------------------------------------------------------

  void visit_all(const part& p, position here) {
    for (const part& child : p.children) visit(child, here);
  }
  /// Strands that begin here, and are joined at the end: each is one branch, and visits its part.
  void visit_branches(int count, const std::function<void(int)>& visit_one) {
    if (serial_ != 0) {
      for (int b = 0; b < count; ++b) visit_one(b);
      return;
    }
    const std::size_t begin = strand_;
    const numbers acquired = acquired_;
    numbers acquired_by_all = acquired_;
    std::vector<std::size_t> ends{begin};
    for (int b = 0; b < count; ++b) {
      begin_after({begin});
      acquired_ = acquired;
      visit_one(b);
      ends.push_back(strand_);
      acquired_by_all.add(acquired_);
    }
    begin_after(ends);
    acquired_ = std::move(acquired_by_all);
  }
  /// Iterations [begin, end) of a reduction: a tree, which combines in each leaf and at each join.
  void visit_tree(const part& p, int begin, int end, position here) {
    if (end - begin == 1) {
      here.i = begin;
      visit_all(p, here);
    } else {
      const int middle = begin + (end - begin) / 2;
      visit_branches(2, [&](int b) { visit_tree(p, b == 0 ? begin : middle, b == 0 ? middle : end, here); });
    }
    make({.buffer = -1, .place = p.at, .bytes = 1, .writes = true, .is_atomic = false});
  }

  /// The task starts here, or when the strand has released its locks.
  void visit_task(const part& p, position here) {
    const std::size_t caller = strand_;
    group_of(p, here).has_had_tasks = true;
    postponed_.push_back({&p, here, caller, acquired_});
    begin_after({caller});
    if (held_.empty()) run_postponed();
  }
  void run_postponed() {
    const std::size_t caller = strand_;
    const std::set<int> held = std::exchange(held_, {});  // those of the caller are not the task's
    const numbers acquired = acquired_;
    for (const postponed_task& t : std::exchange(postponed_, {})) {
      begin_after({t.caller});
      acquired_ = t.acquired;
      visit_all(*t.its, t.here);
      group& g = group_of(*t.its, t.here);
      g.ends.push_back(strand_);
      g.acquired.add(acquired_);
    }
    strand_ = caller;
    held_ = held;
    acquired_ = acquired;
  }
  void wait_for(group& g) {
    if (g.has_had_tasks) run_postponed();
    g.ends.push_back(strand_);
    begin_after(std::exchange(g.ends, {}));
    acquired_.add(std::exchange(g.acquired, {}));
  }
  group& group_of(const part& p, const position& here) {
    return groups_[here.open[static_cast<std::size_t>(p.at % groups)]];
  }

  void visit(const part& p, position here) {
    const int own = ++constructs_;
    switch (p.is) {
      case kind::locked: {
        const int instance = own * locks + p.at % locks;
        held_.insert(instance);
        visit_all(p, here);
        held_.erase(instance);
        if (held_.empty()) run_postponed();
        return;
      }
      case kind::serial:
        ++serial_;
        visit_all(p, here);
        --serial_;
        return;
      case kind::fork:
      case kind::coroutine:
        return visit_branches(static_cast<int>(p.children.size()),
                              [&](int b) { visit(p.children[static_cast<std::size_t>(b)], here); });
      case kind::spork:
        return visit_branches(2, [&](int b) {
          for (std::size_t c = b == 0 ? 0 : 1; c < (b == 0 ? 1 : p.children.size()); ++c) visit(p.children[c], here);
        });
      case kind::loop:
      case kind::chunks:
      case kind::reduce:
        return visit_branches(p.count, [&](int k) { visit_all(p, {k, here.buffer, here.open}); });
      case kind::combine:
        if (p.count != 0) visit_tree(p, 0, p.count, here);
        return;
      case kind::group:
        here.open[static_cast<std::size_t>(p.at % groups)] = own;
        visit_all(p, here);
        return wait_for(groups_[own]);
      case kind::task:
        return visit_task(p, here);
      case kind::wait:
        wait_for(group_of(p, here));
        return visit_all(p, here);
      case kind::call:
        return visit_all(p, here);
      case kind::on_stack:
      case kind::on_heap:
        return visit_all(p, {here.i, buffers_++, {}});
      case kind::read:
      case kind::write:
      case kind::atomic_read:
      case kind::atomic_write: {
        const bool inner = p.inner && here.buffer != -1;
        make({.buffer = inner ? here.buffer : -1,
              .place = place_of(p, here.i, inner ? buffer_bytes : memory_bytes),
              .bytes = p.bytes,
              .writes = p.is == kind::write || p.is == kind::atomic_write,
              .is_atomic = p.is == kind::atomic_read || p.is == kind::atomic_write});
      }
    }
  }

  std::vector<made_access> made_;    ///< in the serial order
  std::vector<numbers> before_{{}};  ///< for each strand, those that come before it by forks, joins and waits
  std::size_t strand_ = 0;           ///< the running one
  numbers acquired_;                 ///< what it knows by atomic operations
  std::map<int, group> groups_;
  std::vector<postponed_task> postponed_;
  std::map<int, std::array<unsigned char, memory_bytes>> bytes_;
  std::map<std::pair<int, int>, release> releases_;
  std::set<int> held_;
  int constructs_ = 0, serial_ = 0, buffers_ = 0;
};

}  // namespace

racing_bytes races_of(const part& program, bool determinism) { return oracle{program}.races(determinism); }

}  // namespace race_test
