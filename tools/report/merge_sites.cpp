// Merges sites that do not differ in anything that the tools can show.
#include "report/merge_sites.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace tine::report {
namespace {

using new_index = std::vector<std::uint32_t>;

std::uint32_t moved(std::uint32_t i, const new_index& to) { return i == trace::nothing ? i : to[i]; }

std::string text_of(const std::vector<frame>& frames) {
  std::string text;
  for (const frame& f : frames) text += f.function + '\n' + f.file + '\n' + std::to_string(f.line) + '\n';
  return text;
}

// In a library with wrappers, several addresses have the same place.
std::string text_of_place(const place& p) {
  return text_of(std::vector{p.at}) + (p.at.line == 0 ? p.fallback + '\n' : "") + text_of(p.callers);
}

new_index merge(std::vector<trace::site>& sites, std::vector<place>& places) {
  new_index to;
  std::map<std::pair<trace::construct, std::string>, std::uint32_t> known;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < sites.size(); ++i) {
    const trace::site s = sites[i];
    const auto [at, is_new] = known.try_emplace({s.kind, text_of_place(places[i])}, kept);
    to.push_back(at->second);
    if (is_new) {
      sites[kept] = s;
      if (kept != i) places[kept] = std::move(places[i]);
      ++kept;
      continue;
    }
    trace::site& one = sites[at->second];
    one.count += s.count;
    one.iterations += s.iterations;
    one.promoted += s.promoted;
    one.stolen += s.stolen;
    one.bytes += s.bytes;
  }
  sites.resize(kept);
  places.resize(kept);
  return to;
}

// Parents stand before their children, and this holds for the remaining paths, too.
void merge(std::vector<trace::path>& paths, const new_index& sites) {
  new_index to;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known;
  std::vector<trace::path> all;
  for (trace::path p : paths) {
    p.parent = moved(p.parent, to);
    p.site = moved(p.site, sites);
    const auto [at, is_new] = known.try_emplace({p.parent, p.site, p.phase}, static_cast<std::uint32_t>(all.size()));
    to.push_back(at->second);
    if (is_new) {
      all.push_back(p);
    } else {
      all[at->second].work += p.work;
      all[at->second].count += p.count;
      all[at->second].iterations += p.iterations;
    }
  }
  paths = std::move(all);
}

}  // namespace

void merge_sites(trace::profile& p, std::vector<place>& places) {
  if (places.size() != p.sites.size()) return;
  const new_index sites = merge(p.sites, places);
  merge(p.paths, sites);
  for (trace::point& one : p.points) one.site = moved(one.site, sites);
  for (trace::node& one : p.nodes) one.site = moved(one.site, sites);
  p.callers.clear();
}

}  // namespace tine::report
