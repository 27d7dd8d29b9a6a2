// The reader notices every damage to a file: a cut at any byte, a change of any byte, and a file of another kind.
#include "trace/read_profile.hpp"
#include "trace/write.hpp"
#include "unit/trace/example.hpp"
#include "unit/trace/section.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <system_error>

namespace {

using namespace tine::trace;
using namespace tine::test;

std::string written() {
  const scratch_file file{"damage"};
  REQUIRE(write(example(), file.path()) == "");
  return file.bytes();
}

// Returns the offset at which the reader found a problem; nothing if it found none.
std::optional<std::uint64_t> problem_at(const std::string& bytes) {
  try {
    parse_profile(bytes, "it");
    return {};
  } catch (const bad_file& bad) {
    return bad.offset();
  }
}

}  // namespace

TEST_CASE("a file cut at any byte is refused, at an offset inside it") {
  const std::string whole = written();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto at = problem_at(whole.substr(0, length));
    CAPTURE(length);
    REQUIRE(at.has_value());
    REQUIRE(*at <= length);
  }
  CHECK(!problem_at(whole).has_value());
}

TEST_CASE("every changed byte is noticed, before the reader is past its section") {
  const std::string whole = written();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      CAPTURE(i);
      const auto at = problem_at(changed);
      REQUIRE(at.has_value());
      REQUIRE(*at <= i);
    }
  }
}

TEST_CASE("a section that is cut out, doubled or appended is noticed") {
  const std::string roots = table("roots", {});
  CHECK(!problem_at(file({empty_run(), roots})).has_value());
  const std::string whole = file({empty_run(), roots});
  const std::size_t at = 16 + empty_run().size();
  CHECK(problem_at(whole.substr(0, at) + whole.substr(at + roots.size())) == at);
  CHECK(problem_at(file({empty_run(), roots, roots})) == at + roots.size());
  CHECK(problem_at(whole + "x") == whole.size());
  CHECK(problem_at(file({roots})).has_value());
}

TEST_CASE("the message says that a file is no profile") {
  const auto message = [](const std::string& bytes) -> std::string {
    try {
      parse_profile(bytes, "it");
      return "";
    } catch (const bad_file& bad) {
      return bad.what();
    }
  };
  CHECK(message("\x7F"
                "ELF and so on")
            .starts_with("it: byte 0: this is not a profile of tine"));
  CHECK(message("").starts_with("it: byte 0: the file ends inside the first 8 bytes"));
  // A transfer as text turns the two bytes of a line end into one.
  CHECK(message("\x89tine\n\x1a\1\0\0\0\0\0\0\0").starts_with("it: byte 0: this is not a profile"));
  std::string other = file({empty_run()});
  other[8] = 4;
  CHECK(message(other) ==
        "it: byte 8: the format's version is 4, and this tine reads version 3; use the tine that the "
        "program was built with");
  other[8] = 2;
  CHECK(message(other) ==
        "it: byte 8: the format's version is 2, and this tine reads version 3; build the program with this tine and "
        "profile it again, or use the tine that the program was built with");
}

TEST_CASE("an unreadable file is an error of the system") {
  CHECK_THROWS_AS(read_profile("/nowhere/at/all"), std::system_error);
  CHECK_THROWS_AS(read_profile("/dev/zero"), std::system_error);
  CHECK_THROWS_AS(read_profile("/tmp"), std::system_error);
}

TEST_CASE("unknown sections and fields of a later version are skipped") {
  std::string longer = message({0, 0, 5, 6, 7, 0, 99});
  longer += text_field(8, "later");
  const profile p = parse_profile(file({section(99, "anything"), empty_run(), table("paths", {longer})}), "it");
  REQUIRE(p.paths.size() == 1);
  CHECK(p.paths[0].work == 5);
  CHECK(p.paths[0].count == 6);
}
