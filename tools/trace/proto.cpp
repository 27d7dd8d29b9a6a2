// See proto.hpp.
#include "trace/proto.hpp"

#include "trace/description.hpp"

#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tine::trace {
namespace {

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

template <class Enum>
std::string enum_text(std::string_view name) {
  std::string text = "enum " + std::string{name} + " {\n";
  int value = 0;
  for (const std::string_view each : names_of<Enum>)
    text += "  " + upper(name) + "_" + upper(each) + " = " + std::to_string(value++) + ";\n";
  return text + "}\n\n";
}

template <class T>
std::string_view type_of() {
  if constexpr (std::is_same_v<T, std::string>) {
    return "string";
  } else if constexpr (std::is_same_v<T, double>) {
    return "double";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_same_v<T, ending>) {
    return "Ending";
  } else if constexpr (std::is_same_v<T, sampling>) {
    return "Sampling";
  } else if constexpr (std::is_same_v<T, construct>) {
    return "Construct";
  } else if constexpr (std::is_same_v<T, node::shape>) {
    return "Shape";
  } else if constexpr (std::is_same_v<T, access_kind>) {
    return "AccessKind";
  } else if constexpr (std::is_same_v<T, memory_kind>) {
    return "MemoryKind";
  } else if constexpr (std::is_same_v<T, lock_problem>) {
    return "LockProblem";
  } else if constexpr (std::is_same_v<T, timeline_event::kind>) {
    return "TimelineEventKind";
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return "sint64";
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return "uint32";
  } else {
    static_assert(std::is_same_v<T, std::uint64_t>);
    return "uint64";
  }
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

template <class Row>
std::string message_text() {
  std::string text = "message " + std::string{description<Row>::name} + " {\n";
  for_each_field<Row>([&]<class Field>(std::uint32_t number, const Field& described) {
    text += "  " + std::string{type_of<typename Field::template type<Row>>()} + " " + std::string{described.name} +
            " = " + std::to_string(number) + ";";
    const std::string comment = comment_on(described.of, described.rows);
    text += (comment.empty() ? "" : "  // " + comment) + "\n";
  });
  return text + "}\n\n";
}

}  // namespace

std::string proto_text() {
  std::string text =
      "// The messages of a profile, made from src/trace/description.hpp by `describe proto`. The contents of all\n"
      "// sections of a file, one behind the other, are a message `Profile`; format.md describes the file.\n"
      "syntax = \"proto3\";\n\npackage tine.profile;\n\n" +
      enum_text<ending>("Ending") + enum_text<sampling>("Sampling") + enum_text<construct>("Construct") +
      enum_text<node::shape>("Shape") + enum_text<access_kind>("AccessKind") + enum_text<memory_kind>("MemoryKind") +
      enum_text<lock_problem>("LockProblem") + enum_text<timeline_event::kind>("TimelineEventKind");
  const profile p;
  for_each_table(p,
                 [&]<class Rows>(std::uint32_t, const auto&, const Rows&) { text += message_text<row_of_t<Rows>>(); });
  text += "// The number of a field is that of its section.\nmessage Profile {\n";
  for_each_table(p, [&]<class Rows>(std::uint32_t number, const auto& table, const Rows&) {
    text += "  " + std::string{table.rows == row_limit::any ? "repeated " : ""} +
            std::string{description<row_of_t<Rows>>::name} + " " + std::string{table.name} + " = " +
            std::to_string(number) + ";" + (table.rows == row_limit::exactly_one ? "  // always there" : "") + "\n";
  });
  return text + "}\n";
}

}  // namespace tine::trace
