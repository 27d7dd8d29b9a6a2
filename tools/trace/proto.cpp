// Writes the text of profile.proto from the schema. A pure function.
#include "trace/proto.hpp"

#include "trace/analyses.hpp"
#include "trace/description.hpp"

#include <cctype>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tine::trace {
namespace {

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

/// An enumeration, and its name in the file.
struct enumeration {
  std::span<const std::string_view> names;
  std::string_view name;
};

constexpr enumeration enumerations[] = {
    {names_of<ending>, "Ending"},
    {names_of<sampling>, "Sampling"},
    {names_of<construct>, "Construct"},
    {names_of<node::shape>, "Shape"},
    {names_of<access_kind>, "AccessKind"},
    {names_of<memory_kind>, "MemoryKind"},
    {names_of<lock_problem>, "LockProblem"},
    {names_of<lock_kind>, "LockKind"},
    {names_of<timeline_event::kind>, "TimelineEventKind"},
};

std::string text_of(const enumeration& e) {
  std::string text = "enum " + std::string{e.name} + " {\n";
  int value = 0;
  for (const std::string_view each : e.names)
    text += "  " + upper(e.name) + "_" + upper(each) + " = " + std::to_string(value++) + ";\n";
  return text + "}\n\n";
}

std::string_view name_of(const type& t) {
  switch (t.is) {
    case type::kind::text:
      return "string";
    case type::kind::real:
      return "double";
    case type::kind::boolean:
      return "bool";
    case type::kind::signed_number:
      return "sint64";
    case type::kind::unsigned_number:
      return t.bytes == 4 ? "uint32" : "uint64";
    case type::kind::enumeration:
      for (const enumeration& e : enumerations)
        if (e.names.data() == t.names.data()) return e.name;
      break;
    case type::kind::row:
      return t.name;
    case type::kind::view:
    case type::kind::list:
    case type::kind::optional:
      break;
  }
  throw std::logic_error{"a type that a file cannot have"};
}

std::string comment_on(unit of, std::string_view rows) {
  if (!rows.empty()) return "row of " + std::string{rows} + ", from 1; 0: none";
  switch (of) {
    case unit::nanoseconds:
      return "nanoseconds";
    case unit::bytes:
      return "bytes";
    case unit::address:
      return "address";
    case unit::flags: {
      std::string sum;
      for (const analysis_entry& entry : analyses)
        sum += (sum.empty() ? "the sum of " : ", ") + std::to_string(entry.flag) + " " + std::string{entry.name};
      return sum;
    }
    case unit::none:
    case unit::share:
    case unit::factor:
      break;
  }
  return "";
}

std::string message_text(const type& row) {
  std::string text = "message " + std::string{row.name} + " {\n";
  int number = 0;
  for (const field& f : row.fields) {
    text += "  " + std::string{name_of(*f.type)} + " " + std::string{f.name} + " = " + std::to_string(++number) + ";";
    const std::string comment = comment_on(f.of, f.rows);
    text += (comment.empty() ? "" : "  // " + comment) + "\n";
  }
  return text + "}\n\n";
}

}  // namespace

std::string proto_text() {
  std::string text =
      "// The messages of a profile, made from src/trace/description.hpp by `describe proto`. The contents of all\n"
      "// sections of a file, one behind the other, are a message `Profile`; format.md describes the file.\n"
      "syntax = \"proto3\";\n\npackage tine.profile;\n\n";
  for (const enumeration& e : enumerations) text += text_of(e);
  for (const field& table : tables()) text += message_text(row_of(table));
  text += "// The number of a field is that of its section.\nmessage Profile {\n";
  int number = 0;
  for (const field& table : tables()) {
    const bool is_one = table.type->is == type::kind::row;
    text += "  " + std::string{is_one || table.at_most_one ? "" : "repeated "} + std::string{row_of(table).name} + " " +
            std::string{table.name} + " = " + std::to_string(++number) + ";" + (is_one ? "  // always there" : "") +
            "\n";
  }
  return text + "}\n";
}

}  // namespace tine::trace
