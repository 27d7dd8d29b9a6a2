// A program with one race on `shared`, which ends in the way that its argument says. Built for the race detector.
#include <tine/race.hpp>
#include <tine/tine.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

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

void allocate() {
  for (int i = 0; i < 1000; ++i) {
    const auto number = std::make_unique<int>();
    int* volatile const kept = number.get();  // else the compiler may leave the allocation out
    *kept = i;
  }
}

// Roots of other threads allocate memory all the time, so that some processes are forked while a thread changes the
// shadow, and the first one while threads use tine for the first time. Each of them changes its shadow, too.
void fork_children_of_busy_threads() {
  std::atomic<bool> is_over{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&] {
      while (!is_over.load()) tine::run(allocate);
    });
  }
  for (int i = 0; i < 200; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      allocate();
      tine::run(allocate);
      ::_exit(0);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    if (status != 0) std::abort();
    if (i == 0) tine::run(allocate);  // from here on this thread's memory has a shadow
  }
  is_over.store(true);
  for (std::thread& t : busy) t.join();
  race();
}

// Two roots at the same time: each writes `shared` in its only strand. With `in_turn` the second one begins after the
// first one's end.
void roots_of_threads(bool in_turn) {
  const auto root = [] { tine::run([] { ++shared; }); };
  std::thread first{root};
  if (in_turn) first.join();
  std::thread second{root};
  second.join();
  if (!in_turn) first.join();
}

void submit_two(bool in_turn) {
  const auto add = [] { ++shared; };
  auto first = tine::submit(add);
  if (in_turn) first.get();
  auto second = tine::submit(add);
  if (!in_turn) first.get();
  second.get();
  tine::run(add);
}

// The group is used outside of every pool, so workers might take its tasks before the wait.
void group_of_main(std::string_view racy) {
  int x = 0, y = 0;
  tine::task_group g;
  g.run([&] { x = 1; });
  if (racy == "tasks") g.run([&] { x = 2; });
  if (racy == "caller") x = 2;
  if (racy == "loop")
    tine::par_for(0, 4, [&](int i) {
      if (i == 3) x = 2;
    });
  if (racy == "root") tine::run([&] { g.run([&] { x = 2; }); });
  if (racy == "thread") std::thread{[&] { g.run([&] { tine::par([&] { x = 2; }, [] {}); }); }}.join();
  if (racy == "overlap") {
    tine::task_group h;
    h.run([&] { x = 2; });
    h.wait();
  }
  y = 1;
  std::thread waiting{[&] { g.wait(); }};  // a thread that has not added the tasks
  if (racy == "meanwhile") x = 2;
  waiting.join();
  x = y = 3;
  tine::run([&] { x = y; });
  g.run([&] { x = 4; });
  std::thread{[&] { tine::run([&] { y = 2; }); }}.join();
  g.wait();
  x = y = 4;
}

// Each of both strands waits for the other one's turn: on one worker that takes for ever.
void wait_for_later_branch(bool sleeps) {
  std::atomic<int> turn{0};
  tine::par(
      [&] {
        if (sleeps) return turn.wait(0);
        while (turn.load() == 0) std::this_thread::yield();
      },
      [&] {
        turn = 1;
        turn.notify_one();
      });
}

void wait_by_plain_reads() {
  static volatile int turn = 0;
  tine::par(
      [] {
        while (turn == 0) std::this_thread::yield();
      },
      [] { turn = 1; });
}

void wait_by_looking_under_a_lock() {
  static std::mutex guard;
  static int turn = 0;
  tine::par(
      [] {
        for (int now = 0; now == 0;) {
          const std::lock_guard here{guard};
          now = turn;
        }
      },
      [] {
        const std::lock_guard here{guard};
        turn = 1;
      });
}

void publish() {
  static int value = 0;
  static std::atomic<bool> ready{false};
  tine::par(
      [] {
        value = 1;
        ready = true;
      },
      [] {
        if (ready.load()) shared = value;
      });
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
  if (how == "fork-busy") fork_children_of_busy_threads();
  if (how == "threads") roots_of_threads(false);
  if (how == "threads-in-turn") roots_of_threads(true);
  if (how == "submit") {
    auto h = tine::submit([] { race(); });
    h.get();
  }
  if (how.starts_with("group ")) group_of_main(how.substr(6));
  if (how == "spin" || how == "sleep") wait_for_later_branch(how == "sleep");
  if (how == "spin plainly") wait_by_plain_reads();
  if (how == "spin under a lock") wait_by_looking_under_a_lock();
  if (how == "publish") publish();
  if (how.starts_with("submit ")) submit_two(how == "submit in turn");
  if (how == "none") tine::par([] { ++shared; }, [] {});
  return 0;
}

}  // namespace

int main(int count, char** words) { return count == 2 ? run(words[1]) : 2; }
