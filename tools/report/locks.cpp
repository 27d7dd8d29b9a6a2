// Makes the findings about locks from a profile.
#include "report/locks.hpp"

#include "report/resolve_sites.hpp"
#include "trace/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace tine::report {
namespace {

constexpr std::size_t most_steps = 64;

// Identifies a line, also in code without debug information.
std::string key_of(const place& where) { return where.at.line == 0 ? where.fallback : where.full_line(); }

class finder {
 public:
  finder(const trace::profile& p, const lock_sources& sources) : profile_{p}, sources_{sources} {}

  // Adds one finding: the rows of a cycle, or a single row.
  void add(const std::vector<const trace::lock_finding*>& rows) {
    found_lock_problem problem{
        .is = rows.front()->is, .uses = {}, .kind = rows.front()->kind, .is_suspended = rows.front()->is_suspended};
    for (const trace::lock_finding* row : rows) {
      problem.uses.push_back(use_of(*row));
      problem.count = std::max(problem.count, row->count);
      problem.longest = std::max(problem.longest, row->longest);
      problem.is_condition = problem.is_condition || row->is_condition;
      problem.is_shared = problem.is_shared || row->is_shared;
    }
    const auto [known, is_new] = known_.try_emplace(key_of_problem(problem), found_.size());
    if (is_new) {
      found_.push_back(std::move(problem));
      return;
    }
    found_lock_problem& first = found_[known->second];
    __builtin_add_overflow(first.count, problem.count, &first.count);
    first.longest = std::max(first.longest, problem.longest);
  }

  std::vector<found_lock_problem> result() {
    std::ranges::sort(found_, [](const found_lock_problem& a, const found_lock_problem& b) {
      return std::tuple{rank(a.is), ~a.count, key_of_problem(a)} < std::tuple{rank(b.is), ~b.count, key_of_problem(b)};
    });
    return std::move(found_);
  }

 private:
  using key = std::pair<trace::lock_problem, std::vector<std::pair<std::string, std::string>>>;

  static int rank(trace::lock_problem is) {
    using is_one = trace::lock_problem;
    constexpr std::array order{
        is_one::waits,        is_one::order,        is_one::held_at_fork,       is_one::held_at_loop,
        is_one::held_at_wait, is_one::held_at_join, is_one::released_elsewhere, is_one::long_wait};
    return static_cast<int>(std::ranges::find(order, is) - order.begin());
  }

  // Two rows are the same finding if all their lines are, in any order. Strands that wait now differ by their locks,
  // too.
  static key key_of_problem(const found_lock_problem& problem) {
    key k{problem.is, {}};
    for (const lock_use& use : problem.uses)
      k.second.emplace_back(use.taken ? key_of(*use.taken) : "", key_of(use.event));
    if (problem.is == trace::lock_problem::waits) k.second.emplace_back(problem.uses.front().lock, "");
    std::ranges::sort(k.second);
    return k;
  }

  place stack_at(std::uint32_t index) const {
    if (index < sources_.stacks.size()) return sources_.stacks[index];
    place unknown;
    unknown.fallback = hexadecimal(profile_.lock_stacks[index].address);
    return unknown;
  }

  std::string name_of(std::uint64_t lock, trace::lock_kind kind) const {
    const auto global = sources_.data.find(lock);
    if (global == sources_.data.end() || global->second.name.empty())
      return fmt::format("the {} at {}", trace::names_of<trace::lock_kind>[static_cast<std::size_t>(kind)],
                         hexadecimal(lock));
    std::string_view name = global->second.name;
    constexpr std::string_view guard = "guard variable for ";
    const bool is_guard = name.starts_with(guard);
    if (is_guard) name.remove_prefix(guard.size());
    return fmt::format("{}`{}`{}", is_guard ? "the initialisation of " : "", name,
                       global->second.offset == 0 ? "" : fmt::format(" (offset {})", global->second.offset));
  }

  path_step step_of(const trace::race_step& step) const {
    const auto known = sources_.steps.find(step.address);
    place where;
    where.fallback = hexadecimal(step.address);
    return {step.kind, step.branch, false, step.is_cut, known != sources_.steps.end() ? known->second : where};
  }

  lock_use use_of(const trace::lock_finding& row) const {
    lock_use use{
        .lock = name_of(row.lock, row.kind), .other = {}, .taken = {}, .event = stack_at(row.event), .path = {}};
    if (row.is == trace::lock_problem::order) use.other = name_of(row.other, row.kind);
    if (row.taken != trace::nothing) use.taken = stack_at(row.taken);
    for (std::uint32_t at = row.step; at != trace::nothing; at = profile_.race_steps[at].parent) {
      use.is_path_cut = use.is_path_cut || profile_.race_steps[at].is_cut;
      if (use.path.size() < most_steps) {
        use.path.push_back(step_of(profile_.race_steps[at]));
      } else {
        use.is_path_cut = true;
        break;
      }
    }
    std::ranges::reverse(use.path);
    return use;
  }

  const trace::profile& profile_;
  const lock_sources& sources_;
  std::map<key, std::size_t> known_;
  std::vector<found_lock_problem> found_;
};

}  // namespace

lock_sources resolve_locks(const trace::profile& p) {
  lock_sources sources;
  std::vector<std::vector<std::uint64_t>> stacks;
  for (const trace::lock_stack& s : p.lock_stacks) {
    std::vector<std::uint64_t>& stack = stacks.emplace_back(1, s.address);
    for (const std::uint64_t caller : {s.caller, s.second_caller, s.third_caller, s.fourth_caller, s.fifth_caller}) {
      if (caller == 0) break;
      stack.push_back(caller);
    }
  }
  sources.stacks = resolve_stacks(p, stacks);
  std::set<std::uint64_t> code, data;
  for (const trace::race_step& step : p.race_steps) code.insert(step.address);
  for (const trace::lock_finding& row : p.lock_findings) data.insert({row.lock, row.other});
  const std::vector<std::uint64_t> code_list{code.begin(), code.end()}, data_list{data.begin(), data.end()};
  std::vector<place> places = resolve_addresses(p, code_list);
  std::vector<variable> variables = resolve_variables(p, data_list);
  for (std::size_t i = 0; i < places.size(); ++i) sources.steps.emplace(code_list[i], std::move(places[i]));
  for (std::size_t i = 0; i < variables.size(); ++i) sources.data.emplace(data_list[i], std::move(variables[i]));
  return sources;
}

std::vector<found_lock_problem> find_lock_problems(const trace::profile& p, const lock_sources& sources) {
  finder all{p, sources};
  for (std::size_t i = 0; i < p.lock_findings.size();) {
    std::vector<const trace::lock_finding*> rows{&p.lock_findings[i++]};
    const auto continues = [&] {
      return i < p.lock_findings.size() && p.lock_findings[i].is == trace::lock_problem::order &&
             rows.front()->is == trace::lock_problem::order && p.lock_findings[i].cycle == rows.front()->cycle;
    };
    while (continues()) rows.push_back(&p.lock_findings[i++]);
    all.add(rows);
  }
  return all.result();
}

}  // namespace tine::report
