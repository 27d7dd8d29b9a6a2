// Tells which waits for locks block their threads.
#include <tine/detail/sched/scope.hpp>
#include <tine/detail/sync/lock_waiter.hpp>

namespace tine::detail {

bool must_block() noexcept { return sched::hot::self() == nullptr || sched::must_keep_thread(); }

}  // namespace tine::detail
