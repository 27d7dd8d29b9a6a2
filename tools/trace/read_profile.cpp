// Turns bytes into a profile. This file reads the file's frame, row_reader.cpp reads the rows of its tables, and
// check.cpp checks that rows agree with each other.
#include "trace/read_profile.hpp"

#include "trace/check.hpp"
#include "trace/checksum.hpp"
#include "trace/description.hpp"
#include "trace/row_reader.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

namespace tine::trace {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;

/// Takes numbers from the front of a piece. Throws an error with the offset if bytes are missing.
class cursor {
 public:
  cursor(piece p, const std::string& name) : piece_{p}, name_{name} {}

  const std::string& name() const noexcept { return name_; }
  std::uint64_t offset() const noexcept { return piece_.offset + at_; }
  std::uint64_t left() const noexcept { return piece_.bytes.size() - at_; }

  /// Returns the next bytes, or as many as there are.
  std::string_view peek(std::uint64_t bytes) const { return piece_.bytes.substr(at_, bytes); }

  std::string_view take(std::uint64_t bytes) {
    if (bytes > left()) {
      fail("the file ends here, with " + std::to_string(bytes - left()) +
           " bytes missing; it was cut off, run the program again");
    }
    const std::string_view taken = peek(bytes);
    at_ += bytes;
    return taken;
  }

  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }

  [[noreturn]] void fail(const std::string& problem) const { fail_at(offset(), problem); }
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& problem) const {
    throw bad_file{name_, offset, problem};
  }

 private:
  std::uint64_t number(std::uint64_t bytes) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char c : take(bytes)) value |= std::uint64_t{static_cast<unsigned char>(c)} << shift, shift += 8;
    return value;
  }

  piece piece_;
  std::uint64_t at_ = 0;
  const std::string& name_;
};

// A section, with its position in the file.
struct section {
  std::uint32_t number = 0;
  std::uint64_t offset = 0;
  piece content;
};

// Returns the name of a section for a message.
std::string name_of_section(std::uint32_t number) {
  if (number == end_section) return "'end'";
  return number <= tables().size() ? "'" + std::string{tables()[number - 1].name} + "'" : std::to_string(number);
}

const char* what_to_do(std::uint32_t version) {
  if (version > format_version) return "use the tine that the program was built with";
  return "build the program with this tine and profile it again, or use the tine that the program was built with";
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
                       std::to_string(format_version) + "; " + what_to_do(version));
  }
  if (in.u32() != 0)
    in.fail_at(at + 4, "a byte that has to be zero is not; the file is damaged, run the program again");
}

section read_section(cursor& in) {
  section s;
  s.offset = in.offset();
  const std::string_view number_bytes = in.peek(4);
  s.number = in.u32();
  const std::uint32_t expected = in.u32();
  const std::string_view length_bytes = in.peek(8);
  const std::uint64_t length = in.u64();
  if (length > in.left()) {
    in.fail_at(s.offset, "the section " + name_of_section(s.number) + " says it has " + std::to_string(length) +
                             " bytes, but only " + std::to_string(in.left()) +
                             " are left; the file was cut off, run the program again");
  }
  s.content = {in.offset(), in.take(length)};
  if (checksum(s.content.bytes, checksum(length_bytes, checksum(number_bytes))) != expected) {
    in.fail_at(s.offset, "the section " + name_of_section(s.number) +
                             " has another checksum than when it was written; the file was " +
                             "changed or damaged since, run the program again");
  }
  return s;
}

// Adds the contents of a section to the profile, unless this version does not know the section.
void read_table(const section& s, const std::string& file, profile& p, table_places& places) {
  if (s.number > tables().size()) return;
  const field& table = tables()[s.number - 1];
  const auto [at, is_new] = places.try_emplace(table.name, s.number, s.content, file);
  const std::size_t rows = read_rows(at->second, table, p);
  const bool is_one = table.type->is == type::kind::row;
  if (is_one ? rows != 1 : table.at_most_one && rows > 1) {
    throw bad_file{file, s.offset,
                   "'" + std::string{table.name} + "' has " + std::to_string(rows) + " rows, but a profile has " +
                       (is_one ? "one" : "at most one")};
  }
}

void read_end(cursor& in, const section& end, std::uint64_t sections) {
  cursor content{end.content, in.name()};
  if (end.content.bytes.size() != 8 || content.u64() != sections) {
    in.fail_at(end.offset, "there are " + std::to_string(sections) +
                               " sections, which is not what the end mark says; " +
                               "a part of the file is missing, run the program again");
  }
  if (in.left() != 0)
    in.fail("there are " + std::to_string(in.left()) + " bytes behind the end mark, which no version of tine writes");
}

}  // namespace

bad_file::bad_file(const std::string& name, std::uint64_t offset, const std::string& problem)
    : std::runtime_error{name + ": byte " + std::to_string(offset) + ": " + problem}, offset_{offset} {}

profile parse_profile(std::string_view bytes, const std::string& name) {
  cursor in{{0, bytes}, name};
  read_header(in);
  profile p;
  table_places places;
  std::set<std::uint32_t> seen;
  for (std::uint64_t sections = 0;; ++sections) {
    const section s = read_section(in);
    if (s.number == end_section) {
      read_end(in, s, sections);
      break;
    }
    if (!seen.insert(s.number).second)
      throw bad_file{name, s.offset, "there is a second section " + name_of_section(s.number)};
    read_table(s, name, p, places);
  }
  for (std::uint32_t i = 0; i < tables().size(); ++i) {
    const field& table = tables()[i];
    if (table.type->is == type::kind::row && !seen.contains(i + 1))
      in.fail("there is no section '" + std::string{table.name} + "', which every profile has");
  }
  check(p, places, name);
  return p;
}

profile read_profile(const std::string& path) {
  static_cast<void>(std::filesystem::file_size(path));  // throws if it is not an ordinary file
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::system_error{errno, std::generic_category(), "cannot open " + path};
  std::string bytes(header_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  // The header is read before the rest, so that a large file of another kind takes no memory.
  cursor begin{{0, bytes}, path};
  read_header(begin);
  // A program that runs replaces its profile by newer ones, so this is the size of the open file.
  file.clear();
  const auto size = static_cast<std::size_t>(file.seekg(0, std::ios::end).tellg());
  file.seekg(header_bytes);
  if (size > most_bytes) throw bad_file{path, 0, "more than 2 GiB; profile with a higher threshold"};
  bytes.resize(size);
  file.read(bytes.data() + header_bytes, static_cast<std::streamsize>(size - header_bytes));
  bytes.resize(header_bytes + static_cast<std::size_t>(file.gcount()));
  return parse_profile(bytes, path);
}

}  // namespace tine::trace
