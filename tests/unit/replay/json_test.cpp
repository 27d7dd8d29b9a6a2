// Schedules as texts: a schedule survives writing and reading, and a damaged text is refused with a reason or is still
// a schedule.
#include "unit/replay/example.hpp"

#include <unistd.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

namespace {

using namespace tine::test;
using nlohmann::json;
using tine::schedule;

constexpr std::size_t damaged_texts = 2000;

// Returns the reason for which the text is refused; nothing if it is a schedule. Any other exception passes and fails
// the test.
std::optional<std::string> refusal(const std::string& text) {
  try {
    const schedule s = schedule::from_json(text);
    REQUIRE(schedule::from_json(s.to_json()) == s);
    return {};
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

std::string refusal_of(const char* pointer, const json& value) {
  json all = json::parse(example().make().to_json());
  all.at(json::json_pointer{std::string{"/"} + pointer}) = value;
  return refusal(all.dump()).value_or("");
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class dice {
 public:
  explicit dice(std::uint64_t seed) : source_{seed} {}
  std::size_t operator()(std::size_t n) { return std::uniform_int_distribution<std::size_t>{0, n - 1}(source_); }

 private:
  std::mt19937_64 source_;
};

struct scratch_file {
  std::string path = std::filesystem::temp_directory_path() / ("schedule." + std::to_string(getpid()));
  ~scratch_file() { std::remove(path.c_str()); }
};

}  // namespace

TEST_CASE("there and back") {
  for (const schedule& s : {schedule{}, example().make(), chain(100'000).make()}) {
    CHECK(schedule::from_json(s.to_json()) == s);
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const schedule s = drawn(seed, 60).get().make();
    REQUIRE(schedule::from_json(s.to_json()) == s);
  }
}

TEST_CASE("the greatest numbers there are") {
  parts p = example();
  p.workers = 1 << 16;
  p.root = {(1 << 16) - 1, ~0U, ~0ULL, ~0ULL};
  p.steps[1].number = ~0U;
  p.steps[1].count = ~0ULL;
  p.pieces[4].begin = ~0ULL - 1;
  CHECK(schedule::from_json(p.make().to_json()) == p.make());
}

TEST_CASE("the documented text is read, and members of other names do not matter") {
  const schedule s = schedule::from_json(R"({"format": "tine schedule", "version": 1, "workers": 2, "note": "by hand",
    "root": {"owner": 0, "stamp": 0, "ns": [0, 900]},
    "nodes": [[{"number": 3, "pieces": [{"begin": 1, "run": {"owner": 1, "stamp": 1, "ns": [200, 800]}}],
                "after": {"owner": 0, "stamp": 2, "ns": [900, 1000]}}]]})");
  CHECK(s.steals() == 1);
  CHECK(s.steps()[0].number == 3);
  CHECK(s.steps()[0].what == schedule::kind::fork);
  CHECK(s.pieces()[0].run == schedule::segment{1, 1, 200, 800});
}

TEST_CASE("files") {
  const scratch_file file;
  const schedule s = example().make();
  s.save(file.path);
  CHECK(schedule::load(file.path) == s);
  const auto error = doctest::Contains(": cannot be written: ");
  CHECK_THROWS_WITH_AS(s.save("/nowhere/at/all"), error, std::runtime_error);
  CHECK_THROWS_WITH_AS(s.save("/dev/full"), error, std::runtime_error);
  CHECK_THROWS_WITH_AS(schedule::load("/nowhere/at/all"), doctest::Contains("No such file"), std::runtime_error);
  CHECK_THROWS_WITH_AS(schedule::load("/proc"), doctest::Contains("Is a directory"), std::runtime_error);
  CHECK_THROWS_WITH_AS(schedule::load("/dev/null"), doctest::Contains("/dev/null"), std::runtime_error);
}

TEST_CASE("texts that are no schedule are refused") {
  const std::pair<const char*, const char*> texts[]{
      {"", "the text is no JSON at byte 1"},
      {"null", "the text is no object"},
      {"[]", "the text is no object"},
      {"{}", "is of another format"},
      {R"({"format": "tine profile"})", "is of another format"},
      {R"({"format": 1})", "format is no text"},
      {R"({"format": "tine schedule"})", "has no \"version\""},
      {R"({"format": "tine schedule", "version": 2})", "version is 2; this tine reads version 1"},
      {R"({"format": "tine schedule", "version": 1})", "has no \"nodes\""},
      {R"({"format": "tine schedule", "version": 1, "nodes": [[]]})", "has no \"workers\""},
      {R"({"format": "tine schedule", "version": 1, "nodes": [], "workers": 1,
           "root": {"owner": 0, "stamp": 0, "ns": [0, 0]}})",
       "it has no node"},
      {R"({"a": 1e999})", "the text is no JSON"},
      {"{\"a\": \"\xFF\"}", "the text is no JSON"},
  };
  for (const auto& [text, why] : texts) {
    CAPTURE(text);
    const std::string said = refusal(text).value_or("nothing");
    CHECK_MESSAGE(has(said, why), said);
  }
  CHECK(has(refusal(std::string(200'000, '[')).value(), "the text is no JSON at byte 200001"));
  CHECK(has(refusal(std::string(200'000, '[') + std::string(200'000, ']')).value(), "the text is no object"));
}

TEST_CASE("each number in place of which something else stands is refused, with the way to it") {
  const char* const numbers[]{"version",
                              "workers",
                              "root/owner",
                              "root/stamp",
                              "root/ns/0",
                              "root/ns/1",
                              "nodes/0/0/number",
                              "nodes/0/1/iterations",
                              "nodes/0/0/after/owner",
                              "nodes/0/0/after/stamp",
                              "nodes/0/0/after/ns/1",
                              "nodes/0/0/pieces/1/begin",
                              "nodes/0/0/pieces/1/run/owner",
                              "nodes/0/0/pieces/1/run/stamp",
                              "nodes/0/0/pieces/1/run/ns/0",
                              "nodes/0/0/pieces/0/node"};
  const json others[]{nullptr,          true,          "1", -1, 1.0, 0.5, 1e300, std::int64_t{-1} << 62,
                      json::array({1}), json::object()};
  for (const char* pointer : numbers) {
    for (const json& other : others) {
      CAPTURE(pointer);
      CAPTURE(other.dump());
      const std::string why = refusal_of(pointer, other);
      REQUIRE_MESSAGE(has(why, std::string{"not a schedule: "} + pointer + " is no whole number from 0 to "), why);
    }
    if (!std::string_view{pointer}.ends_with("/iterations") && !has(pointer, "/ns/1")) {
      CAPTURE(pointer);
      REQUIRE(refusal_of(pointer, ~0ULL) != "");
    }
  }
  CHECK(has(refusal_of("nodes/0/0/pieces/0/node", ~0U), "is no whole number from 0 to 4294967294"));
}

TEST_CASE("each object, array and text in place of which something else stands is refused, with the way to it") {
  const std::pair<const char*, const char*> places[]{{"format", "is no text"},
                                                     {"root", "is no object"},
                                                     {"nodes", "is no array"},
                                                     {"nodes/2", "is no array"},
                                                     {"nodes/0/1", "is no object"},
                                                     {"nodes/0/0/pieces", "is no array"},
                                                     {"root/ns", "is no array"},
                                                     {"nodes/0/0/pieces/1", "is no object"},
                                                     {"nodes/0/0/after", "is no object"},
                                                     {"nodes/0/0/pieces/1/run", "is no object"}};
  for (const auto& [pointer, why] : places) {
    for (const json& other : {json(nullptr), json(true), json(7)}) {
      CAPTURE(pointer);
      const std::string said = refusal_of(pointer, other);
      CHECK_MESSAGE(has(said, std::string{pointer} + ' ' + why), said);
    }
  }
  CHECK(has(refusal_of("root/ns", json::array({1, 2, 3})), "root/ns is no pair"));
  CHECK(has(refusal_of("root/ns", json::array({2, 1})), "the root ends before it begins"));
  CHECK(has(refusal_of("nodes/0/0/pieces", json::array()), "step 0 has no pieces"));
}

TEST_CASE("random damage to the text gives a reason or a schedule") {
  const std::string signs = "0123456789-+.eE\"{}[],: \ntfn\\\x80\xff";
  const std::string whole = json::parse(example().make().to_json()).dump();
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < damaged_texts; ++seed) {
    CAPTURE(seed);
    dice below{seed};
    std::string text = whole;
    for (std::size_t changes = 1 + below(4); changes-- > 0;) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = signs[below(signs.size())];
          break;
        case 1:
          text.erase(at, 1 + below(8));
          break;
        case 2:
          text.insert(at, 1, signs[below(signs.size())]);
          break;
        default:
          text.insert(at, whole.substr(below(whole.size()), below(40)));
          break;
      }
    }
    const auto why = refusal(text);
    refused += why.has_value() ? 1 : 0;
    if (why) REQUIRE(why->starts_with("not a schedule: "));
  }
  CHECK(refused > damaged_texts / 2);
  CHECK(refused < damaged_texts);
}
