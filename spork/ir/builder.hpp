// A builder that adds blocks, temporaries and statements to a function, for the encodings, the passes and the generator
// of programs.
#pragma once

#include "ir/program.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tine::spork {

/// The names of a list that are taken. Reads the list once, and afterwards only the names that were added to it:
/// extending a list of n names by n takes O(n) expected steps.
class taken_names {
 public:
  /// Returns `name`, or `name` and the lowest number behind it that makes it different from all of `named`. Only this
  /// function adds numbers to names of that list.
  template <class Named>
  std::string unused(const std::string& name, const std::vector<Named>& named) {
    for (; read_ < named.size(); ++read_) taken_.insert(named[read_].name);
    std::string wanted = name;
    for (std::size_t& number = next_[name]; taken_.contains(wanted); ++steps_)
      wanted = name + "." + std::to_string(++number);
    return wanted;
  }
  /// Returns how many numbers `unused` has tried.
  std::size_t steps() const { return steps_; }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> next_;
  std::size_t read_ = 0, steps_ = 0;
};

/// The taken names of one function. While several builders share it, blocks and temporaries may be added, but not
/// renamed or removed.
struct names_of_function {
  taken_names blocks, temporaries;
};

class builder {
 public:
  /// Works on `f`, and gives `where` as the place of all that it makes. Builders of one function that are made one
  /// after another share `names`, so that they do not each read all names again.
  explicit builder(function& f, place where = {}, names_of_function* names = nullptr)
      : f_{f}, where_{where}, names_{names == nullptr ? &own_names_ : names} {}
  builder(const builder&) = delete;
  builder& operator=(const builder&) = delete;

  /// Gives this place to all that the builder makes from now on, and to the transfers by which it ends blocks.
  void move_to(place where) { where_ = where; }

  /// Returns a new function that has only a name, result types and a place.
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

  /// Adds a block, and makes its name different from the names of the other blocks.
  block_id add_block(const std::string& name) {
    const auto id = static_cast<block_id>(f_.blocks.size());
    block b;
    b.name = names_->blocks.unused(name, f_.blocks);
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

  /// Appends the statement `name = what args` to `b`.
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
    f_.blocks[b].end.where = where_;
  }
  label to(block_id b) const { return {b, where_}; }
  invocation invoke(function_id callee, std::vector<atom> args) const { return {callee, std::move(args), where_}; }

  temp_id temp(const std::string& name, type t) {
    f_.temporaries.push_back({names_->temporaries.unused(name, f_.temporaries), where_, true, t});
    return static_cast<temp_id>(f_.temporaries.size() - 1);
  }

 private:
  function& f_;
  place where_;
  names_of_function own_names_;
  names_of_function* names_;
};

}  // namespace tine::spork
