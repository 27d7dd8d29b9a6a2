// The program of the study of fork-join over MPI (bench/harness/study_mpi.py): one job, one line of JSON from rank 0.
//
//     mpirun -n 2 mpi uts TREE [--delay US]       counts the nodes of a tree; --delay: each message comes that much later (mpi_delayed)
//     mpirun -n 2 mpi tasks WAY SHAPE LENGTH_US SECONDS
//
// `tasks` runs independent tasks of LENGTH_US microseconds, as many as take SECONDS on each rank. WAY: `loop`
// (team.for_each), `tree` (team.reduce, of one task on rank 0 that is halved), `static` (plain MPI: each rank runs its
// block, then a barrier). SHAPE: `equal`, or `linear`: the i-th of n tasks takes 2 i/n of the length.
#include "programs/uts/problem.hpp"
#ifdef BENCH_DELAYS
#include "mpi/delays.hpp"
#endif

#include <tine/mpi.hpp>
#include <tine/tine.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace mpi = tine::mpi;
using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point began) {
  return std::chrono::duration<double>(clock_type::now() - began).count();
}

/// Prints the line: what was run, and the counters of all ranks.
void print(const mpi::team& team, const std::string& what, bool verified, double seconds) {
  const mpi::team_counters c = team.counters();
  std::uint64_t sums[] = {c.messages_sent, c.bytes_sent, c.requests, c.refusals, c.lifelines, c.steals, c.given};
  std::uint64_t all[std::size(sums)];
  double idle = static_cast<double>(c.idle_ns) * 1e-9, all_idle = 0;
  MPI_Reduce(sums, all, static_cast<int>(std::size(sums)), MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&idle, &all_idle, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (team.rank() != 0) return;
  std::printf(
      "{%s, \"ranks\": %d, \"workers\": %u, \"verified\": %s, \"seconds\": %.6f, \"messages\": %llu, \"bytes\": %llu, "
      "\"requests\": %llu, "
      "\"refusals\": %llu, \"lifelines\": %llu, \"steals\": %llu, \"given\": %llu, \"waves\": %llu, \"idle_seconds\": "
      "%.6f}\n",
      what.c_str(), team.size(), tine::default_pool().workers(), verified ? "true" : "false", seconds,
      static_cast<unsigned long long>(all[0]), static_cast<unsigned long long>(all[1]),
      static_cast<unsigned long long>(all[2]), static_cast<unsigned long long>(all[3]),
      static_cast<unsigned long long>(all[4]), static_cast<unsigned long long>(all[5]),
      static_cast<unsigned long long>(all[6]), static_cast<unsigned long long>(c.waves), all_idle);
}

// --- uts -------------------------------------------------------------------------------------------------------------

struct task {
  bench::uts::node state;
  int depth;
};

bool run_uts(mpi::team& team, std::string_view name, int delay) {
  using namespace bench::uts;
  const tree* t = nullptr;
  for (const tree& each : trees) {
    if (name == each.name) t = &each;
  }
  if (t == nullptr) return false;
  std::vector<task> roots;
  if (team.rank() == 0) roots.push_back({root_of(*t), 0});
  MPI_Barrier(MPI_COMM_WORLD);
  const auto began = clock_type::now();
  const std::int64_t nodes = team.reduce(
      roots, std::int64_t{0},
      [t](const task& x, auto& to) {
        const int children = children_of(*t, x.state, x.depth);
        for (int i = 0; i < children; ++i) to.spawn(task{child_of(x.state, i), x.depth + 1});
        return std::int64_t{1};
      },
      std::plus<>{});
  const double took = seconds_since(began);
  print(team,
        "\"problem\": \"uts\", \"tree\": \"" + std::string{name} + "\", \"nodes\": " + std::to_string(nodes) +
            ", \"delay_us\": " + std::to_string(delay),
        nodes == t->nodes, took);
  return nodes == t->nodes;
}

// --- tasks -----------------------------------------------------------------------------------------------------------

/// The empty `asm` keeps the compiler from computing several tasks of a loop at once, and from computing the result
/// beforehand.
void spin(std::uint64_t rounds) {
  std::uint64_t x = rounds | 1;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    asm volatile("" : "+r"(x));
  }
}

/// Returns the number of rounds in a microsecond, on all ranks at the same time, while all of them compute.
double rounds_per_us() {
  MPI_Barrier(MPI_COMM_WORLD);
  std::uint64_t n = 0;
  const auto began = clock_type::now();
  for (; seconds_since(began) < 0.2; n += 100'000) spin(100'000);
  double mine = static_cast<double>(n) / seconds_since(began) * 1e-6, all = 0;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all / ranks;
}

struct range {
  std::uint64_t begin, end;
};

bool run_tasks(mpi::team& team, std::string_view way, std::string_view shape, double length_us, double seconds) {
  const auto ranks = static_cast<std::uint64_t>(team.size());
  const auto n = static_cast<std::uint64_t>(seconds * 1e6 / length_us) * ranks;
  const double before = rounds_per_us();
  const bool linear = shape == "linear";
  const auto rounds_of = [&](std::uint64_t i) {
    return static_cast<std::uint64_t>(before * length_us *
                                      (linear ? 2.0 * static_cast<double>(i) / static_cast<double>(n) : 1.0));
  };
  std::uint64_t done = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto began = clock_type::now();
  if (way == "static") {
    std::uint64_t mine = 0;
    const auto rank = static_cast<std::uint64_t>(team.rank());
    for (std::uint64_t i = n * rank / ranks; i < n * (rank + 1) / ranks; ++i, ++mine) spin(rounds_of(i));
    MPI_Allreduce(&mine, &done, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  } else if (way == "loop") {
    done = team.par_reduce(
        std::uint64_t{0}, n, std::uint64_t{0},
        [&](std::uint64_t i) {
          spin(rounds_of(i));
          return std::uint64_t{1};
        },
        std::plus<>{});
  } else {
    std::vector<range> own;
    if (team.rank() == 0) own.push_back({0, n});
    done = team.reduce(
        own, std::uint64_t{0},
        [&](const range& r, auto& to) -> std::uint64_t {
          if (r.end - r.begin == 1) {
            spin(rounds_of(r.begin));
            return 1;
          }
          const std::uint64_t middle = r.begin + (r.end - r.begin) / 2;
          to.spawn({r.begin, middle});
          to.spawn({middle, r.end});
          return 0;
        },
        std::plus<>{});
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double took = seconds_since(began);
  const double after = rounds_per_us();
  // The speed of the processors changes: that of the run is taken as the mean of the speeds before and after it.
  const double ideal =
      static_cast<double>(n) / static_cast<double>(ranks) * length_us * 1e-6 * before / ((before + after) / 2);
  print(team,
        "\"problem\": \"tasks\", \"way\": \"" + std::string{way} + "\", \"shape\": \"" + std::string{shape} +
            "\", \"length_us\": " + std::to_string(length_us) + ", \"tasks\": " + std::to_string(n) +
            ", \"efficiency\": " + std::to_string(ideal / took),
        done == n, took);
  return done == n;
}

}  // namespace

int main(int argc, char** argv) {
  mpi::environment environment{argc, argv};
  mpi::team team{environment};
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  int delay = 0;
#ifdef BENCH_DELAYS
  if (words.size() == 4 && words[2] == "--delay") {
    delay = std::atoi(argv[4]);
    tine::test::delay_messages(1, static_cast<unsigned>(delay), static_cast<unsigned>(delay));
  }
#endif
  bool good = false;
  if (words.size() >= 2 && words[0] == "uts") good = run_uts(team, words[1], delay);
  if (words.size() == 5 && words[0] == "tasks")
    good = run_tasks(team, words[1], words[2], std::atof(argv[4]), std::atof(argv[5]));
  return good ? 0 : 1;
}
