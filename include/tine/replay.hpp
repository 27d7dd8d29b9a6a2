// The score: schedules that are recorded, kept, and followed.
#pragma once

#include <tine/replay/record.hpp>
#include <tine/replay/schedule.hpp>
