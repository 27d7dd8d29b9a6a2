// A profile that is written and read has every field as before, in the documented encoding.
#include "trace/description.hpp"
#include "trace/read_profile.hpp"
#include "trace/write.hpp"
#include "unit/trace/example.hpp"
#include "unit/trace/section.hpp"

#include <doctest/doctest.h>
#include <protozero/pbf_writer.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

namespace {

using namespace tine::trace;
using tine::test::example;
using tine::test::scratch_file;

// Calls `f(row)` for each row of a table.
template <class F>
void for_each_row(const field& table, const profile& p, const F& f) {
  const void* const rows = table.in(&p);
  if (table.type->is == type::kind::row) return f(rows);
  for (std::size_t i = 0; i < table.type->size(rows); ++i) f(table.type->in(rows, i));
}

// Returns all fields of all rows as text.
std::string text(const profile& p) {
  std::ostringstream out;
  for (const field& table : tables()) {
    out << table.name << ": ";
    for_each_row(table, p, [&](const void* row) {
      for (const field& f : row_of(table).fields) {
        const void* const value = f.in(row);
        if (f.type->is == type::kind::text) {
          out << *static_cast<const std::string*>(value) << ' ';
        } else if (f.type->is == type::kind::real) {
          out << *static_cast<const double*>(value) << ' ';
        } else {
          out << number_in(*f.type, value) << ' ';
        }
      }
    });
    out << '\n';
  }
  return out.str();
}

// Returns the bytes that the described members of a row of the table take in memory.
std::size_t described_bytes(std::string_view table) {
  std::size_t bytes = 0;
  for (const field& f : row_of(tables()[tine::test::number_of(table) - 1]).fields) bytes += f.type->bytes;
  return bytes;
}

// Encodes a row with protozero, field by field, as the schema describes it.
std::string encoded_by_protozero(const type& of, const void* row) {
  std::string bytes;
  protozero::pbf_writer out{bytes};
  std::uint32_t number = 0;
  for (const field& f : of.fields) {
    const void* const value = f.in(row);
    ++number;
    if (f.type->is == type::kind::text) {
      out.add_string(number, *static_cast<const std::string*>(value));
    } else if (f.type->is == type::kind::real) {
      out.add_double(number, *static_cast<const double*>(value));
    } else if (f.type->is == type::kind::signed_number) {
      out.add_sint64(number, *static_cast<const std::int64_t*>(value));
    } else if (!f.rows.empty()) {
      out.add_uint32(number, static_cast<std::uint32_t>(number_in(*f.type, value)) + 1);
    } else {
      out.add_uint64(number, number_in(*f.type, value));
    }
  }
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
  CHECK(sizeof(run) == described_bytes("run") + 4 + 7 + 4 + 4);  // padding behind `ended`, a bool, `signal`, `sampled`
  CHECK(sizeof(module) == described_bytes("modules"));
  CHECK(sizeof(site) == described_bytes("sites") + 4);  // padding behind `kind`
  CHECK(sizeof(caller) == described_bytes("callers") + 4);
  CHECK(sizeof(path) == described_bytes("paths") + 4);
  CHECK(sizeof(phase) == described_bytes("phases") + 4);
  CHECK(sizeof(root) == described_bytes("roots") + 6 + 4);
  CHECK(sizeof(point) == described_bytes("points"));
  CHECK(sizeof(space_totals) == described_bytes("space"));
  CHECK(sizeof(node) == described_bytes("nodes") + 4 + 4);
  CHECK(sizeof(sample) == described_bytes("samples"));
}

TEST_CASE("every index refers to a table") {
  for (const field& table : tables()) {
    for (const field& f : row_of(table).fields) {
      CAPTURE(f.name);
      CHECK((f.rows.empty() || std::ranges::count(tables(), f.rows, &field::name) == 1));
    }
  }
}

TEST_CASE("the rows of a file are what protozero encodes") {
  const profile p = example();
  const scratch_file file{"encoded"};
  REQUIRE(write(p, file.path()) == "");
  std::string expected{magic};
  expected += tine::test::u32(format_version) + tine::test::u32(0);
  std::uint32_t sections = 0;
  for (const field& table : tables()) {
    std::string content;
    protozero::pbf_writer out{content};
    ++sections;
    for_each_row(table, p,
                 [&](const void* row) { out.add_message(sections, encoded_by_protozero(row_of(table), row)); });
    expected += tine::test::section(sections, content);
  }
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
