// Maranget's usefulness of patterns, with examples of what is missing.
#include "ml/match.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace tine::ml {

namespace {

using row = std::vector<typed::pattern_ref>;
using matrix = std::vector<row>;

constexpr std::size_t most_steps = 2'000'000;  // of one match; a step specialises one row
constexpr std::size_t most_columns = 2'000;    // that are looked at on one path, because the search recurses

const typed::pattern wildcard{typed::any{}, nullptr, {}};

typed::pattern_ref bare(typed::pattern_ref p) {
  while (const auto* l = std::get_if<typed::layered>(&p->is)) p = l->of;
  return std::holds_alternative<typed::bind>(p->is) ? &wildcard : p;
}

bool is_any(typed::pattern_ref p) { return std::holds_alternative<typed::any>(bare(p)->is); }

/// The root of a pattern: a constructor, an exception, a constant or a record, with the number of its parts.
struct root {
  const constructor* built = nullptr;
  const typed::exception* raised = nullptr;
  const literal* constant = nullptr;
  bool is_record = false;
  type* record = nullptr;  ///< the type of a record
  std::size_t parts = 0;

  auto key() const {
    const std::uint64_t whole = constant == nullptr ? 0 : constant->whole;
    return std::tuple(built, raised, constant != nullptr, constant != nullptr && constant->is_negative, whole,
                      constant == nullptr ? std::string{} : constant->bytes);
  }
};

root root_of(typed::pattern_ref p) {
  root r;
  if (const auto* b = std::get_if<typed::built>(&p->is)) {
    r.built = b->by;
    r.parts = b->by->argument == nullptr ? 0 : 1;
  } else if (const auto* e = std::get_if<typed::raised>(&p->is)) {
    r.raised = e->by;
    r.parts = e->by->argument == nullptr ? 0 : 1;
  } else if (const auto* c = std::get_if<typed::equals>(&p->is)) {
    r.constant = &c->value;
  } else if (const auto* f = std::get_if<typed::fields>(&p->is)) {
    r.is_record = true;
    r.record = p->of;
    r.parts = f->parts.size();
  }
  return r;
}

void push_parts(typed::pattern_ref p, std::size_t parts, row& into) {
  if (const auto* b = std::get_if<typed::built>(&p->is)) {
    if (b->argument != nullptr) into.push_back(b->argument);
  } else if (const auto* e = std::get_if<typed::raised>(&p->is)) {
    if (e->argument != nullptr) into.push_back(e->argument);
  } else if (const auto* f = std::get_if<typed::fields>(&p->is)) {
    into.insert(into.end(), f->parts.rbegin(), f->parts.rend());
  } else if (std::holds_alternative<typed::any>(p->is)) {
    into.insert(into.end(), parts, &wildcard);
  }
}

/// A counterexample as text, and how tightly it binds: 0 an operator's application, 1 an application, 2 an atom.
struct example {
  std::string text = "_";
  int binds = 2;
  std::vector<example> parts = {};  ///< of a tuple
};

std::string atom(const example& e) { return e.binds == 2 ? e.text : "(" + e.text + ")"; }

/// Rows are read from their last element: so a column is removed in constant time.
class checker {
 public:
  explicit checker(const type_store& types) : types_{types} {}

  bool is_exhausted() const { return steps_ > most_steps; }

  /// Returns values that the row matches and no row of the matrix does, the first column's first; none if there are
  /// none.
  std::optional<std::vector<example>> useful(const matrix& m, row q) {
    if (++depth_ > most_columns) steps_ = most_steps + 1;
    auto found = is_exhausted() ? std::nullopt : search(m, std::move(q));
    --depth_;
    return found;
  }

 private:
  std::optional<std::vector<example>> search(const matrix& m, row q) {
    if (q.empty()) return m.empty() ? std::optional<std::vector<example>>{std::in_place} : std::nullopt;
    const typed::pattern_ref first = bare(q.back());
    if (!is_any(first)) return with_root(m, q, root_of(first));
    const std::vector<root> roots = roots_of(m);
    const std::optional<example> missing = missing_root(roots);
    if (!missing) {
      for (const root& r : roots) {
        if (auto found = with_root(m, q, r)) return found;
      }
      return std::nullopt;
    }
    auto rest = useful(defaults(m), row(q.begin(), q.end() - 1));
    if (rest) rest->insert(rest->begin(), *missing);
    return rest;
  }

  std::optional<std::vector<example>> with_root(const matrix& m, const row& q, const root& r) {
    matrix rows;
    for (const row& one : m) specialise(one, r, rows);
    matrix own;
    specialise(q, r, own);
    auto found = useful(rows, own.front());
    if (!found) return std::nullopt;
    std::vector<example> parts(found->begin(), found->begin() + static_cast<std::ptrdiff_t>(r.parts));
    found->erase(found->begin(), found->begin() + static_cast<std::ptrdiff_t>(r.parts));
    found->insert(found->begin(), show(r, parts));
    return found;
  }

  void specialise(const row& one, const root& r, matrix& into) {
    ++steps_;
    const typed::pattern_ref first = bare(one.back());
    if (!is_any(first) && root_of(first).key() != r.key()) return;
    row made(one.begin(), one.end() - 1);
    push_parts(first, r.parts, made);
    into.push_back(std::move(made));
  }

  matrix defaults(const matrix& m) {
    matrix rows;
    for (const row& one : m) {
      ++steps_;
      if (is_any(one.back())) rows.emplace_back(one.begin(), one.end() - 1);
    }
    return rows;
  }

  std::vector<root> roots_of(const matrix& m) {
    std::vector<root> roots;
    std::set<decltype(root{}.key())> seen;
    for (const row& one : m) {
      const typed::pattern_ref first = bare(one.back());
      if (is_any(first)) continue;
      const root r = root_of(first);
      if (seen.insert(r.key()).second) roots.push_back(r);
    }
    return roots;
  }

  /// A root that is not among those of the column, as an example, or none if all are there.
  std::optional<example> missing_root(const std::vector<root>& roots) const {
    if (roots.empty()) return example{};
    const root& r = roots.front();
    if (r.is_record) return std::nullopt;
    if (r.raised != nullptr) return example{};
    if (r.constant != nullptr) return missing_constant(roots);
    for (const constructor* c : r.built->datatype->constructors) {
      const bool is_there = std::any_of(roots.begin(), roots.end(), [&](const root& one) { return one.built == c; });
      if (is_there) continue;
      root absent;
      absent.built = c;
      absent.parts = c->argument == nullptr ? 0 : 1;
      return show(absent, std::vector<example>(absent.parts));
    }
    return std::nullopt;
  }

  static std::optional<example> missing_constant(const std::vector<root>& roots) {
    const literal& one = *roots.front().constant;
    if (one.is == literal::kind::string) return missing_string(roots);
    std::set<std::uint64_t> seen;
    for (const root& r : roots) {
      if (!r.constant->is_negative) seen.insert(r.constant->whole);
    }
    const bool is_character = one.is == literal::kind::character;
    std::uint64_t absent = is_character ? 'a' : 0;
    while (seen.contains(absent)) ++absent;
    if (is_character && absent > 255) {
      absent = 0;
      while (seen.contains(absent)) ++absent;
      if (absent > 255) return std::nullopt;
    }
    if (is_character)
      return example{absent >= ' ' && absent < 127 ? "#\"" + std::string(1, static_cast<char>(absent)) + "\"" : "_"};
    return example{(one.is == literal::kind::word ? "0w" : "") + std::to_string(absent)};
  }

  static std::optional<example> missing_string(const std::vector<root>& roots) {
    std::string absent;
    const auto is_there = [&] {
      return std::any_of(roots.begin(), roots.end(), [&](const root& r) { return r.constant->bytes == absent; });
    };
    while (is_there()) absent += 'a';
    return example{"\"" + absent + "\""};
  }

  example show(const root& r, const std::vector<example>& parts) const {
    if (r.is_record) return show_record(parts, r.record);
    if (r.constant != nullptr) return show_constant(*r.constant);
    const std::string& name = r.built != nullptr ? r.built->name : r.raised->name;
    if (parts.empty()) return {name, 2};
    if (r.built != types_.cons) return {name + " " + atom(parts[0]), 1};
    const std::vector<example>& pair = parts[0].parts;
    if (pair.size() != 2) return {"_ :: _", 0};
    return {(pair[0].binds == 0 ? atom(pair[0]) : pair[0].text) + " :: " + pair[1].text, 0};
  }

  static example show_constant(const literal& value) {
    if (value.is == literal::kind::string) return {"\"" + value.bytes + "\"", 2};
    if (value.is == literal::kind::character) return {"#\"" + std::string(1, static_cast<char>(value.whole)) + "\"", 2};
    return {std::string(value.is == literal::kind::word ? "0w" : "") + (value.is_negative ? "~" : "") +
                std::to_string(value.whole),
            2};
  }

  static example show_record(const std::vector<example>& parts, type* record) {
    const type* t = record == nullptr ? nullptr : resolve(record);
    const bool has_labels = t != nullptr && t->is == type::kind::record && t->labels->size() == parts.size() &&
                            !parts.empty() && t->labels->front() != "1";
    std::string text = has_labels ? "{" : "(";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i != 0) text += ", ";
      if (has_labels) text += (*t->labels)[i] + " = ";
      text += parts[i].text;
    }
    return {text + (has_labels ? "}" : ")"), 2, parts};
  }

  const type_store& types_;
  std::size_t steps_ = 0, depth_ = 0;
};

}  // namespace

match_report check_match(const std::vector<typed::pattern_ref>& patterns, const type_store& types) {
  match_report report;
  checker c{types};
  matrix before;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const row one{patterns[i]};
    if (!c.useful(before, one)) report.redundant.push_back(i);
    if (c.is_exhausted()) return {{}, {}, true};
    before.push_back(one);
  }
  if (const auto found = c.useful(before, {&wildcard})) report.missing = found->front().text;
  if (c.is_exhausted()) return {{}, {}, true};
  return report;
}

}  // namespace tine::ml
