// The door to locks and other waits that suspend: a strand or task that waits leaves its worker to other work.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/sync/barrier.hpp>
#include <tine/sync/condition_variable.hpp>
#include <tine/sync/latch.hpp>
#include <tine/sync/mutex.hpp>
#include <tine/sync/once_flag.hpp>
#include <tine/sync/semaphore.hpp>
#include <tine/sync/shared_mutex.hpp>
#include <tine/sync/timed_mutex.hpp>
