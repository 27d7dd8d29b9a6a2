// Phases on OpenMP: a loop in equal parts, the same thread always getting the same one; or tasks for halves.
#pragma once

#include "harness/blocks/partition.hpp"

namespace bench {

/// On `runtime_kind::openmp_team`.
struct openmp_static_blocks {
  template <class Body>
  void operator()(int /*shape*/, int count, const Body& body) const {
#pragma omp parallel for schedule(static) default(none) shared(body, count)
    for (int block = 0; block < count; ++block) body(block, block + 1);
  }
};

/// On `runtime_kind::openmp`.
class openmp_task_blocks {
 public:
  template <class Body>
  void operator()(int /*shape*/, int count, const Body& body) const {
    halve(0, count, body);
  }

 private:
  template <class Body>
  [[gnu::noinline]] static void halve(int first, int last, const Body& body) {
    if (last - first == 1) return body(first, last);
    const int middle = first + (last - first) / 2;
#pragma omp task default(none) shared(body) firstprivate(first, middle)
    halve(first, middle, body);
    halve(middle, last, body);
#pragma omp taskwait
  }
};

}  // namespace bench
