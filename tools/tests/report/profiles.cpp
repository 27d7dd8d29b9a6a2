// The profiles that the page is tested with: like real ones, degenerate, hostile and large.
#include "profiles.hpp"

#include "simulation.hpp"

#include <random>

namespace tine::tests {
namespace {

using report::frame;
using report::place;
using trace::construct;

place at(const std::string& function, const std::string& file, std::uint32_t line) {
  const frame own{function, file, line};
  return {own, {{"tine::par<" + function + "::{lambda()#1}>", "include/tine/managed/par.hpp", 61}, own}, ""};
}

/// Quickhull on points in a disc: a serial read, a loop that splits, two halves of different size, and little left on
/// top.
named_profile quickhull() {
  simulation sim(20'000);
  trace::profile& p = sim.profile;
  p.run.command = "./quickhull --points 2000000 --shape disc --seed 7";
  p.run.machine = "AMD EPYC 7B13";
  p.run.workers = 8;
  p.run.analyses |= trace::space;
  p.run.burden_is_measured = true;
  p.phases = {{.name = "split"}, {.name = "recurse"}};
  const auto hull = sim.site(construct::fork), split = sim.site(construct::loop), farthest = sim.site(construct::loop),
             merge = sim.site(construct::coroutine_fork);
  std::mt19937 random(7);

  const auto side = [&](auto self, unsigned points) -> void {
    if (points < 3000) return sim.strand(12ull * points + 40);
    sim.phase = 0;
    sim.loop(farthest, points, 2, 2 + points / 40'000);
    sim.loop(split, points, 5, 2 + points / 30'000);
    sim.phase = 1;
    const unsigned kept = points / 100 * (45 + static_cast<unsigned>(random() % 35));
    const unsigned left = kept / 100 * (25 + static_cast<unsigned>(random() % 50));
    sim.fork(hull, [&] { self(self, left); }, [&] { self(self, kept - left); });
    sim.strand(200);
  };
  sim.root(2'000'000, [&] {
    sim.strand(300'000);
    sim.fork(hull, [&] { side(side, 900'000); }, [&] { side(side, 1'100'000); });
    sim.fork(merge, [&] { sim.strand(120'000); }, [&] { sim.strand(90'000); });
  });
  p.space = {{.serial_peak = 33'554'432,
              .worst_peak = 251'658'240,
              .left = 0,
              .allocations = 18'204,
              .frees = 18'204,
              .allocated = 402'653'184}};
  const std::int64_t held[] = {1'048'576, 201'326'592, 0, 49'283'072};
  for (std::size_t i = 0; i < p.sites.size(); ++i) {
    p.sites[i].bytes = held[i];
    p.sites[i].promoted = p.sites[i].count / 9 + 3;
    p.sites[i].stolen = p.sites[i].promoted * 2 / 3;
  }
  return {"quickhull",
          p,
          {at("hull::upper(std::span<point const>, point, point)", "/usr/src/geometry/quickhull.cpp", 84),
           at("hull::split(std::span<point const>, line)", "/usr/src/geometry/quickhull.cpp", 41),
           at("hull::farthest(std::span<point const>, line)", "/usr/src/geometry/quickhull.cpp", 27),
           at("merge(hull::chain, hull::chain)", "/usr/src/geometry/chain.hpp", 118)}};
}

/// fib: nothing but forks, far too fine.
named_profile fib(const char* name, double profiled_fork_cost) {
  simulation sim(4'000);
  trace::profile& p = sim.profile;
  p.run.command = "./fib 25";
  p.run.profiled_fork_cost = profiled_fork_cost;
  const auto site = sim.site(construct::fork);
  const auto call = [&](auto self, unsigned n) -> void {
    if (n < 2) return sim.strand(2);
    sim.fork(site, [&] { self(self, n - 1); }, [&] { self(self, n - 2); });
    sim.strand(1);
  };
  sim.root(1'000, [&] { call(call, 25); });
  return {name, p, {at("fib(unsigned int)", "bench/programs/fib/managed.cpp", 12)}};
}

named_profile empty() {
  trace::profile p;
  p.run.command = "true";
  p.run.analyses = trace::work_span | trace::grain | trace::space | trace::dag;
  p.run.workers = 1;
  p.run.wall = 900'000;
  return {"empty", p, {}};
}

/// A root without a fork, and nothing measured but work and span.
named_profile serial() {
  simulation sim(1'000);
  sim.profile.run.analyses = trace::work_span;
  sim.profile.run.ended = trace::ending::exception;
  sim.root(500'000, [&] { sim.strand(3'000'000); });
  sim.profile.roots[0].threw = true;
  sim.profile.nodes.clear();
  sim.profile.paths.clear();
  return {"serial", sim.profile, {}};
}

/// Names that would break a page which took them for markup, and a layout that does not expect them.
named_profile hostile() {
  const std::string attack = "</script><script>document.title='broken'</script><img src=x onerror=\"fetch('//x')\">";
  simulation sim(10);
  trace::profile& p = sim.profile;
  p.run.command = attack + " --arg=\"quoted 'twice'\" <!-- \\u003c \xff\xfe";
  p.run.machine = "a & b < c &lt; {{style}}";
  p.phases = {{.name = attack}, {.name = "\u202eright to left"}};
  std::vector<place> places = {
      at("f<" + attack + ">", "/" + attack + ".cpp", 1),
      at(std::string(5000, 'w') + "()", "/" + std::string(300, 'd') + "/" + std::string(200, 'f') + ".cpp",
         4'000'000'000u),
      at("größe::π∘Ω(日本語, 🦔)", "/tmp/with space/naïve \"quotes\" 'single'.cpp", 7),
      {{}, {}, "lib\xc3\x28.so+0xdeadbeef"},
      {{}, {}, ""},
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto s = sim.site(construct::fork);
    p.sites[s].bytes = i == 3 ? -5 : 0;
    sim.phase = i % 2;
    sim.root(100, [&] { sim.fork(s, [&] { sim.strand(1'000); }, [&] { sim.strand(700 * (i + 1)); }); });
  }
  p.run.analyses |= trace::races;
  p.races.resize(1);
  p.races[0] = {.earlier = 1, .later = 2, .count = 1};
  p.race = {{.reads = 1, .writes = 1, .strands = 1, .dropped = 0, .determinism = false, .incomplete = attack}};
  return {"hostile", p, places, {{{1, places[0]}, {2, places[1]}}, {}}};
}

/// Sixty races, and most kinds of memory, paths and constructs in the first ones.
named_profile races() {
  simulation sim(1'000);
  trace::profile& p = sim.profile;
  p.run.command = "./quickhull --points 1000";
  p.run.analyses = trace::work_span | trace::races;
  sim.root(0, [&] { sim.strand(1'000'000); });
  p.nodes.clear();
  p.paths.clear();
  p.race = {{.reads = 81'204,
             .writes = 20'301,
             .strands = 4'002,
             .dropped = 3,
             .determinism = false,
             .incomplete = "a strand waited for another thread"}};
  p.race_steps = {{trace::nothing, 100, construct::loop, 17},
                  {trace::nothing, 100, construct::loop, 18},
                  {0, 101, construct::fork, 0},
                  {0, 101, construct::fork, 1},
                  {trace::nothing, 101, construct::fork, 0, true},
                  {trace::nothing, 101, construct::fork, 1, true}};
  report::race_sources sources{{{100, at("hull::split(points)", "/usr/src/geometry/quickhull.cpp", 40)},
                                {101, at("hull::upper(points)", "/usr/src/geometry/quickhull.cpp", 84)}},
                               {{0x5008, {"hull::farthest_seen", 8, 16}}}};
  for (std::uint32_t i = 0; i < 100; ++i) p.race_steps.push_back({i == 0 ? 2 : i + 5, 101, construct::fork, 0});
  p.race_steps.push_back({105, 101, construct::fork, 1});
  const std::uint32_t ends[][2] = {{2, 1}, {2, 3}, {4, 5}, {106, 3}};
  for (std::uint32_t i = 0; i < 60; ++i) {
    sources.code.emplace(i, at("hull::side_" + std::to_string(i), "/usr/src/geometry/side.cpp", 10 + i));
    trace::race r;
    r.earlier = i, r.later = i / 2, r.later_kind = trace::access_kind::read, r.count = 1000 - i;
    r.earlier_step = ends[i == 59 ? 3 : i % 3][0], r.later_step = ends[i == 59 ? 3 : i % 3][1], r.address = 0x5008;
    r.memory = i % 3 == 1 ? trace::memory_kind::heap : trace::memory_kind::global;
    if (i % 3 == 1) r.block = 0x5000, r.block_bytes = 64, r.block_site = 100;
    r.is_locked = i == 2;
    p.races.push_back(r);
  }
  return {"races", p, {}, sources};
}

/// An instrumented program without races, all of which was checked.
named_profile race_free() {
  named_profile made = races();
  made.name = "race-free";
  made.profile.races.clear();
  made.profile.race[0].incomplete.clear();
  made.profile.race[0].dropped = 0;
  return made;
}

/// As large as a page may get: 20,000 nodes and more, 4,000 points and more, and a nest of 1,500 forks.
named_profile large() {
  simulation sim(1);
  trace::profile& p = sim.profile;
  p.run.command = "./tree --depth 13 --nest 10000";
  p.run.workers = 64;
  const auto tree = sim.site(construct::fork), nest = sim.site(construct::fork);
  std::mt19937 random(3);
  const auto grow = [&](auto self, unsigned depth) -> void {
    sim.strand(500 + random() % 5000);
    if (depth == 0 || random() % 16 == 0) return;
    sim.fork(tree, [&] { self(self, depth - 1); }, [&] { self(self, depth - 1); });
  };
  const auto deeper = [&](auto self, unsigned depth) -> void {
    if (depth == 0) return sim.strand(50);
    sim.fork(nest, [&] { self(self, depth - 1); }, [&] { sim.strand(20); });
  };
  sim.root(0, [&] {
    grow(grow, 12);
    deeper(deeper, 1'500);
  });
  return {"large", p, {at("grow(tree&, unsigned)", "tree.cpp", 20), at("nest(unsigned)", "nest.cpp", 5)}};
}

/// Two workers for a millisecond: worker 1 steals twice, and each kind of gap occurs once.
named_profile timeline() {
  simulation sim(1'000);
  sim.root(0, [&] { sim.strand(1'000'000); });
  trace::profile& p = sim.profile;
  p.run.analyses |= trace::timeline;
  p.timeline = {{.begin = 0, .end = 1'000'000}};
  p.timeline_workers = {{.worker = 0}, {.worker = 1}};
  using enum trace::timeline_event::kind;
  const auto add = [&](std::uint32_t worker, std::uint64_t time, trace::timeline_event::kind is,
                       std::uint64_t subject = 0,
                       std::uint32_t other = 0) { p.timeline_events.push_back({worker, is, time, other, subject}); };
  add(0, 0, arrives);
  add(0, 1'000, begins);
  add(0, 1'000, runs);
  add(0, 100'000, promotes, 64);
  add(0, 300'000, lacks_token);
  add(0, 350'000, promotes, 128);
  add(0, 600'000, suspends, 4'096);
  add(0, 600'000, rests);
  add(0, 800'000, resumes, 4'096, 0);
  add(0, 800'000, runs);
  add(0, 1'000'000, loses, 50'000);
  add(1, 0, arrives);
  add(1, 50'000, sleeps);
  add(1, 110'000, wakes);
  add(1, 120'000, steals, 64, 0);
  add(1, 120'000, begins, 0x1000);
  add(1, 120'000, runs);
  add(1, 300'000, rests);
  add(1, 360'000, steals, 128, 0);
  add(1, 360'000, begins, 0x1001);
  add(1, 360'000, runs);
  add(1, 800'000, rests);
  add(1, 800'000, sleeps);
  return {"timeline", p, {}};
}

}  // namespace

std::vector<named_profile> profiles() {
  return {timeline(), quickhull(), fib("fib", 0), fib("costly", 30), empty(),
          serial(),   hostile(),   large(),       races(),           race_free()};
}

}  // namespace tine::tests
