// The codec of types that cereal can serialise: those with a function `serialize`, or with `save` and `load`.
#pragma once

#include <tine/mpi/codec.hpp>

#include <cereal/archives/binary.hpp>

#include <istream>
#include <ostream>
#include <streambuf>
#include <type_traits>

namespace tine::mpi {
namespace detail {

/// Lets cereal, which writes to streams, append to a message.
class appending_buffer final : public std::streambuf {
 public:
  explicit appending_buffer(writer& to) noexcept : to_{to} {}

 private:
  std::streamsize xsputn(const char* from, std::streamsize n) override {
    to_.write(from, static_cast<std::size_t>(n));
    return n;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    to_.write(&byte, 1);
    return c;
  }
  writer& to_;
};

class consuming_buffer final : public std::streambuf {
 public:
  explicit consuming_buffer(reader& from) noexcept : from_{from} {}

 private:
  std::streamsize xsgetn(char* to, std::streamsize n) override {
    from_.read(to, static_cast<std::size_t>(n));
    return n;
  }
  reader& from_;
};

}  // namespace detail

/// Types that cereal's binary archive writes and reads.
template <class T>
concept serializable_by_cereal = std::is_default_constructible_v<T> &&
                                 cereal::traits::is_output_serializable<T, cereal::BinaryOutputArchive>::value &&
                                 cereal::traits::is_input_serializable<T, cereal::BinaryInputArchive>::value;

/// As `codec` says, by cereal's binary archive. Types that can be copied as bytes are copied as such. `read` throws
/// what cereal throws, and std::out_of_range.
template <class T>
  requires(!std::is_trivially_copyable_v<T> && serializable_by_cereal<T>)
struct codec<T> {
  static void write(writer& to, const T& value) {
    detail::appending_buffer buffer{to};
    std::ostream stream{&buffer};
    cereal::BinaryOutputArchive{stream}(value);
  }
  static T read(reader& from) {
    detail::consuming_buffer buffer{from};
    std::istream stream{&buffer};
    T value;
    cereal::BinaryInputArchive{stream}(value);
    return value;
  }
};

}  // namespace tine::mpi
