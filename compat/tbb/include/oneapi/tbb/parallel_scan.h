// parallel_scan: the prefixes of a range. Any thread may call it.
//
// One pass is enough as long as nothing is stolen: the part that starts at the beginning of the range knows the prefix
// before each of its subranges. A thief in the middle doesn't, so it sums blocks of its subranges up in pre-scans. When
// the part before is complete, these blocks are scanned, possibly in parallel.
#pragma once

#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/tine/subranges.hpp>
#include <tine/managed/par_for.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tbb {
namespace detail {
namespace on_tine {

/// Tells a body that the prefix before the range isn't known yet: it only sums up.
struct pre_scan_tag {
  static constexpr bool is_final_scan() { return false; }
  constexpr operator bool() const { return is_final_scan(); }
};

/// Tells a body that the prefix is known.
struct final_scan_tag {
  static constexpr bool is_final_scan() { return true; }
  constexpr operator bool() const { return is_final_scan(); }
};

template <class B, class Range>
concept scan_body = std::constructible_from<B, B&, split> && requires(B& b, B& other, Range& r) {
  b(r, pre_scan_tag{});
  b(r, final_scan_tag{});
  b.reverse_join(other);
  b.assign(other);
};

template <class F, class Range, class Value>
concept scan_function = std::invocable<const F&, Range&, const Value&, bool>;

/// The body of the form with functions.
template <class Value, class Scan, class Join>
class scan_by_functions {
 public:
  scan_by_functions(const Value& identity, const Scan& scan, const Join& join)
      : value_(identity), identity_{identity}, scan_{scan}, join_{join} {}
  scan_by_functions(scan_by_functions& b, split) : scan_by_functions{b.identity_, b.scan_, b.join_} {}

  template <class Range, class Tag>
  void operator()(Range& r, Tag) {
    value_ = std::invoke(scan_, r, std::move(value_), Tag::is_final_scan());
  }
  void reverse_join(scan_by_functions& left) {
    value_ = std::invoke(join_, std::as_const(left.value_), std::as_const(value_));
  }
  void assign(scan_by_functions& b) { value_ = b.value_; }
  Value take() { return std::move(value_); }

 private:
  Value value_;
  const Value& identity_;
  const Scan& scan_;
  const Join& join_;
};

/// The subranges of a range of any type, from left to right.
template <class Range>
class subrange_list {
 public:
  subrange_list(const Range& whole, std::size_t pieces) { add(Range(whole), pieces); }
  std::size_t size() const noexcept { return subranges_.size(); }
  template <class F>
  void visit(std::size_t begin, std::size_t end, const F& f) {
    for (; begin != end; ++begin) f(subranges_[begin]);
  }

 private:
  void add(Range r, std::size_t pieces) {
    if (pieces <= 1 || !r.is_divisible()) return subranges_.push_back(r);
    Range right(r, split());
    add(r, pieces / 2);
    add(right, pieces / 2);
  }

  std::vector<Range> subranges_;
};

/// The numbers or iterators of an interval, from left to right.
template <class Value, bool IsSimple>
class interval {
 public:
  interval(const blocked_range<Value>& whole, std::size_t /*pieces*/) : whole_{whole} {}
  std::size_t size() const noexcept { return whole_.size(); }
  template <class F>
  void visit(std::size_t begin, std::size_t end, const F& f) {
    blocked_range<Value> part(at(begin), at(end), whole_.grainsize());
    visit_divided(part, f);
  }

 private:
  Value at(std::size_t k) const {
    if constexpr (std::integral<Value>) {
      return static_cast<Value>(static_cast<std::size_t>(whole_.begin()) + k);
    } else {
      return whole_.begin() + static_cast<decltype(whole_.end() - whole_.begin())>(k);
    }
  }
  template <class F>
  static void visit_divided(blocked_range<Value>& r, const F& f) {
    if (!IsSimple || !r.is_divisible()) return f(r);
    blocked_range<Value> right(r, split());
    visit_divided(r, f);
    visit_divided(right, f);
  }

  const blocked_range<Value> whole_;
};

/// A scan of `Items`, a `subrange_list` or an `interval`.
template <class Items, class Body>
class scan_call {
 public:
  scan_call(call_in_context& call, Items& items, Body& body, std::size_t least, std::size_t most_blocks)
      : call_{call}, items_{items}, body_{body}, least_{least}, block_length_{items.size() / most_blocks} {}

  void run() {
    const part all = tine::par_fold(
        std::size_t{0}, items_.size(), least_, [] { return part{}; },
        [this](part& so_far, std::size_t begin, std::size_t end) { scan(so_far, begin, end); },
        [this](part& so_far, part&& later) { add(so_far, std::move(later)); });
    static_cast<void>(all);
  }

 private:
  /// Consecutive items whose sum `body` has.
  struct block {
    std::size_t begin, end;
    std::unique_ptr<Body> body;
  };
  struct part {
    bool knows_prefix = false;  // then the body of the call has the prefix behind the part
    std::vector<block> blocks;  // of any other part
  };

  template <class Tag>
  void visit(Body& b, std::size_t begin, std::size_t end, Tag tag) {
    call_.body([&] { items_.visit(begin, end, [&](auto& r) { b(r, tag); }); });
  }

  void scan(part& so_far, std::size_t begin, std::size_t end) {
    if (begin == 0) so_far.knows_prefix = true;
    if (so_far.knows_prefix) return visit(body_, begin, end, final_scan_tag{});
    std::vector<block>& blocks = so_far.blocks;
    if (blocks.empty() || blocks.back().end - blocks.back().begin >= block_length_) {
      call_.body([&] { blocks.push_back({begin, begin, std::make_unique<Body>(body_, split())}); });
    }
    visit(*blocks.back().body, begin, end, pre_scan_tag{});
    blocks.back().end = end;
  }

  void add(part& so_far, part&& later) {
    if (so_far.knows_prefix) {
      scan_blocks(later.blocks);
    } else {
      for (block& b : later.blocks) so_far.blocks.push_back(std::move(b));
    }
  }

  /// Scans blocks behind the items whose prefix the body of the call has. Each block is scanned by the body that has
  /// the prefix before it: the body of the call, or the body of the block before.
  void scan_blocks(std::vector<block>& blocks) {
    const auto before = [&](std::size_t k) -> Body& { return k == 0 ? body_ : *blocks[k - 1].body; };
    call_.body([&] {
      for (std::size_t k = 0; k + 1 < blocks.size(); ++k) blocks[k].body->reverse_join(before(k));
    });
    tine::par_for(std::size_t{0}, blocks.size(),
                  [&](std::size_t k) { visit(before(k), blocks[k].begin, blocks[k].end, final_scan_tag{}); });
    if (blocks.size() > 1) call_.body([&] { body_.assign(before(blocks.size() - 1)); });
  }

  call_in_context& call_;
  Items& items_;
  Body& body_;
  const std::size_t least_, block_length_;
};

template <class P>
concept scan_partitioner =
    partitioner<P> && !std::same_as<P, affinity_partitioner&> && !std::same_as<cut_of<P>, equal_parts>;

/// If a context stops the call, the body has the prefix behind some subranges.
template <range Range, scan_body<Range> Body, scan_partitioner P = auto_partitioner>
void parallel_scan(const Range& r, Body& body, P&& = P{}) {
  if (r.empty()) return;
  task_group_context context;
  call_in_context call{context};
  call.run([&] {
    constexpr bool is_simple = std::is_same_v<cut_of<P>, smallest_pieces>;
    const std::size_t blocks = 8 * std::size_t{tine::worker_count()};
    if constexpr (is_interval<Range>) {
      using items = interval<typename Range::const_iterator, is_simple>;
      items all{r, 0};
      scan_call<items, Body>{call, all, body, static_cast<std::size_t>(least_length(r)), blocks}.run();
    } else {
      const std::size_t pieces = is_simple ? static_cast<std::size_t>(-1) : most_pieces();
      subrange_list<Range> all{r, pieces};
      scan_call<subrange_list<Range>, Body>{call, all, body, 1, blocks}.run();
    }
  });
}

/// If a context stops the call, returns the prefix behind some subranges.
template <range Range, class Value, scan_function<Range, Value> Scan, std::invocable<const Value&, const Value&> Join,
          scan_partitioner P = auto_partitioner>
Value parallel_scan(const Range& r, const Value& identity, const Scan& scan, const Join& join, P&& p = P{}) {
  scan_by_functions<Value, Scan, Join> body{identity, scan, join};
  on_tine::parallel_scan(r, body, std::forward<P>(p));
  return body.take();
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::final_scan_tag;
using detail::on_tine::parallel_scan;
using detail::on_tine::pre_scan_tag;
}  // namespace v1
}  // namespace tbb
