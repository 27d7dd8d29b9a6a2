// A small schedule in parts that tests can damage, and larger schedules drawn at random.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tine::test {

struct parts {
  unsigned workers = 1;
  schedule::segment root{0, 0, 0, 100};
  std::vector<schedule::node> nodes;
  std::vector<schedule::step> steps;
  std::vector<schedule::piece> pieces;

  schedule make() const { return schedule{workers, root, nodes, steps, pieces}; }
};

constexpr auto fork = schedule::kind::fork, loop = schedule::kind::loop;
constexpr auto nothing = schedule::nothing;
constexpr int no_worker = schedule::no_worker;

/// Returns a schedule of three workers: a fork with steals in both branches, and a loop with two stolen pieces.
inline parts example() {
  return {3,
          {0, 0, 0, 50},
          {{0, 2}, {2, 1}, {3, 1}, {4, 1}},
          {{2, fork, 2, 0, 2, {0, 6, 130, 200}},
           {5, loop, 1000, 2, 3, {2, 9, 300, 400}},
           {0, fork, 2, 5, 1, {2, 4, 60, 100}},
           {0, fork, 2, 6, 1, {}},
           {7, loop, 10, 7, 1, {0, 5, 80, 130}}},
          {{0, {}, 1},
           {1, {1, 1, 10, 70}, 2},
           {0, {}, nothing},
           {500, {2, 7, 140, 300}, nothing},
           {750, {1, 8, 150, 190}, nothing},
           {1, {2, 2, 20, 60}, nothing},
           {1, {}, 3},
           {5, {0, 3, 55, 80}, nothing}}};
}

/// Returns a schedule of two workers: a fork in the second branch of a fork in the second branch …, each branch stolen.
inline parts chain(std::uint32_t depth) {
  parts p{2, {0, 0, 0, 10}, {}, {}, {}};
  for (std::uint32_t i = 0; i < depth; ++i) {
    const int owner = i % 2 == 0 ? 1 : 0;
    const std::uint64_t begin = 10 * std::uint64_t{i} + 10;
    p.nodes.push_back({i, 1});
    p.steps.push_back(
        {0, fork, 2, i, 1, {owner, depth + depth - i, 20 * std::uint64_t{depth}, 20 * std::uint64_t{depth}}});
    p.pieces.push_back({1, {owner, i + 1, begin, begin + 10}, i + 1 < depth ? i + 1 : nothing});
  }
  return p;
}

/// Draws a tree of forks and loops that fulfils every rule.
class drawn {
 public:
  drawn(std::uint64_t seed, std::size_t most_nodes) : dice_{seed}, most_{most_nodes} {
    p_.workers = below(8) + 1;
    p_.root = segment();
    for (std::size_t i = 0; i < nodes_; ++i) add_node();
  }
  const parts& get() const noexcept { return p_; }

 private:
  std::uint32_t below(std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>{0, n - 1}(dice_); }
  schedule::segment segment() {
    const std::uint64_t begin = stamp_ * 10ULL;
    return {static_cast<int>(below(p_.workers)), stamp_++, begin, begin + below(1000)};
  }
  std::uint32_t child() { return nodes_ < most_ && below(2) == 0 ? nodes_++ : nothing; }

  void add_node() {
    const auto first = static_cast<std::uint32_t>(p_.steps.size());
    const std::uint32_t count = below(4);
    for (std::uint32_t i = 0, number = 0; i < count; ++i) add_step(number += 1 + below(5));
    p_.nodes.push_back({first, count});
  }
  void add_step(std::uint32_t number) {
    schedule::step t{number, below(2) == 0 ? fork : loop, 2, static_cast<std::uint32_t>(p_.pieces.size()), 0, {}};
    const bool is_split = below(4) != 0;
    if (t.what == fork) {
      if (is_split && below(2) == 0) p_.pieces.push_back({0, {}, child()});
      p_.pieces.push_back({1, is_split ? segment() : schedule::segment{}, child()});
    } else {
      t.count = 10 + below(1000);
      for (std::uint64_t i = below(3); i < t.count; i += 1 + below(400)) {
        p_.pieces.push_back({i, is_split && (i > 0 || below(2) == 0) ? segment() : schedule::segment{}, child()});
      }
    }
    t.pieces = static_cast<std::uint32_t>(p_.pieces.size()) - t.first_piece;
    bool is_owned = false;
    for (std::uint32_t i = t.first_piece; i < p_.pieces.size(); ++i) is_owned |= p_.pieces[i].run.owner != no_worker;
    if (is_owned && below(8) != 0) t.after = segment();
    p_.steps.push_back(t);
  }

  std::mt19937_64 dice_;
  std::size_t most_;
  parts p_;
  std::uint32_t nodes_ = 1, stamp_ = 0;
};

}  // namespace tine::test
