// Random series-parallel programs in regions, run by the scheduler through every front end, with exceptions at any point, and
// compared with a serial walk of what ran: labels, random numbers, memory, work, span and counts are equal at each event and
// at the end, and what is before what and what is parallel is as the graph says, found the slow way.
//
// Long form: ten thousand programs at 1, 2 and 8 workers each.
#include "microscope/experiment.hpp"
#include "session.hpp"
#include "settings.hpp"

#include <cstdio>
#include <vector>

namespace {

using namespace tine::stress;

long try_workers(unsigned workers, const command& c, watchdog& dog) {
  const long enough = c.is_long ? 10'000 : 400;
  const int batch = c.is_long ? 100 : 10;
  const double until = c.seconds > 0 ? now() + c.seconds : 0;
  long programs = 0, events = 0;
  std::uint64_t seed = c.seed * 1'000'003;
  for (std::size_t i = 0; until > 0 ? now() < until : programs < enough; ++i) {
    const setting& s = settings[i % settings.size()];
    tine::pool p{options_of(s, workers, seed)};
    const shown in_sight{dog, p};
    for (int k = 0; k < batch; ++k, ++programs) {
      dog.alive(s.name, ++seed);
      experiment one{seed};
      p.run([&] { one.run(); });
      one.check({seed, s.name});
      events += static_cast<long>(one.events());
    }
  }
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
