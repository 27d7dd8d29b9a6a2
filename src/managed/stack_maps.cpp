// Reads version 3 of the format ("Stack maps and patch points in LLVM", Stack Map Format). It uses functions,
// constants, and records of calls with a deopt bundle.
#include "managed/stack_maps.hpp"

#include "base/arch/mapped_frames.hpp"

#include <tine/detail/base/object_at.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace tine::detail {
namespace {

enum class place : std::uint8_t { in_register = 1, direct = 2, indirect = 3, constant = 4, large_constant = 5 };

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument{"tine: these stack maps cannot be used: " + what +
                              "; tine/managed/abi.h says what they have to be"};
}

}  // namespace

class stack_maps::reader {
 public:
  explicit reader(const void* maps) : begin_{static_cast<const std::byte*>(maps)}, at_{begin_} {}

  template <class T>
  T next() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  void skip(std::size_t bytes) { at_ += bytes; }
  void align() { at_ += -(at_ - begin_) & 7; }

  std::vector<std::int64_t> large;

 private:
  const std::byte* begin_;
  const std::byte* at_;
};

namespace {

struct location {
  place where;
  std::uint16_t base;
  std::int64_t value;  // the constant, or the distance from the register

  std::int64_t as_constant() const {
    if (where != place::constant) refuse("a number in a group is no constant");
    return value;
  }
  map_location::anchor from() const {
    if (where != place::direct && where != place::indirect) return map_location::anchor::none;
    if (base == base::stack_register) return map_location::anchor::stack_pointer;
    return base == base::frame_register ? map_location::anchor::frame_pointer : map_location::anchor::none;
  }
  map_location as_address() const {
    if (where != place::direct || from() == map_location::anchor::none) refuse("a slot is not in the frame");
    return {from(), value};
  }
  map_location as_argument() const {
    if (where != place::constant && from() == map_location::anchor::none)
      refuse("an argument is neither a constant nor in the frame");
    return {from(), value};
  }
};

location next_location(auto& in) {
  location l{};
  l.where = in.template next<place>();
  in.skip(3);  // a reserved byte, and the size: every value is a cell
  l.base = in.template next<std::uint16_t>();
  in.skip(2);
  l.value = in.template next<std::int32_t>();
  if (l.where == place::large_constant) l = {place::constant, 0, in.large[static_cast<std::size_t>(l.value)]};
  return l;
}

}  // namespace

stack_maps::stack_maps(const tine_abi_frames& module)
    : code_{base::to_word(module.code)}, code_end_{base::to_word(module.code_end)}, kinds_{module.kinds} {
  reader in{module.maps};
  if (in.next<std::uint8_t>() != 3) refuse("they are not of version 3");
  in.skip(3);
  const auto functions = in.next<std::uint32_t>(), constants = in.next<std::uint32_t>();
  in.skip(4);
  std::vector<std::uint64_t> records;
  for (std::uint32_t i = 0; i < functions; ++i) {
    functions_.push_back({in.next<std::uintptr_t>(), in.next<std::uint64_t>()});
    if (functions_.back().frame_bytes == ~std::uint64_t{0}) refuse("a function has a frame of no fixed size");
    records.push_back(in.next<std::uint64_t>());
  }
  for (std::uint32_t i = 0; i < constants; ++i) in.large.push_back(in.next<std::int64_t>());
  for (std::uint32_t i = 0; i < functions; ++i) {
    for (std::uint64_t left = records[i]; left != 0; --left) add_call(in, functions_[i]);
  }
  // From here on the vectors do not move any more.
  std::size_t used = 0;
  for (mapped_fork& f : forks_) {
    f.arguments = {arguments_.data() + used, f.arguments.size()};
    used += f.arguments.size();
  }
  std::ranges::sort(functions_, {}, &mapped_function::begin);
  std::ranges::sort(calls_, {}, &call_site::return_address);
}

// A record holds a number, the place in the function, the locations, and the live registers. The first three locations
// of a call with a bundle are its convention, its flags, and the number of locations in the bundle.
void stack_maps::add_call(reader& in, const mapped_function& f) {
  in.skip(8);
  const std::uintptr_t where = f.begin + in.next<std::uint32_t>();
  in.skip(2);
  const auto given = in.next<std::uint16_t>();
  std::vector<location> locations;
  for (std::uint16_t i = 0; i < given; ++i) locations.push_back(next_location(in));
  in.align();
  in.skip(2);
  in.skip(std::size_t{4} * in.next<std::uint16_t>());
  in.align();
  if (given < 3) return;  // a mark that only makes the function known
  call_site site{where, f.frame_bytes, static_cast<std::uint32_t>(forks_.size()), 0};
  std::size_t at = 3;
  const std::size_t end = at + static_cast<std::size_t>(locations[2].as_constant());
  if (end > locations.size()) refuse("a bundle is cut off");
  while (at != end) {
    const auto count = static_cast<std::size_t>(locations[at].as_constant());
    if (end - at < 3 || end - at - 3 < count) refuse("a group is cut off");
    mapped_fork fork{kinds_[locations[at + 1].as_constant()], locations[at + 2].as_address(), {}};
    for (std::size_t i = 0; i < count; ++i) arguments_.push_back(locations[at + 3 + i].as_argument());
    fork.arguments = {arguments_.data(), count};
    forks_.push_back(fork);
    ++site.forks;
    at += 3 + count;
  }
  calls_.push_back(site);
}

frame_shape stack_maps::at(std::uintptr_t return_address) const noexcept {
  if (return_address < code_ || return_address >= code_end_) return {};
  const auto call = std::ranges::lower_bound(calls_, return_address, {}, &call_site::return_address);
  if (call != calls_.end() && call->return_address == return_address) {
    return {call->frame_bytes, std::span{forks_}.subspan(call->first, call->forks)};
  }
  // a call without a bundle: the walk only passes over its frame
  const auto behind = std::ranges::upper_bound(functions_, return_address, {}, &mapped_function::begin);
  return {behind == functions_.begin() ? 0 : std::prev(behind)->frame_bytes, {}};
}

}  // namespace tine::detail
