// Walks over the control-flow graph of a function, which the analyses share.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace tine::spork {

/// Returns the mentions of blocks in a transfer, in the order of its text, without `none`.
std::vector<label> successors(const transfer& t);

/// Calls `visit(atom&)` for each atom of a transfer.
template <class Visit>
void for_each_atom(transfer& t, Visit visit);
template <class Visit>
void for_each_atom(const transfer& t, Visit visit);

/// Calls `visit(label&)` for each mention of a block.
template <class Visit>
void for_each_label(transfer& t, Visit visit);

/// Returns the blocks that are reachable from the entry, each before the blocks that it dominates. Skips mentions of
/// blocks that are not defined.
std::vector<block_id> reverse_postorder(const function& f);

/// Returns true if a spork of `f` shares all its tokens: `f` encodes a loop of more than a chunk, and offers the rest
/// of it.
bool offers_rest_of_loop(const function& f);

/// Returns the types of the parameters of a block of `f`.
std::vector<type> types_of_params(const function& f, block_id b);

/// Returns true if `callee` takes and gives the types that the call `c` in `caller` states.
bool fits(const function& caller, const indirect_call& c, const function& callee);

/// Returns for each function whether the program has its address, so that unknown calls may reach it.
std::vector<bool> addressed_functions(const program& p);

/// Returns true if the block does nothing but return its parameters, as the results of `f`. A call that continues there
/// is in tail position.
bool only_returns(const function& f, block_id b);

/// Infers the types of temporaries from the values assigned to them. A type stays `unknown` where the assigned value
/// has none.
void infer_types(program& p);

// ---------------------------------------------------------------------------------------------------------------------

namespace detail {

template <class Transfer, class Visit>
struct atom_visitor {
  Visit& visit;

  template <class Atoms>
  void all(Atoms& atoms) const {
    for (auto& a : atoms) visit(a);
  }
  template <class T>
  void operator()(T& t) const {
    if constexpr (requires { t.condition; }) visit(t.condition);
    if constexpr (requires { t.callee.bits; }) visit(t.callee);
    if constexpr (requires { t.args; }) all(t.args);
    if constexpr (requires { t.values; }) all(t.values);
    if constexpr (requires { t.low; }) visit(t.low), visit(t.high);
    if constexpr (requires { t.zero; }) all(t.zero);
    if constexpr (requires { t.raised; }) visit(t.raised);
    if constexpr (requires { t.what.args; }) all(t.what.args);
    if constexpr (requires { t.spawn; }) all(t.spawn.args);
    if constexpr (requires { t.first; }) all(t.first.args), all(t.second.args);
    if constexpr (requires { t.body.args; }) all(t.body.args);
  }
};

template <class Visit>
struct label_visitor {
  Visit& visit;

  template <class T>
  void operator()(T& t) const {
    if constexpr (requires { t.to; }) visit(t.to);
    if constexpr (requires { t.yes; }) visit(t.yes), visit(t.no);
    if constexpr (requires { t.ways; }) {
      for (auto& each : t.ways) visit(each.to);
      visit(t.otherwise);
    }
    if constexpr (requires { t.body.block; }) visit(t.body);
    if constexpr (requires { t.then; }) visit(t.then);
    if constexpr (requires { t.handler; }) {
      if (t.handler.block != none) visit(t.handler);
    }
    if constexpr (requires { t.promoted; }) {
      visit(t.unpromoted), visit(t.promoted);
      if (t.unstolen.block != none) visit(t.unstolen);
    }
  }
};

}  // namespace detail

template <class Visit>
void for_each_atom(transfer& t, Visit visit) {
  std::visit(detail::atom_visitor<transfer, Visit>{visit}, t.what);
}
template <class Visit>
void for_each_atom(const transfer& t, Visit visit) {
  std::visit(detail::atom_visitor<const transfer, Visit>{visit}, t.what);
}
template <class Visit>
void for_each_label(transfer& t, Visit visit) {
  std::visit(detail::label_visitor<Visit>{visit}, t.what);
}

}  // namespace tine::spork
