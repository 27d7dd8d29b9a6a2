// Decisions at the end of a declaration that is not inside an expression: overloading, open records, and then the
// matches.
#include "ml/elaborator.hpp"
#include "ml/match.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

void elaborator::settle() {
  for (type* t : overloaded_) {
    t = resolve(t);
    if (t->is != type::kind::variable || t->among == 0) continue;
    const std::pair<std::uint8_t, type*> defaults[] = {
        {overload::int_, types_.int_},   {overload::word, types_.word},           {overload::real, types_.real},
        {overload::word8, types_.word8}, {overload::character, types_.character}, {overload::string, types_.string}};
    for (const auto& [bit, by] : defaults) {
      if ((t->among & bit) != 0) {
        t->link = by;
        break;
      }
    }
  }
  overloaded_.clear();
  settle_records();
  settle_words();
  if (!problems_.has_errors()) {
    for (const pending_match& m : matches_) check(m);
  }
  matches_.clear();
  errors_before_ = problems_.errors();
}

void elaborator::settle_records() {
  const bool has_other_errors = problems_.errors() != errors_before_;  // of which the open records may be a consequence
  for (const auto& [t, where] : open_records_) {
    type* open = resolve(t);
    if (open->is != type::kind::variable || open->labels == nullptr) continue;
    type_printer print;
    if (!has_other_errors) {
      error(where, "the record's other fields are not known: its type is " + print(open) +
                       " at the end of the declaration; write its type, as in (x : {...})");
    }
    open->link = types_.broken();
  }
  open_records_.clear();
  for (const open_pattern& p : open_patterns_) {
    const type* t = resolve(p.is->of);
    if (t->is != type::kind::record) continue;
    auto& parts = std::get<typed::fields>(p.is->is).parts;
    std::vector<typed::pattern_ref> known = std::exchange(parts, {});
    for (std::size_t i = 0; i < t->parts.size(); ++i) {
      const auto at = std::lower_bound(p.labels.begin(), p.labels.end(), (*t->labels)[i], label_before);
      const bool is_known = at != p.labels.end() && *at == (*t->labels)[i];
      parts.push_back(is_known ? known[static_cast<std::size_t>(at - p.labels.begin())]
                               : make_pattern(typed::any{}, t->parts[i], p.is->where));
    }
  }
  open_patterns_.clear();
  for (const open_selection& s : open_selections_) {
    const type* t = resolve(s.record);
    if (t->is != type::kind::record) continue;
    const auto at = std::lower_bound(t->labels->begin(), t->labels->end(), s.label, label_before);
    std::get<typed::select>(s.is->is).index = static_cast<std::size_t>(at - t->labels->begin());
  }
  open_selections_.clear();
}

void elaborator::settle_words() {
  for (const pending_word& w : words_) {
    const type* t = resolve(w.of);
    if (t->is == type::kind::applied && t->head == types_.word8->head && w.value > 255) {
      error(w.where, "the word " + std::to_string(w.value) +
                         " does not fit into 8 bits; Word8.word has the values from 0w0 to 0w255");
    }
  }
  words_.clear();
}

void elaborator::check(const pending_match& m) {
  if (m.is == pending_match::kind::binding) {
    auto& binding = std::get<typed::value>(m.declaration->is);
    const match_report r = check_match({binding.to}, types_);
    binding.can_fail = r.is_partial || !r.missing.empty();
    if (!r.missing.empty()) {
      warn(m.where, "the pattern does not match every value, e.g. not " + r.missing + "; the rest raises Bind");
    }
    return;
  }
  const bool is_handler = m.is == pending_match::kind::handler;
  auto* match = is_handler ? nullptr : &std::get<typed::match>(m.match->is);
  const std::vector<typed::rule>& rules = is_handler ? std::get<typed::handle>(m.match->is).rules : match->rules;
  std::vector<typed::pattern_ref> patterns;
  for (const typed::rule& r : rules) patterns.push_back(r.when);
  const match_report r = check_match(patterns, types_);
  for (const std::size_t i : r.redundant) {
    warn(rules[i].when->where,
         "this rule is never used, because the rules before it match all of its values; remove it or move it up");
  }
  if (is_handler) return;
  if (r.is_partial) return;
  if (r.missing.empty()) {
    match->on_failure = typed::match::failure::none;
    return;
  }
  const bool is_function = m.is == pending_match::kind::clauses;
  warn(m.where, (is_function ? "the clauses of " + quoted(m.name) + " do" : std::string("the rules do")) +
                    " not match every value, " +
                    (r.missing == "_" ? std::string("as exceptions") : "e.g. not " + r.missing) + "; add a " +
                    (is_function ? "clause" : "rule") + " for it, or the rest raises Match");
}

void elaborator::finish() {
  for (const auto& [v, where] : not_generalised_) {
    if (problems_.has_errors()) break;
    if (types_.variables_above({v->is.body}, 0).empty()) continue;
    type_printer print;
    warn(where, "the type of " + quoted(v->name) + ", " + print(v->is.body) +
                    ", has a type variable that nothing determines, because its value is computed; give it a type");
  }
  not_generalised_.clear();
}

}  // namespace tine::ml
