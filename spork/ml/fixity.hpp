// Which names are infix operators, and how operators and operands group.
#pragma once

#include "ml/syntax.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tine::ml {

/// How an infix operator groups: the higher precedence first; of equal ones, the left one first, or the right one.
struct fixity {
  unsigned precedence = 0;
  bool is_right = false;
};

/// The infix operators at a place of the text. Names must live as long as the scope.
class fixity_scope {
 public:
  using mark = std::size_t;

  /// The operators of the Standard ML Basis.
  fixity_scope();

  /// Returns nothing for a name that is no infix operator.
  std::optional<fixity> find(std::string_view name) const;
  /// Declares an operator or, with nothing, a name that is none.
  void set(std::string_view name, std::optional<fixity> is);

  mark here() const { return changes_.size(); }
  /// Forgets all declarations since `to`.
  void leave(mark to);
  /// Forgets the declarations from `from` to `to`, but not those since `to`: for `local`.
  void forget_between(mark from, mark to);

 private:
  struct change {
    std::string_view name;
    std::optional<fixity> before, after;
  };
  std::unordered_map<std::string_view, fixity> operators_;
  std::vector<change> changes_;
};

/// Groups operands and operators, which are added from left to right, without recursion.
template <class Operand, class Operator>
class operator_stack {
 public:
  explicit operator_stack(Operand first) { operands_.push_back(std::move(first)); }

  /// Adds an operator with its right operand, which `operand()` parses. `join(left, operator, right)` makes one operand
  /// of two; `clash(earlier, later)` reports that equal precedences group to different sides.
  template <class Parse, class Join, class Clash>
  void add(Operator op, fixity is, Parse operand, Join join, Clash clash) {
    while (!operators_.empty()) {
      const auto& [before, before_is] = operators_.back();
      if (before_is.precedence < is.precedence) break;
      if (before_is.precedence == is.precedence) {
        if (before_is.is_right != is.is_right) clash(before, op);
        if (before_is.is_right && is.is_right) break;
      }
      reduce(join);
    }
    operators_.emplace_back(std::move(op), is);
    operands_.push_back(operand());
  }
  template <class Join>
  Operand finish(Join join) {
    while (!operators_.empty()) reduce(join);
    return operands_.back();
  }

 private:
  template <class Join>
  void reduce(Join& join) {
    Operand right = std::move(operands_.back());
    operands_.pop_back();
    operands_.back() = join(operands_.back(), operators_.back().first, right);
    operators_.pop_back();
  }

  std::vector<Operand> operands_;
  std::vector<std::pair<Operator, fixity>> operators_;
};

}  // namespace tine::ml
