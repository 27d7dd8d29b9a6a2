// Runs cases on random numbers of the ranks of one job, with random delays of messages and random skew at the begin.
//
//     mpirun -n 8 storm [--seed N] [--rounds N] [--case NAME] [--multiple]
//
// All ranks draw the same random numbers. The last line says how many runs passed.
#include "mpi/cases.hpp"
#include "mpi/delays.hpp"

#include <tine/managed.hpp>
#include <tine/mpi.hpp>

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

namespace {

using tine::test::named_case;
using tine::test::team_case_count;
using tine::test::team_cases;

struct arguments {
  std::uint64_t seed = 1;
  unsigned rounds = 20;
  std::string_view only;
  bool multiple = false;
};

arguments parsed(int argc, char** argv) {
  arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--seed") a.seed = std::strtoull(value, nullptr, 10), ++i;
    if (word == "--rounds") a.rounds = static_cast<unsigned>(std::atoi(value)), ++i;
    if (word == "--case") a.only = value, ++i;
    if (word == "--multiple") a.multiple = true;
  }
  return a;
}

char under_way[200];

void on_alarm(int) {
  const char text[] = ": no end within 60 s\n";
  [[maybe_unused]] auto a = write(2, under_way, std::strlen(under_way));
  a = write(2, text, sizeof text - 1);
  abort();
}

struct outcome {
  long passed = 0, failed = 0;
};

/// One run: some of the ranks are a team, and run a case.
bool run_once(tine::mpi::environment& mpi, const named_case& c, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  const int size = mpi.size();
  const int ranks = 1 + static_cast<int>(random() % static_cast<unsigned>(size));
  // The ranks of the team, in another order than in the world.
  std::vector<int> order(static_cast<unsigned>(size));
  for (int i = 0; i < size; ++i) order[static_cast<unsigned>(i)] = i;
  std::ranges::shuffle(order, random);
  const int key = order[static_cast<unsigned>(mpi.rank())];
  const unsigned most = random() % 3 == 0 ? 0 : 1 + static_cast<unsigned>(random() % 400);
  tine::mpi::team_options options{.random_tries = static_cast<unsigned>(random() % 4),
                                  .radix = 2 + static_cast<unsigned>(random() % 3),
                                  .seed = seed};
  const unsigned calls = 1 + static_cast<unsigned>(random() % 3);
  std::snprintf(under_way, sizeof under_way, "rank %d, case %s, seed %llu, %d ranks", mpi.rank(), c.name,
                static_cast<unsigned long long>(seed), ranks);
  alarm(60);
  int good = 1;
  MPI_Comm_split(MPI_COMM_WORLD, key < ranks ? 0 : MPI_UNDEFINED, key, &options.communicator);
  if (options.communicator != MPI_COMM_NULL) {
    tine::test::delay_messages(seed + static_cast<unsigned>(mpi.rank()), 0, most);
    try {
      tine::mpi::team team{mpi, options};
      for (unsigned i = 0; i < calls; ++i) {
        usleep(static_cast<unsigned>((random() ^ static_cast<unsigned>(mpi.rank() * 77777)) % 1500));
        c.run(team, seed / 16 + i);
      }
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", under_way, e.what());
      good = 0;
      MPI_Abort(MPI_COMM_WORLD, 1);  // the other ranks may be in the middle of the call
    }
    tine::test::delay_messages(0, 0, 0);
    MPI_Comm_free(&options.communicator);
  }
  int all_good = 0;
  MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  alarm(0);
  return all_good != 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGALRM, &on_alarm);
  const arguments a = parsed(argc, argv);
  tine::mpi::environment mpi{argc, argv, a.multiple ? tine::mpi::threads::multiple : tine::mpi::threads::funneled};
  outcome all;
  for (unsigned i = 0; i < team_case_count; ++i) {
    if (!a.only.empty() && a.only != team_cases[i].name) continue;
    for (unsigned round = 0; round < a.rounds; ++round) {
      run_once(mpi, team_cases[i], a.seed * 1'000'003 + round * 64 + i) ? ++all.passed : ++all.failed;
    }
  }
  if (mpi.rank() == 0) {
    std::printf("storm: seed %llu, %llu messages delayed on rank 0\n%ld passed, %ld failed\n",
                static_cast<unsigned long long>(a.seed),
                static_cast<unsigned long long>(tine::test::delayed_messages()), all.passed, all.failed);
  }
  return all.failed == 0 ? 0 : 1;
}
