// The text of the initial basis, which the build makes of basis.sml.
#pragma once

#include <string_view>

namespace tine::ml {

extern const std::string_view basis_text;

}  // namespace tine::ml
