// Owns the dag that a dag vertex has recorded, while a test looks at it, and lists children.
#pragma once

#include "augment/dag.hpp"

#include <utility>
#include <vector>

namespace tine::test {

/// Closes a vertex and owns its nodes. A profile keeps the nodes until the process ends; a test frees them.
class closed_dag {
 public:
  explicit closed_dag(detail::dag_vertex& v) : root_{v.close()} {}
  ~closed_dag() { release(root_); }
  closed_dag(const closed_dag&) = delete;
  closed_dag& operator=(const closed_dag&) = delete;

  const detail::dag_node& root() const { return *root_; }

 private:
  static void release(const detail::dag_node* first) {
    while (first != nullptr) {
      release(first->first_child);
      delete std::exchange(first, first->next);
    }
  }
  const detail::dag_node* root_;
};

inline std::vector<const detail::dag_node*> children_of(const detail::dag_node& n) {
  std::vector<const detail::dag_node*> all;
  for (const detail::dag_node* c = n.first_child; c != nullptr; c = c->next) all.push_back(c);
  return all;
}

}  // namespace tine::test
