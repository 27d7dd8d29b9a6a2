// Writes a hand-made profile: make_profile KIND FILE. Its sites are places in this program, so that they can be resolved.
#include "trace/profile.hpp"
#include "trace/write.hpp"

#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace {

using namespace tine::trace;

// Returns the address at which its caller continues.
[[gnu::noinline]] std::uint64_t return_address() {
  return reinterpret_cast<std::uint64_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
}

[[gnu::always_inline]] inline std::uint64_t inlined_step() { return return_address() + 0; }

}  // namespace

// Three functions that a report has to name; `inlined_step` is inlined into `grow`.
[[gnu::noinline]] std::uint64_t sort_halves(int) {
  const std::uint64_t here = return_address();
  asm volatile("");
  return here;
}
[[gnu::noinline]] std::uint64_t fill_rows() {
  const std::uint64_t here = return_address();
  asm volatile("");
  return here;
}
namespace forest {
[[gnu::noinline]] std::uint64_t grow() {
  const std::uint64_t here = inlined_step();
  asm volatile("");
  return here;
}
}  // namespace forest

namespace {

module this_program() {
  module self;
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  self.path.assign(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        auto& m = *static_cast<module*>(to);
        m.begin = m.bias = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type == PT_LOAD) m.end = info->dlpi_addr + part.p_vaddr + part.p_memsz;
        }
        return 1;  // the first one is the program
      },
      &self);
  return self;
}

profile start() {
  profile p;
  p.run = {.command = "sorter 1000 \"a, b\"",
           .version = "0.1.0",
           .machine = "test machine",
           .analyses = work_span,
           .workers = 2,
           .ended = ending::normal,
           .wall = 1'000'000,
           .fork_burden = 4000,
           .burden_is_measured = true,
           .fork_cost = 1.5,
           .profiled_fork_cost = 30,
           .profiled_loop_cost = 60,
           .threshold = 1000};
  p.modules = {this_program()};
  return p;
}

// Everything measured: a recursion of two levels with a loop below it, and a second root.
profile full() {
  profile p = start();
  p.run.analyses = work_span | grain | space | dag;
  p.sites = {{sort_halves(1), construct::fork, 3, 0, 3, 2, 4096},
             {fill_rows(), construct::loop, 2, 200, 5, 4, -64},
             {forest::grow(), construct::coroutine_fork, 1, 0, 1, 1, 0}};
  p.paths = {{nothing, nothing, 100'000, 0},
             {0, 0, 200'000, 1},
             {1, 0, 150'000, 2},
             {2, 1, 300'000, 2, 200},
             {0, 2, 50'000, 1}};
  p.run.sampled = sampling::on;
  p.run.sample_period = 80'000;
  p.run.samples = 5, p.run.unlocated = 1;
  p.samples = {{fill_rows(), 0, 0, 0, 3}, {sort_halves(1), 0, 0, 0, 1}};
  p.phases = {"sorting"};
  p.roots = {{100'000, 500'000, 60'000, {750'000, 200'000, 220'000, 240'000, 3, 2, 200}, false},
             {700'000, 100'000, 40'000, {50'000, 50'000, 50'000, 54'000, 1, 0, 0}, true}};
  p.points = {{0, 0, 650'000, 180'000, 201}, {1, nothing, 150'000, 10'000, 99}, {1, 0, 150'000, 12'000, 99}};
  p.space = {{1 << 20, 3 << 20, 512, 1000, 990, 10 << 20}};
  using enum node::shape;
  p.nodes = {{series, 3, nothing, 750'000, 220'000, 201},
             {leaf, 0, nothing, 50'000, 50'000, 0},
             {parallel, 2, 0, 650'000, 150'000, 201},
             {leaf, 0, 0, 350'000, 140'000, 101},
             {loop, 0, 1, 300'000, 150'000, 99},
             {leaf, 0, nothing, 50'000, 20'000, 0},
             {leaf, 0, 2, 50'000, 50'000, 1}};
  return p;
}

// As `full`, but without the analyses that have to be asked for.
profile plain() {
  profile p = full();
  p.run.analyses = work_span;
  p.points.clear(), p.phases.clear(), p.space.clear(), p.nodes.clear();
  return p;
}

// The profile that the analyses `work` and `span` alone give.
profile totals() {
  profile p = plain();
  p.sites.clear(), p.paths.clear();
  return p;
}

// `full`, with its sorting twice as long.
profile slower() {
  profile p = full();
  p.paths[2].work += 650'000;
  p.roots[0].all.work += 650'000;
  for (const std::size_t on_the_way : {0, 2, 3}) p.nodes[on_the_way].work += 650'000;
  p.nodes[0].span += 300'000, p.nodes[2].span += 300'000, p.nodes[3].span += 310'000;
  p.roots[0].all.span_low += 300'000, p.roots[0].all.span_high += 300'000, p.roots[0].all.burdened_span += 300'000;
  return p;
}

// `full`, where the profile itself took about half of the time.
profile dear() {
  profile p = full();
  p.run.profiled_fork_cost = 100'000;
  return p;
}

// A run in which nothing was ever forked.
profile idle() { return start(); }

// Paths ten thousand deep, texts that are no UTF-8 and would be markup, and no module that exists.
profile odd() {
  profile p = start();
  p.run.command = "<b>\"odd\\\xFF\n;name";
  p.modules = {{"/no/such;file\xFE", "00", 0x1000, 0x2000, 0}};
  p.sites = {{0x1500, construct::fork, 10'000, 0, 0, 0, 0}, {0x9000, construct::loop, 0, 0, 0, 0, 0}};
  for (std::uint32_t i = 0; i < 10'000; ++i) p.paths.push_back({i == 0 ? nothing : i - 1, i % 7 == 3 ? 1u : 0u, 10, 1});
  p.roots = {{0, 10, 0, {100'000, 1000, 1000, 1000, 10'000, 0, 0}, false}};
  p.nodes = {{node::shape::loop, 0, 1, 100'000, 1000, 0}};
  return p;
}

// A profile whose loading takes seconds.
profile large() {
  profile p = start();
  constexpr std::uint32_t sites = 1'000'000;
  for (std::uint32_t i = 0; i < sites; ++i) p.sites.push_back({0x1500 + i, construct::fork, 1, 0, 0, 0, 0});
  for (std::uint32_t i = 0; i < sites; ++i) p.paths.push_back({nothing, i, 10, 1});
  p.roots = {{0, 10, 0, {10'000'000, 1000, 1000, 1000, 1'000'000, 0, 0}, false}};
  return p;
}

const std::map<std::string, std::function<profile()>> kinds{{"full", full},     {"plain", plain}, {"totals", totals},
                                                            {"slower", slower}, {"idle", idle},   {"odd", odd},
                                                            {"dear", dear},     {"large", large}};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !kinds.contains(argv[1])) {
    std::fprintf(stderr, "usage: make_profile full|plain|totals|slower|idle|odd|dear|large FILE\n");
    return 2;
  }
  const std::string problem = write(kinds.at(argv[1])(), argv[2]);
  if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
  return problem.empty() ? 0 : 1;
}
