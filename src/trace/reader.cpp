// Turns bytes into a profile. This file reads the file's frame, table_reader.hpp reads the rows of its tables, and check.cpp checks
// that rows agree with each other.
#include "trace/reader.hpp"

#include "trace/check.hpp"
#include "trace/checksum.hpp"
#include "trace/layout.hpp"
#include "trace/table_reader.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

namespace tine::trace {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;

// A section, with its position in the file.
struct section {
  std::string tag;
  std::uint64_t offset = 0;
  piece content;
};

// Formats a tag for a message: a tag may consist of any bytes.
std::string shown(std::string_view tag) {
  std::string out{"'"};
  for (const char c : tag) out += c >= ' ' && c < 0x7F ? c : '?';
  return out += "'";
}

void read_header(cursor& in) {
  const std::string_view first = in.peek(magic.size());
  if (first != magic) {
    const bool is_short = magic.starts_with(first);
    in.fail(
        is_short
            ? "the file ends inside the first 8 bytes; run the program again"
            : "this is not a profile of tine: it does not begin with \\x89tine; `tine profile -- PROGRAM` writes one");
  }
  in.take(magic.size());
  const std::uint64_t at = in.offset();
  if (const std::uint32_t version = in.u32(); version != format_version) {
    in.fail_at(at, "the format's version is " + std::to_string(version) + ", and this tine reads version " +
                       std::to_string(format_version) + "; use the tine that the program was built with");
  }
  if (in.u32() != 0)
    in.fail_at(at + 4, "a byte that has to be zero is not; the file is damaged, run the program again");
}

section read_section(cursor& in) {
  section s;
  s.offset = in.offset();
  s.tag = in.take(4);
  const std::uint32_t expected = in.u32();
  const std::string_view length_bytes = in.peek(8);
  const std::uint64_t length = in.u64();
  if (length > in.left()) {
    in.fail_at(s.offset, "the section " + shown(s.tag) + " says it has " + std::to_string(length) +
                             " bytes, but only " + std::to_string(in.left()) +
                             " are left; the file was cut off, run the program again");
  }
  s.content = {in.offset(), in.take(length)};
  if (checksum(s.content.bytes, checksum(length_bytes, checksum(s.tag))) != expected) {
    in.fail_at(s.offset, "the section " + shown(s.tag) +
                             " has another checksum than when it was written; the file was " +
                             "changed or damaged since, run the program again");
  }
  return s;
}

// Adds the contents of a section to the profile. Returns false for a tag that this version does not know.
bool read_table(const section& s, const std::string& name, profile& p, table_places& places) {
  const auto rows = [&]<class Row>(std::vector<Row>& to) {
    if (s.tag != table_of<Row>.tag) return false;
    places[s.tag] = read_rows(s.content, name, to);
    return true;
  };
  std::vector<run> runs;
  if (rows(runs)) {
    if (runs.size() != 1) throw bad_file{name, s.offset, "there is not one run but " + std::to_string(runs.size())};
    p.run = runs.front();
    return true;
  }
  return rows(p.modules) || rows(p.sites) || rows(p.callers) || rows(p.paths) || rows(p.phases) || rows(p.roots) ||
         rows(p.points) || rows(p.space) || rows(p.nodes) || rows(p.samples);
}

void read_end(cursor& in, const section& end, std::uint64_t sections) {
  cursor content{end.content, in.name()};
  if (end.content.bytes.size() != 8 || content.u64() != sections) {
    in.fail_at(end.offset, "there are " + std::to_string(sections) +
                               " sections, which is not what the end mark says; " +
                               "a part of the file is missing, run the program again");
  }
  if (in.left() != 0)
    in.fail("there are " + std::to_string(in.left()) + " bytes behind the end mark, which nobody wrote");
}

}  // namespace

bad_file::bad_file(const std::string& name, std::uint64_t offset, const std::string& problem)
    : std::runtime_error{name + ": byte " + std::to_string(offset) + ": " + problem}, offset_{offset} {}

profile parse_profile(std::string_view bytes, const std::string& name) {
  cursor in{{0, bytes}, name};
  read_header(in);
  profile p;
  table_places places;
  std::set<std::string> seen;
  for (std::uint64_t sections = 0;; ++sections) {
    const section s = read_section(in);
    if (s.tag == end_tag) {
      read_end(in, s, sections);
      break;
    }
    if (!seen.insert(s.tag).second) throw bad_file{name, s.offset, "there is a second section " + shown(s.tag)};
    read_table(s, name, p, places);
  }
  if (!seen.contains(std::string{table_of<run>.tag})) in.fail("there is no section 'run ', which every profile has");
  check(p, places, name);
  return p;
}

profile read_profile(const std::string& path) {
  const auto size = std::filesystem::file_size(path);  // throws if it is not an ordinary file
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::system_error{errno, std::generic_category(), "cannot open " + path};
  std::string bytes(header_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  // The header is read before the rest, so that a large file of another kind takes no memory.
  cursor begin{{0, bytes}, path};
  read_header(begin);
  if (size > most_bytes) throw bad_file{path, 0, "more than 2 GiB; profile with a higher threshold"};
  bytes.resize(size);
  file.read(bytes.data() + header_bytes, static_cast<std::streamsize>(size - header_bytes));
  bytes.resize(header_bytes + static_cast<std::size_t>(file.gcount()));
  return parse_profile(bytes, path);
}

}  // namespace tine::trace
