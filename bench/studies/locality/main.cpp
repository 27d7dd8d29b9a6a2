// The study of locality: one phase writes an array and later phases sweep over it. Runs them in each way, in turns, and
// prints lines of JSON.
#include "harness/options.hpp"
#include "studies/locality/swept.hpp"
#include "studies/status_of.hpp"

#include <tine/replay.hpp>

#include <nlohmann/json.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

namespace {

using bench::locality::order;
using tine::replay_mode;

struct wishes {
  std::size_t kib = 1024;
  std::size_t block = 32;
  unsigned workers = 2;
  int sweeps = 20;
  int repeat = 7;
  bool linked = false;
};

wishes parse(int argc, char** argv) {
  wishes o;
  bench::options given{"locality",
                       "Sweeps over an array that forks have written, and whose places in the caches nobody knows."};
  given.number("--kib", o.kib, {1, std::size_t{1} << 24}, "KiB of the array for each worker");
  given.number_of_kind(
      "--block", o.block, {1, 1 << 20}, "power of two", [](std::size_t kib) { return std::has_single_bit(kib); },
      "KiB that are swept over without a fork");
  given.flag("--linked", o.linked,
             "Go from line to line as the elements say, so that nothing can be fetched beforehand");
  given.number("--workers", o.workers, {1, tine::max_workers},
               "Workers, each pinned to a core if there are enough of them");
  given.number("--sweeps", o.sweeps, {1, 1'000'000}, "Of each measurement, after one that is not measured");
  given.number("--repeat", o.repeat, {1, 1000}, "Rounds");
  given.parse(argc, argv);
  return o;
}

/// The measurements of one way. `seconds` are those of one sweep.
struct measured {
  const char* way;
  std::vector<double> seconds{};
  std::vector<std::uint64_t> steals{}, diverged{};
};

class study {
 public:
  explicit study(const wishes& o)
      : wishes_{o},
        swept_{o.linked ? order::linked : order::ascending, o.block << 10, (o.kib * o.workers + o.block - 1) / o.block},
        pool_{std::nullopt} {}

  void round() {
    pool_.emplace(pool_with(tine::resume_policy::finisher));
    plain(greedy_);
    pool_.emplace(pool_with(tine::resume_policy::same_thread));
    plain(plain_);
    pinned_root();
    replayed(ordered_, replay_mode::strict_ordered);
    replayed(relaxed_, replay_mode::relaxed);
  }

  void print() const {
    for (const measured* m : {&greedy_, &plain_, &pinned_, &ordered_, &relaxed_}) print(*m);
  }
  bool is_right() const { return is_right_; }

 private:
  /// Workers without work spin: to wake one takes longer than the shortest sweeps.
  tine::options pool_with(tine::resume_policy resume) const {
    return {.workers = wishes_.workers, .idle = tine::idle_policy::busy, .resume = resume};
  }

  /// Runs all phases in one root, which continues on the worker that the pool's resume policy chooses.
  void plain(measured& into) {
    swept_.renew();
    pool_->run([&] {
      swept_.initialise();
      measure(into, [&] { swept_.sweep(); });
    });
    check();
  }

  /// Runs each phase as a root of its own, which begins on the calling thread.
  void pinned_root() {
    swept_.renew();
    pool_->run([&] { swept_.initialise(); });
    measure(pinned_, [&] { pool_->run([&] { swept_.sweep(); }); });
    check();
  }

  /// Records the initialisation, and replays its schedule in each sweep.
  void replayed(measured& into, replay_mode how) {
    swept_.renew();
    std::uint64_t diverged = 0;
    pool_->run([&] {
      const tine::schedule s = tine::record([&] { swept_.initialise(); });
      into.steals.push_back(s.steals());
      measure(into, [&] { diverged += tine::replay(s, how, [&] { swept_.sweep(); }).diverged; });
    });
    into.diverged.push_back(diverged);
    check();
  }

  template <class Sweep>
  void measure(measured& into, Sweep sweep) {
    sweep();
    const double all = bench::seconds_of([&] {
      for (int i = 0; i < wishes_.sweeps; ++i) sweep();
    });
    into.seconds.push_back(all / wishes_.sweeps);
  }

  void check() { is_right_ &= swept_.is_right(static_cast<std::uint64_t>(wishes_.sweeps) + 1); }

  void print(const measured& m) const {
    const nlohmann::json line{{"study", "locality"},
                              {"kib", wishes_.kib},
                              {"block_kib", wishes_.block},
                              {"workers", wishes_.workers},
                              {"sweeps", wishes_.sweeps},
                              {"linked", wishes_.linked},
                              {"way", m.way},
                              {"seconds", m.seconds},
                              {"steals", m.steals},
                              {"diverged", m.diverged},
                              {"verified", is_right_}};
    std::puts(line.dump().c_str());
  }

  const wishes& wishes_;
  bench::locality::swept swept_;
  std::optional<tine::pool> pool_;  // only one at a time: the spinning workers of two pools would disturb each other
  bool is_right_ = true;
  measured greedy_{"greedy"}, plain_{"plain"}, pinned_{"pinned_root"}, ordered_{"strict_ordered"}, relaxed_{"relaxed"};
};

}  // namespace

int main(int argc, char** argv) {
  const wishes o = parse(argc, argv);
  return bench::status_of_rounds<study>("locality", o);
}
