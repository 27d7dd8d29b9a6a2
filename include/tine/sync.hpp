// The door to locks that suspend: a strand or task that waits leaves its worker to other work.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/sync/condition_variable.hpp>
#include <tine/sync/mutex.hpp>
#include <tine/sync/once_flag.hpp>
#include <tine/sync/shared_mutex.hpp>
