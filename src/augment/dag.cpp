// The series-parallel picture, built as forks join.
#include "augment/dag.hpp"

#include "augment/paths.hpp"
#include "augment/profiled.hpp"

#include <algorithm>
#include <utility>

namespace tine::detail {

using trace::node;

namespace {

dag_node* reversed(dag_node* list) noexcept {
  dag_node* result = nullptr;
  while (list != nullptr) {
    dag_node* n = std::exchange(list, list->next);
    n->next = std::exchange(result, n);
  }
  return result;
}

/// The pieces of a loop without the threshold of work: all of them are leaves, as what has nodes below it has the threshold.
void give_up(dag_node* leaves) noexcept {
  while (leaves != nullptr) delete std::exchange(leaves, leaves->next);
}

}  // namespace

base::ticks dag_vertex::threshold() noexcept { return point_threshold(); }

void dag_vertex::run_for(base::ticks t) noexcept {
  all_.work += t;
  all_.span += t;
  leaf_.work += t;
  leaf_.span += t;
}

/// Something that is not told apart from the strands around it.
void dag_vertex::add_leaf(const amount& a) noexcept {
  leaf_.work += a.work;
  leaf_.span += a.span;
  leaf_.forks += a.forks;
}

void dag_vertex::push(dag_node* n) noexcept {
  (first_ == nullptr ? first_ : last_->next) = n;
  last_ = n;
}

void dag_vertex::end_leaf() noexcept {
  const amount a = std::exchange(leaf_, {});
  if (a.work == 0 && a.forks == 0) return;
  push(new dag_node{{node::shape::leaf, 0, trace::nothing, a.work, a.span, a.forks}});
}

/// A parallel node, which may be too small to be one.
void dag_vertex::add(node::shape shape, const amount& a, dag_node* children, sched::site where) noexcept {
  all_.work += a.work;
  all_.span += a.span;
  all_.forks += a.forks;
  if (children == nullptr) return add_leaf(a);
  end_leaf();
  auto* n = new dag_node{{shape, 0, trace::nothing, a.work, a.span, a.forks}, nullptr, children};
  n->where = where;
  push(n);
}

dag_node* dag_vertex::close() noexcept {
  end_leaf();
  if (first_ == nullptr) push(new dag_node{{node::shape::leaf, 0, trace::nothing, 0, 0, 0}});
  if (first_ == last_) return first_;
  return new dag_node{{node::shape::series, 0, trace::nothing, all_.work, all_.span, all_.forks}, nullptr, first_};
}

void dag_vertex::fork(dag_vertex&, dag_vertex&, sched::site where) noexcept {
  forked_at_ = where & ~sched::of_coroutine;
}

void dag_vertex::join(dag_vertex& left, dag_vertex& right, dag_vertex& after) noexcept {
  const amount both{left.all_.work + right.all_.work, std::max(left.all_.span, right.all_.span),
                    left.all_.forks + right.all_.forks + 1};
  dag_node* children = nullptr;
  if (both.work >= threshold()) {
    children = left.close();
    children->next = right.close();
  }
  add(node::shape::parallel, both, children, forked_at_);
  after = *this;
}

void dag_vertex::loop(dag_vertex& piece, std::uint64_t, sched::site where) const noexcept { piece.loop_at_ = where; }

void dag_vertex::end_chunk() noexcept {
  longest_ = std::max(longest_, all_.span - chunk_begin_);
  chunk_begin_ = all_.span;
}

void dag_vertex::chunk(std::uint64_t count, base::ticks now) noexcept {
  run_for(now - since_);
  since_ = now;
  end_chunk();
  iterations_ += count;
}

void dag_vertex::append(dag_vertex& next) noexcept {
  end_chunk();
  next.end_chunk();
  longest_ = std::max(longest_, next.longest_);
  iterations_ += next.iterations_;
  dag_node* n = next.close();
  appended_.work += n->value.work + next.appended_.work;
  appended_.forks += n->value.forks + next.appended_.forks;
  n->next = std::exchange(pieces_, n);
  if (next.pieces_ == nullptr) return;
  dag_node* first = next.pieces_;  // of what was appended to it: the last in their list
  while (first->next != nullptr) first = first->next;
  first->next = std::exchange(pieces_, next.pieces_);
}

void dag_vertex::join_loop(dag_vertex& piece, dag_vertex& after) noexcept {
  piece.end_chunk();
  const std::uint64_t own_forks = piece.iterations_ > 0 ? piece.iterations_ - 1 : 0;
  const amount whole{piece.all_.work + piece.appended_.work, piece.longest_,
                     piece.all_.forks + piece.appended_.forks + own_forks};
  dag_node* children = nullptr;
  if (whole.work >= threshold()) {
    children = piece.close();
    children->next = reversed(piece.pieces_);  // they were put in front of each other
  } else {
    give_up(piece.pieces_);
  }
  add(node::shape::loop, whole, children, piece.loop_at_);
  after = *this;
}

void add_nodes(trace::profile& into, const dag_node& root) {
  std::vector<const dag_node*> open{&root};
  while (!open.empty()) {
    const dag_node& n = *open.back();
    open.pop_back();
    node& value = into.nodes.emplace_back(n.value);
    value.work = base::to_nanoseconds(n.value.work);
    value.span = base::to_nanoseconds(n.value.span);
    value.site = n.where != 0 ? index_of_site(into, n.where) : trace::nothing;
    const std::size_t first = open.size();
    for (const dag_node* c = n.first_child; c != nullptr; c = c->next) open.push_back(c);
    value.children = static_cast<std::uint32_t>(open.size() - first);
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
}

}  // namespace tine::detail
