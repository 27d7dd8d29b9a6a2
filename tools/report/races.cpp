// Makes the races that the tools show from those of a profile.
#include "report/races.hpp"

#include "report/race_paths.hpp"
#include "report/resolve_sites.hpp"
#include "report/root_chain.hpp"
#include "trace/description.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace tine::report {
namespace {

constexpr std::size_t most_steps = 64;  // of a path; a recursion may have a million of them
constexpr std::size_t most_memory = 16;

std::string line_of(const place& where) {
  const std::string line = where.short_line();
  return line.empty() ? where.fallback : line;
}

// Identifies a line, also in code without debug information.
std::string key_of(const place& where) { return where.at.line == 0 ? where.fallback : where.full_line(); }

void add_once(std::vector<std::string>& texts, std::string text, std::size_t most) {
  if (texts.size() < most && std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
}

parting_kind kind_of(trace::construct kind) {
  switch (kind) {
    case trace::construct::fork:
      return parting_kind::fork;
    case trace::construct::coroutine_fork:
      return parting_kind::coroutine_fork;
    case trace::construct::task:
      return parting_kind::task;
    case trace::construct::loop:
      break;
  }
  return parting_kind::loop;
}

class finder {
 public:
  finder(const trace::profile& p, const race_sources& sources) : profile_{p}, sources_{sources}, paths_{p.race_steps} {}

  // Adds a row to the race of its two lines. Returns true if that race is new.
  void add(const trace::race& row) {
    const auto [key, is_swapped] = key_of_row(row);
    const auto [at, is_new] = known_.try_emplace(key, races_.size());
    if (is_new) races_.push_back({described(row), is_swapped});
    auto& [race, first_swapped] = races_[at->second];
    // A row in which the accesses have the other order counts the other way round.
    const bool turned = is_swapped != first_swapped;
    add_once(race.earlier.kinds, name_of(turned ? row.later_kind : row.earlier_kind), most_memory);
    add_once(race.later.kinds, name_of(turned ? row.earlier_kind : row.later_kind), most_memory);
    race.count = sum(race.count, row.count);
    ++race.pairs;
    race.is_locked = race.is_locked && row.is_locked;
    if (row.ordered_at == 0) race.ordered_at.clear();
    if (const std::string memory = memory_of(row).text(); memory != race.memory.text())
      add_once(race.more_memory, memory, most_memory);
  }

  bool is_suppressed(const trace::race& row, std::vector<suppression>& by) const {
    const place earlier = code_at(row.earlier), later = code_at(row.later);
    const variable global = memory_of(row).global;
    bool any = false;
    for (suppression& each : by) {
      const auto matches = [&](const frame& f) { return each.matches(f); };
      if (!std::ranges::any_of(earlier.chain, matches) && !std::ranges::any_of(later.chain, matches) &&
          !each.matches(global.name))
        continue;
      ++each.used;
      any = true;
    }
    if (any) suppressed_.insert(key_of_row(row).first);
    return any;
  }

  race_summary result() {
    race_summary all;
    for (auto& [race, is_swapped] : races_) all.races.push_back(std::move(race));
    std::ranges::sort(all.races, [](const found_race& a, const found_race& b) {
      return std::tuple{b.count, key_of(a.earlier.where), key_of(a.later.where)} <
             std::tuple{a.count, key_of(b.earlier.where), key_of(b.later.where)};
    });
    if (!profile_.race.empty() && profile_.race.front().incomplete_at != 0)
      all.incomplete_at = line_of(code_at(profile_.race.front().incomplete_at));
    all.suppressed = static_cast<std::uint64_t>(
        std::ranges::count_if(suppressed_, [&](const line_pair& key) { return !known_.contains(key); }));
    return all;
  }

 private:
  using line_pair = std::pair<std::string, std::string>;

  static std::string name_of(trace::access_kind kind) {
    if (kind == trace::access_kind::release) return "free";
    return std::string{trace::names_of<trace::access_kind>[static_cast<std::size_t>(kind)]};
  }

  // Returns the two lines in the order of the alphabet, and true if the later access is the first of them.
  std::pair<line_pair, bool> key_of_row(const trace::race& row) const {
    line_pair key{key_of(code_at(row.earlier)), key_of(code_at(row.later))};
    const bool is_swapped = key.second < key.first;
    if (is_swapped) std::swap(key.first, key.second);
    return {key, is_swapped};
  }

  place code_at(std::uint64_t address) const {
    const auto at = sources_.code.find(address);
    if (at != sources_.code.end()) return at->second;
    place unknown;
    unknown.fallback = hexadecimal(address);
    return unknown;
  }

  path_step described_step(std::uint32_t index) const {
    const trace::race_step& step = profile_.race_steps[index];
    const bool is_root = step.address == 0;
    return {step.kind, step.branch, is_root, step.is_cut && !is_root, is_root ? place{} : code_at(step.address)};
  }

  race_path path_below(std::uint32_t above, std::uint32_t step) const {
    race_path path;
    for (const std::uint32_t each : paths_.steps_below(above, step, most_steps))
      path.steps.push_back(described_step(each));
    path.left_out = paths_.count_below(above, step) - path.steps.size();
    return path;
  }

  race_memory memory_of(const trace::race& row) const {
    race_memory memory{row.memory, row.address, {}, row.block, row.block_bytes, row.block_site != 0, {}};
    if (memory.has_site) memory.site = code_at(row.block_site);
    const auto global = sources_.data.find(row.address);
    if (row.memory == trace::memory_kind::global && global != sources_.data.end()) memory.global = global->second;
    return memory;
  }

  race_parting parting_of(const parting_steps& part) const {
    const std::vector<trace::race_step>& steps = profile_.race_steps;
    const auto is_root = [&](std::uint32_t step) { return step != trace::nothing && steps[step].address == 0; };
    if (is_root(part.earlier) || is_root(part.later)) return {parting_kind::roots, {}, {}, {}, {}};
    const auto is_task = [&](std::uint32_t step) {
      return step != trace::nothing && steps[step].kind == trace::construct::task;
    };
    if (is_task(part.earlier) || is_task(part.later)) {
      const auto place_of_task = [&](std::uint32_t step) {
        return is_task(step) ? std::optional{code_at(steps[step].address)} : std::nullopt;
      };
      const auto one = place_of_task(part.earlier), other = place_of_task(part.later);
      return {parting_kind::task, one ? *one : *other, {}, {}, one ? other : std::nullopt};
    }
    if (part.earlier == trace::nothing || part.later == trace::nothing) return {};
    const trace::race_step &one = steps[part.earlier], &other = steps[part.later];
    if (one.address != other.address || one.kind != other.kind) return {};
    const auto branch_of = [](const trace::race_step& step) {
      const bool is_known = step.kind != trace::construct::loop || !step.is_cut;
      return is_known ? std::optional{step.branch} : std::nullopt;
    };
    return {kind_of(one.kind), code_at(one.address), branch_of(one), branch_of(other), {}};
  }

  found_race described(const trace::race& row) const {
    found_race race;
    const parting_steps part = paths_.part(row.earlier_step, row.later_step);
    race.is_complete = paths_.is_complete(row.earlier_step) && paths_.is_complete(row.later_step);
    race.earlier.where = code_at(row.earlier);
    race.later.where = code_at(row.later);
    race.earlier.path = path_below(part.common, row.earlier_step);
    race.later.path = path_below(part.common, row.later_step);
    race.common = path_below(trace::nothing, part.common);
    race.parting = parting_of(part);
    if (race.parting.kind == parting_kind::roots) race.is_complete = true;  // nothing is known of other roots
    race.memory = memory_of(row);
    race.is_locked = true;
    if (row.ordered_at != 0) race.ordered_at = line_of(code_at(row.ordered_at));
    return race;
  }

  const trace::profile& profile_;
  const race_sources& sources_;
  race_paths paths_;
  std::map<line_pair, std::size_t> known_;
  std::vector<std::pair<found_race, bool>> races_;  // with the order of the lines in its first row
  mutable std::set<line_pair> suppressed_;
};

}  // namespace

std::string path_step::text() const {
  if (is_root) return "a root or thread of its own";
  const std::string at = line_of(where);
  if (kind == trace::construct::loop && is_cut) return "an iteration of the loop at " + at;
  if (kind == trace::construct::loop) return "iteration " + std::to_string(branch) + " of the loop at " + at;
  if (kind == trace::construct::task) return "the task added to a group at " + at;
  if (kind == trace::construct::coroutine_fork)
    return branch == 0 ? "the coroutine forked at " + at : "the code behind the fork at " + at;
  return std::string{branch == 0 ? "the first" : "the second"} + " branch of the fork at " + at;
}

std::uint64_t race_memory::offset() const {
  if (!global.name.empty()) return global.offset;
  return block != 0 && address >= block ? address - block : 0;
}

std::string race_memory::text() const {
  const std::string offset_text = " (offset " + std::to_string(offset()) + ")";
  const std::string allocated = has_site ? " allocated at " + line_of(site) : "";
  switch (kind) {
    case trace::memory_kind::global:
      if (global.name.empty()) return "a global at " + hexadecimal(address);
      return "the global `" + global.name + "`" + (global.offset == 0 ? "" : offset_text);
    case trace::memory_kind::heap:
      if (block_bytes == 0) return "the heap" + (has_site ? "," + allocated : "");
      return std::to_string(block_bytes) + " bytes" + (has_site ? allocated : " on the heap") + offset_text;
    case trace::memory_kind::stack:
      return "the stack";
    case trace::memory_kind::frame:
      return "a coroutine frame" + allocated + (block_bytes == 0 ? "" : offset_text);
    case trace::memory_kind::unknown:
      break;
  }
  return "memory at " + hexadecimal(address);
}

std::string race_parting::text() const {
  const std::string at = line_of(where);
  switch (kind) {
    case parting_kind::fork:
      return "the two branches of the fork at " + at;
    case parting_kind::coroutine_fork:
      return "the coroutine forked at " + at + " and the code behind that fork";
    case parting_kind::loop:
      if (!earlier && !later) return "two iterations of the loop at " + at;
      if (!earlier || !later)
        return "iteration " + std::to_string(earlier ? *earlier : *later) + " and another one of the loop at " + at;
      return "iterations " + std::to_string(*earlier) + " and " + std::to_string(*later) + " of the loop at " + at;
    case parting_kind::task:
      if (!other) return "the task added to a group at " + at + " and the code that does not wait for it";
      if (line_of(*other) == at) return "two tasks added to groups at " + at;
      return "the tasks added to groups at " + at + " and at " + line_of(*other);
    case parting_kind::roots:
      return "two roots or threads";
    case parting_kind::unknown:
      break;
  }
  return "not known";
}

race_sources resolve_races(const trace::profile& p) {
  std::set<std::uint64_t> code, data;
  for (const trace::race& row : p.races) {
    code.insert({row.earlier, row.later});
    if (row.block_site != 0) code.insert(row.block_site);
    if (row.ordered_at != 0) code.insert(row.ordered_at);
    if (row.memory == trace::memory_kind::global) data.insert(row.address);
  }
  if (!p.race.empty() && p.race.front().incomplete_at != 0) code.insert(p.race.front().incomplete_at);
  for (const trace::race_step& step : p.race_steps) {
    if (step.address != 0) code.insert(step.address);
  }
  const std::vector<std::uint64_t> code_list{code.begin(), code.end()}, data_list{data.begin(), data.end()};
  std::vector<place> places = resolve_addresses(p, code_list);
  std::vector<variable> variables = resolve_variables(p, data_list);
  race_sources sources;
  for (std::size_t i = 0; i < places.size(); ++i) sources.code.emplace(code_list[i], std::move(places[i]));
  for (std::size_t i = 0; i < variables.size(); ++i) sources.data.emplace(data_list[i], std::move(variables[i]));
  return sources;
}

race_summary find_races(const trace::profile& p, const race_sources& sources, std::vector<suppression>& suppressed) {
  finder all{p, sources};
  for (const trace::race& row : p.races) {
    if (!all.is_suppressed(row, suppressed)) all.add(row);
  }
  return all.result();
}

race_summary find_races(const trace::profile& p, const race_sources& sources) {
  std::vector<suppression> none;
  return find_races(p, sources, none);
}

}  // namespace tine::report
