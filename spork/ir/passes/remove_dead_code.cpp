// Removes dead code: values, parameters of blocks, functions.
#include "ir/c_functions.hpp"
#include "ir/passes/substitution.hpp"
#include "ir/pipeline.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tine::spork {
namespace {

// Returns the temporaries that statements with effects and transfers need, found backwards from these.
std::vector<bool> find_needed(const program& p, const function& f, const std::vector<bool>& is_free) {
  struct origin {
    const statement* made_by = nullptr;
    std::vector<atom> given;  // of a parameter: the atoms that gotos give it
  };
  std::vector<origin> from(f.temporaries.size());
  std::vector<bool> needed(f.temporaries.size());
  std::vector<temp_id> open;
  const auto need = [&](const atom& a) {
    if (a.is_constant() || needed[a.temporary()]) return;
    needed[a.temporary()] = true;
    open.push_back(a.temporary());
  };
  for (const block& b : f.blocks) {
    for (const statement& s : b.statements) {
      if (s.result != none) from[s.result].made_by = &s;
      if (!is_pure(p, s)) std::ranges::for_each(s.args, need);
    }
    if (const auto* j = std::get_if<jump>(&b.end.what)) {
      if (!is_free[j->to.block]) std::ranges::for_each(j->args, need);
      for (std::size_t i = 0; i < j->args.size(); ++i)
        from[f.blocks[j->to.block].params[i]].given.push_back(j->args[i]);
    } else {
      for_each_atom(b.end, need);
    }
  }
  while (!open.empty()) {
    const temp_id t = open.back();
    open.pop_back();
    if (from[t].made_by != nullptr) std::ranges::for_each(from[t].made_by->args, need);
    std::ranges::for_each(from[t].given, need);
  }
  return needed;
}

// Finds the blocks to which only gotos lead. Their parameters can be removed, together with the arguments of the gotos.
std::vector<bool> find_free_blocks(const function& f) {
  std::vector<bool> is_free(f.blocks.size(), true);
  for (const block& b : f.blocks) {
    if (std::holds_alternative<jump>(b.end.what)) continue;
    for (const label& l : successors(b.end)) is_free[l.block] = false;
  }
  return is_free;
}

void remove_values(const program& p, function& f) {
  const std::vector<bool> is_free = find_free_blocks(f), needed = find_needed(p, f, is_free);
  for (block& b : f.blocks) {
    std::erase_if(b.statements,
                  [&](const statement& s) { return is_pure(p, s) && (s.result == none || !needed[s.result]); });
    if (auto* j = std::get_if<jump>(&b.end.what); j != nullptr && is_free[j->to.block]) {
      filter(j->args, [&](std::size_t i) { return needed[f.blocks[j->to.block].params[i]]; });
    }
  }
  for (block_id b = 0; b < f.blocks.size(); ++b) {
    if (!is_free[b]) continue;
    const std::vector<temp_id> params = f.blocks[b].params;
    filter(f.blocks[b].params, [&](std::size_t i) { return needed[params[i]]; });
  }
}

// Removes the temporaries to which nothing is assigned any more, because frames of the interpreter have space for each
// temporary.
void remove_temporaries(function& f) {
  std::vector<temp_id> now(f.temporaries.size(), none);
  const auto mention = [&](temp_id t) {
    if (t != none) now[t] = t;
  };
  std::ranges::for_each(f.params, mention);
  for (const block& b : f.blocks) {
    std::ranges::for_each(b.params, mention);
    for (const statement& s : b.statements) mention(s.result);
  }
  std::vector<temporary> kept;
  for (temp_id t = 0; t < now.size(); ++t) {
    if (now[t] == none) continue;
    now[t] = static_cast<temp_id>(kept.size());
    kept.push_back(std::move(f.temporaries[t]));
  }
  f.temporaries = std::move(kept);
  const auto renumber = [&](temp_id& t) { t = t == none ? none : now[t]; };
  std::ranges::for_each(f.params, renumber);
  for (block& b : f.blocks) {
    std::ranges::for_each(b.params, renumber);
    for (statement& s : b.statements) renumber(s.result);
  }
  for_each_atom_of(f, [&](atom& a) {
    if (!a.is_constant()) a.bits = now[a.temporary()];
  });
}

template <class Visit>
void visit_address(atom& a, Visit visit) {
  if (!a.is_address() || !is_of_function(a.bits)) return;
  function_id f = function_at(a.bits);
  visit(f);
  a.bits = address_of_function(f);
}

// Calls `visit(function_id&)` for every function that `f` calls, spawns, or takes the address of.
template <class Visit>
void for_each_callee(function& f, Visit visit) {
  for_each_atom_of(f, [&](atom& a) { visit_address(a, visit); });
  for (block& b : f.blocks) {
    for (statement& s : b.statements) {
      if (s.what == operation::call_c) visit(s.callee);
    }
  }
  for_each_invocation(f, [&](invocation& i) { visit(i.callee); });
}

template <class Visit>
void for_each_word(program& p, Visit visit) {
  for (datum& d : p.data) std::ranges::for_each(d.words, visit);
}

void remove_functions(program& p) {
  std::vector<function_id> now(p.functions.size(), none), open;
  const auto reach = [&](function_id f) {
    if (now[f] != none) return;
    now[f] = f;
    open.push_back(f);
  };
  for (function_id f = 0; f < now.size(); ++f) {
    if (p.functions[f].is_entry()) reach(f);
  }
  for_each_word(p, [&](atom& a) { visit_address(a, reach); });
  while (!open.empty()) {
    const function_id f = open.back();
    open.pop_back();
    for_each_callee(p.functions[f], reach);
  }
  std::vector<function> kept;
  for (function_id f = 0; f < now.size(); ++f) {
    if (now[f] == none) continue;
    now[f] = static_cast<function_id>(kept.size());
    kept.push_back(std::move(p.functions[f]));
  }
  p.functions = std::move(kept);
  const auto renumber = [&](function_id& callee) { callee = now[callee]; };
  for (function& f : p.functions) for_each_callee(f, renumber);
  for_each_word(p, [&](atom& a) { visit_address(a, renumber); });
}

}  // namespace

void remove_dead_code(program& p) {
  for (function& f : p.functions) {
    if (f.in_c) continue;
    remove_values(p, f);
    remove_temporaries(f);
  }
  remove_functions(p);
}

}  // namespace tine::spork
