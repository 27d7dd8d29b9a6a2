// The precedence relation of a program's events, found the slow way: by the transitive closure of all edges between
// strands.
#pragma once

#include "unit/augment/sp_program.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tine::test {

class sp_graph {
 public:
  explicit sp_graph(const sp_program& p) : strand_of_(p.events) {
    run(p.root, new_strand());
    close();
  }

  std::size_t strand_of(event e) const { return strand_of_[e]; }

  /// Returns true if a must happen before b.
  bool precedes(event a, event b) const {
    return strand_of_[a] == strand_of_[b] ? a < b : reaches_[strand_of_[a]][strand_of_[b]];
  }
  /// Returns the number of edges on the longest path to each strand.
  const std::vector<std::size_t>& depths() const { return depths_; }

 private:
  std::size_t new_strand() {
    edges_.emplace_back();
    depths_.push_back(0);
    return edges_.size() - 1;
  }
  void connect(std::size_t from, std::size_t to) { edges_[from].push_back(to); }

  /// Adds a block that begins at a strand; returns the strand at its end.
  std::size_t run(const block& b, std::size_t strand) {
    for (const step& s : b) {
      if (s.is == step::kind::act) {
        strand_of_[s.what] = strand;
      } else if (!s.branches.empty()) {
        strand = run_branches(s, strand);
      }
    }
    return strand;
  }

  std::size_t run_branches(const step& s, std::size_t strand) {
    std::vector<std::size_t> ends;
    for (const branch& one : s.branches) {
      const std::size_t begin = new_strand();
      connect(strand, begin);
      ends.push_back(one.begins ? run(one.body, begin) : begin);
    }
    const std::size_t after = new_strand();
    for (const std::size_t end : ends) connect(end, after);
    return after;
  }

  /// Computes the transitive closure and the depths. Edges lead only to strands with greater numbers.
  void close() {
    reaches_.assign(edges_.size(), std::vector<bool>(edges_.size(), false));
    for (std::size_t from = edges_.size(); from-- != 0;) {
      for (const std::size_t to : edges_[from]) {
        reaches_[from][to] = true;
        for (std::size_t far = to; far < edges_.size(); ++far) {
          if (reaches_[to][far]) reaches_[from][far] = true;
        }
      }
    }
    for (std::size_t from = 0; from < edges_.size(); ++from) {
      for (const std::size_t to : edges_[from]) depths_[to] = std::max(depths_[to], depths_[from] + 1);
    }
  }

  std::vector<std::vector<std::size_t>> edges_;
  std::vector<std::vector<bool>> reaches_;
  std::vector<std::size_t> strand_of_;
  std::vector<std::size_t> depths_;
};

}  // namespace tine::test
