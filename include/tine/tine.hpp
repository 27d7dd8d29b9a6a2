// Everything a program that uses tine needs, but for stop tokens (stop.hpp).
#pragma once

#include <tine/coro.hpp>
#include <tine/managed.hpp>
