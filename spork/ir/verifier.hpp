// Inner header of the verifier: the state that its parts share while they check one function.
#pragma once

#include "ir/attributes.hpp"
#include "ir/verify.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace tine::spork {

class function_verifier {
 public:
  function_verifier(const program& p, const function& f, diagnostics& wrong) : p_{p}, f_{f}, wrong_{wrong}, facts_{f} {}

  void run();

 private:
  // verify_values.cpp: statements and operands
  void check_statement(block_id b, std::size_t index);
  void check_c_call(const statement& s);
  void check_use(const atom& a, block_id b, std::size_t index);

  // verify_transfers.cpp: transfers
  void check_transfer(block_id b);
  void check(const jump& t);
  void check(const branch& t);
  void check(const switch_on& t);
  void check_condition(const atom& condition);
  void check_handler(const label& handler);
  void check(const call& t);
  void check(const indirect_call& t);
  void check(const give_back& t);
  void check(const spork& t);
  void check(const spoin& t);
  template <class Sugar>
  void check(const Sugar& t);
  /// Checks P; Γ ⊢ g(x̄) WF_call, except for the scope. Returns false if the callee is undefined or a function of C.
  bool check_invocation(const invocation& i);
  /// Checks f; Γ; ρ ⊢ b(·) WF_cont, except for Γ and ρ: the block takes values of these types.
  void check_continuation(const label& l, const std::vector<type>& given, std::string_view from);
  /// Checks that the types of `atoms` are `wanted`.
  void check_values(const std::vector<atom>& atoms, const std::vector<type>& wanted, place where, std::string_view rule,
                    const std::string& who);

  bool is_first_of_its_name(block_id b);
  void check_names();
  void check_nesting();
  void report(place where, std::string_view rule, std::string message) {
    wrong_.push_back({where, rule, std::move(message)});
  }
  std::string name(temp_id t) const { return "'" + f_.temporaries[t].name + "'"; }
  std::string name(const label& l) const { return "'" + f_.blocks[l.block].name + "'"; }
  std::string show_nesting(nesting_id n) const;

  const program& p_;
  const function& f_;
  diagnostics& wrong_;
  attributes facts_;
  place at_;                                                      // of the transfer that is checked
  std::unordered_map<std::string_view, block_id> first_of_name_;  // of the blocks before `named_`
  block_id named_ = 0;
};

/// Checks the address of a function.
void check_address(const program& p, const atom& a, diagnostics& wrong);

}  // namespace tine::spork
