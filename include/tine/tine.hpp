// The door to both front ends: everything that a program needs in order to fork and join, except for stop tokens
// (stop.hpp).
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/coro.hpp>
#include <tine/managed.hpp>
