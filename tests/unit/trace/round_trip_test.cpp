// A profile that is written and read has every field as before. Rows and numbers have the documented layout.
#include "trace/layout.hpp"
#include "trace/reader.hpp"
#include "trace/writer.hpp"
#include "unit/trace/example.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <sstream>

namespace {

using namespace tine::trace;
using tine::test::example;
using tine::test::scratch_file;

// Prints all fields of all rows as text, by the same list of fields as the file.
struct printer {
  std::ostringstream out{};
  template <class T>
  void operator()(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      out << static_cast<std::uint32_t>(value) << ' ';
    } else {
      out << value << ' ';
    }
  }
  template <class Row>
  void rows(const std::vector<Row>& all) {
    for (const Row& row : all) fields(*this, row);
    out << '\n';
  }
};

std::string text(const profile& p) {
  printer out;
  fields(out, p.run);
  out.rows(p.modules), out.rows(p.sites), out.rows(p.callers), out.rows(p.paths), out.rows(p.phases), out.rows(p.roots);
  out.rows(p.points), out.rows(p.space), out.rows(p.nodes), out.rows(p.samples);
  return out.out.str();
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

// The writer and the reader both use `fields`, so a field that `fields` lacks would be lost without notice.
TEST_CASE("rows have the sizes that format.md names, and no field is forgotten") {
  CHECK(row_bytes<run>() == 128);
  CHECK(row_bytes<module>() == table_of<module>.least_row);
  CHECK(row_bytes<site>() == table_of<site>.least_row);
  CHECK(row_bytes<caller>() == table_of<caller>.least_row);
  CHECK(row_bytes<path>() == table_of<path>.least_row);
  CHECK(row_bytes<root>() == table_of<root>.least_row);
  CHECK(row_bytes<point>() == table_of<point>.least_row);
  CHECK(row_bytes<space_totals>() == table_of<space_totals>.least_row);
  CHECK(row_bytes<node>() == table_of<node>.least_row);
  CHECK(row_bytes<sample>() == table_of<sample>.least_row);
  CHECK(sizeof(run) == 3 * sizeof(std::string) + 120);
  CHECK(sizeof(site) == 56);
  CHECK(sizeof(caller) == 16);
  CHECK(sizeof(path) == 32);
  CHECK(sizeof(root) == 96);
  CHECK(sizeof(point) == 40);
  CHECK(sizeof(space_totals) == 48);
  CHECK(sizeof(node) == 40);
  CHECK(sizeof(sample) == 40);
}

TEST_CASE("numbers stand little-endian at the documented offsets") {
  const scratch_file file{"offsets"};
  REQUIRE(write(example(), file.path()) == "");
  const std::string bytes = file.bytes();
  CHECK(bytes.substr(0, 12) == std::string("\x89tine\r\n\x1a\2\0\0\0", 12));
  CHECK(bytes.substr(16, 4) == "run ");
  CHECK(bytes.substr(32, 4) == std::string("\x80\0\0\0", 4));
  const std::size_t wall = 16 + 16 + 16 + 3 * 8 + 3 * 4;
  CHECK(bytes.substr(wall, 8) == std::string("\x00\xF2\x05\x2A\x01\0\0\0", 8));
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
