// The explorer: a breadth-first search, so that the first violation and the first schedule for each answer are the
// shortest.
#include "ir/explore.hpp"

#include "ir/interpret.hpp"
#include "ir/key_of.hpp"
#include "ir/pool_typing.hpp"
#include "ir/state_graph.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace tine::spork {
namespace {

// 128 bits of hash instead of the key: a collision among as many states as fit into memory is too unlikely to matter.
using state_name = std::pair<std::size_t, std::size_t>;

state_name name_of(const pool& r) {
  const std::string key = key_of(r);
  return {std::hash<std::string>{}(key), std::hash<std::string>{}(key + "again")};
}

// Returns the numbers of a pool's threads, in the order of the tree. Pools with one name and equal numbers have the
// same schedules.
std::vector<thread_id> numbering_of(const pool& r) {
  std::vector<thread_id> numbers{0};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::vector<thread_id>& children = r.threads[numbers[i]].children;
    numbers.insert(numbers.end(), children.begin(), children.end());
  }
  return numbers;
}

class explorer {
 public:
  explorer(const semantics& rules, std::size_t most, const std::function<void(std::size_t)>& on_state)
      : rules_{rules}, typing_{rules.code()}, most_{most}, on_state_{on_state} {}

  exploration run() {
    meet(rules_.initial(), none, {});
    while (!open_.empty() && found_.violation.empty() && found_.states < most_) {
      const pool state = std::move(open_.front());
      open_.pop_front();
      leave(state, static_cast<state_id>(graph_.size()));
    }
    found_.complete = open_.empty() && found_.violation.empty();
    if (found_.violation.empty()) find_endless();
    return std::move(found_);
  }

 private:
  struct origin {
    state_id from = none;
    action by;
  };

  // Returns the actions that are possible in `r`.
  std::vector<action> actions_of(const pool& r) const {
    std::vector<action> all;
    for (thread_id t = 0; t < r.threads.size(); ++t) {
      if (r.threads[t].stack.empty()) continue;
      if (rules_.promotable_frame(r, t)) all.push_back({t, true});
      if (rules_.can_step(r, t)) all.push_back({t, false});
    }
    return all;
  }

  void apply(pool& r, action a) const {
    a.promotes ? static_cast<void>(rules_.promote(r, a.by)) : rules_.step(r, a.by);
  }

  void leave(const pool& r, state_id from) {
    graph_.begin_state();
    if (rules_.is_final(r)) return finish(show(r.output, rules_.results(r, 0)), from, {});
    const std::vector<action> all = actions_of(r);
    if (all.empty()) violate("progress: no thread can step", from);
    for (const action a : all) {
      if (!found_.violation.empty()) return;
      advance(r, from, a);
    }
  }

  void advance(pool r, state_id from, action a) {
    ++found_.steps;
    try {
      apply(r, a);
    } catch (const trap&) {
      return finish("trap", from, a);
    }
    meet(std::move(r), from, a);
  }

  void meet(pool r, state_id from, action by) {
    const auto [known, is_new] = seen_.try_emplace(name_of(r), static_cast<state_id>(origins_.size()));
    const state_id here = known->second;
    if (from != none) graph_.add_step(here);
    if (!is_new) return;
    ++found_.states;
    if (on_state_) on_state_(found_.states);
    origins_.push_back({from, by});
    if (const auto wrong = typing_.violation(r)) return violate("preservation: " + *wrong, here);
    open_.push_back(std::move(r));
  }

  void finish(std::string answer, state_id at, std::optional<action> last) {
    const auto same = [&](const exploration::ending& e) { return e.answer == answer; };
    if (std::ranges::any_of(found_.endings, same)) return;
    found_.endings.push_back({std::move(answer), trace_to(at)});
    if (last) found_.endings.back().trace.push_back(*last);
  }

  void violate(std::string what, state_id at) {
    if (!found_.violation.empty()) return;
    found_.violation = std::move(what);
    found_.trace = trace_to(at);
  }

  std::vector<action> trace_to(state_id at) const {
    std::vector<action> trace;
    for (; origins_[at].from != none; at = origins_[at].from) trace.push_back(origins_[at].by);
    std::ranges::reverse(trace);
    return trace;
  }

  // A cycle of states is a schedule that does not end. After one round the threads may have other numbers, because the
  // names of states ignore the numbers of threads. So rounds are added until the numbers are those of an earlier round.
  void find_endless() {
    const std::vector<state_id> cycle = graph_.find_cycle();
    if (cycle.empty()) return;
    std::vector<state_name> names(origins_.size());
    for (const auto& [name, id] : seen_) names[id] = name;
    std::vector<action> all = trace_to(cycle[0]);
    pool r = rules_.initial();
    for (const action a : all) apply(r, a);
    std::vector<std::pair<std::vector<thread_id>, std::size_t>> rounds;
    for (;;) {
      const std::vector<thread_id> numbers = numbering_of(r);
      for (const auto& [earlier, length] : rounds) {
        if (earlier != numbers) continue;
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(length);
        found_.never_ends = {{all.begin(), middle}, {middle, all.end()}};
        return;
      }
      rounds.emplace_back(numbers, all.size());
      for (std::size_t i = 1; i <= cycle.size(); ++i) all.push_back(go_to(r, names[cycle[i % cycle.size()]]));
    }
  }

  // Makes a step from `r` to the state of that name.
  action go_to(pool& r, const state_name& wanted) const {
    for (const action a : actions_of(r)) {
      pool next = r;
      try {
        apply(next, a);
      } catch (const trap&) {
        continue;
      }
      if (name_of(next) != wanted) continue;
      r = std::move(next);
      return a;
    }
    throw std::logic_error{"the explorer cannot repeat a step; the names of states are broken"};
  }

  struct name_hash {
    std::size_t operator()(const state_name& name) const { return name.first; }
  };

  const semantics& rules_;
  pool_typing typing_;
  std::size_t most_;
  const std::function<void(std::size_t)>& on_state_;
  exploration found_;
  std::vector<origin> origins_;  // of each state; the initial one has no `from`
  std::deque<pool> open_;        // states that have been met and not left, in the order of their numbers
  state_graph graph_;
  std::unordered_map<state_name, state_id, name_hash> seen_;
};

}  // namespace

std::string show(const exploration::endless& e) {
  return show(e.before) + (e.before.empty() ? "(" : " (") + show(e.again) + ")";
}

exploration explore(const semantics& rules, std::size_t most_states, const std::function<void(std::size_t)>& on_state) {
  return explorer{rules, most_states, on_state}.run();
}

}  // namespace tine::spork
