// Parts of a run: phases, call sites and stretches of time.
#include "report/part.hpp"

#include "report/summary.hpp"

#include <doctest/doctest.h>

#include "root_of.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tine::report;
using tine::test::nothing;
using tine::test::root_of;
namespace trace = tine::trace;
using shape = trace::node::shape;

/// Two phases of serial calls into a pool, as a program with a parallel library has them: 100 of serial time, root 0
/// (build), 50, root 1 (build), 200, root 2 (query), 30.
trace::profile calls() {
  trace::profile p;
  p.run.analyses = trace::work_span | trace::grain | trace::dag;
  p.run.wall = 1000;
  p.phases = {{}, {.name = "build", .count = 2, .outside = 70}, {.name = "query", .count = 1, .outside = 180}};
  p.sites = {{.address = 1, .count = 3, .promoted = 6, .stolen = 3}};
  p.paths = {
      {nothing, nothing, 10, 0, 0, 1}, {0, 0, 600, 2, 0, 1}, {nothing, nothing, 20, 0, 0, 2}, {2, 0, 380, 1, 0, 2}};
  p.roots = {root_of(100, 300, 310, 160), root_of(350, 500, 300, 150), root_of(700, 970, 400, 200)};
  for (trace::root& r : p.roots) r.all.forks = 1;
  p.roots[0].phase = p.roots[1].phase = 1;
  p.roots[2].phase = 2;
  p.nodes = {{shape::series, 2, nothing, 310, 160, 1, nothing}, {shape::leaf, 0, nothing, 10, 10, 0, 1},
             {shape::parallel, 2, 0, 300, 150, 1, nothing},     {shape::leaf, 0, nothing, 150, 150, 0, 1},
             {shape::leaf, 0, nothing, 150, 150, 0, 1},         {shape::parallel, 2, 0, 300, 150, 1, nothing},
             {shape::leaf, 0, nothing, 150, 150, 0, 1},         {shape::leaf, 0, nothing, 150, 150, 0, 1},
             {shape::parallel, 2, 0, 400, 200, 1, nothing},     {shape::leaf, 0, nothing, 200, 200, 0, 2},
             {shape::leaf, 0, nothing, 200, 200, 0, 2}};
  return p;
}

std::string refusal_of(const trace::profile& p, const std::string& phase) {
  try {
    static_cast<void>(in_phase(p, phase));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a phase of several calls has their work and span, and the serial time in the phase") {
  const trace::profile p = in_phase(calls(), "build");
  const summary s = summarise(p);
  CHECK(p.roots.size() == 2);
  CHECK(s.roots.work == 610);
  CHECK(s.roots.span_high == 310);
  CHECK(s.outside == 70);
  CHECK(s.process.work == 680);
  CHECK(s.process.span_high == 380);
  CHECK(s.forks == 2);
  CHECK(p.sites[0].count == 2);
  CHECK(p.sites[0].promoted == 4);
  CHECK(p.nodes.size() == 8);
  REQUIRE(s.critical.has_value());
  CHECK(s.critical->length == 310);
}

TEST_CASE("all phases together are the run") {
  const summary a = summarise(in_phase(calls(), "build")), b = summarise(in_phase(calls(), "query"));
  const summary all = summarise(calls());
  CHECK(a.roots.work + b.roots.work == all.roots.work);
  CHECK(a.roots.span_high + b.roots.span_high == all.roots.span_high);
  CHECK(a.forks + b.forks == all.forks);
}

TEST_CASE("calls that overlap in time overlap in their phase, too") {
  trace::profile p = calls();
  p.roots[1].begin = 200;
  const summary s = summarise(in_phase(p, "build"));
  CHECK(s.roots.span_high == 160);
  CHECK(s.outside == 70);
}

TEST_CASE("without a dag, a phase of whole calls is known, and a part of a call is refused") {
  trace::profile p = calls();
  p.nodes.clear();
  p.run.analyses = trace::work_span | trace::grain;
  CHECK(summarise(in_phase(p, "query")).process.work == 580);
  p.roots[2].phase = 1;
  CHECK(refusal_of(p, "query").find("analysis `trace`") != std::string::npos);
}

TEST_CASE("an unknown phase is refused, with the phases that there are") {
  CHECK(refusal_of(calls(), "sort") == "'sort' is not a phase of this profile; it has build, query");
  trace::profile p = calls();
  p.phases.clear();
  for (trace::root& r : p.roots) r.phase = nothing;
  for (trace::path& row : p.paths) row.phase = nothing;
  for (trace::node& n : p.nodes) n.phase = nothing;
  CHECK(refusal_of(p, "build").find("see tine::phase") != std::string::npos);
  CHECK(refusal_of(calls(), "").find("is not a phase") != std::string::npos);
}

TEST_CASE("a phase contains those inside of it, and has the name of all") {
  trace::profile p = calls();
  p.phases[2].parent = 1;
  p.phases.push_back({.name = "query", .parent = nothing, .outside = 5});
  CHECK(name_of_phase(p, 2) == "build / query");
  CHECK(summarise(in_phase(p, "build")).process.work == 610 + 400 + 250);
  CHECK(summarise(in_phase(p, "query")).process.work == 400 + 185);
  CHECK(summarise(in_phase(p, "build / query")).process.work == 580);
  CHECK(summarise(in_phase(in_phase(p, "build"), "query")).process.work == 580);
}

TEST_CASE("a leaf of several phases has the share that its paths say") {
  trace::profile p = calls();
  p.roots[0].phase = p.roots[1].phase = nothing;
  p.paths[1].work = 150;
  p.paths.push_back({nothing, nothing, 0, 0, 0, nothing});
  p.paths.push_back({4, 0, 450, 0, 0, nothing});
  for (std::size_t i : {3, 4, 6, 7}) p.nodes[i].phase = 0, p.nodes[i].forks = 1;
  const summary s = summarise(in_phase(p, "build"));
  CHECK(s.roots.work == 160);
  CHECK(s.roots.span_high < 100);
  CHECK(s.roots.span_high > 50);
}

TEST_CASE("the part below a call site has no other strand, and keeps its branches beside each other") {
  trace::profile p = calls();
  const summary s = summarise(below_sites(p, {0}));
  CHECK(s.roots.work == 980);
  CHECK(s.roots.span_high == 150 + 150 + 200);
  CHECK(s.outside == 0);
  CHECK(s.forks == 3);
  p.nodes.clear();
  CHECK_THROWS_AS(static_cast<void>(below_sites(p, {0})), std::runtime_error);
}

TEST_CASE("a stretch of time has the calls that began in it, and the free time in it") {
  const trace::profile p = between(calls(), 320, 800);
  const summary s = summarise(p);
  CHECK(p.roots.size() == 2);
  CHECK(s.roots.work == 700);
  CHECK(s.outside == 30 + 200);
  CHECK(s.process.span_high == 350 + 230);
  CHECK(p.sites[0].count == 2);
  CHECK(summarise(between(calls(), 0, 1000)).process.work == summarise(calls()).process.work);
}

TEST_CASE("a stretch of time inside of a call is refused, with that call") {
  for (const auto& [from, to] : {std::pair{110, 200}, std::pair{2000, 3000}}) {
    std::string said;
    try {
      static_cast<void>(between(calls(), from, to));
    } catch (const std::runtime_error& e) {
      said = e.what();
    }
    CHECK(said.find(from == 110 ? "choose a phase or a call site in it" : "the run took") != std::string::npos);
  }
}

// --- random programs -----------------------------------------------------------------------------------------------

namespace {

struct extent_of_part {
  std::uint64_t work = 0, span = 0, forks = 0;
};

/// Draws a program as nodes and paths, and computes by recursion what is in phase 1 and what is below site 2.
class random_program {
 public:
  explicit random_program(unsigned seed) : random_{seed} {
    p_.run.analyses = trace::work_span | trace::grain | trace::dag;
    p_.phases = {{}, {.name = "it"}, {.name = "other"}};
    for (std::uint64_t s = 1; s <= 3; ++s) p_.sites.push_back({.address = s});
    const auto [all, it, below] = node(6, path(nothing, nothing, nothing), nothing, nothing, nothing, false);
    p_.roots = {root_of(0, all.work, all.work, all.span)};
    p_.roots[0].all.forks = all.forks;
    p_.run.wall = all.work;
    in_phase_ = it, below_site_ = below;
  }
  const trace::profile& profile() const { return p_; }
  const extent_of_part& in_it() const { return in_phase_; }
  const extent_of_part& below_site() const { return below_site_; }

 private:
  struct three {
    extent_of_part all, it, below;
  };
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  std::uint32_t path(std::uint32_t parent, std::uint32_t site, std::uint32_t phase) {
    const auto [at, is_new] = paths_.try_emplace({parent, site, phase}, static_cast<std::uint32_t>(p_.paths.size()));
    if (is_new) p_.paths.push_back({.parent = parent, .site = site, .phase = phase});
    return at->second;
  }

  /// `at`: the path of the strand, which is below `parent` and `site`.
  three node(int depth, std::uint32_t at, std::uint32_t parent, std::uint32_t site, std::uint32_t phase,
             bool is_below) {
    const std::size_t index = p_.nodes.size();
    p_.nodes.emplace_back();
    const std::uint64_t kind = depth == 0 ? 0 : below(3);
    three sum;
    if (kind == 0) {
      const std::uint64_t t = 1 + below(1000);
      sum.all = {t, t, 0};
      if (phase == 1) sum.it = {t, t, 0};
      if (is_below) sum.below = {t, t, 0};
      p_.paths[at].work += t;
      p_.nodes[index] = {shape::leaf, 0, nothing, t, t, 0, phase};
      return sum;
    }
    const auto children = static_cast<std::uint32_t>(2 + (kind == 1 ? below(3) : 0));
    std::uint32_t fork = nothing;
    if (kind == 2) {
      fork = static_cast<std::uint32_t>(below(3));
      ++p_.sites[fork].count;
      const std::uint32_t under = path(at, fork, phase);
      ++p_.paths[under].count;
      ++sum.all.forks;
      if (phase == 1) ++sum.it.forks;
      if (is_below || fork == 2) ++sum.below.forks;
    }
    for (std::uint32_t c = 0; c < children; ++c) {
      const std::uint32_t in = below(4) == 0 ? static_cast<std::uint32_t>(below(3)) : phase == nothing ? 0 : phase;
      const std::uint32_t number = in == 0 ? nothing : in;
      const std::uint32_t above = kind == 2 ? at : parent, its_site = kind == 2 ? fork : site;
      const three one =
          node(depth - 1, path(above, its_site, number), above, its_site, number, is_below || (kind == 2 && fork == 2));
      for (extent_of_part three::* part : {&three::all, &three::it, &three::below}) {
        (sum.*part).work += (one.*part).work;
        (sum.*part).forks += (one.*part).forks;
        std::uint64_t& span = (sum.*part).span;
        span = kind == 1 ? span + (one.*part).span : std::max(span, (one.*part).span);
      }
    }
    p_.nodes[index] = {kind == 1 ? shape::series : shape::parallel,
                       children,
                       fork,
                       sum.all.work,
                       sum.all.span,
                       sum.all.forks,
                       nothing};
    return sum;
  }

  trace::profile p_;
  std::mt19937 random_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> paths_;
  extent_of_part in_phase_, below_site_;
};

void has(const trace::profile& part, const extent_of_part& wanted) {
  const summary s = summarise(part);
  CHECK(s.roots.work == wanted.work);
  CHECK(s.roots.span_high == wanted.span);
  CHECK(s.forks == wanted.forks);
  if (wanted.work == 0) return;
  REQUIRE(s.critical.has_value());
  CHECK(s.critical->length == wanted.span);
  CHECK(part.nodes.at(0).work == wanted.work);
  CHECK(part.nodes.at(0).span == wanted.span);
}

}  // namespace

TEST_CASE("in random programs a phase and a site have the work, the span and the forks of their strands alone") {
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    const random_program p{seed};
    if (p.in_it().work != 0) has(in_phase(p.profile(), "it"), p.in_it());
    has(below_sites(p.profile(), {2}), p.below_site());
  }
}
