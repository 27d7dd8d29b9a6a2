// Races: the detector in code, and annotations for it.
#pragma once

#include <tine/race/check_races.hpp>
#include <tine/race/ignore_races.hpp>
