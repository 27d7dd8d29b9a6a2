// Propagates arguments that are always the same constant. A spawn's arguments pass through a record in memory, which
// hides them from LLVM: a division by a constant would become a division by a value that LLVM does not know.
#include "ir/passes/substitution.hpp"
#include "ir/pipeline.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tine::spork {
namespace {

// The values given to a parameter: none so far, one constant, or any other values.
class given {
 public:
  given() = default;
  static given one(const atom& a) { return {kind::one, a}; }
  static given many() { return {kind::many, {}}; }

  /// Adds the values of `other`. Returns true if that changes anything.
  bool add(const given& other) {
    if (other.what_ == kind::nothing || what_ == kind::many) return false;
    if (what_ == kind::one && other.what_ == kind::one && value_ == other.value_) return false;
    *this = what_ == kind::nothing ? other : many();
    return true;
  }
  bool is_constant() const noexcept { return what_ == kind::one; }
  const atom& constant() const noexcept { return value_; }

 private:
  enum class kind : std::uint8_t { nothing, one, many };

  given(kind what, atom value) : what_{what}, value_{value} {}

  kind what_ = kind::nothing;
  atom value_;
};

// The values given to each parameter of each function. The analysis starts with no values and adds values until nothing
// changes, so that a recursion may pass a constant on to itself.
class given_arguments {
 public:
  explicit given_arguments(program& p) : p_{p} {
    const std::vector<bool> addressed = addressed_functions(p);
    for (const function& f : p.functions) {  // C and indirect calls give any values
      const bool any = f.exported || addressed[of_.size()];
      of_.emplace_back(f.params.size(), any ? given::many() : given{});
    }
    std::vector<bool> is_open(p.functions.size(), true);
    std::vector<function_id> open(p.functions.size());  // functions whose calls have to be looked at
    std::iota(open.begin(), open.end(), function_id{0});
    while (!open.empty()) {
      const function_id f = open.back();
      open.pop_back();
      is_open[f] = false;
      add_calls_of(f, [&](function_id changed) {
        if (!is_open[changed]) open.push_back(changed);
        is_open[changed] = true;
      });
    }
  }

  const std::vector<given>& of(function_id f) const { return of_[f]; }

 private:
  // Adds what `f` gives to others, and calls `note` for each function for which that is new.
  template <class Note>
  void add_calls_of(function_id f, Note note) {
    for_each_invocation(p_.functions[f], [&](const invocation& i) {
      for (std::size_t n = 0; n < i.args.size(); ++n) {
        if (of_[i.callee][n].add(meaning(f, i.args[n]))) note(i.callee);
      }
    });
  }

  given meaning(function_id f, const atom& a) const {
    if (a.is_constant()) return given::one(a);
    const std::vector<temp_id>& params = p_.functions[f].params;
    const auto at = std::ranges::find(params, a.temporary());
    return at == params.end() ? given::many() : of_[f][static_cast<std::size_t>(at - params.begin())];
  }

  program& p_;
  std::vector<std::vector<given>> of_;
};

}  // namespace

void propagate_arguments(program& p) {
  const given_arguments known{p};
  const auto is_open = [&](function_id f) {
    return [&of = known.of(f)](std::size_t i) { return !of[i].is_constant(); };
  };
  for (function_id id = 0; id < p.functions.size(); ++id) {
    function& f = p.functions[id];
    if (f.in_c) continue;
    for_each_invocation(f, [&](invocation& i) { filter(i.args, is_open(i.callee)); });
    substitution by{f};
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      if (known.of(id)[i].is_constant()) by.replace(f.params[i], known.of(id)[i].constant());
    }
    by.apply(f);
    filter(f.params, is_open(id));
    filter(f.param_types, is_open(id));
  }
}

}  // namespace tine::spork
