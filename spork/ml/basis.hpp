// The text of the initial basis, which the build makes of basis.sml.
#pragma once

#include <string_view>

namespace tine::ml {

extern const std::string_view basis_text;
/// The name of the basis in messages and in debug information.
inline constexpr std::string_view basis_name = "tine-basis.sml";

}  // namespace tine::ml
