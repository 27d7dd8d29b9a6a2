// Functions of libstdc++.so that change containers: their code is not instrumented, so the detector stands in front of
// them. The accesses are those that matter: the nodes that the function is given, and the head of the container.
#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/next_function.hpp"

#include <list>
#include <map>

// NOLINTBEGIN(readability-identifier-naming): names of the C library and of the compiler's runtime
using namespace tine::detail;

namespace std {

using node = _Rb_tree_node_base;

TINE_API void _Rb_tree_insert_and_rebalance(const bool left, node* added, node* parent, node& head) throw() {
  using function = void(bool, node*, node*, node&);
  static function* next = nullptr;
  if (next == nullptr)
    next = next_function<function>("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
  check_range(&head, sizeof head, access_how::write, called_from());
  check_range(added, sizeof *added, access_how::write, called_from());
  if (parent != &head) check_range(parent, sizeof *parent, access_how::write, called_from());
  next(left, added, parent, head);
}

TINE_API node* _Rb_tree_rebalance_for_erase(node* const removed, node& head) throw() {
  using function = node*(node*, node&);
  static function* next = nullptr;
  if (next == nullptr) next = next_function<function>("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
  check_range(&head, sizeof head, access_how::write, called_from());
  check_range(removed, sizeof *removed, access_how::write, called_from());
  return next(removed, head);
}

namespace __detail {

TINE_API void _List_node_base::_M_hook(_List_node_base* const before) noexcept {
  using function = void(_List_node_base*, _List_node_base*);
  static function* next = nullptr;
  if (next == nullptr) next = next_function<function>("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
  check_range(before, sizeof *before, access_how::write, called_from());
  check_range(this, sizeof *this, access_how::write, called_from());
  check_range(before->_M_prev, sizeof *before, access_how::write, called_from());
  next(this, before);
}

TINE_API void _List_node_base::_M_unhook() noexcept {
  using function = void(_List_node_base*);
  static function* next = nullptr;
  if (next == nullptr) next = next_function<function>("_ZNSt8__detail15_List_node_base9_M_unhookEv");
  check_range(this, sizeof *this, access_how::read, called_from());
  check_range(_M_prev, sizeof *_M_prev, access_how::write, called_from());
  check_range(_M_next, sizeof *_M_next, access_how::write, called_from());
  next(this);
}

}  // namespace __detail
}  // namespace std
// NOLINTEND(readability-identifier-naming)
