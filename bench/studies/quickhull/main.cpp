// The study of quickhull's space: makes one run, and prints a line of JSON.
#include "harness/options.hpp"
#include "harness/peak_memory.hpp"
#include "studies/quickhull/quickhull.hpp"
#include "studies/status_of.hpp"

#include <tine/augment/augment.hpp>
#include <tine/augment/space.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>

namespace {

namespace quickhull = bench::quickhull;

struct wishes {
  std::size_t n = 100'000;
  unsigned workers = 1;
  bool clear = false;
  bool plain = false;
};

wishes parse(int argc, char** argv) {
  wishes o;
  bench::options given{
      "quickhull",
      "The upper hull of points on a half circle, and how much memory its index sequences need in the worst case."};
  given.number("--n", o.n, {1, 50'000'000}, "Points");
  given.number("--workers", o.workers, {1, tine::max_workers}, "Workers");
  given.flag("--clear", o.clear, "Give the incoming indices back before the recursive calls");
  given.flag("--plain", o.plain, "Without an analysis, to see how much memory the process takes");
  given.parse(argc, argv);
  return o;
}

nlohmann::json told(const tine::space& s) {
  const auto& p = s.profile();
  const auto held_for = [&](quickhull::purpose why) { return p.witness().at(static_cast<std::uintptr_t>(why)); };
  return {{"worst_peak", p.worst_peak()},
          {"serial_peak", p.serial_peak()},
          {"held", p.held()},
          {"allocations", s.allocations()},
          {"worst_by_purpose",
           {{"filtered", held_for(quickhull::purpose::filtered)},
            {"copied", held_for(quickhull::purpose::copied)},
            {"flattened", held_for(quickhull::purpose::flattened)}}}};
}

int run(const wishes& o) {
  const quickhull::circle circle{o.n};
  const auto what = o.clear ? quickhull::incoming::cleared : quickhull::incoming::kept;
  bool is_right = false;
  const auto study = [&] { is_right = circle.is_hull(upper_hull(circle.points(), circle.right, circle.left, what)); };

  nlohmann::json line{
      {"study", "quickhull"}, {"n", o.n}, {"clear", o.clear}, {"plain", o.plain}, {"workers", o.workers}};
  tine::pool pool{{.workers = o.workers}};
  line["base_rss_kib"] = bench::peak_memory_kib();
  if (o.plain) {
    pool.run(study);
  } else {
    line["space"] = told(pool.run([&] { return tine::augment<tine::space>(study); }));
  }
  line["max_rss_kib"] = bench::peak_memory_kib();
  line["verified"] = is_right;
  std::puts(line.dump().c_str());
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const wishes o = parse(argc, argv);
  return bench::status_of("quickhull", [&] { return run(o); });
}
