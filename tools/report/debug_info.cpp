// Reads debug information by libdw: the units and their functions are listed here, because libdw finds neither for
// clang's code.
#include "report/debug_info.hpp"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <ranges>

namespace tine::report {
namespace {

std::string text(const char* s) { return s == nullptr ? std::string{} : std::string{s}; }

std::string function_of(Dwarf_Die& entry) {
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&entry, name, &attribute) == nullptr) continue;
    if (const char* linkage = dwarf_formstring(&attribute)) return linkage;
  }
  return text(dwarf_diename(&entry));
}

// Returns the file with its folder. Compilers may name it relative to the folder in which they ran.
std::string absolute(const std::string& file, const char* folder) {
  return file.empty() || file.front() == '/' || folder == nullptr ? file : folder + ("/" + file);
}

const char* folder_of(Dwarf_Die& unit) {
  Dwarf_Attribute folder;
  return dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &folder));
}

// Returns the place of the instruction in the source, without a function.
frame place_of(Dwarf_Die& unit, Dwarf_Addr address) {
  Dwarf_Line* found = dwarf_getsrc_die(&unit, address);
  const char* file = found == nullptr ? nullptr : dwarf_linesrc(found, nullptr, nullptr);
  int line = 0;
  if (file == nullptr || dwarf_lineno(found, &line) != 0) return {};
  return {{}, absolute(file, folder_of(unit)), static_cast<std::uint32_t>(line)};
}

Dwarf_Word number_of(Dwarf_Die& entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(&entry, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
  return value;
}

// Sets the place of `f` to that of the call that was inlined.
void set_call(frame& f, Dwarf_Die& inlined) {
  Dwarf_Die unit;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const Dwarf_Word file = number_of(inlined, DW_AT_call_file);
  if (dwarf_diecu(&inlined, &unit, nullptr, nullptr) == nullptr || dwarf_getsrcfiles(&unit, &files, &count) != 0)
    return;
  if (file >= count) return;
  f.file = absolute(text(dwarf_filesrc(files, file, nullptr, nullptr)), folder_of(unit));
  f.line = f.file.empty() ? 0 : static_cast<std::uint32_t>(number_of(inlined, DW_AT_call_line));
}

// Adds the functions below `parent` whose code contains the address, the outermost first: the function, and those that
// were inlined in it. dwarf_getscopes would not look into namespaces, where clang describes functions. `in_all`: look
// into classes and functions, too. g++ describes a lambda there, with code outside of that of the function.
void add_functions(std::vector<Dwarf_Die>& around, Dwarf_Die& parent, Dwarf_Addr address, bool in_all) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    const bool is_block = tag == DW_TAG_lexical_block;
    const bool has_code = is_block || tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
    const bool is_type = tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
    if (has_code && dwarf_haspc(&child, address) > 0) {
      if (!is_block) around.push_back(child);
      add_functions(around, child, address, false);
      return;
    }
    if (tag == DW_TAG_namespace || (in_all && (has_code || is_type))) {
      add_functions(around, child, address, in_all);
      if (!around.empty()) return;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace

struct debug_info::session {
  explicit session(const std::string& path) : dwfl{dwfl_begin(&callbacks)} {
    if (dwfl == nullptr) return;
    dwfl_report_begin(dwfl);
    // The bias is zero: addresses are those in the file.
    module = dwfl_report_elf(dwfl, path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(dwfl, nullptr, nullptr);
    if (module != nullptr) find_units();
  }

  ~session() { dwfl_end(dwfl); }

  // Fills `units` with the addresses of each compilation unit. dwfl_module_addrdie would need .debug_aranges, which
  // clang does not write.
  void find_units() {
    Dwarf_Addr bias = 0;
    Dwarf* const info = dwfl_module_getdwarf(module, &bias);
    Dwarf_Die unit;
    for (Dwarf_CU* at = nullptr;
         info != nullptr && dwarf_get_units(info, at, &at, nullptr, nullptr, &unit, nullptr) == 0;) {
      Dwarf_Addr base = 0, begin = 0, end = 0;
      for (std::ptrdiff_t next = 0; (next = dwarf_ranges(&unit, next, &base, &begin, &end)) > 0;) {
        if (begin < end) units.push_back({begin + bias, end + bias, bias, unit});
      }
    }
    std::ranges::sort(units, {}, &range::begin);
  }

  struct range {
    Dwarf_Addr begin, end, bias;
    mutable Dwarf_Die unit;  // libdw takes no const, and does not change it
  };

  // Returns the range that contains the address; null if there is none.
  const range* unit_at(Dwarf_Addr address) const {
    const auto behind = std::ranges::upper_bound(units, address, {}, &range::begin);
    return behind == units.begin() || std::prev(behind)->end <= address ? nullptr : &*std::prev(behind);
  }

  session(const session&) = delete;
  session& operator=(const session&) = delete;

  // Returns the frames that the debug information names; none if there is none for this address.
  std::vector<frame> described(Dwarf_Addr address) const {
    std::vector<frame> frames;
    const range* found = unit_at(address);
    if (found == nullptr) return frames;
    const Dwarf_Addr in_file = address - found->bias;
    frame next = place_of(found->unit, in_file);
    std::vector<Dwarf_Die> around;
    add_functions(around, found->unit, in_file, false);
    if (around.empty()) add_functions(around, found->unit, in_file, true);
    if (around.empty()) return {next};
    for (Dwarf_Die& entry : around | std::views::reverse) {
      next.function = function_of(entry);
      // clang puts functions without names into coroutines; their code counts as that of the function around them
      if (next.function.empty() && &entry != &around.front()) continue;
      frames.push_back(next);
      next = {};
      set_call(next, entry);
    }
    return frames;
  }

  // Returns true if the debug information at the address has the whole names of functions, because the language, C or
  // Spork IR, has no namespaces.
  bool has_whole_names(Dwarf_Addr address) const {
    const range* found = unit_at(address);
    const int language = found == nullptr ? -1 : dwarf_srclang(&found->unit);
    return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 || language == DW_LANG_C11;
  }

  static const Dwfl_Callbacks callbacks;
  Dwfl* dwfl;
  Dwfl_Module* module = nullptr;
  std::vector<range> units;  // in the order of their addresses
};

const Dwfl_Callbacks debug_info::session::callbacks{
    .find_elf = nullptr,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

debug_info::debug_info(const std::string& path) : session_{std::make_unique<session>(path)} {}
debug_info::~debug_info() = default;

std::string debug_info::build_id() const {
  std::string hex;
  const unsigned char* bits = nullptr;
  GElf_Addr address = 0;
  const int bytes = session_->module == nullptr ? 0 : dwfl_module_build_id(session_->module, &bits, &address);
  for (int i = 0; i < bytes; ++i) {
    constexpr char digits[] = "0123456789abcdef";
    hex += digits[bits[i] >> 4];
    hex += digits[bits[i] & 15];
  }
  return hex;
}

void debug_info::add_wrappers(std::vector<trace::named_wrapper>& to) const {
  GElf_Addr bias = 0;
  Elf* const file = session_->module == nullptr ? nullptr : dwfl_module_getelf(session_->module, &bias);
  std::size_t names = 0;
  if (file == nullptr || elf_getshdrstrndx(file, &names) != 0) return;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(file, section)) != nullptr;) {
    GElf_Shdr head{};
    if (gelf_getshdr(section, &head) == nullptr) continue;
    if (text(elf_strptr(file, names, head.sh_name)) != trace::wrappers_section) continue;
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    trace::read_wrappers({static_cast<const char*>(data->d_buf), data->d_size}, to);
  }
}

std::vector<frame> debug_info::frames_at(std::uint64_t address) const {
  if (session_->module == nullptr) return {};
  std::vector<frame> frames = session_->described(address);
  if (frames.empty()) frames.emplace_back();
  if (!frames.back().function.empty() && session_->has_whole_names(address)) return frames;
  // The symbol has the whole name of the function, even if the debug information has lines only.
  if (const char* symbol = dwfl_module_addrname(session_->module, address)) frames.back().function = symbol;
  return frames;
}

variable debug_info::variable_at(std::uint64_t address) const {
  if (session_->module == nullptr) return {};
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name = dwfl_module_addrinfo(session_->module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  // A symbol without a size, as assembly may define, says nothing about the bytes behind it.
  const bool is_variable = name != nullptr && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && offset < symbol.st_size;
  return is_variable ? variable{name, offset, symbol.st_size} : variable{};
}

}  // namespace tine::report
