// Runs a function with a number of workers of the executable's library.
#pragma once

#include <functional>

namespace bench::algorithms {

void run_in(unsigned workers, const std::function<void()>& f);

}  // namespace bench::algorithms
