// The door to the race detector: a check that you call from code, and annotations for memory that it should skip.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/race/check_races.hpp>
#include <tine/race/ignore_races.hpp>
