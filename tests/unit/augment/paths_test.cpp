// Trees of fork paths: equal ways have one path, in every thread and in the profile, and no path is below the deepest
// level.
#include "augment/paths.hpp"
#include "augment/resolution.hpp"

#include <tine/base/ticks.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <thread>

namespace {

using namespace tine::detail;
namespace trace = tine::trace;
using tine::sched::site;

/// Returns the path of forks at these places, in the tree of this thread.
path& walk(std::initializer_list<site> way) {
  path* p = &path_here(nullptr);
  for (const site where : way) p = &path_below(*p, where, trace::construct::fork);
  return *p;
}

/// Returns the index of the path in the profile. There must be exactly one.
std::uint32_t in_profile(const trace::profile& p, std::initializer_list<site> way) {
  std::uint32_t at = 0;
  REQUIRE(p.paths.at(0).parent == trace::nothing);
  for (const site where : way) {
    std::uint32_t next = trace::nothing;
    for (std::uint32_t i = 0; i < p.paths.size(); ++i) {
      if (p.paths[i].parent != at || p.sites[p.paths[i].site].address != where) continue;
      CHECK(next == trace::nothing);
      next = i;
    }
    REQUIRE(next != trace::nothing);
    at = next;
  }
  return at;
}

trace::profile merged() {
  trace::profile p;
  merge_paths(p);
  return p;
}

}  // namespace

TEST_CASE("equal ways are one path, however often and in whatever order they are asked for") {
  path& a = walk({0x1100, 0x1200});
  path& b = walk({0x1100, 0x1300});
  path& c = walk({0x1100, 0x1400});
  CHECK(&a != &b);
  CHECK(&b != &c);
  for (int again = 0; again < 3; ++again) {
    CHECK(&walk({0x1100, 0x1200}) == &a);
    CHECK(&walk({0x1100, 0x1400}) == &c);
    CHECK(&walk({0x1100, 0x1300}) == &b);
  }
  CHECK(&walk({0x1200}) != &a);
  CHECK(a.parent == &walk({0x1100}));
  CHECK(a.depth == 2);
  CHECK(&path_here(&a) == &a);
}

TEST_CASE("another thread has a path of its own for the same way, and both are one in the profile") {
  path& mine = walk({0x2100, 0x2200});
  mine.count += 3;
  mine.work += tine::base::to_ticks(1000);
  mine.promoted += 2;
  path* theirs = nullptr;
  std::thread{[&] {
    theirs = &path_here(&mine);
    CHECK(&path_here(&mine) == theirs);
    theirs->count += 4;
    theirs->stolen += 1;
    theirs->work += tine::base::to_ticks(500);
  }}.join();
  CHECK(theirs != &mine);
  CHECK(theirs->where == mine.where);
  CHECK(theirs->parent->where == mine.parent->where);
  CHECK(theirs->tree != mine.tree);

  const trace::profile p = merged();
  const trace::path& both = p.paths[in_profile(p, {0x2100, 0x2200})];
  CHECK(both.count == 7);
  CHECK(both.work >= 1'499'000);
  CHECK(both.work <= 1'500'000);
  const trace::site& s = p.sites[index_of_site(p, 0x2200)];
  CHECK(s.count == 7);
  CHECK(s.promoted == 2);
  CHECK(s.stolen == 1);
}

TEST_CASE("a site is the sum of its paths") {
  walk({0x3100}).count += 1;
  walk({0x3100, 0x3100}).count += 10;
  path& l = path_below(walk({0x3200}), 0x3100, trace::construct::loop);
  l.count += 100;
  l.iterations += 5;
  const trace::profile p = merged();
  const trace::site& s = p.sites[index_of_site(p, 0x3100)];
  CHECK(s.count == 111);
  CHECK(s.iterations == 5);
  CHECK(p.paths[in_profile(p, {0x3100})].count == 1);
  CHECK(p.paths[in_profile(p, {0x3100, 0x3100})].count == 10);
  CHECK(index_of_site(p, 0x3999) == trace::nothing);
}

TEST_CASE("a recursion deeper than the deepest level counts for that") {
  path* p = &path_here(nullptr);
  for (int level = 0; level < 1000; ++level) {
    p = &path_below(*p, 0x5100, trace::construct::fork);
    ++p->count;
  }
  CHECK(p->depth == 256);
  CHECK(p->count == 1000 - 255);
  std::thread{[&] { CHECK(path_here(p).depth == 256); }}.join();
  const trace::profile all = merged();
  std::uint64_t levels = 0;
  for (const trace::path& one : all.paths)
    levels += one.site != trace::nothing && all.sites[one.site].address == 0x5100;
  CHECK(levels == 256);
  CHECK(all.sites[index_of_site(all, 0x5100)].count == 1000);
}

TEST_CASE("below the deepest level every fork still counts at its own site") {
  path* p = &path_here(nullptr);
  for (int level = 0; level < 600; ++level) {
    const bool is_loop = level % 3 == 0;
    p = &path_below(*p, is_loop ? 0x5200 : 0x5210, is_loop ? trace::construct::loop : trace::construct::fork);
    CHECK(p->depth <= 256);
    ++p->count;
  }
  const trace::profile all = merged();
  CHECK(all.sites[index_of_site(all, 0x5200)].count == 200);
  CHECK(all.sites[index_of_site(all, 0x5210)].count == 400);
  CHECK(all.sites[index_of_site(all, 0x5200)].kind == trace::construct::loop);
  CHECK(all.sites[index_of_site(all, 0x5210)].kind == trace::construct::fork);
}

TEST_CASE("where there is no path any more, forks count at their own site") {
  const profile_caps usual = caps();
  path& deep = walk({0xA100, 0xA200});
  profile_caps full = usual;
  full.paths = 0;
  set_resolution(100'000, full);
  path& again = path_below(deep, 0xA100, trace::construct::fork);
  CHECK(&again == deep.parent);  // the path of the recursion
  path& other = path_below(deep, 0xA300, trace::construct::fork);
  CHECK(&other == &walk({0xA300}));  // directly below the root
  again.count += 5;
  other.count += 6;
  set_resolution(100'000, usual);
  const trace::profile all = merged();
  CHECK(all.sites[index_of_site(all, 0xA100)].count == 5);
  CHECK(all.sites[index_of_site(all, 0xA300)].count == 6);
}
