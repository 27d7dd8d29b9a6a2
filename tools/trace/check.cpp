// Checks the facts on which every computation with a profile relies: indices are in range, and parts add up to the
// whole. No function here recurses, because a dag may be as deep as the program was.
#include "trace/check.hpp"

#include "trace/description.hpp"
#include "trace/read_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tine::trace {
namespace {

/// Returns the sum, or the largest number if the sum is too large.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t both = 0;
  return __builtin_add_overflow(a, b, &both) ? std::numeric_limits<std::uint64_t>::max() : both;
}

class checker {
 public:
  checker(const profile& p, const table_places& places, const std::string& name)
      : p_{p}, places_{places}, name_{name} {}

  /// Every index refers to a row of its table, or to none.
  void indices() const {
    std::map<std::string_view, std::size_t> sizes;
    for (const field& table : tables()) {
      if (table.type->is == type::kind::list) sizes[table.name] = table.type->size(table.in(&p_));
    }
    for (const field& table : tables()) {
      if (table.type->is != type::kind::list) continue;
      const void* const rows = table.in(&p_);
      for (const field& f : row_of(table).fields) {
        if (f.rows.empty()) continue;
        const std::size_t size = sizes.at(f.rows);
        for (std::size_t i = 0; i < sizes.at(table.name); ++i) {
          const auto value = static_cast<std::uint32_t>(number_in(*f.type, f.in(table.type->in(rows, i))));
          index(table.name, i, f.name, value, size);
        }
      }
    }
  }

  void modules() const {
    for (std::size_t i = 0; i < p_.modules.size(); ++i) {
      if (p_.modules[i].begin > p_.modules[i].end) fail("modules", i, "a module that ends before it begins");
    }
  }

  void callers() const {
    for (std::size_t i = 0; i < p_.callers.size(); ++i) {
      if (p_.callers[i].site == nothing) fail("callers", i, "it is of no site");
    }
  }

  void paths() const {
    for (std::size_t i = 0; i < p_.paths.size(); ++i) {
      const path& row = p_.paths[i];
      if (row.parent != nothing && row.parent >= i) fail("paths", i, "its parent does not stand before it");
      if (row.parent != nothing && row.site == nothing) fail("paths", i, "it has a parent, but no site");
    }
  }

  void phases() const {
    for (std::size_t i = 0; i < p_.phases.size(); ++i) {
      const std::uint32_t parent = p_.phases[i].parent;
      if (parent != nothing && parent >= i) fail("phases", i, "its parent does not stand before it");
    }
  }

  void race_steps() const {
    for (std::size_t i = 0; i < p_.race_steps.size(); ++i) {
      const race_step& row = p_.race_steps[i];
      if (row.parent != nothing && row.parent >= i) fail("race_steps", i, "its parent does not stand before it");
    }
  }

  /// Every finding has the call at which it was found, and the steps of a cycle of locks are neighbours, in a ring.
  void lock_findings() const {
    const std::vector<lock_finding>& all = p_.lock_findings;
    std::uint32_t cycles = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].event == nothing) fail("lock_findings", i, "it has no call");
      if (all[i].is != lock_problem::order) continue;
      const bool continues = i > 0 && all[i - 1].is == lock_problem::order && all[i - 1].cycle == all[i].cycle;
      if (continues ? all[i - 1].other != all[i].lock : all[i].cycle != cycles++)
        fail("lock_findings", i, "it does not continue a cycle");
    }
  }

  /// The process is one of the ranks, and periods without work follow each other.
  void ranks() const {
    for (std::size_t i = 0; i < p_.rank.size(); ++i) {
      const rank_totals& row = p_.rank[i];
      if (row.rank >= row.ranks)
        fail("rank", i, "rank " + std::to_string(row.rank) + " of " + std::to_string(row.ranks));
      if (row.without_work > row.in_calls) fail("rank", i, "more time without work than in calls");
    }
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < p_.idle_periods.size(); ++i) {
      const idle_period& row = p_.idle_periods[i];
      if (row.begin < end) fail("idle_periods", i, "it begins before the end of the period before it");
      if (row.without_work > row.wall) fail("idle_periods", i, "more time without work than time");
      end = sum(row.begin, row.wall);
    }
  }

  /// The samples with a place and those without add up to all samples, and each place has a sample.
  void samples() const {
    std::uint64_t all = p_.run.unlocated;
    for (std::size_t i = 0; i < p_.samples.size(); ++i) {
      if (p_.samples[i].count == 0) fail("samples", i, "a place without a sample");
      all = sum(all, p_.samples[i].count);
    }
    if (all == p_.run.samples) return;
    const std::string problem = "the samples of all places are " + said(all, p_.run.samples) + " in the run";
    fail(p_.samples.empty() ? "run" : "samples", 0, problem);
  }

  /// Sites are the sums of their paths, and all sites and paths together are the totals of the roots. Roots that had
  /// not ended have a row, too.
  void sites() const {
    if ((p_.run.analyses & grain) == 0) return;
    std::vector<std::uint64_t> counts(p_.sites.size()), iterations(p_.sites.size());
    std::uint64_t work = 0;
    for (const path& row : p_.paths) {
      work = sum(work, row.work);
      if (row.site == nothing) continue;
      counts[row.site] = sum(counts[row.site], row.count);
      iterations[row.site] = sum(iterations[row.site], row.iterations);
    }
    totals by_site, by_root;
    for (std::size_t i = 0; i < p_.sites.size(); ++i) {
      const site& row = p_.sites[i];
      equal("sites", i, "its paths count", counts[i], row.count);
      equal("sites", i, "the iterations of its paths are", iterations[i], row.iterations);
      std::uint64_t& of_kind = row.kind == construct::loop ? by_site.loops : by_site.forks;
      of_kind = sum(of_kind, row.count);
      by_site.iterations = sum(by_site.iterations, row.iterations);
    }
    for (const root& row : p_.roots) {
      by_root.work = sum(by_root.work, row.all.work);
      by_root.forks = sum(by_root.forks, row.all.forks);
      by_root.loops = sum(by_root.loops, row.all.loops);
      by_root.iterations = sum(by_root.iterations, row.all.iterations);
    }
    matches("forks of all sites", by_site.forks, by_root.forks);
    matches("loops of all sites", by_site.loops, by_root.loops);
    matches("iterations of all sites", by_site.iterations, by_root.iterations);
    // each of these times was rounded down to nanoseconds
    const std::uint64_t rounding = p_.paths.size() + p_.roots.size();
    if (sum(work, rounding) < by_root.work || work > sum(by_root.work, rounding))
      fail("paths", 0, "the work of all paths is " + said(work, by_root.work) + " in the roots");
  }

  // Nodes are in preorder. `missing` has, for every node around the current one, how many of its children are still to
  // come.
  void nodes() const {
    std::vector<std::uint32_t> missing;
    for (std::size_t i = 0; i < p_.nodes.size(); ++i) {
      const node& n = p_.nodes[i];
      if (n.is == node::shape::leaf && n.children != 0) fail("nodes", i, "a leaf with children");
      if (n.children >= p_.nodes.size() - i) {
        fail("nodes", i,
             std::to_string(n.children) + " children, but only " + std::to_string(p_.nodes.size() - i - 1) +
                 " nodes follow");
      }
      if (!missing.empty()) --missing.back();
      missing.push_back(n.children);
      while (!missing.empty() && missing.back() == 0) missing.pop_back();
    }
    if (!missing.empty()) fail("nodes", p_.nodes.size() - 1, "the last node, but others still lack children");
  }

  /// Call it after `nodes`. The work and span of each node follow from its children, and each root's tree has the
  /// root's work and span.
  void sums() const {
    struct extent {
      std::size_t row;
      std::uint64_t work, span;
    };
    std::vector<extent> siblings;  // subtrees that don't have a parent yet, the leftmost on top
    for (std::size_t i = p_.nodes.size(); i-- > 0;) {
      const node& n = p_.nodes[i];
      std::uint64_t work = 0, chain = 0, longest = 0;
      for (std::uint32_t child = 0; child < n.children; ++child) {
        work = sum(work, siblings.back().work);
        chain = sum(chain, siblings.back().span);
        longest = std::max(longest, siblings.back().span);
        siblings.pop_back();
      }
      if (n.children != 0) {
        equal("nodes", i, "the work of its children is", work, n.work);
        equal("nodes", i, "the span of its children is", n.is == node::shape::series ? chain : longest, n.span);
      }
      siblings.push_back({i, n.work, n.span});
    }
    if ((p_.run.analyses & dag) == 0) return;
    if (siblings.size() != p_.roots.size())
      fail("nodes", 0, "there are trees for " + said(siblings.size(), p_.roots.size()) + " roots");
    for (const root& r : p_.roots) {
      equal("nodes", siblings.back().row, "its root's work is", r.all.work, siblings.back().work);
      equal("nodes", siblings.back().row, "its root's span is", r.all.span_high, siblings.back().span);
      siblings.pop_back();
    }
  }

 private:
  static std::string said(std::uint64_t is, std::uint64_t wanted) {
    return std::to_string(is) + ", but it is " + std::to_string(wanted);
  }

  void equal(const char* table, std::size_t row, const char* what, std::uint64_t is, std::uint64_t wanted) const {
    if (is != wanted) fail(table, row, std::string{what} + " " + said(is, wanted));
  }

  void matches(const char* what, std::uint64_t by_site, std::uint64_t by_root) const {
    if (by_site != by_root) fail("sites", 0, std::string{what} + ": " + said(by_site, by_root) + " in the roots");
  }

  void index(std::string_view table, std::size_t row, std::string_view name, std::uint32_t value,
             std::size_t size) const {
    if (value == nothing || value < size) return;
    fail(table, row, std::string{name} + " " + std::to_string(value) + ", but there are " + std::to_string(size));
  }

  [[noreturn]] void fail(std::string_view table, std::size_t row, const std::string& problem) const {
    const auto place = places_.find(table);
    const std::uint64_t offset = place == places_.end() ? 0 : place->second.position_of_row(row);
    throw bad_file{name_, offset, "row " + std::to_string(row) + " of '" + std::string{table} + "': " + problem};
  }

  const profile& p_;
  const table_places& places_;
  const std::string& name_;
};

}  // namespace

void check(const profile& p, const table_places& places, const std::string& name) {
  const checker c{p, places, name};
  c.indices();
  c.modules();
  c.callers();
  c.paths();
  c.phases();
  c.nodes();
  c.sums();
  c.sites();
  c.samples();
  c.race_steps();
  c.lock_findings();
  c.ranks();
}

}  // namespace tine::trace
