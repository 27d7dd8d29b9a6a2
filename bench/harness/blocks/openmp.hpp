// Phases on an OpenMP team: a loop in equal parts, of which a thread gets the same part in every phase.
#pragma once

namespace bench {

/// Runs on `runtime_kind::openmp_team`.
struct openmp_static_blocks {
  template <class Body>
  void operator()(int /*shape*/, int count, const Body& body) const {
#pragma omp parallel for schedule(static) default(none) shared(body, count)
    for (int block = 0; block < count; ++block) body(block, block + 1);
  }
};

}  // namespace bench
