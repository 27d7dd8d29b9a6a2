// The door to fork-join over MPI: link tine::mpi besides tine::tine.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/mpi/all_reduce.hpp>
#include <tine/mpi/barrier.hpp>
#include <tine/mpi/broadcast.hpp>
#include <tine/mpi/codec.hpp>
#include <tine/mpi/distribution.hpp>
#include <tine/mpi/environment.hpp>
#include <tine/mpi/error.hpp>
#include <tine/mpi/receive.hpp>
#include <tine/mpi/send.hpp>
#include <tine/mpi/spawner.hpp>
#include <tine/mpi/team.hpp>
#include <tine/mpi/team_counters.hpp>
#include <tine/mpi/wait.hpp>
