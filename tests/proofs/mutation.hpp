// Random small changes of a program, most of which make it ill-formed.
#pragma once

#include "ir/function_generator.hpp"
#include "ir/successors.hpp"

#include <iterator>
#include <utility>

namespace bridge {

using namespace tine::spork;

/// Changes a program of whole numbers in one place. Some changes leave it as it is, because the place that was drawn
/// does not suit them.
class mutation {
 public:
  mutation(program& p, dice& random) : p_{p}, random_{random}, f_{p.functions[random.below(p.functions.size())]} {}

  void run() {
    if (!f_.defined || f_.in_c || f_.blocks.empty()) return;
    using change = void (*)(mutation&, block&);
    constexpr change all[] = {
        [](mutation& m, block& b) { m.change_label(b); },
        [](mutation& m, block& b) { m.change_atom(b); },
        [](mutation& m, block& b) { m.change_arguments(b, true); },
        [](mutation& m, block& b) { m.change_arguments(b, false); },
        [](mutation& m, block& b) { m.change_callee(b); },
        [](mutation& m, block& b) { m.change_end(b); },
        [](mutation& m, block& b) { m.remove_statement(b); },
        [](mutation& m, block& b) { m.move_statement(b); },
        [](mutation& m, block& b) { m.add_parameter(b); },
        [](mutation&, block& b) { remove_parameter(b); },
        [](mutation& m, block&) { m.change_results(); },
        [](mutation& m, block&) { m.change_parameters(); },
        [](mutation& m, block& b) { m.swap_ends(b); },
        [](mutation& m, block& b) { m.copy_end(b); },
        [](mutation&, block& b) { turn_spoin(b); },
        [](mutation& m, block& b) { m.change_spawn(b); },
    };
    block& b = any(f_.blocks);
    all[random_.below(std::size(all))](*this, b);
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
        return set_end(b, jump{any_label(), {}});
      case 1:
        return set_end(b, branch{any_atom(), any_label(), any_label()});
      case 2:
        return set_end(b, call{any_invocation(), any_label()});
      case 3:
        return set_end(b, give_back{std::vector<atom>(f_.results.size(), any_atom())});
      case 4:
        return set_end(b, spork{any_label(), any_invocation()});
      default:
        return set_end(b, spoin{any_label(), any_label(), {none, {}}});
    }
  }
  template <class End>
  static void set_end(block& b, End end) {
    b.end.what = std::move(end);
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
