// The problem n-body: find the gravitational field of bodies at each of them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace bench::n_body {

constexpr std::size_t least_n = 1000;  ///< the method is less exact than the check allows for fewer bodies
constexpr std::size_t usual_n = 100'000;
constexpr std::size_t large_n = 1'000'000;
constexpr std::size_t largest_n = 20'000'000;

/// The square of the length within which the field of a body is weakened.
constexpr double softening = 1e-12;

using triple = std::array<double, 3>;

struct body {
  triple at;
  double mass;
};

/// The field at a place: the acceleration and the potential, for a constant of gravitation of 1.
struct field {
  triple acceleration{};
  double potential = 0;

  /// Adds the field of a mass at the distance `d`. A body adds nothing to the acceleration at its own place.
  [[gnu::always_inline]] void add(const triple& d, double squared, double mass) {
    const double inverse = 1 / std::sqrt(squared + softening), pull = mass * inverse * inverse * inverse;
    for (std::size_t axis = 0; axis < 3; ++axis) acceleration[axis] += d[axis] * pull;
    potential -= mass * inverse;
  }
};

enum class shape { cube, plummer };

/// Bodies, and the field at each of them.
class problem {
 public:
  /// Makes the bodies if `n` or `of` has changed since the last call, and forgets the fields.
  void reset();
  /// Returns the potential energy, the answer that is reported.
  double answer() const;
  /// Returns a description of the mistake in `fields`; empty if the check finds none.
  std::string mistake() const;

  std::size_t n = usual_n;
  shape of = shape::cube;
  std::vector<body> bodies;
  std::vector<field> fields;  ///< of all other bodies

 private:
  field exact_field(std::size_t i) const;
  std::string mistake_in_momentum() const;
  std::string mistake_in_samples() const;

  shape made_ = shape::cube;
};

}  // namespace bench::n_body

namespace bench {
using n_body::problem;
}
