// How a program runs: the rules of Spork, Figure 3, one function each. Tests break them one by one, so they are virtual.
//
// Deviations from the figure. SPOIN-UNSTOLEN is added: a parent takes back a child that has not begun (§4.4). A pool may also
// trap, as operations here are not total. (The figure's rule CONG-CHILD is misprinted: its left side is R_p ∧ R_c.)
#pragma once

#include "spork/pool.hpp"

#include <optional>
#include <span>

namespace tine::spork {

/// What a run may use before it traps.
struct limits {
  std::size_t cells = std::size_t{1} << 26;  ///< of memory and of temporaries in frames, together
};

class semantics {
 public:
  /// Interprets `p`, which must be well-formed and outlive this.
  explicit semantics(const program& p, limits l = {});
  virtual ~semantics() = default;

  const program& code() const { return p_; }

  pool initial() const;
  /// Whether thread `t` can make a step of its own. Not one that waits for a child, or that has come to its end.
  bool can_step(const pool& r, thread_id t) const;
  /// The step of thread `t`, which can make one. Throws `trap`.
  void step(pool& r, thread_id t) const;
  /// The frame of `t` that holds the oldest unpromoted spork of its stack.
  virtual std::optional<std::size_t> promotable_frame(const pool& r, thread_id t) const;
  /// PROMOTE. Returns the new thread.
  virtual thread_id promote(pool& r, thread_id t) const;
  /// Whether the root is at its last return, and alone.
  bool is_final(const pool& r) const;
  /// What a thread at its last return gives.
  std::vector<value> results(const pool& r, thread_id t) const;

 protected:
  virtual void statement_rule(pool& r, thread_id t, const statement& s) const;
  virtual void goto_rule(pool& r, thread_id t, const jump& j) const;
  virtual void if_rule(pool& r, thread_id t, const branch& b) const;
  virtual void call_rule(pool& r, thread_id t, const call& c) const;
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
  /// Goes to the beginning of a block, giving its parameters these values.
  void enter(frame& k, block_id b, const std::vector<value>& given) const;
  frame new_frame(pool& r, function_id f, const std::vector<value>& args, place at) const;
  /// Makes `t`'s place free. Its parent forgets it.
  void remove(pool& r, thread_id t) const;

 private:
  void access_memory(pool& r, frame& k, const statement& s, std::span<const value> operands) const;

  const program& p_;
  limits limits_;
};

}  // namespace tine::spork
