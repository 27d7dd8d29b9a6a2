// A lock. The rooms take it from here where a model explores what is done under it: a model build puts its own in
// this file's place (tests/model/stand_in).
#pragma once

#include <mutex>

namespace tine::base {

using mutex = std::mutex;

}  // namespace tine::base
