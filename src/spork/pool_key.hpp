// A name for the state of a pool: equal for pools that differ only in the numbers of their threads and allocations.
#pragma once

#include "spork/pool.hpp"

#include <string>

namespace tine::spork {

std::string key_of(const pool& r);

}  // namespace tine::spork
