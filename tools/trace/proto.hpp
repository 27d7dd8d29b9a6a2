// Describes the file's messages in the language of protocol buffers, from the schema.
#pragma once

#include <string>

namespace tine::trace {

/// Returns the text of profile.proto.
std::string proto_text();

}  // namespace tine::trace
