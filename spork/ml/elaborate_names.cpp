// Names, and the messages about names and types.
#include "ml/elaborator.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

namespace {

std::string suggestion(const std::string& near) { return near.empty() ? "" : "; did you mean " + quoted(near) + "?"; }

/// The types that an overloaded operand may have, in words.
std::string choices(std::uint8_t among) {
  const std::pair<std::uint8_t, const char*> names[] = {{overload::int_, "int"},         {overload::word, "word"},
                                                        {overload::word8, "Word8.word"}, {overload::real, "real"},
                                                        {overload::character, "char"},   {overload::string, "string"}};
  std::string text;
  for (const auto& [bit, name] : names) {
    if ((among & bit) == 0) continue;
    among &= static_cast<std::uint8_t>(~bit);
    text += (text.empty() ? "" : among == 0 ? " or " : ", ") + std::string(name);
  }
  return text;
}

/// The name that an operator of other languages has here.
std::string operator_here(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {{"==", "'='"},
                                                                     {"===", "'='"},
                                                                     {"!=", "'<>'"},
                                                                     {"=/=", "'<>'"},
                                                                     {"&&", "'andalso'"},
                                                                     {"||", "'orelse'"},
                                                                     {"%", "'mod'"},
                                                                     {"//", "'div'"},
                                                                     {"++", "'@' for lists, '^' for strings"},
                                                                     {"<-", "':='"},
                                                                     {"**", "'Math.pow (x, y)'"}};
  const auto found = std::ranges::find(known, name, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(known) ? "" : "; write " + std::string{found->second};
}

/// The usual remedy for a value of one basic type where another one is wanted, by the function of this name.
std::string conversion(std::string_view has, std::string_view wants, std::string_view by) {
  const std::string reference = std::string{wants} + " ref";
  if (has == reference) return "; '!' gives what a reference contains";
  if (has.ends_with(" ref") && wants.find(has.substr(0, has.size() - 4)) != std::string_view::npos)
    return "; '!' gives what a reference contains";
  if (by == "-" && has.find("->") != std::string_view::npos) return "; a negative number begins with '~', as '~1' does";
  if (wants == std::string{has} + " ref" && by == "=") return "; ':=' assigns to a reference";
  if (wants.ends_with(" ref") && by == ":=") return "; only a reference can be assigned to; make one with 'ref'";
  if (has == "int" && wants == "real") return "; convert it with 'real', or write a real such as 1.0";
  if (has == "real" && wants == "int") return "; convert it with 'round', 'floor' or 'trunc'";
  if (has == "char" && wants == "string") return "; convert it with 'str'";
  if (has == "int" && wants == "string") return "; convert it with 'Int.toString'";
  return "";
}

std::string dotted(const long_name& name, std::size_t parts) {
  std::string text;
  for (std::size_t i = 0; i < parts; ++i) text += (i == 0 ? "" : ".") + name.path[i];
  return text;
}

}  // namespace

const environment* elaborator::find_path(const long_name& name) {
  const environment* at = nullptr;
  for (std::size_t i = 0; i < name.path.size(); ++i) {
    const environment_ref* next = nullptr;
    if (at == nullptr) {
      next = scope_.find_structure(name.path[i]);
    } else if (const auto found = at->structures.find(name.path[i]); found != at->structures.end()) {
      next = &found->second;
    }
    if (next == nullptr) {
      const std::string near =
          at == nullptr ? scope_.near_structure(name.path[i]) : near_name(at->structures, name.path[i]);
      error(name.where, "there is no structure " + quoted(dotted(name, i + 1)) + suggestion(near));
      return nullptr;
    }
    at = next->get();
    if (at == nullptr) return nullptr;  // it has an error, which is reported already
  }
  return at;
}

const value_entry* elaborator::find_value(const long_name& name, std::string_view role) {
  if (name.path.empty()) {
    if (const value_entry* found = scope_.find_value(name.last)) return found;
    error(name.where,
          "there is no " + std::string(role) + " " + quoted(name.last) +
              (operator_here(name.last).empty() ? suggestion(scope_.near_value(name.last)) : operator_here(name.last)));
    return nullptr;
  }
  const environment* in = find_path(name);
  if (in == nullptr) return nullptr;
  const auto found = in->values.find(name.last);
  if (found != in->values.end()) return &found->second;
  error(name.where, "the structure " + quoted(dotted(name, name.path.size())) + " has no " + std::string(role) + " " +
                        quoted(name.last) + suggestion(near_name(in->values, name.last)));
  return nullptr;
}

const type_entry* elaborator::find_type(const long_name& name) {
  if (name.path.empty()) {
    if (const type_entry* found = scope_.find_type(name.last)) return found;
    error(name.where, "there is no type " + quoted(name.last) + suggestion(scope_.near_type(name.last)));
    return nullptr;
  }
  const environment* in = find_path(name);
  if (in == nullptr) return nullptr;
  const auto found = in->types.find(name.last);
  if (found != in->types.end()) return &found->second;
  error(name.where, "the structure " + quoted(dotted(name, name.path.size())) + " has no type " + quoted(name.last) +
                        suggestion(near_name(in->types, name.last)));
  return nullptr;
}

const environment_ref* elaborator::find_structure(const long_name& name) {
  if (name.path.empty()) {
    if (const environment_ref* found = scope_.find_structure(name.last)) return found;
    error(name.where, "there is no structure " + quoted(name.last) + suggestion(scope_.near_structure(name.last)));
    return nullptr;
  }
  const environment* in = find_path(name);
  if (in == nullptr) return nullptr;
  const auto found = in->structures.find(name.last);
  if (found != in->structures.end()) return &found->second;
  error(name.where, "the structure " + quoted(dotted(name, name.path.size())) + " has no structure " +
                        quoted(name.last) + suggestion(near_name(in->structures, name.last)));
  return nullptr;
}

std::string elaborator::subject_of(const context& c) {
  using enum context::kind;
  const std::string name = c.name.empty() ? "this function" : quoted(c.name);
  switch (c.is) {
    case argument:
      return "the argument of " + name;
    case argument_part:
      return "part " + std::to_string(c.number) + " of the argument of " + name;
    case left_operand:
      return "the left operand of " + name;
    case right_operand:
      return "the right operand of " + name;
    case condition:
      return "the condition";
    case then_branch:
      return "the 'then' branch";
    case else_branch:
      return "the 'else' branch";
    case rule_body:
      return "this rule's result";
    case rule_pattern:
      return "this pattern";
    case handler:
      return "this handler's result";
    case raised:
      return "the operand of 'raise'";
    case annotation:
      return "this";
    case loop_body:
      return "this";
    case element:
      return "this element";
    case clause_body:
      return "this clause's result";
    case clause_parameter:
      return "parameter " + std::to_string(c.number) + " of this clause";
    case constructor_argument:
      return "the argument of the constructor " + name;
    case binding:
      return "this value";
    case nothing:
      break;
  }
  return "this";
}

std::string_view elaborator::demand_of(const context& c) {
  using enum context::kind;
  switch (c.is) {
    case argument:
    case argument_part:
    case constructor_argument:
      return ", but it takes ";
    case else_branch:
      return ", but the 'then' branch has ";
    case rule_body:
      return ", but the context or the rules before have ";
    case handler:
      return ", but the handled expression has ";
    case annotation:
      return ", but its annotation says ";
    case element:
      return ", but the elements before have ";
    case rule_pattern:
      return ", but the matched value has ";
    case binding:
      return ", but the pattern has ";
    case clause_body:
    case clause_parameter:
      return ", but the function's other uses and clauses have ";
    case left_operand:
    case right_operand:
    case condition:
    case then_branch:
    case raised:
    case loop_body:
    case nothing:
      break;
  }
  return ", but must have ";
}

std::string elaborator::detail_of(const mismatch& m, type_printer& print) {
  const auto rigid_text = [&](type* t) { return "; the type variable " + print(t) + " stands for every type"; };
  switch (m.why) {
    case difference::circular:
      return "; a type would contain itself";
    case difference::no_equality:
      return "; " + print(m.left) + " has no equality, which '=' and ''-variables need" +
             (print(m.left) == "real" ? "; Real.== compares reals" : "");
    case difference::rigid:
      return rigid_text(resolve(m.left)->is == type::kind::rigid ? m.left : m.right);
    case difference::escapes:
      return "; the type variable " + print(m.left) +
             " is bound at an inner declaration and cannot occur outside of it";
    case difference::missing_label:
      return "; there is no field '" + m.label + "'";
    case difference::too_large:
      return "; the type has more than " + std::to_string(type_store::max_size) + " parts or is deeper than " +
             std::to_string(type_store::max_depth);
    case difference::shape:
    case difference::not_overloaded:
    case difference::none:
      break;
  }
  return "";
}

void elaborator::report(span where, type* found, const wish& w, const mismatch& m) {
  type_printer print;
  const type* wanted = resolve(w.of);
  const bool is_overloaded = wanted->is == type::kind::variable && wanted->among != 0;
  const std::string has = print(found), wants = is_overloaded ? choices(wanted->among) : print(w.of);
  std::string text = subject_of(w.why) + " has type " + has + std::string(demand_of(w.why)) + wants;
  text += detail_of(m, print);
  const bool is_pattern = w.why.is == context::kind::clause_parameter || w.why.is == context::kind::rule_pattern;
  if (!is_pattern) text += conversion(has, wants, w.why.name);
  if (m.why == difference::shape && m.left != nullptr && m.right != nullptr) {
    const std::string left = print(m.left), right = print(m.right);
    const bool is_whole = (left == has && right == wants) || (left == wants && right == has);
    if (left == right) {
      text += "; these are two types with the name " + left;
    } else if (!is_whole) {
      text += "; they differ in " + right + " and " + left;
    }
  }
  error(where, std::move(text));
}

bool elaborator::meet(span where, type* found, const wish& w) {
  const mismatch m = types_.unify(w.of, found);
  if (m) report(where, found, w, m);
  return !m;
}

}  // namespace tine::ml
