// Prints what is made from the descriptions of a profile: `describe proto` the text of src/trace/profile.proto, and
// `describe typescript` the types of the page's data.
#include "report/typescript.hpp"
#include "trace/proto.hpp"

#include <cstdio>
#include <string>
#include <string_view>

int main(int count, char** arguments) {
  const std::string_view what = count == 2 ? arguments[1] : "";
  if (what != "proto" && what != "typescript") {
    std::fprintf(stderr, "usage: describe proto|typescript\n");
    return 2;
  }
  const std::string text = what == "proto" ? tine::trace::proto_text() : tine::report::typescript();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
