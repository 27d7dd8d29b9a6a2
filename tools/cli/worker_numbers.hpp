// The option --workers of the subcommands that predict.
#pragma once

#include <string>
#include <vector>

namespace tine::cli {

/// Returns the numbers that `text` means: "2,8,48" is a list, and "a..b" stands for a, its doublings below b, and b.
/// Throws a refusal.
std::vector<unsigned> worker_numbers(const std::string& text);

}  // namespace tine::cli
