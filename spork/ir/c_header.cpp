// Writes the C header of a program's exported functions.
#include "ir/c_header.hpp"

#include <string>
#include <string_view>

namespace tine::spork {
namespace {

std::string_view in_c(type t) { return t == type::f64 ? "double" : t == type::ptr ? "void*" : "int64_t"; }

// A parameter without a name in C, such as `t.1`, has none there. A word of C++ is no name either, so each name gets an
// underscore.
std::string parameters(const function& f) {
  std::string text;
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    const std::string& name = f.temporaries[f.params[i]].name;
    text.append(text.empty() ? "" : ", ").append(in_c(f.param_types[i]));
    if (name.find('.') == std::string::npos) text.append(" ").append(name).append("_");
  }
  for (std::size_t i = 1; i < f.results.size(); ++i)
    text.append(text.empty() ? "" : ", ").append(in_c(f.results[i])).append("* result_").append(std::to_string(i + 1));
  return text.empty() ? "void" : text;
}

}  // namespace

std::string c_header(const program& p) {
  std::string text = "/* The functions that " + p.name +
                     " exports; written by tine ir build. */\n"
                     "#pragma once\n\n#include <stdint.h>\n\n"
                     "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (const function& f : p.functions) {
    if (!f.exported) continue;
    text.append(f.results.empty() ? "void" : in_c(f.results[0])).append(" ").append(f.name);
    text.append("(").append(parameters(f)).append(");\n");
  }
  return text + "\n#ifdef __cplusplus\n}\n#endif\n";
}

}  // namespace tine::spork
