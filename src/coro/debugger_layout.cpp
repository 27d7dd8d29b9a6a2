// The table of coroutines for debuggers (base/layout_entry.hpp). Constant data.
#include "base/layout_entry.hpp"

#include <tine/coro/resumption.hpp>
#include <tine/detail/coro/driver.hpp>

#include <cstddef>

#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // as in src/sched/debugger_layout.cpp

namespace tine::detail {

/// A friend of the classes whose members it lists.
struct debugger_layout {
  static const base::layout_entry entries[] __asm__("tine_coroutine_layout");
};

constinit const base::layout_entry debugger_layout::entries[] = {
    TINE_VALUE_OF(driver_object),
    TINE_VALUE_OF(parked_bit),
    TINE_VALUE_OF(link::all_flags),
    TINE_VALUE_OF(link::into_eventually),
    TINE_VALUE_OF(link::called),
    TINE_OFFSET_OF(frame, up),
    TINE_OFFSET_OF(root, end),
    TINE_OFFSET_OF(parked, entry),
    TINE_OFFSET_OF(parked, who),
    TINE_OFFSET_OF(driver, parent_),
    TINE_OFFSET_OF(driver, driver_),
    TINE_OFFSET_OF(awaited_root, done),
    TINE_OFFSET_OF(awaited_root, here),
    TINE_VALUE_OF(sizeof(awaited_root)),
    {"", 0},
};

}  // namespace tine::detail
