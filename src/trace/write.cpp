// Turns a profile into bytes: composes one section after the other in memory, as the schema describes it, and writes it
// to the file.
#include "trace/write.hpp"

#include "trace/checksum.hpp"
#include "trace/description.hpp"
#include "trace/wire.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace tine::trace {
namespace {

/// Appends one field of a row. Each field is written, even if it has its default: so the size of a file bounds the
/// number of its rows, and the reader notices a field that is missing.
void put_field_of(std::string& out, std::uint32_t number, const field& f, const void* row) {
  const void* const value = f.in(row);
  if (f.type->is == type::kind::text) {
    put_field(out, number, std::string_view{*static_cast<const std::string*>(value)});
  } else if (f.type->is == type::kind::real) {
    put_field(out, number, *static_cast<const double*>(value));
  } else if (f.type->is == type::kind::signed_number) {
    put_field(out, number, *static_cast<const std::int64_t*>(value));
  } else {
    const std::uint64_t plain = number_in(*f.type, value);
    // an index counts from 1 in the file, so that `nothing` becomes 0, which takes one byte
    put_field(out, number, f.rows.empty() ? plain : std::uint64_t{static_cast<std::uint32_t>(plain) + 1});
  }
}

/// Appends the row as a field of the profile's message. `row_bytes` is a buffer.
void put_row(std::string& out, std::uint32_t table, const type& of, const void* row, std::string& row_bytes) {
  row_bytes.clear();
  std::uint32_t number = 0;
  for (const field& f : of.fields) put_field_of(row_bytes, ++number, f, row);
  put_field(out, table, std::string_view{row_bytes});
}

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
  // The process id keeps processes with the same path from writing into each other's file. Renaming over a device or a
  // pipe would replace it, so these are written directly.
  static std::string name_for(const std::string& path) {
    struct stat there{};
    const bool is_special = stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
    return is_special ? path : path + ".partial-" + std::to_string(getpid());
  }

  std::string path_, written_;
  std::FILE* file_;
  bool kept_ = false;
};

// Writes the sections of a file, and counts them. After the first failure it writes nothing more, and the system's
// reason stays in errno.
class sections {
 public:
  explicit sections(new_file& file) : file_{file} {
    std::string header{magic};
    put_little_endian(header, format_version);
    put_little_endian(header, std::uint32_t{0});
    good_ = file_.write(header);
  }

  void add(std::uint32_t number, const std::string& content) {
    if (!good_) return;
    std::string tag, length, sum;
    put_little_endian(tag, number);
    put_little_endian(length, std::uint64_t{content.size()});
    put_little_endian(sum, checksum(content, checksum(length, checksum(tag))));
    good_ = file_.write(tag + sum + length) && file_.write(content);
    ++count_;
  }

  bool end() {
    std::string count;
    put_little_endian(count, count_);
    add(end_section, count);
    return good_;
  }

 private:
  new_file& file_;
  std::uint64_t count_ = 0;
  bool good_ = false;
};

bool write_sections(const profile& p, new_file& file) {
  sections out{file};
  std::string content, row_bytes;
  std::uint32_t number = 0;
  for (const field& table : tables()) {
    content.clear();
    ++number;
    const void* const rows = table.in(&p);
    if (table.type->is == type::kind::list) {
      const std::size_t size = table.type->size(rows);
      for (std::size_t i = 0; i < size; ++i)
        put_row(content, number, row_of(table), table.type->in(rows, i), row_bytes);
    } else {
      put_row(content, number, row_of(table), rows, row_bytes);
    }
    out.add(number, content);
  }
  return out.end();
}

std::string failure(const std::string& path, const char* reason) {
  return "cannot write the profile " + path + ": " + reason;
}

}  // namespace

// The message fits into a string's own buffer, because a second std::bad_alloc could not be caught here.
std::string write(const profile& p, const std::string& path) noexcept try {
  new_file file{path};
  if (!file.is_open() || !write_sections(p, file) || !file.keep()) return failure(path, std::strerror(errno));
  return {};
} catch (...) {
  return "out of memory";
}

}  // namespace tine::trace
