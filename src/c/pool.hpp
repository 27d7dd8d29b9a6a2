// tine_pool, the pool of the C interface, for the files that enter one.
#pragma once

#include <tine/c/pool.h>
#include <tine/sched/pool.hpp>

struct tine_pool {
  tine::pool pool;
};

namespace tine::detail::c {

/// Refuses a null pointer for a pool.
int refuse_pool() noexcept;

}  // namespace tine::detail::c
