// Checks whether a thread pool is well-formed: the rules of Spork, Figure 16 (Appendix A).
//
// There is one deviation. The figure accepts a pool whose root has promoted sporks without children, which makes the
// paper's remark after Theorem 2.3 (no root waits for a child that is not there) false. Here PROM of the whole pool
// must be empty.
#pragma once

#include "ir/attributes.hpp"
#include "ir/pool.hpp"

#include <optional>
#include <string>

namespace tine::spork {

class pool_typing {
 public:
  explicit pool_typing(const program& p);

  /// Returns what is wrong with `r`, beginning with the name of the rule, or nothing if `r` is well-formed.
  std::optional<std::string> violation(const pool& r) const;

 private:
  std::string check_thread(const pool& r, thread_id t) const;
  std::string check_children(const pool& r, thread_id t) const;
  std::string check_deque(const frame& k, bool older_unpromoted) const;
  std::string check_waiting(const frame& k, const frame& callee) const;
  std::string check_code(const frame& k) const;
  std::string check_transfer(const frame& k) const;
  std::string check_continuation(const frame& k, block_id b, const std::vector<const spork*>& open) const;
  /// Returns true if `a` has a value of its type.
  bool has_value(const frame& k, const atom& a) const;
  bool have_values(const frame& k, const std::vector<atom>& atoms) const;

  const program& p_;
  std::vector<attributes> facts_;  // by function
};

}  // namespace tine::spork
