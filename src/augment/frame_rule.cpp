// Reads call frame information (DWARF 5, section 6.4; .eh_frame of the Linux Standard Base), as compilers write it for
// functions. The CFA is a register plus an offset, and registers are saved at offsets from it.
#include "augment/frame_rule.hpp"

#include <tine/detail/base/object_at.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

// NOLINTBEGIN(readability-identifier-naming): names of libgcc
extern "C" {
struct dwarf_eh_bases {
  void* tbase;
  void* dbase;
  void* func;
};
const void* _Unwind_Find_FDE(void* pc, dwarf_eh_bases* found);
}
// NOLINTEND(readability-identifier-naming)

namespace tine::detail {
namespace {

#if defined(__x86_64__)
constexpr std::uint64_t stack_register = 7, frame_register = 6, return_register = 16;
#elif defined(__aarch64__)
constexpr std::uint64_t stack_register = 31, frame_register = 29, return_register = 30;
#else
constexpr std::uint64_t stack_register = ~std::uint64_t{0}, frame_register = stack_register - 1,
                        return_register = stack_register - 2;
#endif

/// Reads numbers from an entry of the table. After its end all of them are 0.
class table_reader {
 public:
  table_reader(const std::byte* begin, const std::byte* end) noexcept : at_{begin}, end_{end} {}

  bool is_at_end() const noexcept { return at_ >= end_; }
  const std::byte* position() const noexcept { return at_; }
  void skip(std::uint64_t bytes) noexcept { at_ = bytes < static_cast<std::uint64_t>(end_ - at_) ? at_ + bytes : end_; }

  template <class T>
  T number() noexcept {
    T n = 0;
    if (end_ - at_ < static_cast<std::ptrdiff_t>(sizeof n)) {
      at_ = end_;
      return 0;
    }
    std::memcpy(&n, at_, sizeof n);
    at_ += sizeof n;
    return n;
  }
  std::uint64_t unsigned_leb() noexcept { return leb().value; }
  std::int64_t signed_leb() noexcept {
    const auto [value, bits, is_negative] = leb();
    const std::uint64_t sign = is_negative && bits < 64 ? ~std::uint64_t{0} << bits : 0;
    return static_cast<std::int64_t>(value | sign);
  }
  std::string_view text() noexcept {
    const std::byte* const begin = at_;
    while (!is_at_end() && *at_ != std::byte{0}) ++at_;
    const std::string_view found{base::object_at<const char>(begin), static_cast<std::size_t>(at_ - begin)};
    skip(1);
    return found;
  }

 private:
  struct leb_number {
    std::uint64_t value;
    unsigned bits;
    bool is_negative;
  };
  leb_number leb() noexcept {
    leb_number n{0, 0, false};
    for (bool more = true; more && !is_at_end();) {
      const auto next = number<std::uint8_t>();
      if (n.bits < 64) n.value |= std::uint64_t{next & 0x7fU} << n.bits;
      n.bits += 7;
      n.is_negative = (next & 0x40) != 0;
      more = (next & 0x80) != 0;
    }
    return n;
  }

  const std::byte* at_;
  const std::byte* end_;
};

/// An entry of .eh_frame: its length, a word that tells its kind, and its contents. None if it is of the 64-bit form.
struct table_entry {
  std::uint32_t kind;  ///< 0: common information; else the distance back to it, from this word
  const std::byte* kind_at;
  table_reader contents;
};
std::optional<table_entry> entry_at(const std::byte* at) noexcept {
  std::uint32_t length = 0;
  std::memcpy(&length, at, sizeof length);
  if (length == std::numeric_limits<std::uint32_t>::max() || length < sizeof(std::uint32_t)) return {};
  at += sizeof length;
  std::uint32_t kind = 0;
  std::memcpy(&kind, at, sizeof kind);
  return table_entry{kind, at, {at + sizeof kind, at + length}};
}

/// The common information of several functions.
struct common_information {
  std::uint64_t code_unit;
  std::int64_t data_unit;
  unsigned address_bytes;  ///< of the addresses in the entries of functions
  bool has_data;           ///< these entries have data of the language in front of the instructions
  table_reader instructions;
};

/// Returns the bytes of a pointer with that encoding; 0: we can't tell.
unsigned bytes_of_encoding(std::uint8_t encoding) noexcept {
  constexpr unsigned bytes[] = {sizeof(void*), 0, 2, 4, 8};  // absolute, in LEB128, and of these sizes
  const unsigned format = encoding & 7U;                     // the next bit says that it is signed
  return format < std::size(bytes) ? bytes[format] : 0;
}

std::optional<common_information> common_of(const table_entry& function) noexcept {
  std::optional<table_entry> common = entry_at(function.kind_at - function.kind);
  if (!common || common->kind != 0) return {};
  table_reader& r = common->contents;
  const auto version = r.number<std::uint8_t>();
  const std::string_view augmentation = r.text();
  if ((version != 1 && version != 3) || (!augmentation.empty() && augmentation.front() != 'z')) return {};
  common_information c{.code_unit = r.unsigned_leb(),
                       .data_unit = r.signed_leb(),
                       .address_bytes = sizeof(void*),
                       .has_data = !augmentation.empty(),
                       .instructions = r};
  const std::uint64_t return_column = version == 1 ? r.number<std::uint8_t>() : r.unsigned_leb();
  if (return_column != return_register) return {};
  if (c.has_data) {
    const std::uint64_t length = r.unsigned_leb();
    table_reader data = r;
    r.skip(length);
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'R') {
        c.address_bytes = bytes_of_encoding(data.number<std::uint8_t>());
      } else if (letter == 'P') {
        data.skip(bytes_of_encoding(data.number<std::uint8_t>()));
      } else if (letter == 'L') {
        data.skip(1);
      } else {
        return {};  // 'S': the frame of a signal; 'B': signed return addresses
      }
    }
  }
  c.instructions = r;
  return c;
}

/// Where a register of the caller is. `at_offset`: in the frame, from the CFA. `at_pointer`: from the frame pointer.
struct saved_register {
  enum class where : std::uint8_t { in_register, at_offset, at_pointer, elsewhere } at = where::in_register;
  std::int64_t offset = 0;
};

/// A row of the table: the state of a frame from one instruction on.
struct row {
  /// `from_register`: the CFA is `cfa_offset` behind a register. `in_word`: it is in the word at that offset from the
  /// frame pointer.
  enum class rule : std::uint8_t { from_register, in_word, unknown } cfa = rule::from_register;
  std::uint64_t cfa_register = stack_register;
  std::int64_t cfa_offset = 0;
  saved_register frame_pointer, return_address;

  saved_register* of(std::uint64_t which) noexcept {
    return which == frame_register ? &frame_pointer : which == return_register ? &return_address : nullptr;
  }
  void save(std::uint64_t which, saved_register s) noexcept {
    if (saved_register* const here = of(which)) *here = s;
  }
};

/// The instructions of the table. The first three have an operand in their lower six bits.
namespace instruction {
enum : std::uint8_t {
  advance_loc = 0x40,
  offset = 0x80,
  restore = 0xc0,
  nop = 0x00,
  advance_loc1 = 0x02,
  advance_loc2 = 0x03,
  advance_loc4 = 0x04,
  offset_extended = 0x05,
  restore_extended = 0x06,
  undefined = 0x07,
  same_value = 0x08,
  in_register = 0x09,
  remember_state = 0x0a,
  restore_state = 0x0b,
  def_cfa = 0x0c,
  def_cfa_register = 0x0d,
  def_cfa_offset = 0x0e,
  def_cfa_expression = 0x0f,
  expression = 0x10,
  offset_extended_sf = 0x11,
  def_cfa_sf = 0x12,
  def_cfa_offset_sf = 0x13,
  val_offset = 0x14,
  val_offset_sf = 0x15,
  val_expression = 0x16,
  args_size = 0x2e,
};
}  // namespace instruction
constexpr std::uint8_t operand_bits = 0x3f;

/// The expressions that g++ writes for functions that realign their frame: an offset from the frame pointer, and
/// perhaps the word there.
struct frame_expression {
  std::int64_t offset = 0;
  bool is_word = false;
};
std::optional<frame_expression> read_expression(table_reader& r) noexcept {
  constexpr std::uint8_t breg = 0x70 + frame_register, deref = 0x06;
  const std::uint64_t length = r.unsigned_leb();
  table_reader inside = r;
  r.skip(length);
  const std::byte* const end = r.position();
  if (length == 0 || inside.number<std::uint8_t>() != breg) return {};
  frame_expression found{.offset = inside.signed_leb()};
  found.is_word = inside.position() < end && inside.number<std::uint8_t>() == deref;
  return inside.position() == end ? std::optional{found} : std::nullopt;
}

/// Runs instructions up to the first one that is for code behind `target`.
class row_machine {
 public:
  row_machine(const common_information& c, std::uintptr_t begin, std::uintptr_t target) noexcept
      : common_{c}, location_{begin}, target_{target} {}

  /// Returns false if an instruction is unknown.
  bool run(table_reader r) noexcept {
    while (!r.is_at_end() && location_ <= target_) {
      if (!run_one(r)) return false;
    }
    return true;
  }
  /// The instructions of a function follow, which may return to the rows so far.
  void end_common() noexcept { initial_ = now_; }
  const row& found() const noexcept { return now_; }

 private:
  using where = saved_register::where;

  bool run_one(table_reader& r) noexcept {
    const auto code = r.number<std::uint8_t>();
    const std::uint64_t operand = code & operand_bits;
    switch (code & ~operand_bits) {
      case instruction::advance_loc:
        return advance(operand);
      case instruction::offset:
        return save(operand, {where::at_offset, unsigned_factored(r)});
      case instruction::restore:
        return restore_register(operand);
      default:
        return run_extended(code, r);
    }
  }

  bool run_extended(std::uint8_t code, table_reader& r) noexcept {
    switch (code) {
      case instruction::nop:
        return true;
      case instruction::advance_loc1:
        return advance(r.number<std::uint8_t>());
      case instruction::advance_loc2:
        return advance(r.number<std::uint16_t>());
      case instruction::advance_loc4:
        return advance(r.number<std::uint32_t>());
      case instruction::restore_extended:
        return restore_register(r.unsigned_leb());
      case instruction::remember_state:
        return remember();
      case instruction::restore_state:
        return recall();
      case instruction::args_size:
        r.unsigned_leb();
        return true;
      case instruction::def_cfa:
      case instruction::def_cfa_register:
      case instruction::def_cfa_offset:
      case instruction::def_cfa_sf:
      case instruction::def_cfa_offset_sf:
      case instruction::def_cfa_expression:
        return define_cfa(code, r);
      default:
        return run_for_register(code, r);
    }
  }

  bool define_cfa(std::uint8_t code, table_reader& r) noexcept {
    if (code == instruction::def_cfa_expression) {
      const std::optional<frame_expression> found = read_expression(r);
      now_.cfa = found && found->is_word ? row::rule::in_word : row::rule::unknown;
      if (found) now_.cfa_offset = found->offset;
      return true;
    }
    if (code == instruction::def_cfa || code == instruction::def_cfa_register || code == instruction::def_cfa_sf) {
      now_.cfa = row::rule::from_register;
      now_.cfa_register = r.unsigned_leb();
    }
    if (code == instruction::def_cfa || code == instruction::def_cfa_offset)
      now_.cfa_offset = static_cast<std::int64_t>(r.unsigned_leb());
    if (code == instruction::def_cfa_sf || code == instruction::def_cfa_offset_sf) now_.cfa_offset = signed_factored(r);
    return true;
  }

  bool run_for_register(std::uint8_t code, table_reader& r) noexcept {
    const std::uint64_t which = r.unsigned_leb();
    switch (code) {
      case instruction::offset_extended:
        return save(which, {where::at_offset, unsigned_factored(r)});
      case instruction::offset_extended_sf:
        return save(which, {where::at_offset, signed_factored(r)});
      case instruction::same_value:
        return save(which, {where::in_register});
      case instruction::undefined:
        return save(which, {where::elsewhere});
      case instruction::in_register:
      case instruction::val_offset:
      case instruction::val_offset_sf:
        r.unsigned_leb();
        return save(which, {where::elsewhere});
      case instruction::val_expression:
        r.skip(r.unsigned_leb());
        return save(which, {where::elsewhere});
      case instruction::expression: {
        const std::optional<frame_expression> found = read_expression(r);
        const bool is_simple = found && !found->is_word;
        return save(which,
                    is_simple ? saved_register{where::at_pointer, found->offset} : saved_register{where::elsewhere});
      }
      default:
        return false;
    }
  }

  bool advance(std::uint64_t units) noexcept {
    location_ += units * common_.code_unit;
    return true;
  }
  bool save(std::uint64_t which, saved_register s) noexcept {
    now_.save(which, s);
    return true;
  }
  bool restore_register(std::uint64_t which) noexcept {
    if (const saved_register* const at_start = initial_.of(which)) now_.save(which, *at_start);
    return true;
  }
  std::int64_t unsigned_factored(table_reader& r) const noexcept {
    return static_cast<std::int64_t>(r.unsigned_leb()) * common_.data_unit;
  }
  std::int64_t signed_factored(table_reader& r) const noexcept { return r.signed_leb() * common_.data_unit; }

  bool remember() noexcept {
    if (depth_ == remembered_.size()) return false;
    remembered_[depth_++] = now_;
    return true;
  }
  bool recall() noexcept {
    if (depth_ == 0) return false;
    now_ = remembered_[--depth_];
    return true;
  }

  const common_information& common_;
  std::uintptr_t location_, target_;
  row now_, initial_;
  std::array<row, 8> remembered_;
  std::size_t depth_ = 0;
};

/// Returns the rule for a row; an unknown one if the row needs more.
frame_rule rule_of(const row& r) noexcept {
  using where = saved_register::where;
  using from = frame_rule::from;
  const from base = r.cfa == row::rule::in_word        ? from::realigned
                    : r.cfa == row::rule::unknown      ? from::unknown
                    : r.cfa_register == stack_register ? from::stack_pointer
                    : r.cfa_register == frame_register ? from::frame_pointer
                                                       : from::unknown;
  const where saved_at = base == from::realigned ? where::at_pointer : where::at_offset;
  const bool is_saved = r.frame_pointer.at == saved_at;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const auto fits = [](std::int64_t n) { return -most <= n && n <= most; };
  if (base == from::unknown || r.return_address.at != where::at_offset) return {};
  if (!is_saved && r.frame_pointer.at != where::in_register) return {};
  if (!fits(r.cfa_offset) || !fits(r.return_address.offset) || !fits(r.frame_pointer.offset)) return {};
  return {.base = base,
          .saves_frame_pointer = is_saved,
          .cfa = static_cast<std::int32_t>(r.cfa_offset),
          .return_address = static_cast<std::int32_t>(r.return_address.offset),
          .frame_pointer = static_cast<std::int32_t>(r.frame_pointer.offset)};
}

}  // namespace

frame_rule rule_for(std::uintptr_t pc) noexcept {
  const std::uintptr_t call = pc - 1;  // a return address may be the start of the next function
  dwarf_eh_bases bases{};
  const void* const found = _Unwind_Find_FDE(base::from_word<void>(call), &bases);
  if (found == nullptr) return {};
  std::optional<table_entry> function = entry_at(static_cast<const std::byte*>(found));
  if (!function || function->kind == 0) return {};
  const std::optional<common_information> common = common_of(*function);
  if (!common || common->address_bytes == 0) return {};
  table_reader& r = function->contents;
  r.skip(2 * std::uint64_t{common->address_bytes});  // the function's start, which libgcc has decoded, and its length
  if (common->has_data) r.skip(r.unsigned_leb());
  row_machine machine{*common, base::to_word(bases.func), call};
  if (!machine.run(common->instructions)) return {};
  machine.end_common();
  return machine.run(r) ? rule_of(machine.found()) : frame_rule{};
}

}  // namespace tine::detail
