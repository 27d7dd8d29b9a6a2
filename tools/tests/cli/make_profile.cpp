// Writes a hand-made profile: make_profile KIND FILE. Its sites are places in this program, so that they can be
// resolved.
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

// Two functions with one line, as instances of a template have.
template <class T>
[[gnu::noinline]] std::uint64_t touch(T) {
  const std::uint64_t here = return_address();
  asm volatile("");
  return here;
}

// Globals with races.
int shared_total[4];
namespace plot {
std::uint64_t* next_number() {
  static std::uint64_t number = 1;
  return &number;
}
}  // namespace plot

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
  p.phases = {{.name = "sorting", .count = 1}};
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

// `slower`, because there were more workers.
profile crowded() {
  profile p = slower();
  p.run.workers = 8;
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
  for (std::uint32_t i = 1; i <= 30; ++i) p.sites.push_back({0x9000 + i, construct::loop, 0, 0, 0, 0, 0});
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

// A program that is not instrumented for the race detector.
profile uninstrumented() {
  profile p = start();
  p.run.analyses = work_span | races;
  p.race = {{}};
  return p;
}

// An instrumented program without races.
profile race_free() {
  profile p = uninstrumented();
  p.race = {{.reads = 1200, .writes = 1, .strands = 64, .dropped = 0, .determinism = false, .incomplete = {}}};
  return p;
}

profile unchecked() {
  profile p = uninstrumented();
  p.race[0].incomplete = "the program runs under AddressSanitizer";
  return p;
}

// Races of every kind of memory and of every construct.
profile racy() {
  profile p = race_free();
  using enum access_kind;
  const std::uint64_t sort = sort_halves(1), fill = fill_rows(), grow = forest::grow();
  p.race_steps = {{nothing, fill, construct::loop, 17},
                  {nothing, fill, construct::loop, 18},
                  {0, sort, construct::fork, 0},
                  {1, sort, construct::fork, 1},
                  {2, grow, construct::coroutine_fork},
                  {2, grow, construct::coroutine_fork, 1},
                  {nothing, 0, construct::fork},
                  {nothing, 0, construct::fork},
                  {nothing, fill, construct::loop, 0, true},
                  {nothing, fill, construct::loop, 18}};
  const auto row = [&p](std::uint64_t earlier, access_kind a, std::uint64_t later, access_kind b, std::uint32_t steps,
                        memory_kind memory, const void* address, std::uint64_t count) -> race& {
    p.races.push_back({.earlier = earlier,
                       .later = later,
                       .earlier_kind = a,
                       .later_kind = b,
                       .earlier_step = steps,
                       .later_step = steps + 1,
                       .address = reinterpret_cast<std::uint64_t>(address),
                       .bytes = 4,
                       .memory = memory,
                       .count = count});
    return p.races.back();
  };
  row(touch(1), write, grow, read, 2, memory_kind::global, shared_total + 2, 10);
  row(grow, read, touch(1L), write, 2, memory_kind::global, shared_total + 3, 7);
  race& freed = row(sort, write, sort, release, 4, memory_kind::heap, &p, 3);
  freed.block = freed.address - 8, freed.block_bytes = 64, freed.block_site = fill;
  row(fill, write, sort, read, 6, memory_kind::stack, &p, 2);
  row(grow, atomic_write, fill, atomic_read, 8, memory_kind::global, plot::next_number(), 1).is_locked = true;
  row(touch(1.0), write, touch(1.0), write, nothing, memory_kind::unknown, &p, 1).later_step = nothing;
  return p;
}

// `racy`, of a program that a signal ended, with a detector that gave up.
profile racy_crash() {
  profile p = racy();
  p.run.ended = ending::signalled, p.run.signal = 11;
  p.race[0].incomplete = "a strand waited for another thread", p.race[0].dropped = 2, p.race[0].determinism = true;
  return p;
}

// A race below a recursion of 300,000 forks, of code without a module, with texts that are no UTF-8.
profile racy_deep() {
  profile p = odd();
  p.run.analyses |= races;
  p.race = {
      {.reads = 1, .writes = 1, .strands = 2, .dropped = 0, .determinism = false, .incomplete = "of \x1b[31m\xFF"}};
  constexpr std::uint32_t depth = 300'000;
  for (std::uint32_t i = 0; i < depth; ++i)
    p.race_steps.push_back({i == 0 ? nothing : i - 1, 0x1500, construct::fork, 0});
  p.race_steps.push_back({0, 0x1500, construct::fork, 1});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    p.races.push_back({.earlier = 0x1600 + i,
                       .later = 0x9000,
                       .earlier_step = depth - 1,
                       .later_step = depth,
                       .address = 0x3000,
                       .memory = memory_kind::global,
                       .count = 1000 - i});
  }
  return p;
}

// Ranks 0, 1 and 3 of a job of 4. The program is mapped elsewhere in the process of each rank.
profile rank(std::uint32_t number) {
  profile p = full();
  const std::uint64_t by = number * 0x7000'0000;
  for (module& m : p.modules) m.begin += by, m.end += by, m.bias += by;
  for (site& s : p.sites) s.address += by;
  for (caller& c : p.callers) c.address += by;
  for (sample& s : p.samples) {
    for (std::uint64_t* address : {&s.address, &s.caller, &s.second_caller, &s.third_caller})
      *address += *address == 0 ? 0 : by;
  }
  p.rank = {{.rank = number,
             .ranks = 4,
             .started = 1'700'000'000'000'000'000u + number * 100'000,
             .in_calls = 800'000,
             .without_work = number * 200'000,
             .steals = 10 * number,
             .requests = 12 * number,
             .given = 7,
             .messages = 100,
             .bytes = 2048}};
  if (number != 0) p.idle_periods = {{100'000, number * 200'000, number * 200'000}};
  return p;
}

const std::map<std::string, std::function<profile()>> kinds{{"full", full},
                                                            {"rank_0", [] { return rank(0); }},
                                                            {"rank_1", [] { return rank(1); }},
                                                            {"rank_3", [] { return rank(3); }},
                                                            {"plain", plain},
                                                            {"totals", totals},
                                                            {"slower", slower},
                                                            {"crowded", crowded},
                                                            {"idle", idle},
                                                            {"odd", odd},
                                                            {"dear", dear},
                                                            {"large", large},
                                                            // races
                                                            {"uninstrumented", uninstrumented},
                                                            {"race_free", race_free},
                                                            {"unchecked", unchecked},
                                                            {"racy", racy},
                                                            {"racy_crash", racy_crash},
                                                            {"racy_deep", racy_deep}};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !kinds.contains(argv[1])) {
    std::string names;
    for (const auto& [name, make] : kinds) names += (names.empty() ? "" : "|") + name;
    std::fprintf(stderr, "usage: make_profile %s FILE\n", names.c_str());
    return 2;
  }
  const std::string problem = write(kinds.at(argv[1])(), argv[2]);
  if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
  return problem.empty() ? 0 : 1;
}
