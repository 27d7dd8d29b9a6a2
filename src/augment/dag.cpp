// Builds the series-parallel picture as forks join. Only the strand of a vertex touches it.
#include "augment/dag.hpp"

#include "augment/fold.hpp"
#include "augment/paths.hpp"
#include "augment/phases.hpp"

#include <algorithm>
#include <utility>

namespace tine::detail {

using trace::node;

base::ticks dag_vertex::threshold() noexcept { return point_threshold(); }

void dag_vertex::run_for(base::ticks t) noexcept {
  all_.work += t;
  all_.span += t;
  leaf_.work += t;
  leaf_.span += t;
}

/// Adds `a`, which runs beside `to`.
void dag_vertex::add_beside(amount& to, const amount& a) noexcept {
  to.work += a.work;
  to.span = std::max(to.span, a.span);
  to.forks += a.forks;
}

/// Adds `a` to the growing leaf, i.e. merges it with the strands around it.
void dag_vertex::add_leaf(const amount& a, std::uint32_t phase) noexcept {
  leaf_.work += a.work;
  leaf_.span += a.span;
  leaf_.forks += a.forks;
  leaf_phase_ = phase_of_both(leaf_phase_, phase);
}

/// Adds `a` to the chunks without nodes.
void dag_vertex::add_plain(const amount& a, std::uint32_t phase) noexcept {
  plain_phase_ = plain_.work + plain_.forks == 0 ? phase : phase_of_both(plain_phase_, phase);
  add_beside(plain_, a);
}

void dag_vertex::enter(std::uint32_t into, base::ticks now) noexcept {
  run_for(now - since_);
  since_ = now;
  end_leaf();
  phase_ = leaf_phase_ = into;
  inside_ = phase_of_both(inside_, into);
}

/// Folds the series if the threshold has changed. Call it before nodes are added or handed on. Added nodes were folded
/// when their strands ended, so every node is visited once for each threshold.
void dag_vertex::fold_if_coarser() noexcept {
  const base::ticks now = threshold();
  if (first_ != nullptr && folded_to_ != now) last_ = fold_series(first_, now);
  folded_to_ = now;
}

void dag_vertex::push(dag_node* n) noexcept {
  fold_if_coarser();
  if (last_ != nullptr && is_one_leaf(*last_, *n, threshold())) return absorb(*last_, n, true);
  (first_ == nullptr ? first_ : last_->next) = n;
  last_ = n;
}

void dag_vertex::end_leaf() noexcept {
  const amount a = std::exchange(leaf_, {});
  const std::uint32_t phase = std::exchange(leaf_phase_, phase_);
  if (a.work == 0 && a.forks == 0) return;
  push(new dag_node{{node::shape::leaf, 0, trace::nothing, a.work, a.span, a.forks, phase}});
}

/// Adds a parallel node or a loop. If it has no children, it is too small for a node, and is added to the leaf.
void dag_vertex::add(node::shape shape, const amount& a, dag_node* children, sched::site where,
                     std::uint32_t phase) noexcept {
  all_.work += a.work;
  all_.span += a.span;
  all_.forks += a.forks;
  inside_ = phase_of_both(inside_, phase);
  if (children == nullptr) return add_leaf(a, phase);
  end_leaf();
  auto* n = new dag_node{{shape, 0, trace::nothing, a.work, a.span, a.forks}, nullptr, children};
  n->where = where;
  push(n);
}

dag_node* dag_vertex::close() noexcept {
  end_leaf();
  fold_if_coarser();
  if (first_ == nullptr) push(new dag_node{{node::shape::leaf, 0, trace::nothing, 0, 0, 0, phase_}});
  if (first_ == last_) return first_;
  return new dag_node{{node::shape::series, 0, trace::nothing, all_.work, all_.span, all_.forks}, nullptr, first_};
}

void dag_vertex::fork(dag_vertex& left, dag_vertex& right, sched::site where) noexcept {
  left.begin_in(phase_);
  right.begin_in(phase_);
  forked_at_ = where & ~sched::of_coroutine;
}

void dag_vertex::join(dag_vertex& left, dag_vertex& right, dag_vertex& after) noexcept {
  const amount both{left.all_.work + right.all_.work, std::max(left.all_.span, right.all_.span),
                    left.all_.forks + right.all_.forks + 1};
  dag_node* children = nullptr;
  if (both.work >= threshold()) {
    children = left.close();
    children->next = right.close();
  } else {  // the branches may have nodes that the threshold has grown past
    left.drop();
    right.drop();
  }
  add(node::shape::parallel, both, children, forked_at_, phase_of_both(left.inside_, right.inside_));
  after = *this;
}

void dag_vertex::loop(dag_vertex& subrange, std::uint64_t n, sched::site where) const noexcept {
  subrange.iterations_ = n;
  subrange.loop_at_ = where;
  subrange.begin_in(phase_);
}

void dag_vertex::drop() noexcept {
  drop_nodes(std::exchange(first_, nullptr));
  drop_nodes(std::exchange(first_chunk_, nullptr));
}

/// Adds a chunk that has ended and had nodes. If the threshold has grown past these, it has become a leaf.
void dag_vertex::add_chunk(dag_node* n) noexcept {
  if (n->value.is == node::shape::leaf) {
    add_plain({n->value.work, n->value.span, n->value.forks}, n->value.phase);
    return drop_nodes(n);
  }
  (first_chunk_ == nullptr ? first_chunk_ : last_chunk_->next) = n;
  last_chunk_ = n;
}

/// Does for chunks what `fold_if_coarser` does for the series. Chunks don't form a series, so we fold each by itself.
void dag_vertex::fold_chunks_if_coarser() noexcept {
  const base::ticks now = threshold();
  if (std::exchange(chunks_folded_to_, now) == now) return;
  dag_node* n = std::exchange(first_chunk_, nullptr);
  while (n != nullptr) {
    dag_node* const one = n;
    n = std::exchange(one->next, nullptr);
    fold_series(one, now);
    add_chunk(one);
  }
}

void dag_vertex::end_chunk() noexcept {
  add_beside(chunks_, all_);
  if (first_ == nullptr) {
    add_plain(std::exchange(leaf_, {}), std::exchange(leaf_phase_, phase_));
  } else {
    fold_chunks_if_coarser();
    add_chunk(close());
    first_ = last_ = nullptr;
  }
  all_ = {};
}

void dag_vertex::chunk(std::uint64_t, base::ticks now) noexcept {
  run_for(now - since_);
  since_ = now;
  end_chunk();
}

void dag_vertex::append(dag_vertex& next) noexcept {
  end_chunk();
  next.end_chunk();
  fold_chunks_if_coarser();
  next.fold_chunks_if_coarser();
  add_beside(chunks_, next.chunks_);
  if (next.plain_.work + next.plain_.forks != 0) add_plain(next.plain_, next.plain_phase_);
  inside_ = phase_of_both(inside_, next.inside_);
  if (next.first_chunk_ == nullptr) return;
  (first_chunk_ == nullptr ? first_chunk_ : last_chunk_->next) = next.first_chunk_;
  last_chunk_ = next.last_chunk_;
}

void dag_vertex::join_loop(dag_vertex& subrange, dag_vertex& after) noexcept {
  subrange.end_chunk();
  subrange.fold_chunks_if_coarser();
  amount whole = subrange.chunks_;
  whole.forks += subrange.iterations_ > 0 ? subrange.iterations_ - 1 : 0;
  dag_node* children = std::exchange(subrange.first_chunk_, nullptr);
  if (whole.work < threshold()) {  // the threshold may have grown past the nodes of chunks
    drop_nodes(std::exchange(children, nullptr));
  } else if (children == nullptr || subrange.plain_.work + subrange.plain_.forks != 0) {
    const amount& a = subrange.plain_;
    auto* const rest =
        new dag_node{{node::shape::leaf, 0, trace::nothing, a.work, a.span, a.forks, subrange.plain_phase_}};
    (children == nullptr ? children : subrange.last_chunk_->next) = rest;
  }
  add(node::shape::loop, whole, children, subrange.loop_at_, subrange.inside_);
  after = *this;
}

namespace {

/// A node on its way into the profile, with the work before it in serial order and the chain before it.
struct placed {
  const dag_node* n;
  base::ticks work, chain;
};

std::uint64_t nanoseconds_from(base::ticks begin, base::ticks length) noexcept {
  return base::to_nanoseconds(begin + length) - base::to_nanoseconds(begin);
}

}  // namespace

void add_nodes(trace::profile& into, const dag_node& root) {
  std::vector<placed> open{{&root, 0, 0}};
  while (!open.empty()) {
    auto [n, work, chain] = open.back();
    open.pop_back();
    node& value = into.nodes.emplace_back(n->value);
    value.work = nanoseconds_from(work, n->value.work);
    value.span = nanoseconds_from(chain, n->value.span);
    value.site = n->where != 0 ? index_of_site(into, n->where) : trace::nothing;
    const std::size_t first = open.size();
    for (const dag_node* c = n->first_child; c != nullptr; c = c->next) {
      open.push_back({c, work, chain});
      work += c->value.work;
      if (n->value.is == node::shape::series) chain += c->value.span;
    }
    value.children = static_cast<std::uint32_t>(open.size() - first);
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
}

}  // namespace tine::detail
