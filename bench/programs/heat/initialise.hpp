// heat in phases over blocks of rows: one phase for each step.
#pragma once

#include "programs/heat/problem.hpp"

namespace bench::heat {

/// Computes one step for the rows from `first` to before `last`. Out of line, so that all variants run the same machine code.
[[gnu::noinline]] inline void step_rows(problem& p, int step, std::size_t first, std::size_t last) {
  const std::size_t stride = p.stride();
  for (std::size_t i = first; i < last; ++i) {
    const double *above = p.row(step, i - 1), *here = p.row(step, i), *below = p.row(step, i + 1);
    double* __restrict to = p.row(step + 1, i);
    for (std::size_t j = 1; j + 1 < stride; ++j) to[j] = stepped(here[j], above[j], below[j], here[j - 1], here[j + 1]);
  }
}

/// Writes the rows of both grids. The borders above and below belong to the first and the last row.
[[gnu::noinline]] inline void start_rows(problem& p, std::size_t first, std::size_t last) {
  const std::size_t stride = p.stride();
  if (first == 1) first = 0;
  if (last + 1 == stride) last = stride;
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < stride; ++j) {
      p.row(0, i)[j] = p.starting_point(i, j);
      p.row(1, i)[j] = 0;
    }
}

template <class Over>
void initialise(problem& p, const Over& over) {
  over(0, p.rows.blocks(), [&p](int b, int e) { start_rows(p, p.rows.begin(b) + 1, p.rows.begin(e) + 1); });
}

template <class Over>
void advance(problem& p, int step, const Over& over) {
  over(0, p.rows.blocks(), [&p, step](int b, int e) { step_rows(p, step, p.rows.begin(b) + 1, p.rows.begin(e) + 1); });
}

}  // namespace bench::heat
