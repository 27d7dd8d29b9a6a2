// The functions that are entered while a flag is set. A compiler flag (-finstrument-functions) makes every function
// call the hook in entered.cpp first.
#pragma once

#include <vector>

namespace way {

/// Begins or ends the collection. Begin clears the set.
void begin_entered() noexcept;
void end_entered() noexcept;

/// Returns the addresses of the functions that were entered, each once.
std::vector<void*> entered();

}  // namespace way
