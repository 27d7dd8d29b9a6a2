// The watch over serial sessions: a thread that finds sessions whose running strand makes no progress.
#pragma once

namespace tine::detail {

class turns;

/// `watch` adds a session to those that the thread looks at; the first call in a process starts the thread. `end_watch` returns when the
/// thread does not look at the session any more.
void watch(turns& session);
void end_watch(turns& session) noexcept;

}  // namespace tine::detail
