// mg: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/blocks/program_of_phases.hpp"
#include "harness/npb.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace bench {
namespace {

constexpr problem_class classes[] = {
    {"S", 5, 4, 0.5307707005734e-4},
    {"W", 7, 4, 0.6467329375339e-5},
    {"A", 8, 4, 0.2433365309069e-5},
    {"B", 8, 20, 0.1800564401355e-5},
};
static_assert(1 << 8 <= largest_size);

/// The smallest of the numbers added so far, and their places.
class smallest {
 public:
  void add(double number, std::int64_t place) {
    if (found_.size() == wanted && number >= found_.front().first) return;
    found_.emplace_back(number, place);
    std::push_heap(found_.begin(), found_.end());
    if (found_.size() <= wanted) return;
    std::pop_heap(found_.begin(), found_.end());
    found_.pop_back();
  }

  const std::vector<std::pair<double, std::int64_t>>& found() const { return found_; }

 private:
  static constexpr std::size_t wanted = 10;
  std::vector<std::pair<double, std::int64_t>> found_;  // a heap, the greatest first
};

/// Draws a random number for each point, and returns charges of -1 where the ten smallest numbers are, and of +1 where
/// the ten greatest are (zran3).
std::vector<charge> make_charges(int level) {
  npb_random random;
  smallest low, high;
  const std::int64_t points = std::int64_t{1} << 3 * level;
  for (std::int64_t i = 0; i < points; ++i) {
    const double number = random();
    low.add(number, i);
    high.add(-number, i);
  }
  std::vector<charge> charges;
  const auto add = [&](std::int64_t place, double value) {
    const std::int64_t last = (std::int64_t{1} << level) - 1;
    charges.push_back({static_cast<int>(place >> 2 * level), static_cast<int>(place >> level & last),
                       static_cast<int>(place & last), value});
  };
  for (const auto& [number, place] : low.found()) add(place, -1);
  for (const auto& [number, place] : high.found()) add(place, 1);
  return charges;
}

}  // namespace

problem::problem() : chosen{classes} {}

void problem::reset() {
  if (chosen.has_changed()) {
    charges = make_charges(top());
    u = std::vector<grid>(static_cast<std::size_t>(shapes()));
    r = std::vector<grid>(static_cast<std::size_t>(shapes()));
    part.assign(static_cast<std::size_t>(planes(top())), 0);
  }
  norm = 0;
}

void problem::allocate() {
  v.renew(planes(top()));
  for (int level = 1; level <= top(); ++level) {
    u[static_cast<std::size_t>(level)].renew(planes(level));
    r[static_cast<std::size_t>(level)].renew(planes(level));
  }
}

std::string problem::mistake() const {
  if (std::abs(norm - chosen->norm) <= 1e-8 * chosen->norm) return "";
  return format("the norm is {:.13e}, not {:.13e} (class {})", norm, chosen->norm, chosen->name);
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.chosen.add_option(o); };
  program it{
      .name = "mg",
      .description = "Solves Poisson's equation on a cube by V-cycles over grids of all sizes (NPB MG).",
      .add_options = add_options,
      .params = [] { return parameters{{"class", p.chosen->name}}; },
  };
  return program_of_phases(p, std::move(it));
}

}  // namespace bench
