// Types: unification, levels, equality, overloading and printing.
#include "ml/types.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace tine::ml;

std::string show(type* t) {
  type_printer print;
  return print(t);
}

TEST_CASE("unification solves variables and reports the parts that differ") {
  type_store s;
  type* a = s.variable(1);
  type* b = s.variable(1);
  CHECK(!s.unify(s.arrow(a, b), s.arrow(s.int_, a)));
  CHECK(resolve(b) == s.int_);
  const mismatch m = s.unify(s.tuple({s.int_, s.string}), s.tuple({a, s.real}));
  CHECK(m.why == difference::shape);
  CHECK(show(m.left) == "string");
  CHECK(show(m.right) == "real");
}

TEST_CASE("no type contains itself") {
  type_store s;
  type* a = s.variable(1);
  CHECK(s.unify(a, s.apply(s.list, {a})).why == difference::circular);
  type* open = s.open_record(s.labels({"x"}), {a}, 1);
  CHECK(s.unify(a, open).why == difference::circular);
}

TEST_CASE("a rigid variable equals itself only, and does not leave its level") {
  type_store s;
  type* r = s.rigid("'a", 2);
  CHECK(!s.unify(r, r));
  CHECK(s.unify(r, s.int_).why == difference::rigid);
  CHECK(s.unify(s.variable(1), s.apply(s.list, {r})).why == difference::escapes);
  CHECK(!s.unify(s.variable(2), s.apply(s.list, {r})));
}

TEST_CASE("a solved variable's level limits what it is solved by") {
  type_store s;
  type* inner = s.variable(5);
  CHECK(!s.unify(s.variable(2), s.arrow(inner, s.int_)));
  CHECK(inner->level == 2);
  CHECK(s.variables_above({inner}, 1).size() == 1);
  CHECK(s.variables_above({inner, inner}, 2).empty());
}

TEST_CASE("open records join their fields") {
  type_store s;
  type* x = s.open_record(s.labels({"x"}), {s.int_}, 1);
  type* y = s.open_record(s.labels({"y"}), {s.string}, 1);
  CHECK(!s.unify(x, y));
  CHECK(show(x) == "{x: int, y: string, ...}");
  CHECK(!s.unify(x, s.record(s.labels({"x", "y", "z"}), {s.int_, s.string, s.real})));
  CHECK(show(y) == "{x: int, y: string, z: real}");
  type* w = s.open_record(s.labels({"w"}), {s.int_}, 1);
  const mismatch m = s.unify(w, y);
  CHECK(m.why == difference::missing_label);
  CHECK(m.label == "w");
  CHECK(s.unify(s.open_record(s.labels({"x"}), {s.int_}, 1), s.int_).why == difference::shape);
}

TEST_CASE("equality types") {
  type_store s;
  type* e = s.variable(1, true);
  CHECK(s.unify(e, s.arrow(s.int_, s.int_)).why == difference::no_equality);
  type* inner = s.variable(1);
  CHECK(!s.unify(s.variable(1, true), s.tuple({inner, s.int_})));
  CHECK(resolve(inner)->wants_equality);
  CHECK(s.unify(inner, s.real).why == difference::no_equality);
  CHECK(!s.unify(s.variable(1, true), s.apply(s.array, {s.real})));
  CHECK(s.unify(s.variable(1, true), s.apply(s.vector, {s.real})).why == difference::no_equality);
  CHECK(s.unify(s.variable(1, true), s.rigid("'a", 1)).why == difference::no_equality);
  CHECK(!s.unify(s.variable(1, true), s.rigid("''a", 1)));
}

TEST_CASE("overloaded variables choose among their types") {
  type_store s;
  type* n = s.variable(1, false, overload::number);
  CHECK(s.unify(n, s.string).why == difference::not_overloaded);
  type* w = s.variable(1, false, overload::words);
  CHECK(!s.unify(n, w));
  CHECK(s.unify(n, s.int_).why == difference::not_overloaded);
  CHECK(!s.unify(w, s.word8));
  CHECK(resolve(n) == s.word8);
  type* r = s.variable(1, false, overload::int_ | overload::real);
  CHECK(!s.unify(r, s.variable(1, false, overload::real | overload::string)));
  CHECK(resolve(r) == s.real);  // one choice is left
  type* with_equality = s.variable(1, false, overload::int_ | overload::real);
  CHECK(!s.unify(s.variable(1, true), with_equality));
  CHECK(s.unify(with_equality, s.real));
}

TEST_CASE("a type of exponential size is refused in linear time") {
  type_store s;
  type* t = s.int_;
  for (int i = 0; i < 200; ++i) t = s.tuple({t, t});
  CHECK(s.unify(s.variable(1), t).why == difference::too_large);
  type* deep = s.int_;
  for (int i = 0; i < 1'000'000; ++i) deep = s.apply(s.list, {deep});
  CHECK(s.unify(s.variable(1), deep).why == difference::too_large);
}

TEST_CASE("types are printed as they are written") {
  type_store s;
  type* a = s.variable(1);
  type* b = s.variable(1, true);
  CHECK(show(s.arrow(s.arrow(a, b), s.arrow(a, s.apply(s.list, {s.tuple({a, b})})))) ==
        "('a -> ''b) -> 'a -> ('a * ''b) list");
  CHECK(show(s.tuple({s.tuple({a, a}), s.unit})) == "('a * 'a) * unit");
  CHECK(show(s.record(s.labels({"1", "x"}), {s.int_, s.arrow(a, a)})) == "{1: int, x: 'a -> 'a}");
  CHECK(show(s.arrow(s.rigid("'a", 1), a)) == "'a -> 'b");
}

TEST_CASE("labels are sorted by number, then by text") {
  CHECK(label_before("2", "10"));
  CHECK(label_before("10", "a"));
  CHECK(!label_before("b", "a"));
}

}  // namespace
