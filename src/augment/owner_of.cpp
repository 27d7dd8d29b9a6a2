// Reads the symbol tables of the process's files for the functions that are wrappers.
#include "augment/owner_of.hpp"

#include "trace/wrappers.hpp"

#include <tine/detail/base/object_at.hpp>

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace tine::detail {
namespace {

/// A file that is mapped for reading; empty if that is impossible.
class mapped_file {
 public:
  explicit mapped_file(const char* path) noexcept {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about{};
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
      void* const at = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(at), static_cast<std::size_t>(about.st_size)};
    }
    close(file);
  }
  ~mapped_file() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  /// Returns `count` objects at an offset; none if the file is shorter.
  template <class T>
  std::span<const T> array(std::uint64_t offset, std::uint64_t count) const noexcept {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T) || offset % alignof(T) != 0) return {};
    return {base::object_at<const T>(bytes_.data() + offset), static_cast<std::size_t>(count)};
  }

 private:
  std::span<const std::byte> bytes_;
};

/// An ELF file of the process.
class symbol_file {
 public:
  explicit symbol_file(const char* path) noexcept : file_{path} {
    const auto head = file_.array<ElfW(Ehdr)>(0, 1);
    if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0) return;
    sections_ = file_.array<ElfW(Shdr)>(head[0].e_shoff, head[0].e_shnum);
    if (head[0].e_shstrndx < sections_.size()) names_ = text_of(sections_[head[0].e_shstrndx]);
  }

  /// Appends the wrappers that the file names.
  void add_wrappers(std::vector<trace::named_wrapper>& to) const {
    for (const ElfW(Shdr) & s : sections_) {
      if (word_at(names_, s.sh_name) != trace::wrappers_section) continue;
      const std::span<const char> all = text_of(s);
      trace::read_wrappers({all.data(), all.size()}, to);
    }
  }

  /// Calls `f(name, address, bytes)` for each function that has a symbol.
  template <class F>
  void for_functions(F f) const {
    const ElfW(Shdr)* const table = symbols();
    if (table == nullptr || table->sh_link >= sections_.size()) return;
    const std::span<const char> names = text_of(sections_[table->sh_link]);
    for (const ElfW(Sym) & s : file_.array<ElfW(Sym)>(table->sh_offset, table->sh_size / sizeof(ElfW(Sym)))) {
      if ((s.st_info & 0xf) == STT_FUNC && s.st_shndx != SHN_UNDEF && s.st_size != 0)
        f(word_at(names, s.st_name), s.st_value, s.st_size);
    }
  }

 private:
  std::span<const char> text_of(const ElfW(Shdr) & s) const noexcept {
    return s.sh_type == SHT_NOBITS ? std::span<const char>{} : file_.array<char>(s.sh_offset, s.sh_size);
  }
  static std::string_view word_at(std::span<const char> text, std::size_t at) noexcept {
    if (at >= text.size()) return {};
    return {text.data() + at, strnlen(text.data() + at, text.size() - at)};
  }
  /// The table of all symbols, or of those for other files if the former was stripped.
  const ElfW(Shdr) * symbols() const noexcept {
    const auto of_type = [this](ElfW(Word) type) { return std::ranges::find(sections_, type, &ElfW(Shdr)::sh_type); };
    auto found = of_type(SHT_SYMTAB);
    if (found == sections_.end()) found = of_type(SHT_DYNSYM);
    return found == sections_.end() ? nullptr : &*found;
  }

  mapped_file file_;
  std::span<const ElfW(Shdr)> sections_;
  std::span<const char> names_;
};

struct range {
  std::uintptr_t begin, end;
  owner of;
};

/// A file of the process.
struct loaded_file {
  std::string path;
  std::uintptr_t bias;
  range code;  ///< its code as a whole
};

/// A number that changes when a file is loaded or unloaded.
std::uint64_t version_of_files() noexcept {
  std::uint64_t version = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* each, std::size_t, void* to) {
        *static_cast<std::uint64_t*>(to) = each->dlpi_adds + each->dlpi_subs;
        return 1;
      },
      &version);
  return version;
}

/// Returns to whom all of a library's code belongs: its inner functions may have no symbols.
owner owner_of_library(std::string_view path) noexcept {
  using names = std::initializer_list<std::string_view>;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto is_any_of = [name](names all) {
    return std::ranges::any_of(all, [name](std::string_view front) { return name.starts_with(front); });
  };
  if (is_any_of({"libtine", "libboost_context.", "libgomp.", "libomp.", "libiomp5."})) return owner::runtime;
  if (is_any_of({"libstdc++.", "libc++", "libgcc_s.", "libc.", "libm.", "libpthread.", "ld-linux", "libtbb"}))
    return owner::wrapper;
  return owner::program;
}

std::vector<loaded_file> files_now() {
  std::vector<loaded_file> found;
  dl_iterate_phdr(
      [](dl_phdr_info* each, std::size_t, void* to) {
        auto& files = *static_cast<std::vector<loaded_file>*>(to);
        const bool is_program = files.empty();  // which comes first
        loaded_file& f = files.emplace_back(is_program ? "/proc/self/exe" : each->dlpi_name, each->dlpi_addr);
        f.code.of = is_program ? owner::program : owner_of_library(f.path);
        for (const ElfW(Phdr) & segment : std::span{each->dlpi_phdr, each->dlpi_phnum}) {
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
          f.code.begin = f.bias + segment.p_vaddr;
          f.code.end = f.code.begin + segment.p_memsz;
        }
        return 0;
      },
      &found);
  return found;
}

/// The functions of the program and whole libraries, in the order of addresses.
class wrapper_ranges {
 public:
  owner owner_of(std::uintptr_t at) {
    if (const std::uint64_t version = version_of_files(); version_ != version) {
      version_ = version;
      read_files();
    }
    const auto behind = std::ranges::upper_bound(ranges_, at, {}, &range::begin);
    return behind != ranges_.begin() && at < std::prev(behind)->end ? std::prev(behind)->of : owner::unnamed;
  }

 private:
  /// All files are read again if one of them is new: it may name wrappers in the others.
  void read_files() {
    ranges_.clear();
    const std::vector<loaded_file> files = files_now();
    std::vector<trace::named_wrapper> named;
    for (const loaded_file& f : files) symbol_file{f.path.c_str()}.add_wrappers(named);
    for (const loaded_file& f : files) {
      f.code.of == owner::program ? add_functions(f, named) : ranges_.push_back(f.code);
    }
    std::ranges::sort(ranges_, {}, &range::begin);
  }

  void add_functions(const loaded_file& f, std::span<const trace::named_wrapper> named) {
    symbol_file{f.path.c_str()}.for_functions([&](std::string_view name, std::uint64_t at, std::uint64_t bytes) {
      const owner of = trace::is_symbol_of_tine(name)          ? owner::runtime
                       : trace::is_wrapper_symbol(name, named) ? owner::wrapper
                                                               : owner::program;
      ranges_.push_back({f.bias + at, f.bias + at + bytes, of});
    });
  }

  std::uint64_t version_ = 0;
  std::vector<range> ranges_;
};

}  // namespace

owner owner_of(std::uintptr_t instruction) {
  static wrapper_ranges& all = *new wrapper_ranges;  // never destroyed, because threads fork until the process ends
  return all.owner_of(instruction);
}

}  // namespace tine::detail
