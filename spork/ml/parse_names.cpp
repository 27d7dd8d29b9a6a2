// Names, labels and type variables.
#include "ml/parser.hpp"

#include <unordered_map>

namespace tine::ml {

using enum token_kind;

void parser::report_too_deep(span where) {
  if (is_too_deep_) return;
  is_too_deep_ = true;
  in_.report(where, "the program is nested more than " + std::to_string(max_depth) +
                        " deep here; name a part of it in a declaration of its own");
}

std::optional<fixity> parser::next_operator(bool with_equals) const {
  if (with_equals ? !in_.at_name() && !in_.at(equals) : !in_.at_name()) return std::nullopt;
  return fixities_.find(in_.text(in_.peek()));
}

std::string parser::without_sign() const {
  const token& sign = in_.peek();
  const token& behind = in_.peek(1);
  const bool is_number = behind.kind == integer || behind.kind == real || behind.kind == word;
  if (in_.text(sign) == "+" && is_number) return "; write '" + std::string{in_.text(behind)} + "'";
  if (in_.text(sign) != "-") return "";
  if (is_number && in_.text(behind)[0] != '~') return "; write '~" + std::string{in_.text(behind)} + "'";
  return "; write '~', which negates";
}

defined_name parser::take_name() {
  const token t = in_.take();
  return {std::string{in_.text(t)}, in_.where(t)};
}

defined_name parser::new_name(std::string_view wanted) {
  if (!in_.at_name()) in_.fail(wanted);
  return take_name();
}

defined_name parser::value_name(std::string_view wanted) {
  if (in_.accept(op)) return new_name("a name after 'op'");
  if (in_.at_name() && next_operator(false)) {
    in_.report(in_.where(in_.peek()), in_.shown() + " is an infix operator; write 'op " +
                                          std::string{in_.text(in_.peek())} + "' where it stands alone");
  }
  return new_name(wanted);
}

long_name parser::long_of(const token& t) const {
  long_name n{{}, {}, in_.where(t)};
  std::string_view text = in_.text(t);
  if (t.kind == qualified) {
    for (std::size_t dot; (dot = text.find('.')) != std::string_view::npos; text.remove_prefix(dot + 1)) {
      n.path.emplace_back(text.substr(0, dot));
    }
  }
  n.last = text;
  return n;
}

long_name parser::any_name(std::string_view wanted) {
  if (!in_.at_name() && !in_.at(qualified)) in_.fail(wanted);
  return long_of(in_.take());
}

bool parser::begins_label() const {
  const std::string_view text = in_.text(in_.peek());
  return in_.at_name() || (in_.at(integer) && text[0] >= '1' && text[0] <= '9');
}

std::string parser::label(std::string_view wanted) {
  if (!begins_label()) in_.fail(wanted);
  return std::string{in_.text(in_.take())};
}

std::vector<std::string> parser::type_variables() {
  std::vector<std::string> names;
  std::vector<std::pair<std::string_view, span>> all;
  const auto add = [&] {
    const token t = in_.expect(type_variable, "a type variable, such as 'a");
    names.emplace_back(in_.text(t));
    all.emplace_back(in_.text(t), in_.where(t));
  };
  if (in_.at(type_variable)) {
    add();
  } else if (in_.at(left_parenthesis) && in_.peek(1).kind == type_variable) {
    const token open = in_.take();
    do add();
    while (in_.accept(comma));
    in_.close(right_parenthesis, open, "',' or ')' after a type variable");
  }
  check_twice(std::move(all), "the type variable");
  return names;
}

void parser::check_twice(std::vector<std::pair<std::string_view, span>> all, std::string_view of_what) {
  if (all.size() < 2) return;
  std::unordered_map<std::string_view, span> seen;
  for (const auto& [text, where] : all) {
    const auto [first, is_new] = seen.emplace(text, where);
    if (is_new) continue;
    in_.report(where, std::string{of_what} + " " + quoted(text) + " occurs twice; rename one of them",
               {{first->second, "it is here first"}});
  }
}

bool parser::begins_literal() const {
  return in_.at(integer) || in_.at(token_kind::word) || in_.at(real) || in_.at(character) || in_.at(token_kind::string);
}

}  // namespace tine::ml
