// The values that TINE_PROFILE may have.
#include "augment/profile_request.hpp"

#include "trace/profile.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using tine::detail::parse_profile_request;
namespace trace = tine::trace;

std::string complaint_about(const char* text) {
  try {
    parse_profile_request(text);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("each analysis, and what it needs") {
  CHECK(parse_profile_request("work:f").analyses == trace::work_span);
  CHECK(parse_profile_request("span:f").analyses == trace::work_span);
  CHECK(parse_profile_request("work,span:f").analyses == trace::work_span);
  CHECK(parse_profile_request("grain:f").analyses == (trace::work_span | trace::grain));
  CHECK(parse_profile_request("space:f").analyses == (trace::work_span | trace::grain | trace::space));
  CHECK(parse_profile_request("trace:f").analyses == (trace::work_span | trace::grain | trace::dag));
  CHECK(parse_profile_request("trace,space,work,work:f").analyses ==
        (trace::work_span | trace::grain | trace::space | trace::dag));
}

TEST_CASE("a check stands alone, or with its stricter form") {
  const auto plain = parse_profile_request("race:f"), strict = parse_profile_request("determinism,race:f");
  CHECK(plain.analyses == (trace::work_span | trace::races));
  CHECK(strict.analyses == plain.analyses);
  CHECK(!plain.is_strict);
  CHECK(strict.is_strict);
  CHECK(strict.path == "f");
  CHECK(complaint_about("race,grain").find("'race' looks for errors and is measured alone") != std::string::npos);
  CHECK(complaint_about("determinism").find("write race,determinism") != std::string::npos);
  CHECK(complaint_about("work,determinism").find("write race,determinism") != std::string::npos);
}

TEST_CASE("a sampled analysis stands beside work and span alone") {
  CHECK(parse_profile_request("work,span,sample:f").analyses == (trace::work_span | trace::sampled));
  CHECK(parse_profile_request("sample:f").threshold == 1'000'000);
  CHECK(parse_profile_request("work:f").threshold == 100'000);
  for (const char* const text : {"sample,grain", "trace,sample", "space,sample", "timeline,sample"})
    CHECK(complaint_about(text).find("'sample' observes only some of the forks") != std::string::npos);
}

TEST_CASE("where the profile goes") {
  CHECK(parse_profile_request("work:app.profile").path == "app.profile");
  CHECK(parse_profile_request("work,grain:/a/b:c,d.profile").path == "/a/b:c,d.profile");
  const std::string usual = "tine-%p.profile";
  CHECK(parse_profile_request("work").path == usual);
  CHECK(parse_profile_request("work,grain:").path == usual);
}

TEST_CASE("the error names the wrong entry") {
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

TEST_CASE("under valgrind nothing is sampled") {
  const char* const before = std::getenv("LD_PRELOAD");
  const std::string restored = before != nullptr ? before : "";
  CHECK(tine::detail::may_sample());
  setenv("LD_PRELOAD", "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so:/usr/lib/other.so", 1);
  CHECK(!tine::detail::may_sample());
  before != nullptr ? setenv("LD_PRELOAD", restored.c_str(), 1) : unsetenv("LD_PRELOAD");
}

TEST_CASE("settings: times, sizes, signals") {
  tine::detail::profile_request a;
  tine::detail::parse_setting(a, "THRESHOLD", "2.5ms");
  tine::detail::parse_setting(a, "MAX_SIZE", "64KiB");
  tine::detail::parse_setting(a, "EVERY", "10 s");
  tine::detail::parse_setting(a, "SIGNAL", "SIGUSR1");
  CHECK(a.threshold == 2'500'000);
  CHECK(a.max_bytes == 65536);
  CHECK(a.every == 10'000'000'000);
  CHECK(a.snapshot_signal == SIGUSR1);
  tine::detail::parse_setting(a, "SIGNAL", "none");
  CHECK(a.snapshot_signal == 0);
  CHECK(a.samples);
  tine::detail::parse_setting(a, "SAMPLING", "off");
  CHECK(!a.samples);
  const std::pair<const char*, const char*> bad[] = {
      {"THRESHOLD", "soon"}, {"THRESHOLD", "-1ms"}, {"THRESHOLD", "5"}, {"MAX_SIZE", "1KiB"}, {"MAX_SIZE", "9GiB"},
      {"MAX_SIZE", ""},      {"EVERY", "1us"},      {"EVERY", "nan s"}, {"SIGNAL", "KILL"},   {"SIGNAL", "9"},
      {"SIGNAL", "0"},       {"CALLERS", "9"},      {"CALLERS", "-1"},  {"SIGNAL", "12x"},    {"SAMPLING", "no"}};
  for (const auto& [name, text] : bad) {
    CAPTURE(std::string{name});
    CAPTURE(std::string{text});
    const tine::detail::profile_request before = a;
    CHECK_THROWS_AS(tine::detail::parse_setting(a, name, text), std::invalid_argument);
    CHECK(before.every == a.every);
  }
}
