// The rules of the semantics.
#include "ir/semantics.hpp"

#include "ir/c_functions.hpp"
#include "ir/print.hpp"
#include "ir/successors.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace tine::spork {

semantics::semantics(const program& p, limits l, rule_set rules) : p_{p}, limits_{l}, rules_{rules} {}

pool semantics::initial() const {
  pool r;
  for (const datum& d : p_.data) r.memory.add(d);
  const function_id main = p_.find("main");
  r.threads.emplace_back();
  r.threads[0].stack.push_back(new_frame(r, main, {}, p_.functions[main].where));
  r.threads[0].begun = true;
  return r;
}

value semantics::value_of(const frame& k, const atom& a) const {
  return a.is_constant() ? value{a.of_type, a.bits} : k.temporaries[a.temporary()];
}

std::vector<value> semantics::values_of(const frame& k, const std::vector<atom>& atoms) const {
  std::vector<value> all;
  all.reserve(atoms.size());
  for (const atom& a : atoms) all.push_back(value_of(k, a));
  return all;
}

void semantics::enter(frame& k, block_id b, const std::vector<value>& given) const {
  const std::vector<temp_id>& params = p_.functions[k.in].blocks[b].params;
  for (std::size_t i = 0; i < params.size(); ++i) k.temporaries[params[i]] = given[i];
  k.at = b;
  k.next = 0;
}

frame semantics::new_frame(pool& r, function_id f, const std::vector<value>& args, place at) const {
  const function& callee = p_.functions[f];
  const std::size_t wanted = callee.temporaries.size() + 8;  // even an empty frame takes memory
  if (r.registers + r.memory.size() + wanted > limits_.cells) {
    throw trap{at, "the stack is too deep: no memory is left for a call of '" + callee.name + "'; recurse less deeply"};
  }
  r.registers += wanted;
  frame k;
  k.in = f;
  k.temporaries.resize(callee.temporaries.size());
  for (std::size_t i = 0; i < args.size(); ++i) k.temporaries[callee.params[i]] = args[i];
  return k;
}

bool semantics::is_finished(const pool& r, thread_id t) const {
  const thread& it = r.threads[t];
  const frame& k = it.stack.back();
  return it.stack.size() == 1 && it.children.empty() && k.deque.empty() && is_at_transfer(k) &&
         std::holds_alternative<give_back>(transfer_of(k).what);
}

bool semantics::can_step(const pool& r, thread_id t) const {
  const thread& it = r.threads[t];
  if (it.stack.empty()) return false;
  if (!it.begun) return true;
  const frame& k = it.stack.back();
  if (!is_at_transfer(k)) return true;
  if (std::holds_alternative<give_back>(transfer_of(k).what)) return it.stack.size() > 1 && k.deque.empty();
  if (std::holds_alternative<spoin>(transfer_of(k).what)) {
    if (k.deque.empty()) return false;
    if (!newest_is_promoted(k)) return true;
    if (it.children.empty()) return false;
    const thread_id child = it.children.back();
    return !r.threads[child].begun || is_finished(r, child);
  }
  return true;
}

void semantics::step(pool& r, thread_id t) const {
  thread& it = r.threads[t];
  if (!it.begun) {
    begin_rule(r, t);
    if (is_finished(r, t)) return;
  }
  frame& k = it.stack.back();
  const block& b = p_.functions[k.in].blocks[k.at];
  if (!is_at_transfer(k)) return statement_rule(r, t, b.statements[k.next]);
  const transfer& end = b.end;
  if (const auto* j = std::get_if<jump>(&end.what)) return goto_rule(r, t, *j);
  if (const auto* i = std::get_if<branch>(&end.what)) return if_rule(r, t, *i);
  if (const auto* s = std::get_if<switch_on>(&end.what)) return switch_rule(r, t, *s);
  if (const auto* c = std::get_if<call>(&end.what)) return call_rule(r, t, *c);
  if (const auto* c = std::get_if<indirect_call>(&end.what)) return indirect_call_rule(r, t, *c);
  if (const auto* g = std::get_if<give_back>(&end.what)) return return_rule(r, t, *g);
  if (const auto* s = std::get_if<spork>(&end.what)) return spork_rule(r, t, *s);
  const auto& s = std::get<spoin>(end.what);
  if (!newest_is_promoted(k)) return unpromoted_rule(r, t, s);
  r.threads[it.children.back()].begun ? promoted_rule(r, t, s) : unstolen_rule(r, t, s);
}

void semantics::begin_rule(pool& r, thread_id t) const { r.threads[t].begun = true; }

void semantics::statement_rule(pool& r, thread_id t, const statement& s) const {
  frame& k = top(r, t);
  std::array<value, 3> few;
  ++k.next;
  if (s.what == operation::call_c) {
    const function& callee = p_.functions[s.callee];
    if (callee.name == printing || callee.name == uncaught)
      return call_of_ml(r, callee.name, value_of(k, s.args[0]), s.where);
    const c_function* known = find_c_function(callee);
    if (known == nullptr) {
      throw trap{s.where, "only compiled code can call '" + callee.name + "' as it is declared here; use --engine=jit"};
    }
    const value v = canonical(known->call(values_of(k, s.args)));
    if (s.result != none) k.temporaries[s.result] = v;
    return;
  }
  for (std::size_t i = 0; i < s.args.size(); ++i) few[i] = value_of(k, s.args[i]);
  const std::span<const value> operands{few.data(), s.args.size()};
  if (uses_memory(s.what)) return access_memory(r, k, s, operands);
  const std::optional<value> v = evaluate(s.what, operands);
  if (!v) throw trap{s.where, "division by zero; test the divisor before"};
  k.temporaries[s.result] = canonical(*v);
}

void semantics::call_of_ml(pool& r, std::string_view name, value text, place at) {
  const std::uint64_t length = r.memory.load(type::i64, text, {type::i64, 0}, at).bits;
  std::string bytes;
  for (std::uint64_t i = 0; i < length; ++i)
    bytes += static_cast<char>(r.memory.load_byte(text, {type::i64, 8 + i}, at).bits);
  if (name == uncaught) throw trap{at, "uncaught exception " + bytes};
  r.output += bytes;
}

void semantics::access_memory(pool& r, frame& k, const statement& s, std::span<const value> operands) const {
  if (s.what == operation::store || s.what == operation::atomic_store)
    return r.memory.store(operands[0], operands[1], operands[2], s.where);
  if (s.what == operation::store_byte) return r.memory.store_byte(operands[0], operands[1], operands[2], s.where);
  if (s.what == operation::free) return r.memory.free(operands[0], s.where);
  value& result = k.temporaries[s.result];
  if (s.what == operation::atomic_add || s.what == operation::compare_and_swap) {
    result = change_cell(r, s, operands);
  } else if (facts(s.what).to == gives::loaded) {
    result = r.memory.load(s.loaded, operands[0], operands[1], s.where);
  } else if (s.what == operation::load_byte) {
    result = r.memory.load_byte(operands[0], operands[1], s.where);
  } else {
    const std::size_t used = r.registers + r.memory.size();
    const auto holds = s.what == operation::alloc_numbers ? heap::contents::numbers : heap::contents::values;
    result = r.memory.allocate(operands[0], holds, s.where, limits_.cells - std::min(used, limits_.cells));
  }
}

value semantics::change_cell(pool& r, const statement& s, std::span<const value> operands) {
  const value at = value::number(0), was = r.memory.load(operands[1].of_type, operands[0], at, s.where);
  const bool adds = s.what == operation::atomic_add;
  const value now = adds ? value{type::i64, was.bits + operands[1].bits} : was == operands[1] ? operands[2] : was;
  r.memory.store(operands[0], at, now, s.where);
  return was;
}

void semantics::goto_rule(pool& r, thread_id t, const jump& j) const {
  frame& k = top(r, t);
  enter(k, j.to.block, values_of(k, j.args));
}

void semantics::if_rule(pool& r, thread_id t, const branch& b) const {
  frame& k = top(r, t);
  enter(k, (value_of(k, b.condition).bits != 0 ? b.yes : b.no).block, {});
}

void semantics::switch_rule(pool& r, thread_id t, const switch_on& s) const {
  frame& k = top(r, t);
  enter(k, s.target(value_of(k, s.condition).as_number()).block, {});
}

void semantics::call_rule(pool& r, thread_id t, const call& c) const {
  frame& k = top(r, t);
  frame callee = new_frame(r, c.what.callee, values_of(k, c.what.args), c.what.where);
  k.then = c.then.block;
  r.threads[t].stack.push_back(std::move(callee));
}

function_id semantics::callee_of(const frame& k, const indirect_call& c) const {
  const value to = value_of(k, c.callee);
  const place at = transfer_of(k).where;
  if (!is_of_function(to.bits) || (to.bits & 0xffffffff) != 0)
    throw trap{at, "call of a ptr that is not the address of a function; call what &NAME gives"};
  const function_id called = function_at(to.bits);
  const function &caller = p_.functions[k.in], &callee = p_.functions[called];
  if (fits(caller, c, callee)) return called;
  std::vector<type> given;
  for (const atom& a : c.args) given.push_back(caller.type_of(a));
  throw trap{at, "'" + callee.name + "' takes " + show_types(callee.param_types) + " and gives " +
                     show_types(callee.results) + ", but is called with " + show_types(given) + " for " +
                     show_types(types_of_params(caller, c.then.block)) + "; call it with its types"};
}

void semantics::indirect_call_rule(pool& r, thread_id t, const indirect_call& c) const {
  frame& k = top(r, t);
  frame callee = new_frame(r, callee_of(k, c), values_of(k, c.args), transfer_of(k).where);
  k.then = c.then.block;
  r.threads[t].stack.push_back(std::move(callee));
}

void semantics::return_rule(pool& r, thread_id t, const give_back& g) const {
  const std::vector<value> given = values_of(top(r, t), g.values);
  r.registers -= top(r, t).temporaries.size() + 8;
  r.threads[t].stack.pop_back();
  frame& k = top(r, t);
  enter(k, k.then, given);
  k.then = none;
}

void semantics::spork_rule(pool& r, thread_id t, const spork& s) const {
  frame& k = top(r, t);
  k.deque.push_back(&s);
  thread& it = r.threads[t];
  it.oldest_offer = std::min(it.oldest_offer, it.stack.size() - 1);
  enter(k, s.body.block, {});
}

void semantics::unpromoted_rule(pool& r, thread_id t, const spoin& s) const {
  frame& k = top(r, t);
  k.deque.pop_back();
  enter(k, s.unpromoted.block, {});
}

void semantics::promoted_rule(pool& r, thread_id t, const spoin& s) const {
  const thread_id child = r.threads[t].children.back();
  const std::vector<value> given = results(r, child);
  remove(r, child);
  frame& k = top(r, t);
  k.deque.pop_back();
  --k.promoted;
  enter(k, s.promoted.block, given);
}

void semantics::unstolen_rule(pool& r, thread_id t, const spoin& s) const {
  remove(r, r.threads[t].children.back());
  frame& k = top(r, t);
  k.deque.pop_back();
  --k.promoted;
  enter(k, (s.unstolen.block == none ? s.unpromoted : s.unstolen).block, {});
}

std::optional<std::size_t> semantics::promotable_frame(const pool& r, thread_id t) const {
  const std::vector<frame>& stack = r.threads[t].stack;
  std::size_t& at = r.threads[t].oldest_offer;
  for (; at < stack.size(); ++at) {
    if (stack[at].promoted < stack[at].deque.size()) return at;
  }
  return {};
}

thread_id semantics::promote(pool& r, thread_id t) const {
  frame& from = r.threads[t].stack[*promotable_frame(r, t)];
  const invocation& spawn = from.deque[from.promoted++]->spawn;
  thread child;
  child.stack.push_back(new_frame(r, spawn.callee, values_of(from, spawn.args), spawn.where));
  child.parent = t;
  child.begun = rules_ == rule_set::figure_3;
  auto id = static_cast<thread_id>(r.threads.size());
  if (r.free.empty()) {
    r.threads.emplace_back();
  } else {
    std::ranges::pop_heap(r.free, std::greater{});
    id = r.free.back();
    r.free.pop_back();
  }
  r.threads[id] = std::move(child);
  r.threads[t].children.push_back(id);
  return id;
}

void semantics::remove(pool& r, thread_id t) const {
  for (const frame& k : r.threads[t].stack) r.registers -= k.temporaries.size() + 8;
  std::vector<thread_id>& siblings = r.threads[r.threads[t].parent].children;
  const auto found = std::find(siblings.rbegin(), siblings.rend(), t);  // usually the newest
  if (found != siblings.rend()) siblings.erase(found.base() - 1);
  r.threads[t] = {};
  r.free.push_back(t);
  std::ranges::push_heap(r.free, std::greater{});
}

bool semantics::is_final(const pool& r) const { return !r.threads[0].stack.empty() && is_finished(r, 0); }

std::vector<value> semantics::results(const pool& r, thread_id t) const {
  const frame& k = top(r, t);
  return values_of(k, std::get<give_back>(transfer_of(k).what).values);
}

}  // namespace tine::spork
