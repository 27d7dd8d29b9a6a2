// A value in the code of a function.
#pragma once

#include "ir/program.hpp"
#include "ml/lower/shapes.hpp"

#include <vector>

namespace tine::ml::lower {

struct value {
  shape_ref has = nullptr;
  std::vector<spork::atom> cells;  ///< those of the shape
};

/// Returns the part of a tuple.
inline value part(const value& tuple, std::size_t index) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < index; ++i) begin += tuple.has->parts[i]->cells.size();
  const shape_ref has = tuple.has->parts[index];
  const auto first = tuple.cells.begin() + static_cast<std::ptrdiff_t>(begin);
  return {has, {first, first + static_cast<std::ptrdiff_t>(has->cells.size())}};
}

}  // namespace tine::ml::lower
