// Races: what the detector offers to code.
#pragma once

#include <tine/race/check_races.hpp>
