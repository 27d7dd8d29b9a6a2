// Makes profiles without a run: a program is written down as strands, forks and loops with their work, and the profile
// is the one that tine would have written of it. For the tests of the report's page only.
#pragma once

#include "trace/profile.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tine::tests {

class simulation {
 public:
  trace::profile profile;

  explicit simulation(std::uint64_t threshold) {
    trace::run& run = profile.run;
    run.command = "./a.out";
    run.version = "0.1.0";
    run.machine = "a simulated processor";
    run.analyses = trace::work_span | trace::grain | trace::dag;
    run.workers = 2;
    run.fork_burden = 1200;
    run.fork_cost = 1.2;
    run.profiled_fork_cost = 30;
    run.profiled_loop_cost = 60;
    run.threshold = threshold;
  }

  std::uint32_t site(trace::construct kind) {
    profile.sites.push_back({.address = 0x1000 + profile.sites.size(), .kind = kind});
    return static_cast<std::uint32_t>(profile.sites.size() - 1);
  }

  std::uint32_t phase = trace::nothing;  ///< of the points that follow

  void strand(std::uint64_t work) {
    profile.paths[path_].work += work;
    now_->serial += alone_ ? work : 0;
    add({.work = work, .span = work, .burdened = work});
    profile.nodes.push_back({.work = work, .span = work});
  }

  /// `body` adds the parts that run one after the other.
  template <class Body>
  void series(Body body) {
    node(trace::node::shape::series, trace::nothing, 0, [&] { body(); });
  }

  template <class Left, class Right>
  void fork(std::uint32_t s, Left left, Right right) {
    trace::site& here = profile.sites[s];
    here.count += 1;
    now_->all.forks += 1;
    in_path(s, [&] {
      node(trace::node::shape::parallel, s, 1, [&] {
        series(left);
        series(right);
      });
    });
  }

  /// A loop of `n` iterations of `each`, seen in `pieces`.
  void loop(std::uint32_t s, std::uint64_t n, std::uint64_t each, unsigned pieces) {
    profile.sites[s].count += 1;
    profile.sites[s].iterations += n;
    now_->all.loops += 1;
    now_->all.iterations += n;
    in_path(s, [&] {
      profile.paths[path_].iterations += n;
      node(trace::node::shape::loop, s, n - 1, [&] {
        for (unsigned i = 0; i < pieces; ++i) strand(std::max<std::uint64_t>(1, n * each / pieces));
      });
    });
  }

  /// A call into a pool that begins `before` nanoseconds after the end of the last call.
  template <class Body>
  void root(std::uint64_t before, Body body) {
    profile.run.wall += before;
    profile.roots.emplace_back().begin = profile.run.wall;
    now_ = &profile.roots.back();
    if (profile.paths.empty()) profile.paths.push_back({.count = 0});
    profile.paths[0].count += 1;
    path_ = 0;
    sum_ = {};
    series(body);
    now_->all.work = sum_.work;
    now_->all.span_low = now_->all.span_high = sum_.span;
    now_->all.burdened_span = sum_.burdened;
    now_->wall = std::max(sum_.span, sum_.work / profile.run.workers);
    profile.run.wall += now_->wall;
  }

 private:
  struct extent {
    std::uint64_t work = 0, span = 0, burdened = 0, forks = 0;
  };

  extent sum_;  // of the node that is open now
  trace::root* now_ = nullptr;
  std::uint32_t path_ = 0;
  bool parallel_ = false, alone_ = true;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> found_;

  void add(const extent& e) {
    sum_.work += e.work;
    sum_.forks += e.forks;
    sum_.span = parallel_ ? std::max(sum_.span, e.span) : sum_.span + e.span;
    sum_.burdened = parallel_ ? std::max(sum_.burdened, e.burdened) : sum_.burdened + e.burdened;
  }

  template <class Body>
  void in_path(std::uint32_t s, Body body) {
    const auto before = path_;
    const auto next = static_cast<std::uint32_t>(profile.paths.size());
    const auto [there, is_new] = found_.try_emplace({path_, s}, next);
    if (is_new) profile.paths.push_back({.parent = path_, .site = s});
    path_ = there->second;
    profile.paths[path_].count += 1;
    body();
    path_ = before;
  }

  /// Adds a node with `forks` forks at the node itself, and with the nodes that `body` adds below it.
  template <class Body>
  void node(trace::node::shape is, std::uint32_t s, std::uint64_t forks, Body body) {
    const bool parallel = is != trace::node::shape::series;
    const std::size_t at = profile.nodes.size();
    const bool was_parallel = std::exchange(parallel_, parallel), was_alone = alone_;
    const extent outer = std::exchange(sum_, {});
    alone_ = alone_ && !parallel;
    profile.nodes.push_back({.is = is, .site = s});
    body();
    parallel_ = was_parallel;
    alone_ = was_alone;
    sum_.forks += forks;
    sum_.burdened += parallel ? profile.run.fork_burden : 0;
    close(at);
    if (parallel && sum_.work >= profile.run.threshold) {
      profile.points.push_back({s, phase, sum_.work, sum_.span, sum_.forks});
    }
    const extent inner = std::exchange(sum_, outer);
    add(inner);
  }

  /// Writes the totals into the node, and makes it a leaf if they are small.
  void close(std::size_t at) {
    std::vector<trace::node>& nodes = profile.nodes;
    nodes[at].work = sum_.work;
    nodes[at].span = sum_.span;
    nodes[at].forks = sum_.forks;
    if (sum_.work < profile.run.threshold || nodes.size() == at + 1) {
      nodes.resize(at + 1);
      nodes[at].is = trace::node::shape::leaf;
      return;
    }
    for (std::size_t child = at + 1; child < nodes.size(); child = after(child)) nodes[at].children += 1;
  }

  /// Returns the first node that is not below `at`.
  std::size_t after(std::size_t at) const {
    std::size_t left = 1;
    for (; left > 0; ++at) left = left - 1 + profile.nodes[at].children;
    return at;
  }
};

}  // namespace tine::tests
