// counted_type: elements as the functions of MPI take them, i.e. a datatype and a number.
#pragma once

#include <mpi.h>

#include <climits>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tine::mpi::detail {

/// Returns MPI's own datatype for a number; MPI_DATATYPE_NULL for any other type.
template <class T>
MPI_Datatype number_type() noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return MPI_CXX_BOOL;
  } else if constexpr (std::is_same_v<T, std::byte>) {
    return MPI_BYTE;
  } else if constexpr (std::is_same_v<T, char>) {
    return MPI_CHAR;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return is_signed ? MPI_INT8_T : MPI_UINT8_T;
    if constexpr (sizeof(T) == 2) return is_signed ? MPI_INT16_T : MPI_UINT16_T;
    if constexpr (sizeof(T) == 4) return is_signed ? MPI_INT32_T : MPI_UINT32_T;
    if constexpr (sizeof(T) == 8) return is_signed ? MPI_INT64_T : MPI_UINT64_T;
    return MPI_DATATYPE_NULL;
  } else if constexpr (std::is_same_v<T, float>) {
    return MPI_FLOAT;
  } else if constexpr (std::is_same_v<T, double>) {
    return MPI_DOUBLE;
  } else if constexpr (std::is_same_v<T, long double>) {
    return MPI_LONG_DOUBLE;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return MPI_CXX_FLOAT_COMPLEX;
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return MPI_CXX_DOUBLE_COMPLEX;
  } else {
    return MPI_DATATYPE_NULL;
  }
}

/// Elements as a function of MPI takes them: numbers as such, all others as bytes.
struct counted_type {
  MPI_Datatype type;
  int count;
};

/// Throws std::length_error if there are more elements than fit into the int that the functions of MPI 3 take.
template <class T>
counted_type counted(std::size_t elements) {
  static_assert(
      std::is_trivially_copyable_v<T>,
      "tine::mpi: only trivially copyable types can be sent as they are; send the bytes that tine::mpi::codec makes of others");
  const bool is_number = number_type<T>() != MPI_DATATYPE_NULL;
  const std::size_t count = is_number ? elements : elements * sizeof(T);
  if (count > INT_MAX) {
    throw std::length_error{"tine::mpi: " + std::to_string(count) + (is_number ? " elements" : " bytes") +
                            " in one message, but MPI counts by int; send parts of them"};
  }
  return {is_number ? number_type<T>() : MPI_BYTE, static_cast<int>(count)};
}

}  // namespace tine::mpi::detail
