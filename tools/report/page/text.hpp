// The page without its data, in pieces. Only page.cpp needs them.
#pragma once

#include <span>
#include <string_view>

namespace tine::report {

std::span<const std::string_view> text_before_data();
std::span<const std::string_view> text_after_data();

}  // namespace tine::report
