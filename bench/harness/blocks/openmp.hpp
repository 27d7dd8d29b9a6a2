// Phases on an OpenMP team: a loop in equal parts, the same thread always getting the same one.
#pragma once

namespace bench {

/// On `runtime_kind::openmp_team`.
struct openmp_static_blocks {
  template <class Body>
  void operator()(int /*shape*/, int count, const Body& body) const {
#pragma omp parallel for schedule(static) default(none) shared(body, count)
    for (int block = 0; block < count; ++block) body(block, block + 1);
  }
};

}  // namespace bench
