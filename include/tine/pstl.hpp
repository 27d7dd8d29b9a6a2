// Door: the standard library's parallel algorithms on tine. With this header before all others, `std::execution::par`
// and `par_unseq` of libstdc++ run on the workers of tine; the program does not change and needs no oneTBB:
//
//     clang++-19 -std=c++20 -include tine/pstl.hpp program.cpp -ltine
//
// In CMake, the target tine::pstl does it. docs/guide/standard-algorithms.md says what an algorithm does where.
#pragma once

#include <tine/detail/base/language.hpp>
#include <tine/detail/pstl/par_backend.hpp>
#include <tine/detail/pstl/patterns.hpp>
