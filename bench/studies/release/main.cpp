// The study of releasing shared trees: builds, queries and releases trees, and prints a line of JSON for each cut-off.
#include "harness/options.hpp"
#include "studies/release/random_rectangles.hpp"
#include "studies/release/release.hpp"
#include "studies/status_of.hpp"

#include <tine/augment/augment.hpp>
#include <tine/augment/phase.hpp>
#include <tine/augment/work_span.hpp>
#include <tine/managed/par_for.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

namespace release = bench::release;

struct wishes {
  unsigned bits = 17;
  unsigned workers = 1;
  int repeat = 1;
  std::string cut_off = "both";
  bool eager = false;
  bool watch = false;
};

wishes parse(int argc, char** argv) {
  wishes o;
  bench::options given{
      "release",
      "Builds a version of a tree for each of 2^bits points, counts points in rectangles, and releases all versions."};
  given.number("--bits", o.bits, {4, 22}, "Logarithm of the number of points");
  given.number("--workers", o.workers, {1, tine::max_workers}, "Workers");
  given.number("--repeat", o.repeat, {1, 1000}, "Runs of each cut-off, in turns");
  given.word("--cut-off", o.cut_off, {{"by_size", "by_size"}, {"by_holders", "by_holders"}, {"both", "both"}},
             "What says whether releasing a node forks");
  given.flag("--eager", o.eager, "Make every fork a task");
  given.flag("--watch", o.watch, "Measure work and forks of the release, which takes longer then");
  given.parse(argc, argv);
  return o;
}

/// The runs with one cut-off.
struct results {
  std::string cut_off;
  void (release::sweep::*let_go)();
  std::vector<double> seconds{};
  tine::work_span watched{};
  bool are_right = true;
};

class study {
 public:
  explicit study(const wishes& o)
      : options_{o},
        heights_{release::random_heights(std::size_t{1} << o.bits)},
        rectangles_{release::random_rectangles(1024, heights_.size())},
        pool_{{.workers = o.workers, .promote = o.eager ? tine::promotion::eager() : tine::promotion::on_demand()}} {}

  void run(results& into) {
    release::sweep sweep{heights_};
    std::vector<std::uint32_t> counts(rectangles_.size());
    pool_.run([&] {
      {
        const tine::phase name{"build"};
        sweep.build();
      }
      {
        const tine::phase name{"query"};
        tine::par_for(std::size_t{0}, counts.size(), [&](std::size_t i) { counts[i] = sweep.count(rectangles_[i]); });
      }
      const tine::phase name{"release"};
      time_release(sweep, into);
    });
    into.are_right &= are_right(counts) && release::tally::total() == 0;
  }

 private:
  void time_release(release::sweep& sweep, results& into) const {
    into.seconds.push_back(bench::seconds_of([&] {
      if (options_.watch) {
        into.watched = tine::augment<tine::work_span>([&] { (sweep.*into.let_go)(); });
      } else {
        (sweep.*into.let_go)();
      }
    }));
  }

  bool are_right(const std::vector<std::uint32_t>& counts) const {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] != release::count_plainly(heights_, rectangles_[i])) return false;
    }
    return true;
  }

  const wishes& options_;
  std::vector<release::rank> heights_;
  std::vector<release::rectangle> rectangles_;
  tine::pool pool_;
};

nlohmann::json told(const results& r, const wishes& o) {
  nlohmann::json line{{"study", "release"},
                      {"bits", o.bits},
                      {"cut_off", r.cut_off},
                      {"workers", o.workers},
                      {"policy", o.eager ? "eager" : "on_demand"},
                      {"verified", r.are_right}};
  line[o.watch ? "watched_seconds" : "seconds"] = r.seconds;
  if (!o.watch) return line;
  // A loop of n iterations is n - 1 forks.
  const std::uint64_t forks = r.watched.forks + r.watched.iterations - r.watched.loops;
  line["work_ns"] = tine::base::to_nanoseconds(r.watched.work);
  line["forks"] = forks;
  line["work_per_fork_ns"] =
      static_cast<double>(tine::base::to_nanoseconds(r.watched.work)) / static_cast<double>(forks);
  return line;
}

int run(const wishes& o) {
  std::vector<results> all{{"by_size", &release::sweep::release<release::by_size>},
                           {"by_holders", &release::sweep::release<release::by_holders>}};
  std::erase_if(all, [&](const results& r) { return o.cut_off != "both" && r.cut_off != o.cut_off; });
  study s{o};
  for (int i = 0; i < o.repeat; ++i) {
    for (results& r : all) s.run(r);
  }
  bool are_right = true;
  for (const results& r : all) {
    std::puts(told(r, o).dump().c_str());
    are_right &= r.are_right;
  }
  return are_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const wishes o = parse(argc, argv);
  return bench::status_of("release", [&] { return run(o); });
}
