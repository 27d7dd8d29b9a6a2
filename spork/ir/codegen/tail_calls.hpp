// The calls in tail position that become jumps because LLVM promises it.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace tine::spork {

/// LLVM promises tail calls between functions of its convention tailcc, also if the callee has more arguments than the
/// caller. Other calls of such functions cost two instructions more, so only calls are promised without which a stack
/// could grow: those that may come back to their caller, and those of an address. The results must fit into registers,
/// and calls must have no bundle.
class tail_calls {
 public:
  /// LLVM's number of tailcc.
  static constexpr unsigned convention = 18;

  /// `are_possible`: false if calls have bundles; then no call is promised.
  tail_calls(const program& p, bool are_possible);

  /// Returns true if the function has promised calls: then its tail calls of all functions of the convention are.
  bool promised_in(function_id f) const { return callers_[f]; }
  /// Returns true if the function has the convention tailcc.
  bool has_convention(function_id f) const { return members_[f]; }
  /// Returns true if the functions with an address have it.
  bool addresses_have_convention() const { return addressed_; }

 private:
  std::vector<bool> callers_, members_;
  bool addressed_ = false;
};

}  // namespace tine::spork
