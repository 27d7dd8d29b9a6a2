// A profile that is written and read has every field as before, in the documented encoding.
#include "trace/description.hpp"
#include "trace/read_profile.hpp"
#include "trace/write.hpp"
#include "unit/trace/example.hpp"
#include "unit/trace/section.hpp"

#include <doctest/doctest.h>
#include <protozero/pbf_writer.hpp>

#include <atomic>
#include <sstream>
#include <thread>
#include <type_traits>

namespace {

using namespace tine::trace;
using tine::test::example;
using tine::test::scratch_file;

// Returns all fields of all rows as text.
std::string text(const profile& p) {
  std::ostringstream out;
  const auto print = [&]<class Row>(const Row& row) {
    for_each_field<Row>([&](std::uint32_t, const auto& described) {
      const auto& value = described.in(row);
      if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
        out << static_cast<std::uint32_t>(value) << ' ';
      } else {
        out << value << ' ';
      }
    });
  };
  for_each_table(p, [&]<class Rows>(std::uint32_t, const auto& table, const Rows& rows) {
    out << table.name << ": ";
    if constexpr (std::is_same_v<Rows, run>) {
      print(rows);
    } else {
      for (const auto& row : rows) print(row);
    }
    out << '\n';
  });
  return out.str();
}

// Returns the bytes that the described members of a row take in memory.
template <class Row>
std::size_t described_bytes() {
  std::size_t bytes = 0;
  for_each_field<Row>(
      [&]<class Field>(std::uint32_t, const Field&) { bytes += sizeof(typename Field::template type<Row>); });
  return bytes;
}

// Encodes a row with protozero, field by field, as the schema describes it.
template <class Row>
std::string encoded_by_protozero(const Row& row) {
  std::string bytes;
  protozero::pbf_writer out{bytes};
  for_each_field<Row>([&](std::uint32_t number, const auto& described) {
    const auto& value = described.in(row);
    using type = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<type, std::string>) {
      out.add_string(number, value);
    } else if constexpr (std::is_same_v<type, double>) {
      out.add_double(number, value);
    } else if constexpr (std::is_same_v<type, std::int64_t>) {
      out.add_sint64(number, value);
    } else if (!described.rows.empty()) {
      out.add_uint32(number, static_cast<std::uint32_t>(value) + 1);
    } else {
      out.add_uint64(number, static_cast<std::uint64_t>(value));
    }
  });
  return bytes;
}

profile through_a_file(const profile& p) {
  const scratch_file file{"round-trip"};
  REQUIRE(write(p, file.path()) == "");
  return read_profile(file.path());
}

}  // namespace

TEST_CASE("every field comes back") {
  const profile p = example();
  CHECK(text(through_a_file(p)) == text(p));
}

TEST_CASE("an empty profile comes back") { CHECK(text(through_a_file({})) == text({})); }

// The writer and the reader use the same descriptions, so a member without a description would be lost without notice.
TEST_CASE("every member of a row is described") {
  CHECK(sizeof(run) == described_bytes<run>() + 4 + 7 + 4 + 4);  // padding behind `ended`, a bool, `signal`, `sampled`
  CHECK(sizeof(module) == described_bytes<module>());
  CHECK(sizeof(site) == described_bytes<site>() + 4);  // padding behind `kind`
  CHECK(sizeof(caller) == described_bytes<caller>() + 4);
  CHECK(sizeof(path) == described_bytes<path>());
  CHECK(sizeof(root) == described_bytes<root>() + 6);
  CHECK(sizeof(point) == described_bytes<point>());
  CHECK(sizeof(space_totals) == described_bytes<space_totals>());
  CHECK(sizeof(node) == described_bytes<node>() + 4);
  CHECK(sizeof(sample) == described_bytes<sample>());
}

TEST_CASE("the rows of a file are what protozero encodes") {
  const profile p = example();
  const scratch_file file{"encoded"};
  REQUIRE(write(p, file.path()) == "");
  std::string expected{magic};
  expected += tine::test::u32(format_version) + tine::test::u32(0);
  std::uint64_t sections = 0;
  for_each_table(p, [&]<class Rows>(std::uint32_t number, const auto&, const Rows& rows) {
    std::string content;
    protozero::pbf_writer out{content};
    if constexpr (std::is_same_v<Rows, run>) {
      out.add_message(number, encoded_by_protozero(rows));
    } else {
      for (const auto& row : rows) out.add_message(number, encoded_by_protozero(row));
    }
    expected += tine::test::section(number, content);
    ++sections;
  });
  expected += tine::test::section(end_section, tine::test::u64(sections));
  CHECK(file.bytes() == expected);
}

TEST_CASE("numbers of the frame stand little-endian at the documented offsets") {
  const scratch_file file{"offsets"};
  REQUIRE(write(example(), file.path()) == "");
  const std::string bytes = file.bytes();
  CHECK(bytes.substr(0, 16) == std::string("\x89tine\r\n\x1a\3\0\0\0\0\0\0\0", 16));
  CHECK(bytes.substr(16, 4) == std::string("\1\0\0\0", 4));
  // the first row of the first table: its tag and length, then the field 1, a text of twelve bytes
  CHECK(bytes.substr(32, 1) == "\x0A");
  CHECK(bytes.substr(34, 13) ==
        "\x0A\x0B"
        "fib 30 \"\xC3\xA4\"");
}

TEST_CASE("a file gets its name when it is complete, and a failure is reported") {
  const scratch_file file{"complete"};
  file.put("what was there");
  REQUIRE(write(example(), file.path()) == "");
  CHECK(read_profile(file.path()).run.workers == 2);
  const std::string lost = write(example(), "/nowhere/at/all");
  CHECK(lost == "cannot write the profile /nowhere/at/all: No such file or directory");
  CHECK(write(example(), "/dev/full") == "cannot write the profile /dev/full: No space left on device");
  CHECK(write(example(), "/dev/null") == "");
}

TEST_CASE("a profile that is replaced by another one during the reading is read whole") {
  const scratch_file file{"replaced"};
  profile small = example(), large = example();
  large.run.command.assign(200'000, 'x');
  REQUIRE(write(small, file.path()) == "");
  std::atomic<bool> ends{false};
  std::thread writer{[&] {
    while (!ends) write(large, file.path()), write(small, file.path());
  }};
  for (int i = 0; i < 1000; ++i) CHECK_NOTHROW(read_profile(file.path()));
  ends = true;
  writer.join();
}
