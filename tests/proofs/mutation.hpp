// Random small changes of a program, most of which make it ill-formed.
#pragma once

#include "ir/function_generator.hpp"
#include "ir/successors.hpp"

namespace bridge {

using namespace tine::spork;

/// Changes a program of whole numbers in one place. Some changes leave it as it is, because the place that was drawn
/// does not suit them.
class mutation {
 public:
  mutation(program& p, dice& random) : p_{p}, random_{random}, f_{p.functions[random.below(p.functions.size())]} {}

  void run() {
    if (!f_.defined || f_.in_c || f_.blocks.empty()) return;
    block& b = any(f_.blocks);
    switch (random_.below(16)) {
      case 0:
        return change_label(b);
      case 1:
        return change_atom(b);
      case 2:
        return change_arguments(b, true);
      case 3:
        return change_arguments(b, false);
      case 4:
        return change_callee(b);
      case 5:
        return change_end(b);
      case 6:
        return remove_statement(b);
      case 7:
        return move_statement(b);
      case 8:
        return add_parameter(b);
      case 9:
        return remove_parameter(b);
      case 10:
        return change_results();
      case 11:
        return change_parameters();
      case 12:
        return swap_ends(b);
      case 13:
        return copy_end(b);
      case 14:
        return turn_spoin(b);
      default:
        return change_spawn(b);
    }
  }

 private:
  template <class T>
  T& any(std::vector<T>& all) {
    return all[random_.below(all.size())];
  }
  label any_label() { return {static_cast<block_id>(random_.below(f_.blocks.size())), {}}; }
  atom any_atom() {
    if (f_.temporaries.empty() || random_.one_in(8)) return atom::number(static_cast<std::int64_t>(random_.below(3)));
    return atom::of(static_cast<temp_id>(random_.below(f_.temporaries.size())));
  }
  invocation any_invocation() {
    const auto callee = static_cast<function_id>(random_.below(p_.functions.size()));
    invocation i{callee, {}, {}};
    for (std::size_t n = p_.functions[callee].params.size(); n > 0; --n) i.args.push_back(any_atom());
    return i;
  }

  void change_label(block& b) {
    std::vector<label*> all;
    for_each_label(b.end, [&](label& l) { all.push_back(&l); });
    if (!all.empty()) *any(all) = any_label();
  }
  void change_atom(block& b) {
    std::vector<atom*> all;
    for (statement& s : b.statements) {
      for (atom& a : s.args) all.push_back(&a);
    }
    for_each_atom(b.end, [&](atom& a) { all.push_back(&a); });
    if (!all.empty()) *any(all) = any_atom();
  }
  void change_arguments(block& b, bool more) {
    const auto change = [&](std::vector<atom>& all) {
      if (more) {
        all.push_back(any_atom());
      } else if (!all.empty()) {
        all.pop_back();
      }
    };
    if (auto* j = std::get_if<jump>(&b.end.what)) return change(j->args);
    if (auto* c = std::get_if<call>(&b.end.what)) return change(c->what.args);
    if (auto* r = std::get_if<give_back>(&b.end.what)) return change(r->values);
    if (auto* s = std::get_if<spork>(&b.end.what)) return change(s->spawn.args);
  }
  void change_callee(block& b) {
    const auto other = static_cast<function_id>(random_.below(p_.functions.size()));
    if (auto* c = std::get_if<call>(&b.end.what)) c->what.callee = other;
    if (auto* s = std::get_if<spork>(&b.end.what)) s->spawn.callee = other;
  }
  void change_end(block& b) {
    switch (random_.below(6)) {
      case 0:
        b.end.what = jump{any_label(), {}};
        return;
      case 1:
        b.end.what = branch{any_atom(), any_label(), any_label()};
        return;
      case 2:
        b.end.what = call{any_invocation(), any_label()};
        return;
      case 3:
        b.end.what = give_back{std::vector<atom>(f_.results.size(), any_atom())};
        return;
      case 4:
        b.end.what = spork{any_label(), any_invocation()};
        return;
      default:
        b.end.what = spoin{any_label(), any_label(), {none, {}}};
        return;
    }
  }
  void remove_statement(block& b) {
    if (!b.statements.empty())
      b.statements.erase(b.statements.begin() + static_cast<std::ptrdiff_t>(random_.below(b.statements.size())));
  }
  void move_statement(block& b) {
    if (b.statements.empty()) return;
    const statement s = b.statements.back();
    b.statements.pop_back();
    block& to = any(f_.blocks);
    to.statements.insert(to.statements.begin(), s);
  }
  void add_parameter(block& b) {
    f_.temporaries.push_back({"mutation." + std::to_string(f_.temporaries.size()), {}, true, type::i64});
    b.params.push_back(static_cast<temp_id>(f_.temporaries.size() - 1));
  }
  static void remove_parameter(block& b) {
    if (!b.params.empty()) b.params.pop_back();
  }
  void change_results() {
    if (random_.one_in(2)) {
      f_.results.push_back(type::i64);
    } else if (!f_.results.empty()) {
      f_.results.pop_back();
    }
  }
  void change_parameters() {
    if (random_.one_in(2) || f_.params.empty()) {
      builder{f_}.param("more", type::i64);
    } else {
      f_.params.pop_back();
      f_.param_types.pop_back();
    }
  }
  void swap_ends(block& b) {
    block& other = any(f_.blocks);
    if (&other != &b) std::swap(b.end, other.end);
  }
  void copy_end(block& b) { b.end = transfer{any(f_.blocks).end}; }
  static void turn_spoin(block& b) {
    if (auto* s = std::get_if<spoin>(&b.end.what)) std::swap(s->unpromoted, s->promoted);
  }
  void change_spawn(block& b) {
    auto* s = std::get_if<spork>(&b.end.what);
    if (s != nullptr && !s->spawn.args.empty()) any(s->spawn.args) = any_atom();
  }

  program& p_;
  dice& random_;
  function& f_;
};

}  // namespace bridge
