// Stack maps written by hand, read as those of LLVM are.
#include "managed/stack_maps.hpp"

#include "base/arch/mapped_frames.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace tine;

struct place {
  std::uint8_t what;
  std::uint16_t base;
  std::int32_t value;
};
constexpr place constant(std::int32_t n) { return {4, 0, n}; }
constexpr place large(std::int32_t i) { return {5, 0, i}; }
constexpr place at(std::int32_t offset) { return {2, base::stack_register, offset}; }
constexpr place spilled(std::int32_t offset) { return {3, base::stack_register, offset}; }

constexpr detail::map_location in_frame(std::int64_t offset) {
  return {detail::map_location::anchor::stack_pointer, offset};
}

struct call {
  std::uint32_t offset;
  std::vector<place> bundle;
};
struct mapped {
  std::uint64_t begin, frame;
  std::vector<call> calls;
};

class maps_text {
 public:
  maps_text(const std::vector<mapped>& functions, const std::vector<std::uint64_t>& constants,
            std::uint8_t version = 3) {
    put(version), put<std::uint8_t>(0), put<std::uint16_t>(0);
    std::size_t calls = 0;
    for (const mapped& f : functions) calls += f.calls.size();
    put(static_cast<std::uint32_t>(functions.size())), put(static_cast<std::uint32_t>(constants.size()));
    put(static_cast<std::uint32_t>(calls));
    for (const mapped& f : functions) put(f.begin), put(f.frame), put<std::uint64_t>(f.calls.size());
    for (const std::uint64_t c : constants) put(c);
    for (const mapped& f : functions) {
      for (const call& c : f.calls) put_call(c);
    }
  }

  const void* data() const { return bytes_.data(); }

 private:
  template <class T>
  void put(T value) {
    bytes_.resize(bytes_.size() + sizeof value);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
  }
  void align() { bytes_.resize((bytes_.size() + 7) / 8 * 8); }
  void put_place(const place& p) {
    put(p.what), put<std::uint8_t>(0), put<std::uint16_t>(8), put(p.base), put<std::uint16_t>(0), put(p.value);
  }
  void put_call(const call& c) {
    put<std::uint64_t>(0xabcdef), put(c.offset), put<std::uint16_t>(0);
    put(static_cast<std::uint16_t>(c.bundle.size() + 3));
    put_place(constant(0)), put_place(constant(0)), put_place(constant(static_cast<std::int32_t>(c.bundle.size())));
    for (const place& p : c.bundle) put_place(p);
    align();
    put<std::uint16_t>(0), put<std::uint16_t>(1), put<std::uint32_t>(0);  // one register, which tine does not need
    align();
  }

  std::vector<std::byte> bytes_;
};

const tine_abi_kind some{nullptr, 32, 0, 1}, other{nullptr, 40, 0, 2};
const tine_abi_kind* const kinds[] = {&some, &other};

detail::stack_maps read(const maps_text& text) {
  const auto code = [](std::uintptr_t at) { return reinterpret_cast<const void*>(at); };
  return detail::stack_maps{tine_abi_frames{text.data(), kinds, code(1000), code(3000), nullptr}};
}

// The functions are not in the order of their addresses.
const std::vector<mapped> two_functions{
    {2000, 24, {{.offset = 8, .bundle = {}}}},
    {1000,
     56,
     {{.offset = 50, .bundle = {constant(2), constant(1), at(16), at(8), large(0), constant(0), constant(0), at(24)}},
      {.offset = 20, .bundle = {constant(1), constant(0), at(24), spilled(32)}}}}};

TEST_CASE("a call's forks are found by its return address") {
  const detail::stack_maps maps = read({two_functions, {1ULL << 40}});
  const detail::frame_shape two = maps.at(1050);
  CHECK(two.bytes == 56);
  REQUIRE(two.forks.size() == 2);
  CHECK((two.forks[0].kind == &other && two.forks[0].slot == in_frame(16)));
  REQUIRE(two.forks[0].arguments.size() == 2);
  CHECK((two.forks[0].arguments[0] == in_frame(8)));
  CHECK((two.forks[0].arguments[1] == detail::map_location{detail::map_location::anchor::none, std::int64_t{1} << 40}));
  CHECK((two.forks[1].kind == &some && two.forks[1].slot == in_frame(24) && two.forks[1].arguments.empty()));
  const detail::frame_shape one = maps.at(1020);
  REQUIRE((one.forks.size() == 1 && one.forks[0].arguments.size() == 1));
  CHECK((one.forks[0].arguments[0] == in_frame(32)));
}

TEST_CASE("a call without a bundle has the frame of its function, and no forks") {
  const detail::stack_maps maps = read({two_functions, {0}});
  CHECK((maps.at(1051).bytes == 56 && maps.at(1051).forks.empty()));
  CHECK((maps.at(2008).bytes == 24 && maps.at(2008).forks.empty()));
  CHECK(maps.at(2999).bytes == 24);
}

TEST_CASE("other code has no frames") {
  const detail::stack_maps maps = read({two_functions, {0}});
  CHECK(maps.at(999).bytes == 0);
  CHECK(maps.at(3000).bytes == 0);
}

TEST_CASE("maps that are not as promised are refused, and the message says why") {
  const auto why = [](const std::vector<mapped>& functions, std::uint8_t version = 3) -> std::string {
    try {
      read({functions, {}, version});
      return "";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  CHECK(why({{1000, 8, {}}}).empty());
  CHECK(has(why({}, 4), "version 3"));
  CHECK(has(why({{1000, ~std::uint64_t{0}, {}}}), "no fixed size"));
  const auto bundle = [](std::vector<place> places) {
    return std::vector<mapped>{{1000, 8, {{.offset = 1, .bundle = std::move(places)}}}};
  };
  CHECK(has(why(bundle({at(0), constant(0), at(8)})), "no constant"));
  CHECK(has(why(bundle({constant(0), constant(0), spilled(8)})), "a slot"));
  CHECK(has(why(bundle({constant(0), constant(0), {2, 6, 8}})), "a slot"));
  CHECK(has(why(bundle({constant(1), constant(0), at(8), {1, 3, 0}})), "an argument"));
  CHECK(has(why(bundle({constant(1), constant(0), at(8)})), "cut off"));
  CHECK(has(why(bundle({constant(1), constant(0)})), "cut off"));
}

}  // namespace
