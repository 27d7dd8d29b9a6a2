// The patience with serial sessions: a thread finds sessions whose running strand makes no progress.
#pragma once

namespace tine::detail {

class turns;

/// `begin_patience` adds a session to those that the thread looks at; the first call in a process starts the thread.
/// `end_patience` returns when the thread does not look at the session any more.
void begin_patience(turns& session);
void end_patience(turns& session) noexcept;

}  // namespace tine::detail
