// MPI's description of an error code.
#pragma once

#include <string>

namespace tine::mpi::detail {

std::string description_of(int error_code);

}  // namespace tine::mpi::detail
