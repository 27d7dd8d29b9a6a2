// Functions that compiled programs share, in Spork IR.
#pragma once

namespace tine::ml::lower {

extern const char* const runtime_text;

}  // namespace tine::ml::lower
