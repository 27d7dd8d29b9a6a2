// Measures how many strands a second the simulator takes: a random program of many leaves on several numbers of
// workers.
#include "harness/options.hpp"
#include "harness/splitmix.hpp"
#include "simulate/greedy.hpp"
#include "simulate/machine.hpp"
#include "simulate/program.hpp"
#include "simulate/stealing.hpp"
#include "trace/profile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

namespace {

using tine::trace::node;

// Adds a tree of `leaves` strands of 100 ns to 10 us: forks, and now and then a series or a loop.
node add(std::vector<node>& to, std::uint64_t leaves, bench::splitmix& random) {
  if (leaves == 1) {
    const std::uint64_t work = 100 + random.below(9900);
    to.push_back({.work = work, .span = work});
    return to.back();
  }
  const std::size_t at = to.size();
  const std::uint64_t kind = random.below(8), children = kind == 0 ? std::min<std::uint64_t>(leaves, 8) : 2;
  node n{.is = kind == 0   ? node::shape::loop
               : kind == 1 ? node::shape::series
                           : node::shape::parallel,
         .children = static_cast<std::uint32_t>(children)};
  to.push_back(n);
  for (std::uint64_t i = 0; i < children; ++i) {
    const node c = add(to, leaves / children + (i < leaves % children), random);
    n.work += c.work;
    n.span = n.is == node::shape::series ? n.span + c.span : std::max(n.span, c.span);
  }
  return to[at] = n;
}

double seconds_of(auto f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  int leaves = 10'000'000;
  bench::options given{"simulation", "Measures the speed of the simulator."};
  given.number("--leaves", leaves, {1, 50'000'000}, "Strands of the simulated program");
  given.parse(argc, argv);

  tine::trace::profile profile;
  bench::splitmix random{1};
  const node all = add(profile.nodes, static_cast<std::uint64_t>(leaves), random);
  profile.roots.emplace_back().wall = all.work;
  tine::simulate::program program;
  const double laid_out = seconds_of([&] { program = tine::simulate::program_of(profile); });
  for (const unsigned workers : {1U, 2U, 8U, 64U, 1024U}) {
    tine::simulate::outcome costly, greedy;
    const double model =
        seconds_of([&] { costly = tine::simulate::stealing(program, tine::simulate::machine{workers}); });
    const double plain = seconds_of([&] { greedy = tine::simulate::greedy(program, workers); });
    std::printf(
        "{\"leaves\": %d, \"workers\": %u, \"lay_out_seconds\": %.4f, \"model_seconds\": %.4f, \"greedy_seconds\": "
        "%.4f, "
        "\"strands_per_second\": %.3g, \"strands_per_second_once_laid_out\": %.3g, \"greedy_strands_per_second\": "
        "%.3g, \"steals\": %llu, \"time_ns\": %llu, "
        "\"greedy_ns\": %llu}\n",
        leaves, workers, laid_out, model, plain, leaves / (laid_out + model), leaves / std::max(model, 1e-9),
        leaves / (laid_out + plain), static_cast<unsigned long long>(costly.steals),
        static_cast<unsigned long long>(costly.in_roots), static_cast<unsigned long long>(greedy.in_roots));
    std::fflush(stdout);
  }
}
