// Programs that are wrong, or whose job ends early: mpirun -n 2 endings NAME. mpi_test.py knows what each must print.
#include <tine/managed.hpp>
#include <tine/mpi.hpp>

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace {

namespace mpi = tine::mpi;

/// A call of a team that takes long.
void work(mpi::environment& e, const std::function<void(int)>& at_each) {
  mpi::team team{e};
  team.for_each(0, 1'000'000, [&](int i) {
    at_each(i);
    usleep(100);
  });
}

template <class Exception>
void expect(const char* what, const std::function<void()>& f) {
  try {
    f();
    std::printf("%s: nothing was thrown\n", what);
  } catch (const Exception& e) {
    std::printf("%s: %s\n", what, e.what());
  }
}

void wrong_arguments(mpi::environment& e) {
  expect<std::invalid_argument>("radix", [&] { mpi::team t{e, {.radix = 1}}; });
  mpi::team team{e};
  auto d = mpi::distribution::block(10, 3);
  expect<std::invalid_argument>("ranks", [&] { team.for_each(d, 0, [](int) {}, mpi::follow::loosely); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  alarm(60);
  if (what == "level") {
    MPI_Init(&argc, &argv);
    expect<mpi::error>("level", [] { mpi::environment e{mpi::threads::multiple}; });
    MPI_Finalize();
    return 0;
  }
  if (what == "policy") {
    tine::pool p{{.workers = 1, .resume = tine::resume_policy::finisher}};
    mpi::environment e{argc, argv, mpi::threads::funneled, &p};
    expect<std::invalid_argument>("policy", [&] { mpi::team t{e}; });
    return 0;
  }
  mpi::environment e{argc, argv};
  if (what == "arguments") wrong_arguments(e);
  if (what == "exception") {
    if (e.rank() == 1) throw std::runtime_error{"rank 1 gives up"};
    work(e, [](int) {});
  }
  if (what == "error") {
    if (e.rank() == 1) mpi::send(e.rank(), 99).get();
    work(e, [](int) {});
  }
  if (what == "killed") {
    work(e, [&](int i) {
      if (e.rank() == 1 && i % 100 == 50) std::raise(SIGKILL);
    });
  }
  if (what == "failed") {
    try {
      work(e, [&](int) {
        if (e.rank() == 1) throw std::runtime_error{"no more"};
      });
    } catch (const mpi::team_error& failure) {
      std::printf("rank %d got: %s (of rank %d)\n", e.rank(), failure.what(), failure.rank());
    }
  }
  return 0;
}
