// Heat in a plate on any number of ranks: each has some of its rows, and sends the outer ones to its neighbours while
// it computes the others.
//
//     heat [rows] [steps]
//     mpirun -n 4 heat 1000 200
//
// Rank 0 computes the whole plate once more without MPI, and compares: every number must be the same, bit for bit.
#include <tine/mpi.hpp>
#include <tine/tine.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace {

using row = std::vector<double>;

double start_at(int i, int k, int n) { return i == 0 ? 100.0 : k == 0 || k == n - 1 ? 20.0 + i % 7 : 0.0; }

/// Rows `first` to `last` of a plate of n rows, with a row of the neighbour, or a border, at each end.
struct plate {
  int n, first, last;
  std::vector<row> now, next;

  plate(int size, int begin, int end) : n{size}, first{begin}, last{end} {
    for (int i = first - 1; i <= last; ++i) {
      now.emplace_back();
      for (int k = 0; k < n; ++k) now.back().push_back(start_at(i, k, n));
    }
    next = now;
  }
  row& at(int i) { return now[static_cast<unsigned>(i - first + 1)]; }

  void compute(int i) {
    if (i <= 0 || i >= n - 1) return;  // a border
    const auto r = static_cast<unsigned>(i - first + 1);
    for (unsigned k = 1; k + 1 < static_cast<unsigned>(n); ++k) {
      next[r][k] = 0.25 * (now[r - 1][k] + now[r + 1][k] + now[r][k - 1] + now[r][k + 1]);
    }
  }
};

/// Gives the outer rows to the ranks above and below, and gets theirs.
tine::task<void> exchange(plate& p, int above, int below) {
  using tine::mpi::receive, tine::mpi::send;
  const auto get = [](row& r, int from, int tag) -> tine::task<void> { co_await receive(std::span{r}, from, tag); };
  const auto put = [](const row& r, int to, int tag) -> tine::task<void> { co_await send(std::span{r}, to, tag); };
  // MPI_PROC_NULL, where the plate ends, takes everything and sends nothing.
  co_await tine::fork(get, std::ref(p.at(p.first - 1)), above, 1);
  co_await tine::fork(get, std::ref(p.at(p.last)), below, 2);
  co_await tine::fork(put, std::cref(p.at(p.last - 1)), below, 1);
  co_await tine::call(put, std::cref(p.at(p.first)), above, 2);
  co_await tine::join;
}

void step(plate& p, int above, int below) {
  // The inner rows need no neighbour. While the first branch waits for its messages, its worker begins the second one.
  tine::par([&] { tine::run(exchange, std::ref(p), above, below); },
            [&] { tine::par_for(p.first + 1, p.last - 1, [&](int i) { p.compute(i); }); });
  p.compute(p.first);
  if (p.last - 1 > p.first) p.compute(p.last - 1);
  std::swap(p.now, p.next);
}

}  // namespace

int main(int argc, char** argv) {
  tine::mpi::environment mpi{argc, argv};
  const int n = argc > 1 ? std::atoi(argv[1]) : 600, steps = argc > 2 ? std::atoi(argv[2]) : 100;
  const int ranks = mpi.size(), rank = mpi.rank();
  if (n < 2 * ranks || steps < 0)
    return std::printf("usage: heat [rows] [steps], with two rows for each rank or more\n"), 2;
  const auto begin_of = [&](int r) { return static_cast<int>(static_cast<std::int64_t>(n) * r / ranks); };
  plate mine{n, begin_of(rank), begin_of(rank + 1)};

  tine::run([&] {
    for (int s = 0; s < steps; ++s)
      step(mine, rank > 0 ? rank - 1 : MPI_PROC_NULL, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL);
  });

  if (rank != 0) {
    for (int i = mine.first; i < mine.last; ++i) tine::mpi::send(std::span<const double>{mine.at(i)}, 0, 10).get();
    return 0;
  }
  plate whole{n, 0, n};
  for (int s = 0; s < steps; ++s) {
    for (int i = 1; i + 1 < n; ++i) whole.compute(i);
    std::swap(whole.now, whole.next);
  }
  long different = 0;
  for (int r = 0; r < ranks; ++r) {
    row got(static_cast<unsigned>(n));
    for (int i = begin_of(r); i < begin_of(r + 1); ++i) {
      if (r != 0) tine::mpi::receive(std::span{got}, r, 10).get();
      const row& from = r == 0 ? mine.at(i) : got;
      different += std::memcmp(from.data(), whole.at(i).data(), from.size() * sizeof(double)) != 0;
    }
  }
  std::printf("heat: %d rows, %d steps on %d ranks; %ld rows differ\n", n, steps, ranks, different);
  return different == 0 ? 0 : 1;
}
