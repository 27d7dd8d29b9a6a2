// n-body: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace bench {
namespace {

part build(tree& t, std::uint32_t begin, std::uint32_t end) {
  if (end - begin <= leaf_bodies) return t.make_leaf(begin, end);
  const std::uint32_t middle = t.division(begin, end);
  const part left = build(t, begin, middle);
  return t.join(middle, left, build(t, middle, end));
}

}  // namespace

/// Without forks: the method of Barnes and Hut.
void serial(problem& p) {
  const auto n = static_cast<std::uint32_t>(p.n);
  box all{p.bodies[0].at, p.bodies[0].at};
  for (const body& b : p.bodies) all = join_boxes{}(all, {b.at, b.at});
  tree t{n};
  for (std::uint32_t i = 0; i < n; ++i) t.places[i] = {key_of(p.bodies[i].at, all), i};
  std::sort(t.places.begin(), t.places.end(), [](const place& a, const place& b) { return a.key < b.key; });
  for (std::uint32_t i = 0; i < n; ++i) t.bodies[i] = p.bodies[t.places[i].number];
  const std::uint32_t root = build(t, 0, n).index;
  for (std::uint32_t i = 0; i < n; ++i) p.fields[t.places[i].number] = t.field_at(i, root);
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

constexpr int samples = 64;

/// The errors that are allowed, as parts of the root mean square of accelerations, of the potential, and of the sum of
/// all forces.
constexpr double mean_error = 0.02;
constexpr double greatest_error = 0.1;
constexpr double potential_error = 0.02;
constexpr double momentum_error = 0.001;

double squared(const triple& d) { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }

/// Returns a place of Plummer's model of a cluster (1911) whose radius is 1, within 20 radii of its middle.
triple in_cluster(splitmix& random) {
  for (;;) {
    const double r = 1 / std::sqrt(std::pow(1 - random.unit(), -2.0 / 3) - 1);
    if (!(r < 20)) continue;
    triple d;
    do {
      for (double& x : d) x = 2 * random.unit() - 1;
    } while (squared(d) > 1 || squared(d) < 1e-4);
    const double scale = r / std::sqrt(squared(d));
    return {d[0] * scale, d[1] * scale, d[2] * scale};
  }
}

std::vector<body> make_bodies(std::size_t n, shape of) {
  splitmix random{1};
  std::vector<body> bodies(n);
  for (body& b : bodies) {
    if (of == shape::plummer) {
      b.at = in_cluster(random);
    } else {
      for (double& x : b.at) x = random.unit();
    }
    b.mass = (0.5 + random.unit()) / static_cast<double>(n);
  }
  return bodies;
}

}  // namespace

void problem::reset() {
  if (bodies.size() != n || made_ != of) {
    bodies = make_bodies(n, of);
    made_ = of;
  }
  fields.assign(n, field{});
}

double problem::answer() const {
  double energy = 0;
  for (std::size_t i = 0; i < n; ++i) energy += bodies[i].mass * fields[i].potential / 2;
  return energy;
}

field problem::exact_field(std::size_t i) const {
  field sum;
  for (std::size_t j = 0; j < n; ++j) {
    if (j == i) continue;
    triple d;
    for (std::size_t axis = 0; axis < 3; ++axis) d[axis] = bodies[j].at[axis] - bodies[i].at[axis];
    sum.add(d, squared(d), bodies[j].mass);
  }
  return sum;
}

/// Forces are pairs of opposite forces, so their sum is zero but for errors.
std::string problem::mistake_in_momentum() const {
  triple sum{};
  double absolute = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += fields[i].acceleration[axis] * bodies[i].mass;
    absolute += std::sqrt(squared(fields[i].acceleration)) * bodies[i].mass;
  }
  const double error = std::sqrt(squared(sum));
  return error <= momentum_error * absolute ? "" : format("the sum of forces is {} of their sizes", error / absolute);
}

std::string problem::mistake_in_samples() const {
  splitmix random{2};
  double errors = 0, squares = 0, worst = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const std::size_t i = random.below(n);
    const field exact = exact_field(i);
    if (!(std::abs(fields[i].potential - exact.potential) <= potential_error * std::abs(exact.potential)))
      return format("the potential of body {} is {} and not {}", i, fields[i].potential, exact.potential);
    triple d;
    for (std::size_t axis = 0; axis < 3; ++axis) d[axis] = fields[i].acceleration[axis] - exact.acceleration[axis];
    errors += squared(d);
    worst = std::max(worst, squared(d));
    squares += squared(exact.acceleration);
  }
  if (errors <= mean_error * mean_error * squares && worst * samples <= greatest_error * greatest_error * squares)
    return "";
  const double mean = std::sqrt(errors / squares), greatest = std::sqrt(worst * samples / squares);
  return format("the accelerations' errors are {} of their sizes, and {} for one of them", mean, greatest);
}

/// Compares with direct summation for a sample of bodies, and adds the forces of all of them.
std::string problem::mistake() const {
  const std::string mistake = mistake_in_samples();
  return mistake.empty() ? mistake_in_momentum() : mistake;
}

program describe_program() {
  static problem p;
  static std::string word = "cube";
  const auto choose = [](const std::string& chosen) {
    static const std::map<std::string, shape> shapes{{"cube", shape::cube}, {"plummer", shape::plummer}};
    word = chosen;
    p.of = shapes.at(chosen);
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {least_n, largest_n}, large_n, "Bodies");
    o.word("--bodies", word, {"cube", "plummer"}, choose, "Distribution of the bodies");
  };
  program it{
      .name = "n-body",
      .description = "Finds the gravitational field at each of many bodies.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}, {"bodies", word}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
