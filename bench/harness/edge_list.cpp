// See edge_list.hpp.
#include "harness/edge_list.hpp"

#include <cmath>
#include <string>

namespace bench {

void edge_list::add_options(options& o, int large_scale) {
  constexpr int largest_scale = 23;
  o.size("--scale", scale, {1, largest_scale}, large_scale,
         "2 to the power of this is the number of vertices (rmat), or a fourth of it (grid)");
  const auto choose = [this](const std::string& chosen) {
    shape = chosen == "grid" ? graph_shape::grid : graph_shape::rmat;
  };
  o.word("--graph", "rmat", {"rmat", "grid"}, choose, "Shape of the graph");
}

parameters edge_list::params() const {
  return {{"scale", scale}, {"graph", shape == graph_shape::grid ? "grid" : "rmat"}};
}

bool edge_list::make_edges() {
  if (made_scale_ == scale && made_shape_ == shape) return false;
  if (shape == graph_shape::grid) {
    const auto side = static_cast<std::uint32_t>(std::cbrt(std::ldexp(4.0, scale)));
    vertices = std::size_t{side} * side * side;
    all = grid_edges(side);
  } else {
    vertices = std::size_t{1} << scale;
    all = random_edges(scale);
  }
  made_scale_ = scale;
  made_shape_ = shape;
  return true;
}

}  // namespace bench
