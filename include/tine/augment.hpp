// The door to analyses that run inside your program: values ("vertices") that follow its graph of forks and joins, and
// measure work, span, memory, or give every strand its own random numbers.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/augment/augment.hpp>
#include <tine/augment/work_span.hpp>
