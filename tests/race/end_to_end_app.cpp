// A program with one race on `shared`, which ends in the way that its argument says. Built for the race detector.
#include <tine/race.hpp>
#include <tine/tine.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

int shared = 0;

void race() {
  tine::par([] { ++shared; }, [] { ++shared; });
}

void fork_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    race();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  race();
}

// Two roots at the same time: each writes `shared` in its only strand. With `in_turn` the second one begins after the first one's end.
void roots_of_threads(bool in_turn) {
  const auto root = [] { tine::run([] { ++shared; }); };
  std::thread first{root};
  if (in_turn) first.join();
  std::thread second{root};
  second.join();
  if (!in_turn) first.join();
}

void end_in_strand(void (*end)(int)) {
  race();
  tine::par([=] { end(7); }, [] {});
}

int run(std::string_view how) {
  if (how == "return") race();
  if (how == "check_races") std::puts(tine::check_races([] { race(); }).text().c_str());
  if (how == "exit") end_in_strand(&std::exit);
  if (how == "_exit") end_in_strand(&::_exit);
  if (how == "quick_exit") end_in_strand(&std::quick_exit);
  if (how == "abort") end_in_strand([](int) { std::abort(); });
  if (how == "segv") end_in_strand([](int) { static_cast<void>(::raise(SIGSEGV)); });
  if (how == "throw") end_in_strand([](int) { throw std::runtime_error{"as intended"}; });
  if (how == "exec") end_in_strand([](int) { ::execl("/bin/true", "true", nullptr); });
  if (how == "fork") fork_child();
  if (how == "threads") roots_of_threads(false);
  if (how == "threads-in-turn") roots_of_threads(true);
  if (how == "submit") {
    auto h = tine::submit([] { race(); });
    h.get();
  }
  if (how == "none") tine::par([] { ++shared; }, [] {});
  return 0;
}

}  // namespace

int main(int count, char** words) { return count == 2 ? run(words[1]) : 2; }
