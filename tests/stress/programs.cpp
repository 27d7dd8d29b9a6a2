// Random programs that combine all features: managed forks and loops, coroutines that leave their workers, errors, stop
// requests, observers, recorded and replayed parts, several pools, and threads of the program's own. Each is compared
// with its meaning without tine: both give the same value or the same error, every part ends as often as it begins, and
// no object is left alive.
//
// The programs run in a child process. If a program gives a wrong answer, crashes or hangs, the parent cuts it down to
// a small program that still fails, and prints that program with the command that repeats the failure.
//
//     stress_programs --play '(par 0 (leaf 15) (oops 0))' --workers 2 --tries 1000
//
// Long form: 100,000 programs at 1, 2, 4, 8 and 32 workers each.
#include "command.hpp"
#include "programs/oracle.hpp"
#include "programs/player.hpp"
#include "programs/shrunk.hpp"
#include "programs/tree.hpp"
#include "settings.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tine::stress;

/// The program that the child is about to play, in memory that the parent reads after the child has ended.
struct last_words {
  std::atomic<std::uint64_t> seed, setting, pools_seed, played;
};

struct outcome {
  bool threw;
  text value;
  friend bool operator==(outcome, outcome) = default;
};

outcome expected_of(const tree& t, std::uint64_t h) {
  const answer a = oracle::of(t, h);
  return a.error ? outcome{true, text_of_error(*a.error)} : outcome{false, a.value};
}

/// Three pools: the pool under test, and two pools that programs enter from it.
class pools {
 public:
  pools(const setting& s, unsigned workers, std::uint64_t seed)
      : main_{with_storage(options_of(s, workers, seed))},
        eager_{with_storage(options_of(settings[6], 2, seed + 1))},
        single_{with_storage(options_of(settings[0], 1, seed + 2))},
        all_{&main_, &eager_, &single_} {}

  outcome play(const tree& t, std::uint64_t h) {
    try {
      return {false, main_.run([&] { return player::play(t, h, {&all_}); })};
    } catch (const error& e) {
      if (!e.is_whole()) fail("an error was damaged");
      return {true, text_of_error(static_cast<std::uint64_t>(e.number))};
    }
  }
  tine::pool& main() { return main_; }

 private:
  static tine::options with_storage(tine::options o) {
    o.stack_bytes = std::size_t{4} << 20;  // sanitizers use much of it
    return o;
  }
  tine::pool main_, eager_, single_;
  const std::vector<tine::pool*> all_;
};

void check(const outcome& found, const outcome& expected, const char* name, std::uint64_t seed) {
  if (found == expected) return;
  fail("%s, seed %llu: %s %llx instead of %s %llx", name, static_cast<unsigned long long>(seed),
       found.threw ? "threw" : "gave", static_cast<unsigned long long>(found.value.hash),
       expected.threw ? "throwing" : "giving", static_cast<unsigned long long>(expected.value.hash));
}

/// Plays a program once and compares the answers. Every eighth program runs twice at the same time, from two threads.
void compare(pools& p, std::uint64_t seed, const char* name) {
  const tree t = grower{seed}.grow();
  const std::uint64_t h = mix(seed * 77);
  if (seed % 8 != 0) {
    check(p.play(t, h), expected_of(t, h), name, seed);
  } else {
    outcome found;
    std::thread other{[&] { found = p.play(t, h + 1); }};
    const outcome here = p.play(t, h);
    other.join();
    check(here, expected_of(t, h), name, seed);
    check(found, expected_of(t, h + 1), name, seed);
  }
  check_census(name, seed);
}

/// Plays enough programs, or plays for the seconds of the command. Runs in the child.
void play_all(unsigned workers, const command& c, last_words& last) {
  const std::uint64_t enough = c.is_long ? 100'000 : 1'000;
  const double until = c.seconds > 0 ? now() + c.seconds : 0;
  watchdog dog{"programs"};
  std::uint64_t seed = last.seed.load();
  for (std::size_t i = last.setting.load(); until > 0 ? now() < until : last.played.load() < enough; ++i) {
    const std::size_t which = i % settings.size();
    last.setting.store(which);
    last.pools_seed.store(seed);
    pools p{settings[which], workers, seed};
    const shown in_sight{dog, p.main()};
    for (int k = 0; k < (c.is_long ? 100 : 10); ++k) {
      last.seed.store(++seed);
      dog.alive(settings[which].name, seed);
      compare(p, seed, settings[which].name);
      last.played.fetch_add(1);
    }
  }
}

/// Runs `f` in a child process. Returns true if it ended well.
template <class F>
bool runs_well(F f) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    f();
    std::fflush(nullptr);
    std::_Exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) fail("there is no child process");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Plays one program `tries` times, in pools with this seed. Some options of the pools depend on the seed.
void play_one(const tree& t, unsigned workers, std::size_t which, std::uint64_t seed, int tries, unsigned patience_s) {
  alarm(patience_s);  // ends a child that hangs, which is a failure, too
  for (int k = 0; k < tries; k += 20) {
    pools p{settings[which], workers, seed};
    for (int j = k; j < k + 20 && j < tries; ++j) {
      const std::uint64_t h = mix(seed * 77) + static_cast<std::uint64_t>(j);
      check(p.play(t, h), expected_of(t, h), settings[which].name, seed);
      check_census(settings[which].name, seed);
    }
  }
}

/// Cuts the program down that the child played last, and prints the smallest program found that still fails.
void explain(unsigned workers, const last_words& last) {
  const std::uint64_t seed = last.seed.load();
  const std::size_t which = last.setting.load();
  const std::uint64_t pools_seed = last.pools_seed.load();
  const tree whole = grower{seed}.grow();
  const auto fails = [&](const tree& t) {
    return !runs_well([&] {
      if (std::freopen("/dev/null", "w", stderr) == nullptr) std::_Exit(2);
      play_one(t, workers, which, pools_seed, 200, 60);
    });
  };
  std::fprintf(stderr, "%u workers, %s, seed %llu failed; its program has %zu nodes\n", workers, settings[which].name,
               static_cast<unsigned long long>(seed), whole.size());
  if (!fails(whole)) {
    std::fprintf(stderr, "it did not fail again in 200 tries (--setting %zu --seed %llu): %s\n", which,
                 static_cast<unsigned long long>(pools_seed), printed(whole).c_str());
    return;
  }
  const tree least = shrunk(whole, fails, 400);
  std::fprintf(stderr,
               "this one fails, too, in 200 tries:\n  --workers %u --setting %zu --seed %llu --tries 200 --play '%s'\n",
               workers, which, static_cast<unsigned long long>(pools_seed), printed(least).c_str());
}

/// Returns true if all programs gave the right answers.
bool try_workers(unsigned workers, const command& c, last_words& last) {
  last.played.store(0);
  last.setting.store(0);
  last.seed.store(c.seed * 1'000'003);
  const bool well = runs_well([&] { play_all(workers, c, last); });
  if (well) {
    std::printf("%u workers: %llu programs, all as in serial\n", workers,
                static_cast<unsigned long long>(last.played.load()));
    std::fflush(stdout);
  } else {
    explain(workers, last);
  }
  return well;
}

}  // namespace

int main(int count, char** words) {
  const command c = command::read(count, words);
  if (c.play != nullptr) {
    tree_reader reader{c.play};
    std::optional<tree> t = reader.read();
    if (!t || !reader.is_at_end()) fail("this is no program: %s", c.play);
    find_exact(*t);
    play_one(*t, c.workers != 0 ? c.workers : 2, c.setting % settings.size(), c.seed, c.tries != 0 ? c.tries : 1000,
             600);
    std::printf("right in all tries\n");
    return 0;
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(c.seed));
  void* const shared = mmap(nullptr, sizeof(last_words), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) fail("no memory to share with a child");
  auto& last = *new (shared) last_words{};
  bool well = true;
  if (c.workers != 0) return try_workers(c.workers, c, last) ? 0 : 1;
  for (const unsigned workers : {1U, 2U, 4U, 8U, 32U}) well &= try_workers(workers, c, last);
  return well ? 0 : 1;
}
