// Reads profiles, and believes nothing: for tools, which meet files of any origin. Not part of the runtime.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tine::trace {

/// Why a file is not a profile: `what()` names the file, the byte, what is wrong there and what can be done.
class bad_file : public std::runtime_error {
 public:
  bad_file(const std::string& name, std::uint64_t offset, const std::string& problem);

  /// Where the problem is, in bytes from the start of the file.
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  std::uint64_t offset_;
};

/// The profile in the file `path`. Throws `bad_file`, or std::system_error if it cannot be read at all. Takes memory in
/// proportion to the file, whatever the file says, and refuses files of more than 2 GiB.
profile read_profile(const std::string& path);

/// The profile in `bytes`, which messages call `name`. Throws `bad_file`.
profile parse_profile(std::string_view bytes, const std::string& name);

}  // namespace tine::trace
