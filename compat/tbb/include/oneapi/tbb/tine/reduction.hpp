// The two forms of a reduction, and how the parts of a range are reduced. A part is reduced by one strand at a time.
#pragma once

#include <oneapi/tbb/tine/subranges.hpp>
#include <oneapi/tbb/tine/task_group_context.hpp>
#include <tine/managed/par.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace tbb::detail::on_tine {

/// The form with functions: each part has a value.
template <class Value, class F, class Join>
class by_functions {
 public:
  using part = Value;

  by_functions(call_in_context& call, const Value& identity, const F& function, const Join& join) noexcept
      : call_{call}, identity_{identity}, function_{function}, join_{join} {}

  part begin() const {
    return call_.body([&] { return Value(identity_); });
  }
  /// Adds the values of `r`. `is_first`: it is the beginning of the whole range.
  template <class Range>
  void run(part& so_far, Range& r, bool /*is_first*/) const {
    call_.body([&] { so_far = std::invoke(function_, r, std::move(so_far)); });
  }
  void join(part& so_far, part&& later) const {
    call_.body([&] { so_far = std::invoke(join_, std::move(so_far), std::move(later)); });
  }

 private:
  call_in_context& call_;
  const Value& identity_;
  const F& function_;
  const Join& join_;
};

/// The form with a body. The part at the beginning of the range uses the body of the caller, and every other part a
/// body that was split off from it.
template <class Body>
class by_body {
 public:
  /// The body of the caller, or one of the part's own. Before the first subrange it is neither.
  struct part {
    Body* body = nullptr;
    std::unique_ptr<Body> own;
  };

  by_body(call_in_context& call, Body& b) noexcept : call_{call}, whole_{b} {}

  static part begin() noexcept { return {}; }
  template <class Range>
  void run(part& so_far, Range& r, bool is_first) const {
    call_.body([&] {
      if (is_first) {
        so_far.body = &whole_;
      } else if (so_far.body == nullptr) {
        so_far.own = std::make_unique<Body>(whole_, split());
        so_far.body = so_far.own.get();
      }
      (*so_far.body)(r);
    });
  }
  void join(part& so_far, part&& later) const {
    call_.body([&] { so_far.body->join(*later.body); });
  }

 private:
  call_in_context& call_;
  Body& whole_;
};

/// Reduces an interval as a loop. Its parts are those that were stolen.
template <class Value, class Form>
typename Form::part reduce_as_loop(const blocked_range<Value>& r, const Form& form) {
  using part = typename Form::part;
  return tine::par_fold(
      r.begin(), r.end(), least_length(r), [&form] { return form.begin(); },
      [&form, first = r.begin(), grainsize = r.grainsize()](part& so_far, Value begin, Value end) {
        blocked_range<Value> subrange(begin, end, grainsize);
        form.run(so_far, subrange, begin == first);
      },
      [&form](part& so_far, part&& later) { form.join(so_far, std::move(later)); });
}

/// Reduces `r` in pieces. Its parts are those that were stolen.
template <class Range, class Cut, class Form>
void reduce_in_pieces(Range& r, Cut pieces, const Form& form, typename Form::part& so_far, bool is_first) {
  if (pieces.is_one() || !r.is_divisible()) return form.run(so_far, r, is_first);
  Range right = pieces.split_off(r);
  std::optional<typename Form::part> later;
  const auto here = [&](tine::void_result) { reduce_in_pieces(right, pieces.right(), form, so_far, false); };
  tine::spork([&] { reduce_in_pieces(r, pieces.left(), form, so_far, is_first); },
              [&] {
                later.emplace(form.begin());
                reduce_in_pieces(right, pieces.stolen(), form, *later, false);
              },
              here, [&](tine::void_result, tine::void_result) { form.join(so_far, *std::move(later)); }, here);
}

/// Reduces `r` in pieces, each of which is a part. So the tree of joins depends on the range and on the pieces alone.
template <class Range, class Cut, class Form>
void reduce_as_tree(Range& r, Cut pieces, const Form& form, typename Form::part& so_far, bool is_first) {
  if (pieces.is_one() || !r.is_divisible()) return form.run(so_far, r, is_first);
  Range right = pieces.split_off(r);
  std::optional<typename Form::part> later;
  tine::par([&] { reduce_as_tree(r, pieces.left(), form, so_far, is_first); },
            [&] {
              later.emplace(form.begin());
              reduce_as_tree(right, pieces.right(), form, *later, false);
            },
            [&](tine::void_result, tine::void_result) { form.join(so_far, *std::move(later)); });
}

/// Reduces `r`. Returns its result, or that of no value if `r` is empty.
template <class Cut, class Range, class Form>
typename Form::part reduce_over(const Range& r, const Form& form) {
  if constexpr (runs_as_loop<Range, Cut>) {
    return reduce_as_loop(r, form);
  } else {
    Range whole(r);
    typename Form::part all = form.begin();
    reduce_in_pieces(whole, Cut{}, form, all, true);
    return all;
  }
}

/// As `reduce_over`, but each piece is a part.
template <class Cut, class Range, class Form>
typename Form::part reduce_tree_over(const Range& r, const Form& form) {
  Range whole(r);
  typename Form::part all = form.begin();
  reduce_as_tree(whole, Cut{}, form, all, true);
  return all;
}

}  // namespace tbb::detail::on_tine
