// All schemes of labels, which are names for strands that are the same in every run. docs/internals/labels.md says
// which scheme serves which purpose.
#pragma once

#include <tine/augment/labels/depa.hpp>
#include <tine/augment/labels/english_hebrew.hpp>
#include <tine/augment/labels/offset_span.hpp>
#include <tine/augment/labels/pedigree.hpp>
