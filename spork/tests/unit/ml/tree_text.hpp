// Writes every member of a syntax tree, except places, as a text with brackets, so that tests can compare trees. It
// shares no code with the printer: no precedence, no layout. Structured bindings find the members of a node, so that
// none is forgotten.
#pragma once

#include "ml/syntax.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace tine::ml {

class tree_text {
 public:
  static std::string of(const syntax_tree& t) {
    tree_text all;
    all.put(t.declarations);
    return all.out_;
  }

 private:
  struct anything {
    template <class T>
    operator T() const;
  };

  template <class T>
  static std::string_view name_of() {
    std::string_view name = __PRETTY_FUNCTION__;
    name = name.substr(name.find("T = ") + 4);
    name = name.substr(0, name.find_first_of(";]"));
    return name.substr(name.rfind(':') + 1);
  }

  template <class... Parts>
  void node(std::string_view name, const Parts&... parts) {
    out_.append("(").append(name);
    (..., (out_ += ' ', put(parts)));
    out_ += ')';
  }
  template <class Node>
    requires std::is_aggregate_v<Node>
  void put(const Node& n) {
    constexpr anything x;
    static_assert(!requires { Node{x, x, x, x, x}; }, "more members than below");
    if constexpr (requires { Node{x, x, x, x}; }) {
      const auto& [a, b, c, d] = n;
      node(name_of<Node>(), a, b, c, d);
    } else if constexpr (requires { Node{x, x, x}; }) {
      const auto& [a, b, c] = n;
      node(name_of<Node>(), a, b, c);
    } else if constexpr (requires { Node{x, x}; }) {
      const auto& [a, b] = n;
      node(name_of<Node>(), a, b);
    } else if constexpr (!std::is_empty_v<Node>) {
      const auto& [a] = n;
      node(name_of<Node>(), a);
    } else {
      node(name_of<Node>());
    }
  }
  template <class Node>
    requires requires(const Node& n) { n.depth; }
  void put(const Node* n) {
    if (n == nullptr) {
      out_ += '-';
    } else {
      put(n->is);
    }
  }
  template <class... Nodes>
  void put(const std::variant<Nodes...>& n) {
    std::visit([&](const auto& is) { put(is); }, n);
  }
  template <class T>
  void put(const std::vector<T>& all) {
    out_ += '[';
    for (const T& one : all) put(one), out_ += ' ';
    out_ += ']';
  }
  void put(const specification& s) { put(s.is); }
  void put(const span&) {}
  void put(bool b) { out_ += b ? "yes" : "no"; }
  void put(unsigned n) { out_ += std::to_string(n); }
  void put(fixity_declaration::kind k) { put(static_cast<unsigned>(k)); }
  void put(const std::string& s) { out_ += s; }
  void put(const defined_name& n) { out_ += n.text; }
  void put(const long_name& n) {
    for (const std::string& p : n.path) out_ += p + ".";
    out_ += n.last;
  }
  void put(const literal& l) {
    char real[64];
    std::snprintf(real, sizeof real, "%a", l.fraction);
    std::string hex;
    for (const char c : l.bytes) hex += std::to_string(static_cast<unsigned char>(c)) + ",";
    node("literal", static_cast<unsigned>(l.is), l.is_negative, std::to_string(l.whole), l.is_too_large,
         std::string{real}, hex);
  }

  std::string out_;
};

}  // namespace tine::ml
