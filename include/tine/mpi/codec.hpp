// codec: the bytes by which a value travels to another rank.
#pragma once

#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tine::mpi {

/// Appends bytes to a message.
class writer {
 public:
  explicit writer(std::vector<std::byte>& to) noexcept : to_{to} {}
  /// Appends these bytes. Throws std::bad_alloc.
  void write(const void* from, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(from);
    to_.insert(to_.end(), begin, begin + bytes);
  }
  /// Returns the message so far.
  std::vector<std::byte>& bytes() noexcept { return to_; }

 private:
  std::vector<std::byte>& to_;
};

/// Reads the bytes of a message in their order.
class reader {
 public:
  explicit reader(std::span<const std::byte> from) noexcept : rest_{from} {}
  /// Throws std::out_of_range if the message has fewer bytes left.
  void read(void* to, std::size_t bytes) {
    if (bytes > rest_.size())
      throw std::out_of_range{"tine::mpi::reader: the message is shorter than what is read from it"};
    std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }
  /// Returns the bytes that have not been read.
  std::span<const std::byte> rest() const noexcept { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

/// The bytes of a `T`: those of the object itself if it can be copied as bytes. `tine/mpi/cereal.hpp` has the codec of
/// types with a function `serialize`. Specialise it for other types, with these two functions; they must not fork,
/// wait, or use MPI, because they may run while the worker looks for messages. All ranks of a job have the same
/// representation of numbers, as tine runs on x86-64 only.
template <class T>
struct codec {
  static_assert(std::is_trivially_copyable_v<T>,
                "tine::mpi: this type cannot be copied as bytes: include <tine/mpi/cereal.hpp> if it has a function "
                "serialize (and the header "
                "of cereal for each type of the standard library in it), or specialise tine::mpi::codec for it");
  /// Appends the bytes of the value.
  static void write(writer& to, const T& value) { to.write(&value, sizeof value); }
  /// Returns the value whose bytes come next. Throws std::out_of_range if the message ends before them.
  static T read(reader& from) {
    alignas(T) std::byte bytes[sizeof(T)];
    from.read(bytes, sizeof bytes);
    return *base::object_at<T>(bytes);
  }
};

}  // namespace tine::mpi
