// Tells which waits for locks block their threads.
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sync/lock_waiter.hpp>

namespace tine::detail {

bool must_block() noexcept { return sched::hot::self() == nullptr || sched::is_kept_sequential(); }

}  // namespace tine::detail
