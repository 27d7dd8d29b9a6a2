// The printer.
#include "ir/print.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace tine::spork {
namespace {

std::string show_fraction(double d) {
  if (std::isnan(d)) return "nan";
  if (std::isinf(d)) return d < 0 ? "-inf" : "inf";
  std::array<char, 32> digits{};  // the shortest digits that read back as the same number
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), d).ptr;
  std::string text(digits.data(), end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string name_at(const program& p, std::uint64_t address) {
  return is_of_function(address) ? p.functions[function_at(address)].name : p.data[data_at(address)].name;
}

class printer {
 public:
  printer(const program& p, const function& f) : p_{p}, f_{f} {}

  std::string operator()(const atom& a) const {
    if (a.is_address()) return "&" + name_at(p_, a.bits);
    return a.is_constant() ? show_constant(a.of_type, a.bits) : f_.temporaries[a.temporary()].name;
  }
  std::string operator()(const label& l) const { return f_.blocks[l.block].name; }
  std::string operator()(const invocation& i) const { return p_.functions[i.callee].name + "(" + list(i.args) + ")"; }
  std::string list(const std::vector<atom>& atoms) const {
    std::string text;
    for (const atom& a : atoms) text += (text.empty() ? "" : ", ") + (*this)(a);
    return text;
  }

  std::string otherwise(const label& handler) const { return handler.block == none ? "" : " else " + (*this)(handler); }

  std::string operator()(const unwritten&) const { return "// nothing follows"; }
  std::string operator()(const jump& t) const {
    return "goto " + (*this)(t.to) + (t.args.empty() ? "" : "(" + list(t.args) + ")");
  }
  std::string operator()(const branch& t) const {
    return "if " + (*this)(t.condition) + " then " + (*this)(t.yes) + " else " + (*this)(t.no);
  }
  std::string operator()(const switch_on& t) const {
    std::string ways;
    for (const switch_on::way& each : t.ways)
      ways += (ways.empty() ? "" : ", ") + std::to_string(each.value) + " -> " + (*this)(each.to);
    return "switch " + (*this)(t.condition) + " { " + ways + " } else " + (*this)(t.otherwise);
  }
  std::string operator()(const call& t) const {
    return "call " + (*this)(t.what) + " -> " + (*this)(t.then) + otherwise(t.handler);
  }
  std::string operator()(const indirect_call& t) const {
    const std::string callee = (*this)(t.callee);
    return "call *" + (t.callee.is_constant() ? "(" + callee + ")" : callee) + "(" + list(t.args) + ")" +
           (t.raises ? " raises" : "") + " -> " + (*this)(t.then) + otherwise(t.handler);
  }
  std::string operator()(const give_back& t) const {
    return "return" + (t.values.empty() ? "" : " (" + list(t.values) + ")");
  }
  std::string operator()(const spork& t) const {
    const char* const share = t.tokens == sharing::all ? "[all] " : t.tokens == sharing::no_token ? "[none] " : "";
    return std::string{"spork "} + share + (*this)(t.body) + " || " + (*this)(t.spawn);
  }
  std::string operator()(const spoin& t) const {
    return "spoin " + (*this)(t.unpromoted) + ", " + (*this)(t.promoted) +
           (t.unstolen.block == none ? "" : ", " + (*this)(t.unstolen)) + otherwise(t.handler);
  }
  std::string operator()(const raise& t) const { return "raise " + (*this)(t.raised); }
  std::string operator()(const par& t) const {
    return "par " + (*this)(t.first) + ", " + (*this)(t.second) + " -> " + (*this)(t.then) + otherwise(t.handler);
  }
  std::string operator()(const reduce& t) const {
    return "reduce " + (*this)(t.low) + ", " + (*this)(t.high) + ", [" + list(t.zero) + "], " + (*this)(t.body) + ", " +
           p_.functions[t.combine].name + " -> " + (*this)(t.then) + otherwise(t.handler);
  }
  std::string operator()(const parfor& t) const {
    return "parfor " + (*this)(t.low) + ", " + (*this)(t.high) + ", " + (*this)(t.body) + " -> " + (*this)(t.then) +
           otherwise(t.handler);
  }

  std::string cell(const atom& base, const atom& index) const {
    return (*this)(base) + (index == atom::number(0) ? "" : "[" + (*this)(index) + "]");
  }
  std::string expression(const statement& s) const {
    const std::string spelling{facts(s.what).spelling};
    switch (facts(s.what).written) {
      case shape::atom:
        return (*this)(s.args[0]);
      case shape::infix:
        return (*this)(s.args[0]) + " " + spelling + " " + (*this)(s.args[1]);
      // a sign before a number would become part of it
      case shape::prefix:
        return spelling + (s.args[0].is_constant() ? "(" + (*this)(s.args[0]) + ")" : (*this)(s.args[0]));
      case shape::conversion:
      case shape::listed:
        if (s.what == operation::free) return "free " + (*this)(s.args[0]);
        return spelling + "(" + list(s.args) + ")";
      case shape::c:
        return p_.functions[s.callee].name + "(" + list(s.args) + ")";
      case shape::memory:
        break;
    }
    const std::string type = facts(s.what).to == gives::loaded ? " " + std::string{name_of(s.loaded)} : "";
    return spelling + type + " " + cell(s.args[0], s.args[1]) + (s.args.size() == 3 ? ", " + (*this)(s.args[2]) : "");
  }
  std::string operator()(const statement& s) const {
    return (s.result == none ? "" : f_.temporaries[s.result].name + " = ") + expression(s);
  }

 private:
  const program& p_;
  const function& f_;
};

std::string parameters(const function& f, const std::vector<temp_id>& params) {
  std::string text;
  for (const temp_id id : params) {
    text +=
        (text.empty() ? "" : ", ") + f.temporaries[id].name + ": " + std::string{name_of(f.temporaries[id].of_type)};
  }
  return "(" + text + ")";
}

std::string quoted(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text.append({'\\', c});
    } else if (c == '\n') {
      text += "\\n";
    } else if (byte >= 32 && byte < 127) {
      text += c;
    } else {
      text.append({'\\', 'x', digits[byte / 16], digits[byte % 16]});
    }
  }
  return text + "\"";
}

// Returns the mark of a place in a source; places in the program's own text change with the text, and are not printed.
std::string mark(place where) {
  if (where.source == 0) return "";
  return " @" + std::to_string(where.source) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

void print(const program& p, const datum& d, std::string& text) {
  text += (d.external ? "extern " : "") + std::string{d.is_constant ? "data " : "global "} + d.name;
  if (d.external) {
    text += "\n";
    return;
  }
  text += " = ";
  std::string words;
  for (const atom& a : d.words) {
    words += words.empty() ? "" : ", ";
    words += a.is_address() ? "&" + name_at(p, a.bits) : show_constant(a.of_type, a.bits);
  }
  text += (d.text ? quoted(*d.text) : "[" + words + "]") + "\n";
}

void print(const program& p, const function& f, std::string& text) {
  const std::string results = f.results.empty() ? "" : " -> " + show_types(f.results);
  if (f.external) {
    text += "extern fun " + f.name + show_types(f.param_types) + results + (f.raises ? " raises\n" : "\n");
    return;
  }
  if (f.in_c) {
    text += (f.pure ? "declare pure " : "declare ") + f.name + show_types(f.param_types) + results + "\n";
    return;
  }
  text += (f.exported ? "export fun " : "fun ") + f.name + parameters(f, f.params) + results +
          (f.raises ? " raises" : "") + mark(f.where) + " {\n";
  for (const block& b : f.blocks) {
    if (!b.defined) continue;
    text += "  block " + b.name + (b.params.empty() ? "" : parameters(f, b.params)) + " {\n";
    for (const statement& s : b.statements) text += "    " + show(p, f, s) + mark(s.where) + "\n";
    text += "    " + show(p, f, b.end) + mark(b.end.where) + "\n  }\n";
  }
  text += "}\n";
}

}  // namespace

std::string show_types(const std::vector<type>& types) {
  std::string text;
  for (const type t : types) text.append(text.empty() ? "" : ", ").append(name_of(t));
  return "(" + text + ")";
}

std::string show_constant(type t, std::uint64_t bits) {
  if (t == type::f64) return show_fraction(std::bit_cast<double>(bits));
  if (t == type::ptr) return bits == 0 ? "null" : "pointer";
  return std::to_string(static_cast<std::int64_t>(bits));
}

std::string show(const program& p, const function& f, const statement& s) { return printer{p, f}(s); }
std::string show(const program& p, const function& f, const invocation& i) { return printer{p, f}(i); }
std::string show(const program& p, const function& f, const transfer& t) { return std::visit(printer{p, f}, t.what); }

std::string print(const program& p) {
  std::string text;
  for (std::size_t i = 0; i < p.sources.size(); ++i)
    text += "source " + std::to_string(i + 1) + " = " + quoted(p.sources[i]) + "\n";
  for (const datum& d : p.data) print(p, d, text);
  for (const function& f : p.functions) {
    if (!f.defined) continue;
    if (!text.empty() && !f.in_c && !f.external) text += "\n";
    print(p, f, text);
  }
  return text;
}

}  // namespace tine::spork
