// Exhaustiveness and redundancy, against an oracle that tries all values up to a depth.
#include "ml/match.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tine::ml;

// Values and patterns of `datatype t = A | B of bool | C of t * bool`.
struct value {
  const constructor* by = nullptr;  // null: a pair
  std::vector<value> parts = {};
};

struct world {
  type_store types;
  std::deque<typed::pattern> patterns;
  type_constructor* t = types.add_constructor("t", 0, equality::of_arguments, {});
  constructor* a = add("A", nullptr);
  constructor* b = add("B", types.boolean);
  constructor* c = add("C", types.tuple({types.apply(t), types.boolean}));
  std::mt19937_64 random;

  constructor* add(const char* name, type* argument) {
    constructor made;
    made.name = name;
    made.index = static_cast<unsigned>(t->constructors.size());
    made.datatype = t;
    made.argument = argument;
    constructor* kept = types.add(made);
    t->constructors.push_back(kept);
    return kept;
  }
  typed::pattern_ref make(decltype(typed::pattern::is) is) {
    return &patterns.emplace_back(typed::pattern{std::move(is), nullptr, {}});
  }

  typed::pattern_ref truth() {
    const auto n = random() % 3;
    if (n == 0) return make(typed::any{});
    return make(typed::built{n == 1 ? types.true_ : types.false_, nullptr});
  }
  typed::pattern_ref pattern(int depth) {
    const auto n = random() % (depth == 0 ? 2 : 5);
    if (n == 0) return make(typed::any{});
    if (n == 1) return make(typed::built{a, nullptr});
    if (n == 2) return make(typed::built{b, truth()});
    const typed::pattern_ref inner = pattern(depth - 1);
    return make(typed::built{c, make(typed::fields{{inner, truth()}})});
  }

  std::vector<value> truths() const { return {{types.true_}, {types.false_}}; }
  std::vector<value> values(int depth) const {
    std::vector<value> all{{a}};
    for (const value& v : truths()) all.push_back({b, {v}});
    if (depth == 0) return all;
    for (const value& inner : values(depth - 1)) {
      for (const value& v : truths()) all.push_back({c, {{nullptr, {inner, v}}}});
    }
    return all;
  }
};

bool matches(typed::pattern_ref p, const value& v) {
  if (std::holds_alternative<typed::any>(p->is)) return true;
  if (const auto* f = std::get_if<typed::fields>(&p->is))
    return matches(f->parts[0], v.parts[0]) && matches(f->parts[1], v.parts[1]);
  const auto& built = std::get<typed::built>(p->is);
  return built.by == v.by && (built.argument == nullptr || matches(built.argument, v.parts[0]));
}

TEST_CASE("random matches are judged as trying all values does") {
  const auto seed = std::random_device{}();
  CAPTURE(seed);
  world w;
  w.random.seed(seed);
  const std::vector<value> all = w.values(4);  // deeper than the patterns
  int exhaustive = 0, redundant = 0;
  for (int round = 0; round < 2'000; ++round) {
    std::vector<typed::pattern_ref> rules;
    for (std::size_t n = 1 + w.random() % 7; n != 0; --n) rules.push_back(w.pattern(2));
    std::vector<bool> is_used(rules.size());
    bool is_exhaustive = true;
    for (const value& v : all) {
      std::size_t i = 0;
      while (i < rules.size() && !matches(rules[i], v)) ++i;
      if (i == rules.size()) is_exhaustive = false;
      if (i < rules.size()) is_used[i] = true;
    }
    const match_report r = check_match(rules, w.types);
    CHECK(r.missing.empty() == is_exhaustive);
    std::vector<std::size_t> unused;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (!is_used[i]) unused.push_back(i);
    }
    CHECK(r.redundant == unused);
    exhaustive += is_exhaustive;
    redundant += !unused.empty();
  }
  CHECK(exhaustive > 50);
  CHECK(redundant > 50);
}

TEST_CASE("the check of an entangled match ends") {
  world w;
  w.random.seed(1);
  std::vector<typed::pattern_ref> rules;
  for (std::size_t i = 0; i < 60; ++i) {  // each looks at two of many columns: the known worst case
    typed::fields all;
    for (std::size_t k = 0; k < 60; ++k) {
      const bool is_there = k == i || k == (i * 7 + 3) % 60;
      all.parts.push_back(is_there ? w.make(typed::built{i % 2 == 0 ? w.types.true_ : w.types.false_, nullptr})
                                   : w.make(typed::any{}));
    }
    rules.push_back(w.make(std::move(all)));
  }
  const match_report r = check_match(rules, w.types);
  CHECK((r.is_partial || !r.missing.empty()));
}

}  // namespace
