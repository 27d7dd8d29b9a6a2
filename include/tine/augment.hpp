// The microscope: vertices that follow the computation graph.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/augment/augment.hpp>
#include <tine/augment/work_span.hpp>
