// What TINE_PROFILE may say.
#include "augment/asked.hpp"

#include "trace/profile.hpp"

#include <unistd.h>
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace {

using tine::detail::parse_asked;
namespace trace = tine::trace;

std::string complaint_about(const char* text) {
  try {
    parse_asked(text);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("each analysis, and what it needs") {
  CHECK(parse_asked("work:f").analyses == trace::work_span);
  CHECK(parse_asked("span:f").analyses == trace::work_span);
  CHECK(parse_asked("work,span:f").analyses == trace::work_span);
  CHECK(parse_asked("grain:f").analyses == (trace::work_span | trace::grain));
  CHECK(parse_asked("space:f").analyses == (trace::work_span | trace::grain | trace::space));
  CHECK(parse_asked("trace:f").analyses == (trace::work_span | trace::grain | trace::dag));
  CHECK(parse_asked("trace,space,work,work:f").analyses ==
        (trace::work_span | trace::grain | trace::space | trace::dag));
}

TEST_CASE("where the profile goes") {
  CHECK(parse_asked("work:app.profile").path == "app.profile");
  CHECK(parse_asked("work,grain:/a/b:c,d.profile").path == "/a/b:c,d.profile");
  const std::string usual = "tine-" + std::to_string(getpid()) + ".profile";
  CHECK(parse_asked("work").path == usual);
  CHECK(parse_asked("work,grain:").path == usual);
}

TEST_CASE("what is wrong is named") {
  for (const char* bad : {"fun", "work,fun", "fun,work:f", "work,fun,grain"}) {
    CAPTURE(std::string{bad});
    const std::string said = complaint_about(bad);
    CHECK(said.find("TINE_PROFILE") != std::string::npos);
    CHECK(said.find("'fun'") != std::string::npos);
    CHECK(said.find("work, span, grain, space, trace") != std::string::npos);
  }
  for (const char* bad : {"", ":", ":f", ",", "work,", ",work", "work ,span", " work", "WORK", "work;span", "1"}) {
    CAPTURE(std::string{bad});
    CHECK(complaint_about(bad) != "");
  }
}
