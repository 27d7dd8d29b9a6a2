// Phases over the same data: the program records the schedule of the first phase, improves it in the next phases until
// it has converged, and then follows it, so that each worker finds its rows in its own caches.
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr int rows = 1024, columns = 1024, phases = 20;

struct grid {
  std::vector<double> now = std::vector<double>(std::size_t{rows} * columns), next = now;

  static std::size_t at(int row, int column) {
    return static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
  }
};

void initialise_row(grid& g, int row) {
  for (int c = 0; c < columns; ++c) g.now[grid::at(row, c)] = g.next[grid::at(row, c)] = row == 0 ? 100 : 0;
}

void relax_row(grid& g, int row) {
  if (row == 0 || row == rows - 1) return;
  for (int c = 1; c < columns - 1; ++c) {
    g.next[grid::at(row, c)] = (g.now[grid::at(row - 1, c)] + g.now[grid::at(row + 1, c)] +
                                g.now[grid::at(row, c - 1)] + g.now[grid::at(row, c + 1)]) /
                               4;
  }
}

/// Every phase has the same forks and loops, so that a schedule of one phase fits the other phases.
void initialise(grid& g) {
  tine::par_for(0, rows, [&](int row) { initialise_row(g, row); });
}
void relax(grid& g) {
  tine::par_for(0, rows, [&](int row) { relax_row(g, row); });
}

std::vector<double> serial() {
  grid g;
  for (int row = 0; row < rows; ++row) initialise_row(g, row);
  for (int i = 0; i < phases; ++i) {
    for (int row = 0; row < rows; ++row) relax_row(g, row);
    g.now.swap(g.next);
  }
  return g.now;
}

}  // namespace

int main() {
  grid g;
  tine::replay_session session{tine::record([&] { initialise(g); })};
  for (int i = 0; i < phases; ++i) {
    session.run([&] { relax(g); });
    g.now.swap(g.next);
  }

  const tine::schedule& s = session.best();
  const tine::schedule kept = tine::schedule::from_json(s.to_json());  // or save(path) and load(path)
  std::printf("%d phases on %u workers, by a schedule with %zu steals\n", phases, kept.workers(), kept.steals());
  return g.now == serial() && kept == s ? 0 : 1;
}
