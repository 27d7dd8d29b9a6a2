// The file src/trace/profile.proto is what the schema says.
#include "trace/proto.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

TEST_CASE("profile.proto is made from the schema") {
  std::ifstream file{TINE_PROFILE_PROTO};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  INFO("build the target describe, and run: build/dev/tools/report/describe proto > src/trace/profile.proto");
  CHECK(text == tine::trace::proto_text());
}
