#include <tine/mpi.hpp>
#include <tine/tine.hpp>

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string_view>

int main(int argc, char** argv) {
  tine::mpi::environment mpi{argc, argv};
  tine::mpi::team team{mpi};
  const long sum = team.par_reduce(0, 1000, 0L, [](int i) { return long{i}; }, std::plus<>{});
  // An exception type of the library crosses its border.
  bool caught = false;
  try {
    team.for_each(0, 10, [](int i) {
      if (i == 3) throw std::runtime_error{"three"};
    });
  } catch (const tine::mpi::team_error& e) {
    caught = e.rank() < team.size() && std::string_view{e.what()}.find("three") != std::string_view::npos;
  }
  std::printf("%ld on %d ranks\n", sum, team.size());
  return sum == 499'500 && caught ? 0 : 1;
}
