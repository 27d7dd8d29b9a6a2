// Gathers the rows of ended roots, under the profiler's lock. When there are too many we merge neighbours.
#include "augment/gathered.hpp"

#include "augment/fold.hpp"
#include "augment/phases.hpp"
#include "augment/resolution.hpp"

#include <algorithm>
#include <vector>

namespace tine::detail {
namespace {

using shape = trace::node::shape;

/// Returns the nodes that stand for `n` in a series, because a series never stands directly in a series.
dag_node* parts_of(dag_node* n) noexcept {
  if (n->value.is != shape::series) return n;
  dag_node* const first = n->first_child;
  delete n;
  return first;
}

/// Returns one node for both: a series if `in_series`, else a parallel node.
dag_node* joined(dag_node* a, dag_node* b, bool in_series) {
  const trace::node left = a->value, right = b->value;
  auto* n =
      new dag_node{{in_series ? shape::series : shape::parallel, 0, trace::nothing, left.work + right.work,
                    in_series ? left.span + right.span : std::max(left.span, right.span), left.forks + right.forks}};
  n->first_child = in_series ? parts_of(a) : a;
  dag_node* last = n->first_child;
  while (last->next != nullptr) last = last->next;
  last->next = in_series ? parts_of(b) : b;
  return n;
}

trace::root in_nanoseconds(trace::root r) noexcept {
  for (std::uint64_t* const t :
       {&r.begin, &r.wall, &r.serial, &r.all.work, &r.all.span_low, &r.all.span_high, &r.all.burdened_span}) {
    *t = base::to_nanoseconds(*t);
  }
  return r;
}

bool is_before(const trace::root& a, const trace::root& b) noexcept { return a.begin + a.wall <= b.begin; }

}  // namespace

trace::root merged(const trace::root& a, const trace::root& b) noexcept {
  trace::root m = a;
  const bool in_series = is_before(a, b);
  m.begin = std::min(a.begin, b.begin);
  m.wall = in_series ? a.wall + b.wall : std::max(a.begin + a.wall, b.begin + b.wall) - m.begin;
  const auto add_span = [&](std::uint64_t trace::totals::* span) {
    m.all.*span = in_series ? a.all.*span + b.all.*span : std::max(a.all.*span, b.all.*span);
  };
  for (const auto span : {&trace::totals::span_low, &trace::totals::span_high, &trace::totals::burdened_span}) {
    add_span(span);
  }
  m.serial += b.serial;
  m.all.work += b.all.work;
  m.all.forks += b.all.forks;
  m.all.loops += b.all.loops;
  m.all.iterations += b.all.iterations;
  m.threw = a.threw || b.threw;
  m.count += b.count;
  m.phase = phase_of_both(a.phase, b.phase);
  return m;
}

void gathered::add(const trace::root& ended, dag_node* dag) {
  roots_.push_back(ended);
  if (dag != nullptr) dags_.push_back(dag);
  if (roots_.size() > caps().roots) merge_neighbours();
  if (folded_to_ != point_threshold()) fold_to_threshold();
}

void gathered::merge_neighbours() {
  std::size_t to = 0;
  for (std::size_t i = 0; i < roots_.size(); i += 2, ++to) {
    const bool has_two = i + 1 < roots_.size();
    if (!dags_.empty())
      dags_[to] = has_two ? joined(dags_[i], dags_[i + 1], is_before(roots_[i], roots_[i + 1])) : dags_[i];
    roots_[to] = has_two ? merged(roots_[i], roots_[i + 1]) : roots_[i];
  }
  roots_.resize(to);
  if (!dags_.empty()) dags_.resize(to);
  folded_to_ = 0;  // joined dags may have leaves side by side
}

void gathered::fold_to_threshold() noexcept {
  folded_to_ = point_threshold();
  for (dag_node* n : dags_) fold_series(n, folded_to_);
}

std::size_t gathered::nodes() const {
  std::size_t count = 0;
  std::vector<const dag_node*> open{dags_.begin(), dags_.end()};
  while (!open.empty()) {
    const dag_node* n = open.back();
    open.pop_back();
    ++count;
    for (const dag_node* c = n->first_child; c != nullptr; c = c->next) open.push_back(c);
  }
  return count;
}

void gathered::fold_to_cap() noexcept {
  fold_to_threshold();
  // Each root keeps a node, and the cap of roots is below that of nodes, so this ends.
  while (nodes() > caps().nodes) {
    double_threshold(point_threshold());
    fold_to_threshold();
  }
}

void gathered::add_open(trace::profile& into, trace::root open) const {
  const auto beyond = [&](std::uint64_t all, std::uint64_t trace::totals::* of) {
    for (const trace::root& r : into.roots) all -= std::min(all, r.all.*of);
    return all;
  };
  std::uint64_t work = 0, forks = 0, loops = 0, iterations = 0, longest = 0;
  for (const trace::path& p : into.paths) work += p.work;
  for (const trace::site& s : into.sites) {
    (s.kind == trace::construct::loop ? loops : forks) += s.count;
    iterations += s.iterations;
  }
  for (const trace::point& p : into.points) longest = std::max(longest, p.span);
  trace::totals& all = open.all;
  all.work = beyond(work, &trace::totals::work);
  all.loops = beyond(loops, &trace::totals::loops);
  all.iterations = beyond(iterations, &trace::totals::iterations);
  all.forks = beyond(forks, &trace::totals::forks);
  all.span_high = all.burdened_span = std::min(all.work, open.wall * open.count);
  // A point may belong to a root that has ended, unless none has.
  all.span_low = into.roots.empty() && open.count == 1 ? std::min(longest, all.span_high) : 0;
  open.is_open = true;
  into.roots.push_back(open);
  if ((into.run.analyses & trace::dag) == 0) return;
  // in a dag, a loop of n iterations counts n - 1 forks
  const std::uint64_t in_loops = all.iterations - std::min(all.iterations, all.loops);
  into.nodes.push_back({.work = all.work, .span = all.span_high, .forks = all.forks + in_loops});
}

void gathered::write(trace::profile& into, const trace::root& open) const {
  for (const trace::root& r : roots_) into.roots.push_back(in_nanoseconds(r));
  for (const dag_node* n : dags_) add_nodes(into, *n);
  if (open.count != 0) add_open(into, open);
}

void gathered::forget() noexcept {
  roots_.clear();
  for (dag_node* n : dags_) drop_nodes(n);
  dags_.clear();
}

}  // namespace tine::detail
