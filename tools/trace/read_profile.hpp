// Reads profiles, and trusts no file: it is for tools, which meet files of any origin. It is not part of the runtime.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tine::trace {

/// Thrown for a file that is not a profile: `what()` names the file, the byte, what is wrong there and what can be
/// done.
class bad_file : public std::runtime_error {
 public:
  bad_file(const std::string& name, std::uint64_t offset, const std::string& problem);

  /// Returns the position of the problem, in bytes from the start of the file.
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  std::uint64_t offset_;
};

/// Returns the profile in the file `path`. Throws `bad_file`, or std::system_error if the file cannot be read at all.
/// Takes memory in proportion to the file, whatever the file says, and refuses files of more than 2 GiB.
profile read_profile(const std::string& path);

/// Returns the profile in `bytes`, which messages call `name`. Throws `bad_file`.
profile parse_profile(std::string_view bytes, const std::string& name);

}  // namespace tine::trace
