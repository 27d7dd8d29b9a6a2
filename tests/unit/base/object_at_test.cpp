// Objects in raw memory and addresses as words: objects of several types in the same bytes, flags in words, and the
// types that may begin without a constructor.
#include <tine/detail/base/object_at.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace {

namespace base = tine::base;

struct head {
  std::uintptr_t first;
  int second = 2;  // not written when the lifetime of a head begins without a constructor
};
struct longer : head {
  std::string text;
};
struct closed {
  closed() noexcept {}
  closed(const closed&) = delete;
};

static_assert(base::is_implicit_lifetime<int> && base::is_implicit_lifetime<head*> &&
              base::is_implicit_lifetime<closed[2]>);
static_assert(base::is_implicit_lifetime<head> && base::is_implicit_lifetime<longer>);
static_assert(!base::is_implicit_lifetime<closed> && !base::is_implicit_lifetime<std::string>);

struct memory {
  alignas(16) std::array<std::byte, 256> bytes{};
};

int twice(int n) { return 2 * n; }

}  // namespace

TEST_CASE("an object that begins without a constructor keeps the bytes of the memory") {
  memory m;
  m.bytes[offsetof(head, second)] = std::byte{7};
  head* const h = base::begin_object<head>(m.bytes.data());
  CHECK(static_cast<void*>(h) == m.bytes.data());
  CHECK(h->second == 7);
}

TEST_CASE("memory is used again for an object of another type") {
  memory m;
  base::begin_object<head>(m.bytes.data())->first = 1;
  *base::begin_object<double>(m.bytes.data()) = 0.5;
  CHECK(*base::object_at<double>(m.bytes.data()) == 0.5);
  auto* const l = base::begin_object<longer>(m.bytes.data());
  l->first = 3;
  ::new (static_cast<void*>(&l->text)) std::string(40, 'x');
  const std::byte* const at = m.bytes.data();
  CHECK(base::object_at<longer>(at)->text.size() == 40);
  CHECK(base::object_at<head>(at)->first == 3);
  std::destroy_at(&l->text);
}

TEST_CASE("several objects in a row, behind the bytes of the first") {
  memory m;
  base::begin_objects(m.bytes.data(), m.bytes.size());
  auto& h = *base::object_at<head>(m.bytes.data());
  h.first = 4;
  std::byte* const behind = base::bytes_of(h) + sizeof(head);
  CHECK(behind == m.bytes.data() + sizeof(head));
  base::object_at<head>(behind)->first = 5;
  CHECK(base::object_at<head>(m.bytes.data())->first == 4);
  CHECK(base::object_at<head>(base::bytes_of(std::as_const(h)) + sizeof(head))->first == 5);
}

TEST_CASE("a pointer comes back from a word, after flags were set and removed") {
  int value = 1;
  constexpr std::uintptr_t flags = 3 | std::uintptr_t{1} << 63;
  int* const flagged = base::from_word<int>(base::to_word(&value) | flags);
  CHECK(flagged != &value);
  CHECK(base::to_word(flagged) == (base::to_word(&value) | flags));
  CHECK(base::from_word<int>(base::to_word(flagged) & ~flags) == &value);
  CHECK(base::to_word(base::pointer_constant<std::byte, 1>) == 1);
}

TEST_CASE("a word is read from memory that holds a pointer") {
  int value = 1;
  int* const pointer = &value;
  CHECK(base::word_at(&pointer) == base::to_word(&value));
  alignas(16) std::array<std::byte, 9> unaligned{};
  unaligned[1] = std::byte{5};
  CHECK(base::word_at(unaligned.data() + 1) == 5);
}

TEST_CASE("a function comes back from its address") {
  void* const where = base::from_word<void>(base::to_word(&twice));
  CHECK(base::function_at<int(int)>(where)(4) == 8);
}
