// The explorer: a breadth-first search, so that the first violation found has the shortest trace.
#include "spork/explore.hpp"

#include "spork/interpret.hpp"
#include "spork/pool_key.hpp"
#include "spork/pool_typing.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <unordered_set>
#include <utility>

namespace tine::spork {
namespace {

class explorer {
 public:
  explorer(const semantics& rules, std::size_t most) : rules_{rules}, typing_{rules.code()}, most_{most} {}

  exploration run() {
    meet(rules_.initial(), none, {});
    while (!open_.empty() && found_.violation.empty()) {
      if (found_.states >= most_) return found_;
      const auto [state, from] = std::move(open_.front());
      open_.pop_front();
      leave(state, from);
    }
    found_.complete = found_.violation.empty();
    return found_;
  }

 private:
  struct origin {
    std::uint32_t from = none;
    action by;
  };

  void leave(const pool& r, std::uint32_t from) {
    if (rules_.is_final(r)) return finish(show(rules_.results(r, 0)), from);
    bool moved = false;
    for (thread_id t = 0; t < r.threads.size() && found_.violation.empty(); ++t) {
      if (r.threads[t].stack.empty()) continue;
      if (rules_.promotable_frame(r, t)) moved = true, advance(r, from, {t, true});
      if (rules_.can_step(r, t)) moved = true, advance(r, from, {t, false});
    }
    if (!moved) violate("progress: no thread can go on", from);
  }

  void advance(pool r, std::uint32_t from, action a) {
    ++found_.steps;
    try {
      a.promotes ? static_cast<void>(rules_.promote(r, a.by)) : rules_.step(r, a.by);
    } catch (const trap& t) {
      origins_.push_back({from, a});
      return finish("trap", static_cast<std::uint32_t>(origins_.size() - 1));
    }
    meet(std::move(r), from, a);
  }

  void meet(pool r, std::uint32_t from, action by) {
    const std::string key = key_of(r);
    // 128 bits of hash instead of the key: a collision among the states that fit memory is out of the question
    const std::pair name{std::hash<std::string>{}(key), std::hash<std::string>{}(key + "again")};
    if (!seen_.insert(name).second) return;
    ++found_.states;
    origins_.push_back({from, by});
    const auto here = static_cast<std::uint32_t>(origins_.size() - 1);
    if (const auto wrong = typing_.violation(r)) return violate("preservation: " + *wrong, here);
    open_.emplace_back(std::move(r), here);
  }

  void finish(std::string answer, std::uint32_t at) {
    if (finished_ == none) {
      found_.answer = std::move(answer);
      found_.ends = true;
      finished_ = at;
    } else if (answer != found_.answer) {
      violate("two schedules, two answers: first " + found_.answer + ", then " + answer, at);
      found_.other = trace_to(finished_);
    }
  }

  void violate(std::string what, std::uint32_t at) {
    if (!found_.violation.empty()) return;
    found_.violation = std::move(what);
    found_.trace = trace_to(at);
  }

  std::vector<action> trace_to(std::uint32_t at) const {
    std::vector<action> trace;
    for (; origins_[at].from != none; at = origins_[at].from) trace.push_back(origins_[at].by);
    std::ranges::reverse(trace);
    return trace;
  }

  struct name_hash {
    std::size_t operator()(const std::pair<std::size_t, std::size_t>& name) const { return name.first; }
  };

  const semantics& rules_;
  pool_typing typing_;
  std::size_t most_;
  exploration found_;
  std::uint32_t finished_ = none;  // the first end
  std::vector<origin> origins_;    // of each state; the initial one has no `from`
  std::deque<std::pair<pool, std::uint32_t>> open_;
  std::unordered_set<std::pair<std::size_t, std::size_t>, name_hash> seen_;
};

}  // namespace

exploration explore(const semantics& rules, std::size_t most_states) { return explorer{rules, most_states}.run(); }

}  // namespace tine::spork
