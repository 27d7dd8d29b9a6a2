// Encodes exceptions: a function that raises has one more result, the first, of type ptr. It is null if the function
// returned, else the exception; the other results are zero then. So no later stage knows exceptions, and compiled code
// tests a register.
#pragma once

#include "ir/diagnostic.hpp"

namespace tine::spork {

/// Replaces `raise`, handlers, and the results of functions that raise. Where a function raises inside sporks, it first
/// closes them, the newest first, and drops their results and exceptions, which are those of later code. Reports
/// exceptions that nothing handles.
void encode_exceptions(program& p, diagnostics& wrong);

/// Reports that a handler at that place has nothing to handle.
void report_no_exception(diagnostics& wrong, place where);

}  // namespace tine::spork
