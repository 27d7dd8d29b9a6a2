// The text that build.mjs made.
#include "report/page/text.hpp"

using namespace std::literals;

namespace tine::report {
namespace {
#include "report/page/bundle.inc"
}  // namespace

std::span<const std::string_view> text_before_data() { return before_pieces; }
std::span<const std::string_view> text_after_data() { return after_pieces; }

}  // namespace tine::report
