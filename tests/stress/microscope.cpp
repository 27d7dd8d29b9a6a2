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

namespace {

using namespace tine::stress;

void try_workers(unsigned workers, const command& c, watchdog& dog) {
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
}

}  // namespace

int main(int count, char** words) { return run_test(count, words, "microscope", {1, 2, 8}, try_workers); }
