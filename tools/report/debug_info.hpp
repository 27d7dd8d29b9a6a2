// Reads the debug information and the symbols of a program or library, by libdw.
#pragma once

#include "report/place.hpp"
#include "report/variable.hpp"
#include "trace/wrappers.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tine::report {

class debug_info {
 public:
  /// Opens the file. A file that is no binary has an empty build id and no frames.
  explicit debug_info(const std::string& path);
  ~debug_info();
  debug_info(const debug_info&) = delete;
  debug_info& operator=(const debug_info&) = delete;

  /// Returns the build id in lower-case hexadecimal digits; an empty string if there is none.
  std::string build_id() const;

  /// Appends the wrappers that the file names by TINE_WRAPPERS.
  void add_wrappers(std::vector<trace::named_wrapper>& to) const;

  /// Returns the functions whose code contains the address, the innermost inlined one first. The names are mangled.
  std::vector<frame> frames_at(std::uint64_t address) const;

  /// Returns the variable whose memory contains the address; one without a name if there is none. The name is mangled.
  variable variable_at(std::uint64_t address) const;

 private:
  struct session;
  std::unique_ptr<session> session_;
};

}  // namespace tine::report
