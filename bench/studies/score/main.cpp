// The study of what schedules cost and how they adapt: runs fib in each way, in turns, and prints lines of JSON.
#include "harness/options.hpp"
#include "studies/score/fib.hpp"
#include "studies/status_of.hpp"

#include <tine/replay.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using tine::replay_mode;

struct wishes {
  int n = 40;
  int kernel = 26;
  int template_n = 40;
  unsigned workers = 2;
  unsigned template_workers = 2;
  int slowness = 1;
  int repeat = 7;
};

wishes parse(int argc, char** argv) {
  wishes o;
  bench::options given{
      "score",
      "Runs fib plainly, recorded, and by a schedule in each mode. Every round records a schedule of its own."};
  given.number("--n", o.n, {1, 50}, "Which number");
  given.number("--kernel", o.kernel, {1, 50}, "Up to this one there are no forks");
  given.number("--template-n", o.template_n, {1, 50}, "The number whose schedule is followed");
  given.number("--workers", o.workers, {1, tine::max_workers}, "Workers");
  given.number("--template-workers", o.template_workers, {1, tine::max_workers},
               "Workers of whose pool the schedule is");
  given.number("--slowness", o.slowness, {1, 1000},
               "How many times the workers but the first do the kernel's work, save while the schedule is recorded");
  given.number("--repeat", o.repeat, {1, 1000}, "Rounds");
  given.parse(argc, argv);
  return o;
}

/// The runs in one way. Replays also have the counts that `tine::replay` returns.
struct runs {
  const char* way;
  std::optional<replay_mode> how{};
  std::vector<double> seconds{};
  std::vector<std::uint64_t> elsewhere{}, matched{}, voided{}, diverged{}, steals{};
};

class study {
 public:
  explicit study(const wishes& o)
      : wishes_{o},
        right_{bench::score::plain_fib(o.n)},
        pool_{{.workers = o.workers}},
        template_pool_{{.workers = o.template_workers}} {}

  void round() {
    const tine::schedule followed = recorded_template();
    run(plain_, [&] { compute(); });
    run(record_, [&] { record_.steals.push_back(tine::record([&] { compute(); }).steals()); });
    for (runs& r : replays_) run(r, [&] { note(r, tine::replay(followed, *r.how, [&] { compute(); })); });
  }

  void print() const {
    print(plain_);
    print(record_);
    for (const runs& r : replays_) print(r);
  }
  bool is_right() const { return is_right_; }

 private:
  /// Returns a schedule that workers of equal speed have recorded.
  tine::schedule recorded_template() {
    bench::score::fib even{wishes_.kernel, 1};
    tine::schedule s = template_pool_.run([&] { return tine::record([&] { even.run(wishes_.template_n); }); });
    template_elsewhere_.push_back(even.elsewhere());
    return s;
  }

  void compute() { is_right_ &= fib_.run(wishes_.n) == right_; }

  template <class F>
  void run(runs& into, F f) {
    into.seconds.push_back(bench::seconds_of([&] { pool_.run(f); }));
    into.elsewhere.push_back(fib_.elsewhere());
  }

  static void note(runs& into, const tine::replayed& r) {
    into.matched.push_back(r.matched);
    into.voided.push_back(r.skipped);
    into.diverged.push_back(r.diverged);
    into.steals.push_back(r.performed.steals());
  }

  void print(const runs& r) const {
    const nlohmann::json line{{"study", "score"},
                              {"n", wishes_.n},
                              {"kernel", wishes_.kernel},
                              {"template_n", wishes_.template_n},
                              {"workers", wishes_.workers},
                              {"template_workers", wishes_.template_workers},
                              {"slowness", wishes_.slowness},
                              {"way", r.way},
                              {"seconds", r.seconds},
                              {"kernels", fib_.kernels()},
                              {"kernels_elsewhere", r.elsewhere},
                              {"template_kernels_elsewhere", template_elsewhere_},
                              {"matched", r.matched},
                              {"voided", r.voided},
                              {"diverged", r.diverged},
                              {"steals", r.steals},
                              {"verified", is_right_}};
    std::puts(line.dump().c_str());
  }

  const wishes& wishes_;
  const std::uint64_t right_;
  tine::pool pool_, template_pool_;
  bench::score::fib fib_{wishes_.kernel, wishes_.slowness};
  bool is_right_ = true;
  std::vector<std::uint64_t> template_elsewhere_;
  runs plain_{"plain"}, record_{"record"};
  std::vector<runs> replays_{{"strict_ordered", replay_mode::strict_ordered},
                             {"strict_unordered", replay_mode::strict_unordered},
                             {"relaxed", replay_mode::relaxed}};
};

}  // namespace

int main(int argc, char** argv) {
  const wishes o = parse(argc, argv);
  return bench::status_of_rounds<study>("score", o);
}
