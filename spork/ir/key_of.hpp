// Names the state of a pool. Pools that differ only in the numbers of their threads and allocations have equal names.
#pragma once

#include "ir/pool.hpp"

#include <string>

namespace tine::spork {

std::string key_of(const pool& r);

}  // namespace tine::spork
