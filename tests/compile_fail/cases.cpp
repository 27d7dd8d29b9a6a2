// Misuse of par, of loops and of tasks must not compile, and the compiler must say why in words that help. A section is
// one case; the comment of its first line is the message, an expression. Without MISUSE every section must compile;
// with MISUSE none of them may.
#include <tine/algo/count_if.hpp>
#include <tine/algo/find_if.hpp>
#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <coroutine>
#include <iterator>
#include <list>
#include <string>
#include <vector>

#ifdef MISUSE
#define BAD(...) __VA_ARGS__
#define GOOD(...)
#else
#define BAD(...)
#define GOOD(...) __VA_ARGS__
#endif

struct pinned {
  pinned() = default;
  pinned(const pinned&) = delete;
};
struct alignas(128) line {
  char bytes[128];
};
using list_or_vector = BAD(std::list<int>) GOOD(std::vector<int>);

// ---- The branches of par.

#ifdef CASE_branch_needs_arguments  // tine: a branch is called without arguments
auto branch_needs_arguments() {
  return tine::par([] { return 1; }, [](int x GOOD(= 2)) { return x; });
}
#endif

#ifdef CASE_first_branch_needs_arguments  // tine: a branch is called without arguments
void first_branch_needs_arguments() {
  tine::par([](int GOOD(= 1)) {}, [] {});
}
#endif

#ifdef CASE_middle_branch_needs_arguments  // tine: a branch is called without arguments
void middle_branch_needs_arguments() {
  tine::par([] {}, [](int GOOD(= 1)) {}, [] {}, [] {});
}
#endif

#ifdef CASE_late_branch_needs_arguments  // tine: a branch is called without arguments
int late_branch_needs_arguments() {
  const auto sum = [](int a, int b, int c, int d) { return a + b + c + d; };
  return tine::par([] { return 1; }, [] { return 2; }, [] { return 3; }, [](int x GOOD(= 4)) { return x; }, sum);
}
#endif

#ifdef CASE_one_branch  // tine: par takes two or more branches, or one range
void one_branch() {
  tine::par([] { return 1; } GOOD(, [] {}));
}
#endif

#ifdef CASE_list_of_branches  // tine: par takes two or more branches, or one range
void list_of_branches(std::BAD(list<void (*)()>) GOOD(vector<void (*)()>) jobs) { tine::par(jobs); }
#endif

#ifdef CASE_range_of_branches_that_need_arguments  // tine: par takes two or more branches, or one range
void range_of_branches(std::vector<void (*)(BAD(int))> jobs) { tine::par(jobs); }
#endif

#ifdef CASE_combine_takes_one  // tine: the last argument is no branch
int combine_takes_one() {
  return tine::par([] { return 1; }, [] { return 2; }, [](int a GOOD(, int)) { return a; });
}
#endif

#ifdef CASE_combine_takes_others  // tine: the last argument is no branch
int combine_takes_others() {
  return tine::par([] { return 1; }, [] { return BAD(std::string{"2"}) GOOD(2); }, [](int a, int b) { return a + b; });
}
#endif

#ifdef CASE_combine_of_three  // tine: the last argument is no branch
int combine_of_three() {
  return tine::par([] { return 1; }, [] { return 2; }, [] { return 3; },
                   [](int a, int b GOOD(, int)) { return a + b; });
}
#endif

#ifdef CASE_pinned_result  // tine: the result of a branch must be void, a reference, or a type that can be moved
void pinned_result(pinned& p) {
  tine::par([] {}, [&]() -> pinned GOOD(&) { return BAD({}) GOOD(p); });
}
#endif

#ifdef CASE_pinned_first_result  // tine: the result of a branch must be void, a reference, or a type that can be moved
void pinned_first_result(pinned& p) {
  tine::par([&]() -> pinned GOOD(&) { return BAD({}) GOOD(p); }, [] {});
}
#endif

#ifdef CASE_pinned_root  // tine: the result of a branch must be void, a reference, or a type that can be moved
void pinned_root(tine::pool& p) {
  p.run([] { BAD(return) static_cast<GOOD(void) BAD(pinned)>(pinned{}); });
}
#endif

#ifdef CASE_promotion_by_hand  // private
auto promotion_by_hand() { return tine::promotion BAD({tine::promotion::kind::eager, 0, 0}) GOOD(::eager()); }
#endif

#ifdef CASE_spork_ways_differ  // tine: all three ways out of a spork must return the same type
int spork_ways_differ() {
  const auto keep = [](int a) { return a; };
  const auto stolen = [](int a, int b) -> BAD(long) GOOD(int) { return a + b; };
  return static_cast<int>(tine::spork([] { return 1; }, [] { return 2; }, keep, stolen, keep));
}
#endif

// ---- Algorithms.

#ifdef CASE_algorithm_over_list  // tine: an algorithm needs random access iterators
auto algorithm_over_list(const list_or_vector& items) {
  return tine::count_if(items, [](int k) { return k % 2 != 0; });
}
#endif

#ifdef CASE_algorithm_without_length  // tine: an algorithm must know the length of its range
auto algorithm_without_length(const int* items) {
  return tine::find_if(items, BAD(std::unreachable_sentinel) GOOD(items + 3), [](int k) { return k == 3; });
}
#endif

#ifdef CASE_algorithm_mutable  // tine: several workers call the function of an algorithm at once
auto algorithm_mutable(const std::vector<int>& items) {
  return tine::count_if(items, [calls = 0](int) BAD(mutable) { return BAD(++) calls > 1; });
}
#endif

// ---- Loops.

#ifdef CASE_loop_body_mutable  // tine: the body of a loop is called by several workers at once
void loop_body_mutable() {
  tine::par_for(0, 10, [calls = 0](int) BAD(mutable) { static_cast<void>(BAD(++) calls); });
}
#endif

#ifdef CASE_loop_body_without_index  // tine: the body of a loop takes one argument
void loop_body_without_index() {
  tine::par_for(0, 10, [](GOOD(int)) {});
}
#endif

// g++ has no way to look at arguments; there the loop throws.
#if defined CASE_loop_bounds_of_two_kinds && __clang__  // one bound of a loop is negative and the other one unsigned
void loop_bounds_of_two_kinds(const std::vector<int>& v) {
  tine::par_for(0, v.size(), [](auto) {});
  tine::par_for(-1, BAD(v.size()) GOOD(static_cast<int>(v.size())), [](auto) {});
}
#endif

#ifdef CASE_loop_over_bool  // tine: a loop counts with integers, not with bool
void loop_over_bool() {
  tine::par_for(BAD(false) GOOD(0), BAD(true) GOOD(1), [](int) {});
}
#endif

#ifdef CASE_loop_over_fractions  // tine: a loop counts with integers, not with floating-point numbers
void loop_over_fractions() {
  tine::par_for(BAD(0.0) GOOD(0), BAD(1.0) GOOD(1), [](auto) {});
}
#endif

#ifdef CASE_chunks_over_fractions  // tine: a loop counts with integers, not with floating-point numbers
void chunks_over_fractions() {
  tine::par_for_chunks(0, BAD(1.0) GOOD(1), [](auto, auto) {});
}
#endif

#ifdef CASE_reduce_over_fractions  // tine: a loop counts with integers, not with floating-point numbers
float reduce_over_fractions() {
  return tine::par_reduce(
      BAD(0.0F) GOOD(0), 1, 0.0F, [](auto x) { return float(x); }, [](float a, float b) { return a + b; });
}
#endif

#ifdef CASE_loop_over_list  // tine: a loop needs a range with random access iterators
void loop_over_list(list_or_vector& items) {
  tine::par_for(items, [](int) {});
}
#endif

#ifdef CASE_chunks_over_list  // tine: a loop needs a range with random access iterators
void chunks_over_list(list_or_vector& items) {
  tine::par_for_chunks(items, [](auto, auto) {});
}
#endif

#ifdef CASE_reduce_over_list  // tine: a loop needs a range with random access iterators
int reduce_over_list(list_or_vector& items) {
  return tine::par_reduce(items, 0, [](int x) { return x; }, [](int a, int b) { return a + b; });
}
#endif

#ifdef CASE_loop_over_list_iterators  // tine: the bounds of a loop are two integers or two random access iterators
void loop_over_list_iterators(list_or_vector& items) {
  tine::par_for(items.begin(), items.end(), [](int) {});
}
#endif

#ifdef CASE_loop_over_two_iterators  // tine: both iterators of a loop must have the same type
void loop_over_two_iterators(std::vector<int>& v) {
  tine::par_for(v.BAD(begin) GOOD(cbegin)(), v.cend(), [](int) {});
}
#endif

#ifdef CASE_reduce_map_gives_nothing  // tine: the map of a reduction must return something
void reduce_map_gives_nothing() {
  tine::par_reduce(
      0, 10, 0,
      [](int i) {
        BAD(static_cast<void>(i))
        GOOD(return i);
      },
      [](int a, int b) { return a + b; });
}
#endif

#ifdef CASE_reduce_combine_takes_one  // tine: the combine of a reduction takes two arguments
int reduce_combine_takes_one() {
  return tine::par_reduce(0, 10, 0, [](int i) { return i; }, [](int a GOOD(, int)) { return a; });
}
#endif

#ifdef CASE_reduce_combine_of_results  // tine: the combine of a reduction must also take two results
int reduce_combine_of_results() {
  struct item {};
  return tine::par_reduce(
      0, 10, 0, [](int) { return BAD(item{}) GOOD(1); }, [](int n, BAD(item) GOOD(int)) { return n + 1; });
}
#endif

// ---- Coroutines.

#ifdef CASE_task_temporary_to_reference  // tine: a forked task takes this parameter by reference
namespace task_temporary_to_reference {
tine::task<> child(const long&) { co_return; }
tine::task<> parent(const long v) {
  co_await tine::fork(child, BAD(+) v);
  co_await tine::join;
}
}  // namespace task_temporary_to_reference
#endif

#ifdef CASE_task_temporary_captures  // tine: a task would refer to the captures of a temporary
tine::task<> task_temporary_captures(long v) {
  auto child = [&v]() -> tine::task<> {
    ++v;
    co_return;
  };
  co_await tine::fork(BAD(decltype(child))(child));
  co_await tine::join;
}
#endif

#ifdef CASE_task_temporary_object  // tine: a forked member function refers to its object
struct counter {
  tine::task<> up() { co_return; }
};
tine::task<> task_temporary_object(counter c) {
  co_await tine::fork(&counter::up, BAD(counter{}) GOOD(c));
  co_await tine::join;
}
#endif

#ifdef CASE_task_rvalue_reference  // tine: a task cannot take an rvalue reference
namespace task_rvalue_reference {
tine::task<> child(long BAD(&&)) { co_return; }
tine::task<> parent() { co_await tine::call(child, 5L); }
}  // namespace task_rvalue_reference
#endif

#ifdef CASE_task_over_aligned_parameter  // tine: the frame of a task is aligned to at most 64 bytes
namespace task_over_aligned_parameter {
tine::task<char> child(line GOOD(&) l) { co_return l.bytes[0]; }
tine::task<char> parent(line& l) { co_return co_await tine::call(child, l); }
}  // namespace task_over_aligned_parameter
#endif

#ifdef CASE_task_over_aligned_result  // tine: the frame of a task is aligned to at most 64 bytes
namespace task_over_aligned_result {
tine::task<line> child() { co_return line{}; }
tine::task<> parent() {
  BAD(co_await tine::call(child);)
  auto place = co_await tine::scratch<line>(1);
  co_await tine::fork(&place[0], child);
  co_await tine::join;
}
}  // namespace task_over_aligned_result
#endif

#ifdef CASE_task_result_of_another_type  // tine: the result of fork goes into a variable
namespace task_result_of_another_type {
tine::task<long> child() { co_return 1; }
tine::task<> parent(BAD(int) GOOD(long) result) {
  co_await tine::fork(&result, child);
  co_await tine::join;
}
}  // namespace task_result_of_another_type
#endif

#ifdef CASE_task_known_result_of_another_type  // tine: the result of fork goes into a variable
namespace task_known_result_of_another_type {
tine::task<long> child() { co_return 1; }
tine::task<> parent(BAD(int) GOOD(long) result) {
  co_await tine::fork<child>(&result);
  co_await tine::join;
}
}  // namespace task_known_result_of_another_type
#endif

#ifdef CASE_task_result_without_eventually  // tine: the result of fork goes into a variable
namespace task_result_without_eventually {
tine::task<std::string> child() { co_return "text"; }
tine::task<> parent() {
  GOOD(tine::eventually <) std::string GOOD(>) result;
  co_await tine::fork(&result, child);
  co_await tine::join;
}
}  // namespace task_result_without_eventually
#endif

#ifdef CASE_task_result_missing  // tine: this task has a result
namespace task_result_missing {
tine::task<long> child() { co_return 1; }
tine::task<> parent(long result) {
  static_cast<void>(result);
  co_await tine::fork(GOOD(&result, ) child);
  co_await tine::join;
}
}  // namespace task_result_missing
#endif

#ifdef CASE_task_no_task  // tine: the callable must be a coroutine that returns a tine::task
namespace task_no_task {
BAD(long) GOOD(tine::task<long>) child() { BAD(return) GOOD(co_return) 1; }
tine::task<long> parent() { co_return co_await tine::call(child); }
}  // namespace task_no_task
#endif

#ifdef CASE_task_wrong_arguments  // tine: the callable cannot be called with these arguments
namespace task_wrong_arguments {
tine::task<long> child(long v) { co_return v; }
tine::task<> parent(long result) {
  co_await tine::fork(&result, child, BAD("five") GOOD(5));
  co_await tine::join;
}
}  // namespace task_wrong_arguments
#endif

#ifdef CASE_task_moving_may_throw  // tine: an argument of fork must not throw when it is moved
namespace task_moving_may_throw {
struct brittle {
  brittle() = default;
  brittle(const brittle&) GOOD(noexcept) {}
};
tine::task<> child(brittle) { co_return; }
tine::task<> parent() {
  co_await tine::fork(child, brittle{});
  co_await tine::join;
}
}  // namespace task_moving_may_throw
#endif

#ifdef CASE_task_foreign_awaitable  // tine: a task can await tine::fork, tine::call
tine::task<> task_foreign_awaitable() { co_await BAD(std::suspend_always{}) GOOD(tine::join); }
#endif

#ifdef CASE_task_without_call  // tine: a task is awaited through tine::call: write co_await tine::call\(leaf, n\)
namespace task_without_call {
tine::task<int> leaf(int n) { co_return n; }
tine::task<int> parent() { co_return co_await BAD(leaf(1)) GOOD(tine::call(leaf, 1)); }
}  // namespace task_without_call
#endif

#ifdef CASE_task_by_hand  // private
namespace task_by_hand {
tine::task<int> child(int n) { BAD(static_cast<void>(n); return {}) GOOD(co_return n); }
tine::task<int> parent() { co_return co_await tine::call(child, 1); }
}  // namespace task_by_hand
#endif

#ifdef CASE_eventually_of_const  // tine: eventually holds a plain object type
void eventually_of_const() { static_cast<void>(tine::eventually<BAD(const) long>{}); }
#endif
