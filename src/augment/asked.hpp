// What TINE_PROFILE asks for.
#pragma once

#include <cstdint>
#include <string>

namespace tine::detail {

struct asked_profile {
  std::uint32_t analyses = 0;  ///< bits of trace::analysis; 0: nothing is profiled
  std::string path;            ///< where the profile goes
};

/// Reads `text`, of the form `work,span,grain,space,trace:/path`: one or more analyses, and perhaps where the profile goes;
/// `tine-PID.profile` if it does not say. Throws std::invalid_argument that names what is wrong.
asked_profile parse_asked(const std::string& text);

}  // namespace tine::detail
