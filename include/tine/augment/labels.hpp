// Names for strands, the same in every run: all schemes. docs/labels.md says which one is for what.
#pragma once

#include <tine/augment/labels/depa.hpp>
#include <tine/augment/labels/english_hebrew.hpp>
#include <tine/augment/labels/offset_span.hpp>
#include <tine/augment/labels/pedigree.hpp>
