// The problem delaunay, for the files that are compiled for each program.
#pragma once

#include "programs/delaunay/triangulate.hpp"

namespace bench {
using delaunay::problem;
}  // namespace bench
