// The TypeScript types of the page's data, made from the descriptions of the profile and of the views.
#pragma once

#include <string>

namespace tine::report {

/// Returns the text of a TypeScript module with an interface for each described struct of the page's data.
std::string typescript();

}  // namespace tine::report
