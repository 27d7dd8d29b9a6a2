// The typing rules of thread pools. Each check returns a description of the first error, or an empty string.
#include "ir/pool_typing.hpp"

#include "ir/print.hpp"
#include "ir/successors.hpp"

#include <algorithm>

namespace tine::spork {

pool_typing::pool_typing(const program& p) : p_{p} {
  for (const function& f : p.functions) facts_.emplace_back(f);
}

std::optional<std::string> pool_typing::violation(const pool& r) const {
  for (thread_id t = 0; t < r.threads.size(); ++t) {
    if (r.threads[t].stack.empty()) continue;
    for (const std::string& wrong : {check_thread(r, t), check_children(r, t)}) {
      if (!wrong.empty()) return "thread " + std::to_string(t) + ": " + wrong;
    }
  }
  return {};
}

std::string pool_typing::check_thread(const pool& r, thread_id t) const {
  const std::vector<frame>& stack = r.threads[t].stack;
  bool unpromoted = false;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    std::string wrong = check_deque(stack[i], unpromoted);
    if (wrong.empty()) wrong = i + 1 < stack.size() ? check_waiting(stack[i], stack[i + 1]) : check_code(stack[i]);
    if (!wrong.empty()) return wrong + ", in " + p_.functions[stack[i].in].name;
    unpromoted |= stack[i].promoted < stack[i].deque.size();
  }
  return {};
}

// WF_pool: a child runs for each promoted call, and there are no other children.
std::string pool_typing::check_children(const pool& r, thread_id t) const {
  std::vector<function_id> promoted;
  for (const frame& k : r.threads[t].stack) {
    for (std::size_t i = 0; i < k.promoted; ++i) promoted.push_back(k.deque[i]->spawn.callee);
  }
  const std::vector<thread_id>& children = r.threads[t].children;
  // a pool is one tree
  const thread_id parent = r.threads[t].parent;
  if (t == 0 ? parent != none : std::ranges::count(r.threads[parent].children, t) != 1)
    return "WF_pool: no thread has it as a child";
  if (children.size() != promoted.size()) {
    return "WF_pool: " + std::to_string(promoted.size()) + " calls are promoted, and " +
           std::to_string(children.size()) + " children run";
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (r.threads[children[i]].stack.empty() || r.threads[children[i]].stack[0].in != promoted[i]) {
      return "WF_pool: child " + std::to_string(i) + " does not run the call that was promoted";
    }
  }
  return {};
}

bool pool_typing::has_value(const frame& k, const atom& a) const {
  const type wanted = p_.functions[k.in].type_of(a);
  return wanted != type::unknown && (a.is_constant() || k.temporaries[a.temporary()].of_type == wanted);
}
bool pool_typing::have_values(const frame& k, const std::vector<atom>& atoms) const {
  return std::ranges::all_of(atoms, [&](const atom& a) { return has_value(k, a); });
}

std::string pool_typing::check_deque(const frame& k, bool older_unpromoted) const {
  if (k.promoted > k.deque.size()) return "WF_deque: more sporks are promoted than open";
  if (k.promoted != 0 && older_unpromoted) return "WF_deque: a spork is promoted before an older one";
  for (const spork* s : k.deque) {
    if (!have_values(k, s->spawn.args))
      return "WF_call: an argument of " + show(p_, p_.functions[k.in], s->spawn) + " has no value";
  }
  return {};
}

// WF_frame: checks a frame that waits for the frame above it.
std::string pool_typing::check_waiting(const frame& k, const frame& callee) const {
  if (k.then == none) return "WF_frame: it waits without a block to return to";
  std::vector<type> takes;
  for (const temp_id p : p_.functions[k.in].blocks[k.then].params)
    takes.push_back(p_.functions[k.in].temporaries[p].of_type);
  if (takes != p_.functions[callee.in].results) return "WF_frame: the block to return to takes other values than come";
  return check_continuation(k, k.then, k.deque);
}

// WF_cont: checks that the open sporks are ρ of the block, and that the temporaries in its Γ have values.
std::string pool_typing::check_continuation(const frame& k, block_id b, const std::vector<const spork*>& open) const {
  const function& f = p_.functions[k.in];
  const attributes& facts = facts_[k.in];
  if (!facts.is_reachable(b)) return "WF_cont: the continuation is in the unreachable block " + f.blocks[b].name;
  const std::vector<const nesting*> expected = facts.list(facts.nesting_of(b));
  const auto same = [](const spork* s, const nesting* n) { return s->spawn == n->spawn && s->tokens == n->tokens; };
  if (!std::ranges::equal(open, expected, same)) {
    return "WF_cont: " + std::to_string(open.size()) + " sporks are open, and block " + f.blocks[b].name + " wants " +
           (open.size() == expected.size() ? "others" : std::to_string(expected.size()));
  }
  for (temp_id t = 0; t < f.temporaries.size(); ++t) {
    const bool is_param = std::ranges::count(f.blocks[b].params, t) != 0;
    if (!is_param && facts.in_scope(t, b, 0) && !has_value(k, atom::of(t))) {
      return "WF_cont: " + f.temporaries[t].name + ", in the scope of block " + f.blocks[b].name + ", has no value";
    }
  }
  return {};
}

// WF_code: checks that the operands in the rest of the block have values.
std::string pool_typing::check_code(const frame& k) const {
  const function& f = p_.functions[k.in];
  const block& b = f.blocks[k.at];
  if (k.then != none) return "WF_pool: the newest frame waits for a return";
  std::vector<bool> assigned(f.temporaries.size());
  const auto known = [&](const atom& a) { return a.is_constant() || assigned[a.temporary()] || has_value(k, a); };
  for (std::size_t i = k.next; i < b.statements.size(); ++i) {
    if (!std::ranges::all_of(b.statements[i].args, known))
      return "WF_expr: an operand of " + show(p_, f, b.statements[i]) + " has no value";
    if (b.statements[i].result != none) assigned[b.statements[i].result] = true;
  }
  bool all_known = true;
  for_each_atom(b.end, [&](const atom& a) { all_known = all_known && known(a); });
  if (!all_known) return "WF_code: something that " + show(p_, f, b.end) + " uses has no value";
  if (std::string wrong = check_continuation(k, k.at, k.deque); !wrong.empty()) return wrong;
  return check_transfer(k);
}

std::string pool_typing::check_transfer(const frame& k) const {
  const function& f = p_.functions[k.in];
  const transfer& end = f.blocks[k.at].end;
  std::vector<const spork*> open = k.deque;
  if (std::holds_alternative<give_back>(end.what)) {
    return open.empty() ? "" : "WF_code: a return, with " + std::to_string(open.size()) + " sporks open";
  }
  if (const auto* s = std::get_if<spork>(&end.what)) open.push_back(s);
  if (std::holds_alternative<spoin>(end.what)) {
    if (open.empty()) return "WF_code: a spoin, with no spork open";
    open.pop_back();
  }
  const attributes& facts = facts_[k.in];
  for (const label& l : successors(end)) {
    if (facts[facts.nesting_of(l.block)].depth != open.size()) {
      return "WF_code: " + show(p_, f, end) + " leads to block " + f.blocks[l.block].name + " with " +
             std::to_string(open.size()) + " sporks open";
    }
  }
  return {};
}

}  // namespace tine::spork
