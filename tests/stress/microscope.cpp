// Random series-parallel programs in regions. The scheduler runs them through every front end, with exceptions at any
// point, and a serial walk repeats the part that ran: labels, random numbers, memory, work, span and counts are equal
// at each event and at the end. The labels order two events, or find them parallel, exactly as a slow search of the
// program's graph does.
//
// Long form: ten thousand programs at 1, 2 and 8 workers each.
#include "command.hpp"
#include "microscope/experiment.hpp"
#include "settings.hpp"

#include <cstdio>
#include <vector>

namespace {

using namespace tine::stress;

long try_workers(unsigned workers, const command& c, watchdog& dog) {
  const long enough = c.is_long ? 10'000 : 400;
  long events = 0;
  const long programs = play(
      workers, c, dog, c.is_long ? 100 : 10, [&](long played) { return played < enough; },
      [&](tine::pool& p, std::uint64_t seed, const char* name, int) {
        experiment one{seed};
        p.run([&] { one.run(); });
        one.check({seed, name});
        events += static_cast<long>(one.events());
      });
  std::printf("%u workers: %ld programs of %ld events, all as in serial\n", workers, programs, events);
  std::fflush(stdout);
  return programs;
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  watchdog dog{"microscope"};
  long programs = 0;
  for (const unsigned workers : c.workers != 0 ? std::vector{c.workers} : std::vector{1U, 2U, 8U}) {
    programs += try_workers(workers, c, dog);
  }
  std::printf("%ld passed, 0 failed\n", programs);
  return 0;
}
