// Adds to a function: what the encodings, the passes and the generator of random programs are written with.
#pragma once

#include "spork/ir.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tine::spork {

class builder {
 public:
  /// Works on `f`; all that it makes is said to stand at `where`.
  explicit builder(function& f, place where = {}) : f_{f}, where_{where} {}

  /// A new function: nothing but a name and types.
  static function begin(std::string name, std::vector<type> results, place where) {
    function f;
    f.name = std::move(name);
    f.where = where;
    f.defined = true;
    f.results = std::move(results);
    return f;
  }

  atom param(const std::string& name, type t) {
    f_.params.push_back(temp(name, t));
    f_.param_types.push_back(t);
    return atom::of(f_.params.back(), where_);
  }

  /// A new block; its name is made different from those that there are.
  block_id add_block(const std::string& name) {
    const auto id = static_cast<block_id>(f_.blocks.size());
    block b;
    b.name = unused(name, f_.blocks);
    b.where = where_;
    b.defined = true;
    b.end.where = where_;
    f_.blocks.push_back(std::move(b));
    return id;
  }
  atom add_param(block_id b, const std::string& name, type t) {
    const temp_id p = temp(name, t);
    f_.blocks[b].params.push_back(p);
    return atom::of(p, where_);
  }
  std::vector<atom> add_params(block_id b, const std::string& name, const std::vector<type>& types) {
    std::vector<atom> all;
    for (const type t : types) all.push_back(add_param(b, name, t));
    return all;
  }

  /// name = what args, at the end of `b`.
  atom let(block_id b, const std::string& name, type t, operation what, std::vector<atom> args) {
    statement s;
    s.what = what;
    s.result = temp(name, t);
    s.args = std::move(args);
    s.where = where_;
    f_.blocks[b].statements.push_back(std::move(s));
    return atom::of(f_.blocks[b].statements.back().result, where_);
  }
  template <class Transfer>
  void end(block_id b, Transfer t) {
    f_.blocks[b].end.what = std::move(t);
  }
  label to(block_id b) const { return {b, where_}; }
  invocation invoke(function_id callee, std::vector<atom> args) const { return {callee, std::move(args), where_}; }

  temp_id temp(const std::string& name, type t) {
    f_.temporaries.push_back({unused(name, f_.temporaries), where_, true, t});
    return static_cast<temp_id>(f_.temporaries.size() - 1);
  }

  /// `name`, or with a number behind it, such that none of `named` is called so.
  template <class Named>
  static std::string unused(const std::string& name, const std::vector<Named>& named) {
    std::string wanted = name;
    const auto taken = [&](const Named& n) { return n.name == wanted; };
    for (unsigned i = 1;; ++i) {
      bool free = true;
      for (const Named& n : named) free = free && !taken(n);
      if (free) return wanted;
      wanted = name + "." + std::to_string(i);
    }
  }

 private:
  function& f_;
  place where_;
};

}  // namespace tine::spork
