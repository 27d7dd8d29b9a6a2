// Turns a profile into bytes: composes one section after the other in memory and writes it to the file.
#include "trace/writer.hpp"

#include "trace/checksum.hpp"
#include "trace/layout.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>

namespace tine::trace {
namespace {

void put(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(value >> shift & 0xFF));
}

void put(std::string& out, std::uint64_t value) {
  put(out, static_cast<std::uint32_t>(value));
  put(out, static_cast<std::uint32_t>(value >> 32));
}

// Puts the fields of rows into `rows`, and the contents of strings into `text`.
struct row_writer {
  std::string rows, text;

  void operator()(std::uint32_t value) { put(rows, value); }
  void operator()(std::uint64_t value) { put(rows, value); }
  void operator()(std::int64_t value) { put(rows, static_cast<std::uint64_t>(value)); }
  void operator()(bool value) { put(rows, std::uint32_t{value}); }
  void operator()(double value) { put(rows, std::bit_cast<std::uint64_t>(value)); }

  template <class Enum>
    requires std::is_enum_v<Enum>
  void operator()(Enum value) {
    put(rows, static_cast<std::uint32_t>(value));
  }

  void operator()(const std::string& value) {
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    if (value.size() > most || text.size() > most - value.size()) throw std::length_error{"4 GiB of text"};
    put(rows, static_cast<std::uint32_t>(text.size()));
    put(rows, static_cast<std::uint32_t>(value.size()));
    text += value;
  }
};

// The file under its temporary name. The destructor removes it unless `keep` gave it its final name.
class new_file {
 public:
  explicit new_file(const std::string& path) : path_{path}, written_{name_for(path)} {
    file_ = std::fopen(written_.c_str(), "wb");
  }
  ~new_file() {
    if (file_ != nullptr) std::fclose(file_);
    if (!kept_ && written_ != path_) std::remove(written_.c_str());
  }
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  bool is_open() const noexcept { return file_ != nullptr; }

  bool write(const std::string& bytes) noexcept {
    return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size();
  }

  // Gives the file its name; false if the system refuses.
  bool keep() noexcept {
    const bool closed = std::fclose(file_) == 0;
    file_ = nullptr;
    kept_ = closed && (written_ == path_ || std::rename(written_.c_str(), path_.c_str()) == 0);
    return kept_;
  }

 private:
  // The process id keeps processes with the same path from writing into each other's file. Renaming over a device or a pipe would
  // replace it, so these are written directly.
  static std::string name_for(const std::string& path) {
    struct stat there{};
    const bool is_special = stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
    return is_special ? path : path + ".partial-" + std::to_string(getpid());
  }

  std::string path_, written_;
  std::FILE* file_;
  bool kept_ = false;
};

// Writes the sections of a file, and counts them. After the first failure it writes nothing more, and the system's reason stays in
// errno.
class sections {
 public:
  explicit sections(new_file& file) : file_{file} {
    std::string header{magic};
    put(header, format_version);
    put(header, std::uint32_t{0});
    good_ = file_.write(header);
  }

  template <class Row>
  void add(std::span<const Row> rows) {
    row_writer fields_of;
    fields_of.rows.reserve(table_bytes + rows.size() * row_bytes<Row>());
    put(fields_of.rows, row_bytes<Row>());
    put(fields_of.rows, std::uint32_t{0});
    put(fields_of.rows, std::uint64_t{rows.size()});
    for (const Row& row : rows) fields(fields_of, row);
    add(table_of<Row>.tag, fields_of.rows, fields_of.text);
    ++count_;
  }

  bool end() {
    std::string count;
    put(count, count_);
    add(end_tag, count, {});
    return good_;
  }

 private:
  void add(std::string_view tag, const std::string& rows, const std::string& text) {
    if (!good_) return;
    std::string length;
    put(length, std::uint64_t{rows.size() + text.size()});
    std::string head{tag};
    put(head, checksum(text, checksum(rows, checksum(length, checksum(tag)))));
    good_ = file_.write(head + length) && file_.write(rows) && file_.write(text);
  }

  new_file& file_;
  std::uint64_t count_ = 0;
  bool good_ = false;
};

bool write_sections(const profile& p, new_file& file) {
  sections out{file};
  out.add(std::span{&p.run, 1});
  out.add(std::span{p.modules});
  out.add(std::span{p.sites});
  out.add(std::span{p.callers});
  out.add(std::span{p.paths});
  out.add(std::span{p.phases});
  out.add(std::span{p.roots});
  out.add(std::span{p.points});
  out.add(std::span{p.space});
  out.add(std::span{p.nodes});
  out.add(std::span{p.samples});
  return out.end();
}

std::string failure(const std::string& path, const char* reason) {
  return "cannot write the profile " + path + ": " + reason;
}

}  // namespace

// The two messages fit into a string's own buffer, because a second std::bad_alloc could not be caught here.
std::string write(const profile& p, const std::string& path) noexcept try {
  new_file file{path};
  if (!file.is_open() || !write_sections(p, file) || !file.keep()) return failure(path, std::strerror(errno));
  return {};
} catch (const std::length_error&) {
  return "4 GiB of names";
} catch (...) {
  return "out of memory";
}

}  // namespace tine::trace
