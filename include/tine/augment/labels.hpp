// The door to all schemes of labels: names for strands that are the same in every run. docs/internals/labels.md says
// what each scheme is good for.
#pragma once

#include <tine/augment/labels/depa.hpp>
#include <tine/augment/labels/english_hebrew.hpp>
#include <tine/augment/labels/offset_span.hpp>
#include <tine/augment/labels/pedigree.hpp>
