// Changes to a function that several passes make.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace tine::spork {

/// Calls `visit(atom&)` for every atom of a function.
template <class Visit>
void for_each_atom_of(function& f, Visit visit);

/// Calls `visit(invocation&)` for every call and every spawn of a function, not for calls to C.
template <class Visit>
void for_each_invocation(function& f, Visit visit);

/// Keeps the elements for which `keep(index)` holds.
template <class T, class Keep>
void filter(std::vector<T>& list, Keep keep);

/// Removes the blocks that are not reachable from the entry, and renumbers the rest.
void remove_unreachable(function& f);

/// Maps each temporary to the atom that replaces it: itself, or another atom, which may be replaced in turn.
class substitution {
 public:
  explicit substitution(const function& f);

  void replace(temp_id t, atom by) { by_[t] = by; }
  atom find(atom a) const;
  /// Replaces all uses. Definitions stay.
  void apply(function& f) const;

 private:
  std::vector<atom> by_;
};

/// Returns how often each block is mentioned; the entry counts once more.
std::vector<unsigned> count_ways_in(const function& f);

}  // namespace tine::spork

#include "ir/successors.hpp"

#include <utility>

namespace tine::spork {

template <class Visit>
void for_each_atom_of(function& f, Visit visit) {
  for (block& b : f.blocks) {
    for (statement& s : b.statements) {
      for (atom& a : s.args) visit(a);
    }
    for_each_atom(b.end, visit);
  }
}

template <class Visit>
void for_each_invocation(function& f, Visit visit) {
  for (block& b : f.blocks) {
    if (auto* c = std::get_if<call>(&b.end.what)) visit(c->what);
    if (auto* s = std::get_if<spork>(&b.end.what)) visit(s->spawn);
  }
}

template <class T, class Keep>
void filter(std::vector<T>& list, Keep keep) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!keep(i)) continue;
    if (to != i) list[to] = std::move(list[i]);
    ++to;
  }
  list.resize(to);
}

}  // namespace tine::spork
