// Inlines calls. The paper's `goto entry_f(x̄)` needs one more block, as an entry has no parameters, and loops may lead
// back to it.
#include "ir/pipeline.hpp"

#include "ir/builder.hpp"
#include "ir/passes/substitution.hpp"
#include "ir/successors.hpp"

#include <utility>

namespace tine::spork {
namespace {

constexpr std::size_t largest_callee = 40;     // statements and transfers
constexpr std::size_t largest_light = 400;     // of a function that a loop calls in chunks
constexpr std::size_t largest_caller = 4'000;  // a larger caller takes in nothing more

std::size_t size_of(const function& f) {
  std::size_t size = 0;
  for (const block& b : f.blocks) size += b.statements.size() + 1;
  return size;
}

class inliner {
 public:
  explicit inliner(program& p) : p_{p}, state_(p.functions.size(), state::untouched), recursive_(p.functions.size()) {
    for (const function& f : p.functions) {
      apart_.push_back(f.apart || offers_rest_of_loop(f));
      size_.push_back(size_of(f));
    }
  }

  void run() {
    for (function_id f = 0; f < p_.functions.size(); ++f) visit(f);
  }

 private:
  enum class state : std::uint8_t { untouched, open, done };

  // Visits callees first. A call that leads back to a function still open is a recursion, and calls of that function
  // stay calls. Long loops stay apart: their chunks cost more than the call, and the short loops that call them should
  // be inlined.
  void visit(function_id root) {
    std::vector<std::pair<function_id, std::size_t>> open;  // a function, and its next block to look at
    const auto enter = [&](function_id f) {
      state_[f] = state::open;
      open.emplace_back(f, 0);
    };
    if (state_[root] == state::untouched) enter(root);
    while (!open.empty()) {
      auto& [f, at] = open.back();
      if (at == p_.functions[f].blocks.size()) {
        state_[f] = state::done;
        put_callees_into(f);
        open.pop_back();
        continue;
      }
      const auto* c = std::get_if<call>(&p_.functions[f].blocks[at++].end.what);
      if (c == nullptr || apart_[c->what.callee]) continue;
      if (state_[c->what.callee] == state::open) recursive_[c->what.callee] = true;
      if (state_[c->what.callee] == state::untouched) enter(c->what.callee);
    }
  }

  bool is_wanted(function_id callee, function_id caller) const {
    return callee != caller && state_[callee] == state::done && !recursive_[callee] && !apart_[callee] &&
           size_[callee] <= (p_.functions[callee].light ? largest_light : largest_callee) &&
           size_[caller] <= largest_caller;
  }

  void put_callees_into(function_id f) {
    const std::size_t written = p_.functions[f].blocks.size();  // the inlined blocks have had their turn
    names_of_function names;
    bool changes = false;
    for (block_id b = 0; b < written; ++b) {
      const auto* c = std::get_if<call>(&p_.functions[f].blocks[b].end.what);
      if (c == nullptr || !is_wanted(c->what.callee, f)) continue;
      const function_id callee = c->what.callee;
      put_into(p_.functions[f], names, b, call{*c});
      size_[f] += size_[callee] + 1;
      changes = true;
    }
    if (!changes) return;
    remove_unreachable(p_.functions[f]);  // what is behind the call of a function that does not return
    size_[f] = size_of(p_.functions[f]);
  }

  void put_into(function& f, names_of_function& names, block_id from, const call& c) {
    const function& callee = p_.functions[c.what.callee];
    builder make{f, f.blocks[from].end.where, &names};
    const auto first_temp = static_cast<temp_id>(f.temporaries.size());
    const auto first_block = static_cast<block_id>(f.blocks.size() + 1);
    for (const temporary& t : callee.temporaries) {
      std::string name = names.temporaries.unused("v." + std::to_string(f.temporaries.size() + 1), f.temporaries);
      f.temporaries.push_back(t);
      f.temporaries.back().name = std::move(name);
    }
    const auto call_inlined = static_cast<inlined_id>(f.inlined.size() + 1);
    f.inlined.push_back({callee.name, callee.where, f.blocks[from].end.where, f.blocks[from].end.inlined});
    for (inlined_call each : callee.inlined) {
      each.inside += call_inlined;
      f.inlined.push_back(std::move(each));
    }
    const block_id in = make.add_block(f.blocks[from].name + "." + callee.name);
    for (const temp_id t : callee.params) f.blocks[in].params.push_back(first_temp + t);
    f.blocks[from].end.what = jump{make.to(in), c.what.args};
    f.blocks[in].end.what = jump{make.to(first_block), {}};
    const std::string prefix = f.blocks[in].name + ".";
    for (block b : callee.blocks) {
      b.name = prefix + b.name;
      translate(b, first_temp, first_block, call_inlined);
      if (auto* g = std::get_if<give_back>(&b.end.what)) b.end.what = jump{c.then, std::move(g->values)};
      f.blocks.push_back(std::move(b));
    }
  }

  static void translate(block& b, temp_id first_temp, block_id first_block, inlined_id call_inlined) {
    const auto move = [&](atom& a) {
      if (!a.is_constant()) a.bits += first_temp;
    };
    for (temp_id& t : b.params) t += first_temp;
    b.end.inlined += call_inlined;
    for (statement& s : b.statements) {
      s.inlined += call_inlined;
      if (s.result != none) s.result += first_temp;
      for (atom& a : s.args) move(a);
    }
    for_each_atom(b.end, move);
    for_each_label(b.end, [&](label& l) { l.block += first_block; });
  }

  program& p_;
  std::vector<state> state_;
  std::vector<bool> recursive_, apart_;
  std::vector<std::size_t> size_;
};

}  // namespace

void inline_calls(program& p) { inliner{p}.run(); }

}  // namespace tine::spork
