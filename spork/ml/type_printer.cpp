// Types as a reader of messages expects them.
#include "ml/types.hpp"

namespace tine::ml {

namespace {

constexpr std::size_t longest_text = 250, deepest_text = 30;

bool is_tuple(const type& t) {
  if (t.is != type::kind::record || t.parts.size() < 2) return false;
  for (std::size_t i = 0; i < t.parts.size(); ++i) {
    if ((*t.labels)[i] != std::to_string(i + 1)) return false;
  }
  return true;
}

/// The types that an overloaded variable may still become, by the one that it becomes if nothing decides.
const char* default_name(std::uint8_t among) {
  if ((among & overload::int_) != 0) return "int";
  if ((among & overload::word) != 0) return "word";
  if ((among & overload::word8) != 0) return "word8";
  if ((among & overload::real) != 0) return "real";
  return (among & overload::character) != 0 ? "char" : "string";
}

}  // namespace

std::string type_printer::operator()(type* t) {
  text_.clear();
  print(t, 0, 0);
  return text_;
}

std::string type_printer::name_of(const type* variable) {
  if (const auto found = names_.find(variable); found != names_.end()) return found->second;
  std::string name = variable->name;
  while (name.empty() || taken_.contains(name)) {
    const unsigned n = next_++;
    name = std::string(variable->wants_equality ? "''" : "'") + static_cast<char>('a' + n % 26) +
           (n < 26 ? "" : std::to_string(n / 26));
  }
  taken_.insert(name);
  return names_[variable] = name;
}

void type_printer::print_record(const type& t, int precedence, std::size_t depth) {
  if (is_tuple(t)) {
    if (precedence > 1) text_ += '(';
    for (std::size_t i = 0; i < t.parts.size(); ++i) {
      if (text_.size() > longest_text && text_.ends_with("...")) break;
      if (i != 0) text_ += " * ";
      print(t.parts[i], 2, depth + 1);
    }
    if (precedence > 1) text_ += ')';
    return;
  }
  const bool is_open = t.is == type::kind::variable;
  if (t.parts.empty() && !is_open) {
    text_ += "unit";
    return;
  }
  text_ += '{';
  for (std::size_t i = 0; i < t.parts.size(); ++i) {
    if (i != 0) text_ += ", ";
    text_ += (*t.labels)[i] + ": ";
    print(t.parts[i], 0, depth + 1);
  }
  text_ += is_open ? ", ...}" : "}";
}

void type_printer::print(type* t, int precedence, std::size_t depth) {
  t = resolve(t);
  if (text_.size() > longest_text || depth > deepest_text) {
    if (!text_.ends_with("...")) text_ += "...";
    return;
  }
  switch (t->is) {
    case type::kind::broken:
      text_ += '_';
      return;
    case type::kind::rigid:
      text_ += name_of(t);
      return;
    case type::kind::variable:
      if (t->labels != nullptr) {
        print_record(*t, precedence, depth);
      } else {
        text_ += t->among != 0 ? default_name(t->among) : name_of(t);
      }
      return;
    case type::kind::record:
      print_record(*t, precedence, depth);
      return;
    case type::kind::arrow:
      if (precedence > 0) text_ += '(';
      print(t->parts[0], 1, depth + 1);
      text_ += " -> ";
      print(t->parts[1], 0, depth + 1);
      if (precedence > 0) text_ += ')';
      return;
    case type::kind::applied:
      break;
  }
  if (t->parts.size() == 1) {
    print(t->parts[0], 2, depth + 1);
    text_ += ' ';
  } else if (t->parts.size() > 1) {
    text_ += '(';
    for (std::size_t i = 0; i < t->parts.size(); ++i) {
      if (i != 0) text_ += ", ";
      print(t->parts[i], 0, depth + 1);
    }
    text_ += ") ";
  }
  text_ += t->head->name;
}

}  // namespace tine::ml
