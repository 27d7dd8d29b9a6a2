// Semantics that are wrong in one place each. The explorer must catch every one of them.
#pragma once

#include "ir/semantics.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mutants {

using namespace tine::spork;

struct promotes_the_newest_frame : semantics {
  using semantics::semantics;
  std::optional<std::size_t> promotable_frame(const pool& r, thread_id t) const override {
    const auto& stack = r.threads[t].stack;
    for (std::size_t i = stack.size(); i-- > 0;) {
      if (stack[i].promoted < stack[i].deque.size()) return i;
    }
    return {};
  }
};

// Promotes the newest spork of the oldest frame that has a spork to promote.
struct promotes_the_newest_spork : semantics {
  using semantics::semantics;
  thread_id promote(pool& r, thread_id t) const override {
    const std::size_t at = *promotable_frame(r, t);
    const auto swap = [&](std::uint32_t older) {
      frame& k = r.threads[t].stack[at];
      std::swap(k.deque[older], k.deque.back());
    };
    const std::uint32_t older = r.threads[t].stack[at].promoted;
    swap(older);
    const thread_id child = semantics::promote(r, t);
    swap(older);
    return child;
  }
};

struct promotes_without_marking : semantics {
  using semantics::semantics;
  thread_id promote(pool& r, thread_id t) const override {
    const std::size_t at = *promotable_frame(r, t);
    const thread_id child = semantics::promote(r, t);
    --r.threads[t].stack[at].promoted;
    return child;
  }
};

struct promotes_without_a_child : semantics {
  using semantics::semantics;
  thread_id promote(pool& r, thread_id t) const override {
    const thread_id child = semantics::promote(r, t);
    remove(r, child);
    return child;
  }
};

struct promotes_with_other_arguments : semantics {
  using semantics::semantics;
  thread_id promote(pool& r, thread_id t) const override {
    const thread_id child = semantics::promote(r, t);
    for (value& v : r.threads[child].stack[0].temporaries) v.bits = 0;
    return child;
  }
};

struct promotes_without_arguments : semantics {
  using semantics::semantics;
  thread_id promote(pool& r, thread_id t) const override {
    const thread_id child = semantics::promote(r, t);
    for (value& v : r.threads[child].stack[0].temporaries) v = {};
    return child;
  }
};

struct puts_the_child_first : semantics {
  using semantics::semantics;
  thread_id promote(pool& r, thread_id t) const override {
    const thread_id child = semantics::promote(r, t);
    auto& all = r.threads[t].children;
    std::rotate(all.begin(), all.end() - 1, all.end());
    return child;
  }
};

struct gives_the_child_to_the_root : semantics {
  using semantics::semantics;
  thread_id promote(pool& r, thread_id t) const override {
    const thread_id child = semantics::promote(r, t);
    r.threads[t].children.pop_back();
    r.threads[0].children.push_back(child);
    r.threads[child].parent = 0;
    return child;
  }
};

struct sporks_without_pushing : semantics {
  using semantics::semantics;
  void spork_rule(pool& r, thread_id t, const spork& s) const override { enter(top(r, t), s.body.block, {}); }
};

struct sporks_twice : semantics {
  using semantics::semantics;
  void spork_rule(pool& r, thread_id t, const spork& s) const override {
    top(r, t).deque.push_back(&s);
    semantics::spork_rule(r, t, s);
  }
};

struct spoins_without_popping : semantics {
  using semantics::semantics;
  void unpromoted_rule(pool& r, thread_id t, const spoin& s) const override {
    enter(top(r, t), s.unpromoted.block, {});
  }
};

struct spoins_the_oldest : semantics {
  using semantics::semantics;
  void unpromoted_rule(pool& r, thread_id t, const spoin& s) const override {
    frame& k = top(r, t);
    k.deque.erase(k.deque.begin() + k.promoted);
    enter(k, s.unpromoted.block, {});
  }
};

struct joins_and_keeps_the_child : semantics {
  using semantics::semantics;
  void promoted_rule(pool& r, thread_id t, const spoin& s) const override {
    const thread child = r.threads[r.threads[t].children.back()];
    semantics::promoted_rule(r, t, s);
    r.threads.push_back(child);
    r.threads[t].children.push_back(static_cast<thread_id>(r.threads.size() - 1));
  }
};

struct joins_and_forgets_the_values : semantics {
  using semantics::semantics;
  void promoted_rule(pool& r, thread_id t, const spoin& s) const override {
    semantics::promoted_rule(r, t, s);
    frame& k = top(r, t);
    for (const temp_id p : code().functions[k.in].blocks[k.at].params) k.temporaries[p].bits = 0;
  }
};

struct joins_and_stays_promoted : semantics {
  using semantics::semantics;
  void promoted_rule(pool& r, thread_id t, const spoin& s) const override {
    semantics::promoted_rule(r, t, s);
    ++top(r, t).promoted;
  }
};

// Does not wait for the children that the child itself has spawned.
struct joins_a_parent : semantics {
  using semantics::semantics;
  bool is_finished(const pool& r, thread_id t) const override {
    if (t == 0) return semantics::is_finished(r, t);
    const frame& k = top(r, t);
    return r.threads[t].stack.size() == 1 && is_at_transfer(k) &&
           (std::holds_alternative<give_back>(transfer_of(k).what) ||
            std::holds_alternative<spoin>(transfer_of(k).what));
  }
  void promoted_rule(pool& r, thread_id t, const spoin& s) const override {
    const thread_id child = r.threads[t].children.back();
    if (std::holds_alternative<give_back>(transfer_of(top(r, child)).what)) return semantics::promoted_rule(r, t, s);
    frame& k = top(r, t);
    remove(r, child);
    k.deque.pop_back();
    --k.promoted;
    const auto& params = code().functions[k.in].blocks[s.promoted.block].params;
    enter(k, s.promoted.block, std::vector<value>(params.size(), value::number(0)));
  }
};

struct reclaims_and_leaves_open : semantics {
  using semantics::semantics;
  void unstolen_rule(pool& r, thread_id t, const spoin& s) const override {
    const spork* open = top(r, t).deque.back();
    semantics::unstolen_rule(r, t, s);
    top(r, t).deque.push_back(open);
  }
};

struct reclaims_and_leaves_the_child : semantics {
  using semantics::semantics;
  void unstolen_rule(pool& r, thread_id t, const spoin& s) const override {
    const thread_id child = r.threads[t].children.back();
    const thread kept = r.threads[child];
    semantics::unstolen_rule(r, t, s);
    r.threads[child] = kept;
  }
};

// Does not mark a child that begins to run, so the parent reclaims a child that runs.
struct runs_without_beginning : semantics {
  using semantics::semantics;
  void begin_rule(pool&, thread_id) const override {}
};

struct returns_other_values : semantics {
  using semantics::semantics;
  void return_rule(pool& r, thread_id t, const give_back& g) const override {
    semantics::return_rule(r, t, g);
    frame& k = top(r, t);
    for (const temp_id p : code().functions[k.in].blocks[k.at].params) k.temporaries[p].bits += 1;
  }
};

struct returns_to_the_entry : semantics {
  using semantics::semantics;
  void return_rule(pool& r, thread_id t, const give_back& g) const override {
    semantics::return_rule(r, t, g);
    enter(top(r, t), 0, {});
  }
};

struct returns_as_if_waiting : semantics {
  using semantics::semantics;
  void return_rule(pool& r, thread_id t, const give_back& g) const override {
    semantics::return_rule(r, t, g);
    top(r, t).then = top(r, t).at;
  }
};

struct calls_without_arguments : semantics {
  using semantics::semantics;
  void call_rule(pool& r, thread_id t, const call& c) const override {
    semantics::call_rule(r, t, c);
    for (value& v : top(r, t).temporaries) v = {};
  }
};

// Assigns one parameter after the other, so that a later argument may be a parameter that is already overwritten.
struct assigns_in_turn : semantics {
  using semantics::semantics;
  void goto_rule(pool& r, thread_id t, const jump& j) const override {
    frame& k = top(r, t);
    const auto& params = code().functions[k.in].blocks[j.to.block].params;
    for (std::size_t i = 0; i < params.size(); ++i) k.temporaries[params[i]] = value_of(k, j.args[i]);
    k.at = j.to.block;
    k.next = 0;
  }
};

struct inverts_conditions : semantics {
  using semantics::semantics;
  void if_rule(pool& r, thread_id t, const branch& b) const override {
    semantics::if_rule(r, t, {b.condition, b.no, b.yes});
  }
};

struct switches_to_the_last_way : semantics {
  using semantics::semantics;
  void switch_rule(pool& r, thread_id t, const switch_on& s) const override {
    semantics::switch_rule(r, t, {s.condition, {}, s.ways.back().to});
  }
};

struct divides_by_zero : semantics {
  using semantics::semantics;
  void statement_rule(pool& r, thread_id t, const statement& s) const override {
    try {
      semantics::statement_rule(r, t, s);
    } catch (const trap&) {
      top(r, t).temporaries[s.result] = value::number(0);
    }
  }
};

struct loses_a_childs_stores : semantics {
  using semantics::semantics;
  void statement_rule(pool& r, thread_id t, const statement& s) const override {
    if (t == 0 || s.what != operation::store) return semantics::statement_rule(r, t, s);
    ++top(r, t).next;
  }
};

template <class Mutant>
std::pair<std::string, std::unique_ptr<semantics>> one(const char* name, const program& p, limits l, rule_set rules) {
  return {name, std::make_unique<Mutant>(p, l, rules)};
}

/// Returns all mutants for one program.
inline std::vector<std::pair<std::string, std::unique_ptr<semantics>>> all(const program& p, limits l,
                                                                           rule_set rules = rule_set::reclaiming) {
  std::vector<std::pair<std::string, std::unique_ptr<semantics>>> every;
#define MUTANT(name) every.push_back(one<name>(#name, p, l, rules))
  MUTANT(promotes_the_newest_frame);
  MUTANT(promotes_the_newest_spork);
  MUTANT(promotes_without_marking);
  MUTANT(promotes_without_a_child);
  MUTANT(promotes_with_other_arguments);
  MUTANT(promotes_without_arguments);
  MUTANT(puts_the_child_first);
  MUTANT(gives_the_child_to_the_root);
  MUTANT(sporks_without_pushing);
  MUTANT(sporks_twice);
  MUTANT(spoins_without_popping);
  MUTANT(spoins_the_oldest);
  MUTANT(joins_and_keeps_the_child);
  MUTANT(joins_and_forgets_the_values);
  MUTANT(joins_and_stays_promoted);
  MUTANT(joins_a_parent);
  MUTANT(reclaims_and_leaves_open);
  MUTANT(reclaims_and_leaves_the_child);
  MUTANT(runs_without_beginning);
  MUTANT(returns_other_values);
  MUTANT(returns_to_the_entry);
  MUTANT(returns_as_if_waiting);
  MUTANT(calls_without_arguments);
  MUTANT(assigns_in_turn);
  MUTANT(inverts_conditions);
  MUTANT(switches_to_the_last_way);
  MUTANT(divides_by_zero);
  MUTANT(loses_a_childs_stores);
#undef MUTANT
  return every;
}

}  // namespace mutants
