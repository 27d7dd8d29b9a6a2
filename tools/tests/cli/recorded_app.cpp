// An application that records a region and replays the schedule, and saves both the recorded schedule and the one that
// the replay performed, for schedules_test.py: recorded_app RECORDED PERFORMED.
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <cstdio>
#include <exception>
#include <vector>

namespace {

/// Waits until `flag` is set. The branch that sets it is then stolen.
void wait_for(const bool& flag) {
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) tine::base::pause();
}
void set(bool& flag) { __atomic_store_n(&flag, true, __ATOMIC_RELEASE); }

long fib(long n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

/// Fork 0, of which a branch is certainly stolen; fork 1 with the forks in it; loop 2.
void region() {
  bool has_begun = false;
  tine::par([&] { wait_for(has_begun); }, [&] { set(has_begun); });
  const long sum = fib(8);
  std::vector<long> rows(64);
  tine::par_for(rows, [sum](long& row) { row = sum; });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: recorded_app RECORDED PERFORMED\n");
    return 2;
  }
  try {
    tine::pool two{{.workers = 2, .promote = tine::promotion::eager()}};
    const tine::schedule s = two.run([] { return tine::record(region); });
    s.save(argv[1]);
    two.run([&] { return tine::replay(s, tine::replay_mode::strict_ordered, region); }).performed.save(argv[2]);
    std::printf("%zu steals, %zu bytes\n", s.steals(), s.size_bytes());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "recorded_app: %s\n", e.what());
    return 2;
  }
  return 0;
}
