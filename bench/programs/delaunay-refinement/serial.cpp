// delaunay-refinement without forks: a queue of triangles.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

void serial(problem& p) {
  using namespace delaunay_refinement;
  triangulation& m = p.mesh;
  std::vector<std::uint32_t> queue;
  for (std::uint32_t t = 0; t < m.triangle_count(); ++t)
    if (m.is_skinny(m.triangles[t])) queue.push_back(t);
  cavity hole;
  for (std::size_t head = 0; head < queue.size() && m.point_count < m.points.size(); ++head) {
    const std::uint32_t t = queue[head];
    if (!m.is_refinable(m.triangles[t], hole.centre)) continue;
    m.find_cavity(t, hole);
    m.insert(hole, static_cast<std::uint32_t>(m.point_count++));
    for (const std::uint32_t fresh : hole.inner)
      if (m.is_skinny(m.triangles[fresh])) queue.push_back(fresh);
  }
}

}  // namespace bench
