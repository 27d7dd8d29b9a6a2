// Compares the names of functions with those of wrappers, by the first parts of their qualified names.
#include "trace/wrappers.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace tine::trace {
namespace {

bool drop(std::string_view& text, std::string_view front) noexcept {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

/// Takes the next identifier of a mangled name (Itanium C++ ABI), such as 3foo; empty if there is none.
std::string_view take_identifier(std::string_view& mangled) noexcept {
  std::size_t length = 0, digits = 0;
  while (digits < mangled.size() && std::isdigit(static_cast<unsigned char>(mangled[digits])) != 0)
    length = length * 10 + static_cast<std::size_t>(mangled[digits++] - '0');
  if (digits == 0 || digits + length > mangled.size()) return {};
  const std::string_view found = mangled.substr(digits, length);
  mangled.remove_prefix(digits + length);
  return found;
}

/// Takes the next part of "a::b".
std::string_view take_part(std::string_view& name) noexcept {
  const std::size_t end = std::min(name.find("::"), name.size());
  const std::string_view part = name.substr(0, end);
  name.remove_prefix(std::min(name.size(), end + 2));
  return part;
}

/// Returns true if the identifiers of a mangled name begin with the parts of `name`.
bool begins_with(std::string_view mangled, std::string_view name) noexcept {
  while (!name.empty()) {
    if (take_identifier(mangled) != take_part(name)) return false;
  }
  return true;
}

/// Returns a mangled name from its first identifier on, without the letters in front that say what kind of name it is;
/// empty if the symbol is not mangled.
std::string_view identifiers_of(std::string_view symbol) noexcept {
  if (!drop(symbol, "_Z")) return {};
  return symbol.substr(std::min(symbol.find_first_not_of("ZNKVROL"), symbol.size()));
}

/// Returns true if the name begins with an abbreviation of std, or of one of its strings and streams.
bool is_of_std(std::string_view identifiers) noexcept {
  return identifiers.size() > 1 && identifiers[0] == 'S' &&
         std::string_view{"tabsiod"}.find(identifiers[1]) != std::string_view::npos;
}

/// Returns true if `is_one(name)` is true for the name of a wrapper.
template <class F>
bool any_wrapper(std::span<const named_wrapper> named, F is_one) {
  return std::ranges::any_of(known_wrappers, is_one) ||
         std::ranges::any_of(named, [&](const named_wrapper& each) { return is_one(each.name); });
}

}  // namespace

// Linkers put zeros between the entries, which they align.
void read_wrappers(std::string_view section, std::vector<named_wrapper>& to) {
  while (!section.empty()) {
    const std::string_view entry = section.substr(0, section.find('\0'));
    section.remove_prefix(std::min(section.size(), entry.size() + 1));
    const std::size_t end = entry.find('\n');
    if (end == 0 || end == std::string_view::npos) continue;
    const std::string_view name = entry.substr(0, end), header = entry.substr(end + 1);
    const auto is_same = [&](const named_wrapper& each) { return each.name == name && each.header == header; };
    if (std::ranges::none_of(to, is_same)) to.push_back({std::string{name}, std::string{header}});
  }
}

bool is_symbol_of_tine(std::string_view symbol) noexcept {
  const std::string_view rest = identifiers_of(symbol);
  if (rest.empty()) return symbol.starts_with("tine_") || symbol == "make_fcontext";  // the first frame of a fiber
  return begins_with(rest, "tine");
}

bool is_wrapper_symbol(std::string_view symbol, std::span<const named_wrapper> named) noexcept {
  const std::string_view rest = identifiers_of(symbol);
  if (rest.empty()) return any_wrapper(named, [&](std::string_view name) { return symbol == name; });
  return is_of_std(rest) || any_wrapper(named, [&](std::string_view name) { return begins_with(rest, name); });
}

bool is_wrapper_name(std::string_view name, std::span<const named_wrapper> named) noexcept {
  return any_wrapper(named, [&](std::string_view wrapper) {
    std::string_view rest = name;
    return drop(rest, wrapper) && (rest.empty() || rest.starts_with("::") || rest[0] == '<' || rest[0] == '(');
  });
}

}  // namespace tine::trace
