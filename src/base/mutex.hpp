// A lock for code that a model explores: a model build puts a lock of its own in the place of this file
// (tests/model/stand_in).
#pragma once

#include <mutex>

namespace tine::base {

using mutex = std::mutex;

}  // namespace tine::base
