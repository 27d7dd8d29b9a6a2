// The study of `tine whatif`: runs one of eight programs, whose site is faster or slower by a factor, and prints a line
// of JSON.
#include "harness/options.hpp"
#include "studies/status_of.hpp"
#include "studies/whatif/programs.hpp"

#include <tine/tine.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct wishes {
  unsigned program = 1;
  unsigned workers = 2;
  double scale = 1;
};

int run(const wishes& o) {
  const bench::whatif::program& p = bench::whatif::programs()[o.program - 1];
  tine::pool pool{{.workers = o.workers}};
  std::uint64_t answer = 0;
  const double seconds = bench::seconds_of([&] { pool.run([&] { answer = p.run(o.scale); }); });
  const nlohmann::json line{{"study", "whatif"},
                            {"program", p.name},
                            {"site", p.site},
                            {"workers", o.workers},
                            {"scale", o.scale},
                            {"seconds", seconds},
                            {"verified", answer == p.right}};
  std::puts(line.dump().c_str());
  return answer == p.right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  wishes o;
  bench::options given{"whatif", "Runs a program whose call site is faster or slower by a factor."};
  given.number("--program", o.program, {1, 8}, "Which program");
  given.number("--workers", o.workers, {1, tine::max_workers}, "Workers");
  given.number("--scale", o.scale, {1e-3, 1e3}, "Time of the work below the site, as a multiple of the usual time");
  given.parse(argc, argv);
  return bench::status_of("whatif", [&] { return run(o); });
}
