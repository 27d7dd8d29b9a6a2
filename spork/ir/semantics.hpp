// The semantics of programs: the rules of Spork, Figure 3, one function each. The rules are virtual, because tests
// break them one by one.
//
// The rules deviate from the figure. SPOIN-UNSTOLEN is added: a parent reclaims a child that has not begun (§4.4).
// Hence a thread's beginning is an action, the rule BEGIN. A pool may also trap, because operations here are not total.
// A switch stands for a chain of branches. (The figure's rule CONG-CHILD is misprinted: its left side is R_p ∧ R_c.)
// `rule_set::figure_3` leaves SPOIN-UNSTOLEN and BEGIN out.
#pragma once

#include "ir/pool.hpp"

#include <optional>
#include <span>

namespace tine::spork {

/// The resources that a run may use before it traps.
struct limits {
  std::size_t cells = std::size_t{1} << 26;  ///< cells of memory and temporaries in frames, together
};

/// The set of rules in force.
enum class rule_set : std::uint8_t {
  reclaiming,  ///< the rules of the runtime: a parent reclaims a child that has not begun
  figure_3,    ///< the rules of the paper's Figure 3: a child that is promoted has begun
};

class semantics {
 public:
  /// Interprets `p`, which must be well-formed and outlive this object.
  explicit semantics(const program& p, limits l = {}, rule_set rules = rule_set::reclaiming);
  virtual ~semantics() = default;

  const program& code() const { return p_; }

  pool initial() const;
  /// Returns true if thread `t` can make a step of its own: it does not wait for a child, and has not come to its end.
  bool can_step(const pool& r, thread_id t) const;
  /// Makes a step of thread `t`, which must be able to make one. The first step begins the thread, and does nothing
  /// else if the thread's code is only its last return. Throws `trap`.
  ///
  /// Lemma: to begin a thread and make its first step together leads to the same answers as to do both apart. Proof: in
  /// between, only the parent's spoin checks whether the thread has begun. The spoin waits then, because the thread is
  /// not finished. So the beginning can be deferred to the first step; if there is no first step, the beginning can be
  /// left out.
  void step(pool& r, thread_id t) const;
  /// Returns the frame of `t` that holds the oldest unpromoted spork of its stack.
  virtual std::optional<std::size_t> promotable_frame(const pool& r, thread_id t) const;
  /// Applies PROMOTE, and returns the new thread.
  virtual thread_id promote(pool& r, thread_id t) const;
  /// Returns true if the root is at its last return, and has no children.
  bool is_final(const pool& r) const;
  /// Returns the results of a thread that is at its last return.
  std::vector<value> results(const pool& r, thread_id t) const;

 protected:
  virtual void begin_rule(pool& r, thread_id t) const;
  virtual void statement_rule(pool& r, thread_id t, const statement& s) const;
  virtual void goto_rule(pool& r, thread_id t, const jump& j) const;
  virtual void if_rule(pool& r, thread_id t, const branch& b) const;
  virtual void switch_rule(pool& r, thread_id t, const switch_on& s) const;
  virtual void call_rule(pool& r, thread_id t, const call& c) const;
  virtual void indirect_call_rule(pool& r, thread_id t, const indirect_call& c) const;
  virtual void return_rule(pool& r, thread_id t, const give_back& g) const;
  virtual void spork_rule(pool& r, thread_id t, const spork& s) const;
  virtual void unpromoted_rule(pool& r, thread_id t, const spoin& s) const;
  virtual void promoted_rule(pool& r, thread_id t, const spoin& s) const;
  virtual void unstolen_rule(pool& r, thread_id t, const spoin& s) const;
  virtual bool is_finished(const pool& r, thread_id t) const;

  static frame& top(pool& r, thread_id t) { return r.threads[t].stack.back(); }
  static const frame& top(const pool& r, thread_id t) { return r.threads[t].stack.back(); }
  static bool newest_is_promoted(const frame& k) { return k.promoted == k.deque.size(); }
  const transfer& transfer_of(const frame& k) const { return p_.functions[k.in].blocks[k.at].end; }
  bool is_at_transfer(const frame& k) const { return k.next == p_.functions[k.in].blocks[k.at].statements.size(); }

  value value_of(const frame& k, const atom& a) const;
  std::vector<value> values_of(const frame& k, const std::vector<atom>& atoms) const;
  /// Goes to the beginning of a block, and gives its parameters these values.
  void enter(frame& k, block_id b, const std::vector<value>& given) const;
  /// Returns the function that `c` calls from `k`. Throws `trap` if there is none of that signature.
  function_id callee_of(const frame& k, const indirect_call& c) const;
  frame new_frame(pool& r, function_id f, const std::vector<value>& args, place at) const;
  /// Frees the place of `t`, and removes `t` from the children of its parent.
  void remove(pool& r, thread_id t) const;

 private:
  /// Calls a function of the runtime library of Parallel ML.
  static void call_of_ml(pool& r, std::string_view name, value text, place at);
  void access_memory(pool& r, frame& k, const statement& s, std::span<const value> operands) const;
  /// Reads a cell, writes it, and returns what was read, in one step.
  static value change_cell(pool& r, const statement& s, std::span<const value> operands);

  const program& p_;
  limits limits_;
  rule_set rules_;
};

}  // namespace tine::spork
