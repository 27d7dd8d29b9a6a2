// Finds the functions that raise nothing: it assumes so of all, and gives that up where it is wrong.
#include "ml/lower/exceptions.hpp"

#include "ir/successors.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tine::ml::lower {

using spork::block_id;
using spork::function_id;

void remove_unreachable_blocks(spork::function& f) {
  std::vector<block_id> number(f.blocks.size(), spork::none), open{0};
  std::vector<bool> reached(f.blocks.size());
  reached[0] = true;
  while (!open.empty()) {
    const block_id b = open.back();
    open.pop_back();
    spork::for_each_label(f.blocks[b].end, [&](const spork::label& l) {
      if (!reached[l.block]) reached[l.block] = true, open.push_back(l.block);
    });
  }
  std::vector<spork::block> kept;
  for (block_id b = 0; b < f.blocks.size(); ++b) {
    if (!reached[b]) continue;
    number[b] = static_cast<block_id>(kept.size());
    kept.push_back(std::move(f.blocks[b]));
  }
  for (spork::block& b : kept) spork::for_each_label(b.end, [&](spork::label& l) { l.block = number[l.block]; });
  f.blocks = std::move(kept);
}

namespace {

// Calls `visit` with each function whose exception can leave the transfer, and with its handler; with `none` for an
// unknown function.
template <class Visit>
void for_each_raiser(const spork::program& p, spork::transfer& t, Visit visit) {
  if (auto* c = std::get_if<spork::call>(&t.what)) visit(c->what.callee, c->handler);
  if (auto* c = std::get_if<spork::indirect_call>(&t.what); c != nullptr && c->raises) visit(spork::none, c->handler);
  if (auto* r = std::get_if<spork::reduce>(&t.what))
    visit(p.functions[r->combine].raises ? r->combine : r->body.callee, r->handler);
  if (auto* r = std::get_if<spork::parfor>(&t.what)) visit(r->body.callee, r->handler);
}

// The children of the function's sporks. The exception of a child may leave any spoin of the function.
std::vector<function_id> children_of(const spork::function& f) {
  std::vector<function_id> all;
  for (const spork::block& b : f.blocks) {
    if (const auto* s = std::get_if<spork::spork>(&b.end.what)) all.push_back(s->spawn.callee);
  }
  return all;
}

bool raises_now(spork::program& p, spork::function& f) {
  bool raises = false;
  const std::vector<function_id> children = children_of(f);
  const bool a_child_raises = std::ranges::any_of(children, [&](function_id c) { return p.functions[c].raises; });
  for (spork::block& b : f.blocks) {
    raises |= std::holds_alternative<spork::raise>(b.end.what);
    for_each_raiser(p, b.end, [&](function_id callee, const spork::label& handler) {
      raises |= handler.block == spork::none && (callee == spork::none || p.functions[callee].raises);
    });
    const auto* s = std::get_if<spork::spoin>(&b.end.what);
    raises |= s != nullptr && s->handler.block == spork::none && a_child_raises;
  }
  return raises;
}

// The functions that call or spawn each function.
std::vector<std::vector<function_id>> callers_of(spork::program& p) {
  std::vector<std::vector<function_id>> all(p.functions.size());
  for (function_id f = 0; f < p.functions.size(); ++f) {
    const auto note = [&](function_id callee) {
      if (callee != spork::none && (all[callee].empty() || all[callee].back() != f)) all[callee].push_back(f);
    };
    for (spork::block& b : p.functions[f].blocks) {
      for_each_raiser(p, b.end, [&](function_id callee, const spork::label&) { note(callee); });
      if (const auto* r = std::get_if<spork::reduce>(&b.end.what)) note(r->combine), note(r->body.callee);
      if (const auto* s = std::get_if<spork::spork>(&b.end.what)) note(s->spawn.callee);
    }
  }
  return all;
}

}  // namespace

// Begins with the assumption that no function raises, and gives it up for the functions that it is wrong about, until
// it holds.
void remove_unraised_exceptions(spork::program& p) {
  std::vector<bool> may(p.functions.size());
  const std::vector<bool> addressed = spork::addressed_functions(p);
  for (function_id f = 0; f < p.functions.size(); ++f) {
    may[f] = p.functions[f].raises;
    p.functions[f].raises = may[f] && addressed[f];
  }
  const std::vector<std::vector<function_id>> callers = callers_of(p);
  std::vector<function_id> doubtful(p.functions.size());  // those to look at in this round: a callee has changed
  std::iota(doubtful.begin(), doubtful.end(), function_id{0});
  while (!doubtful.empty()) {
    std::vector<function_id> next;
    for (const function_id f : doubtful) {
      if (!may[f] || p.functions[f].raises || !raises_now(p, p.functions[f])) continue;
      p.functions[f].raises = true;
      next.insert(next.end(), callers[f].begin(), callers[f].end());
    }
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    doubtful = std::move(next);
  }
  for (spork::function& f : p.functions) {
    if (f.blocks.empty()) continue;
    const std::vector<function_id> children = children_of(f);
    const bool a_child_raises = std::ranges::any_of(children, [&](function_id c) { return p.functions[c].raises; });
    for (spork::block& b : f.blocks) {
      for_each_raiser(p, b.end, [&](function_id callee, spork::label& handler) {
        if (callee != spork::none && !p.functions[callee].raises) handler = {};
      });
      if (auto* s = std::get_if<spork::spoin>(&b.end.what); s != nullptr && !a_child_raises) s->handler = {};
    }
    remove_unreachable_blocks(f);
  }
}

}  // namespace tine::ml::lower
