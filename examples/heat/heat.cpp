// All parts of tine in one program: heat spreads through a chain of metal plates of different sizes.
//
// A coroutine drives the steps and forks a task for each plate; the task's rows are a managed loop. The greatest change
// of a step is a loop nest in Spork IR (change.spork), compiled ahead of time. The steps follow a schedule: the first
// run records it and saves it, and the next run loads it and improves it. `tine profile` follows all of that in this
// executable.
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include "change.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace {

/// A grid of temperatures with a rim of one cell: the wall's, or, at the left and right, the neighbour's.
struct plate {
  plate(int rows, int columns)
      : height{rows + 2}, width{columns + 2}, now(std::size_t(height) * std::size_t(width)), before{now} {}

  std::size_t at(int row, int column) const { return std::size_t(row) * std::size_t(width) + std::size_t(column); }

  int height, width;
  std::vector<double> now, before;
};

struct chain {
  explicit chain(int size) {
    for (const auto& [rows, columns] :
         {std::pair{size, size}, {size / 2, 2 * size}, {size, size / 4}, {size / 8, size}}) {
      plates.emplace_back(rows, columns);
    }
    // the flame stands under the first plate
    for (double& cell : rim_above(plates.front())) cell = 1000;
    plates.front().before = plates.front().now;
  }

  static std::span<double> rim_above(plate& p) { return {p.now.data(), std::size_t(p.width)}; }

  std::vector<plate> plates;
};

/// Copies the columns that two plates have in common into each other's rims.
void touch(plate& left, plate& right) {
  for (int row = 1; row < std::min(left.height, right.height) - 1; ++row) {
    left.now[left.at(row, left.width - 1)] = right.now[right.at(row, 1)];
    right.now[right.at(row, 0)] = left.now[left.at(row, left.width - 2)];
  }
}

void relax_row(plate& p, int row) {
  const double* above = &p.before[p.at(row - 1, 0)];
  const double* here = &p.before[p.at(row, 0)];
  const double* below = &p.before[p.at(row + 1, 0)];
  double* to = &p.now[p.at(row, 0)];
  for (int c = 1; c < p.width - 1; ++c) to[c] = (above[c] + below[c] + here[c - 1] + here[c + 1]) / 4;
  to[0] = here[0];
  to[p.width - 1] = here[p.width - 1];
}

tine::task<> relax(plate& p) {
  p.now.swap(p.before);
  tine::par_for(1, p.height - 1, [&](int row) { relax_row(p, row); });
  std::copy_n(p.before.begin(), p.width, p.now.begin());
  std::copy_n(p.before.end() - p.width, p.width, p.now.end() - p.width);
  co_return;
}

/// A step of the whole chain. The plates have different sizes, so a static division of the work would not do.
tine::task<> step(chain& c) {
  for (std::size_t i = 1; i < c.plates.size(); ++i) touch(c.plates[i - 1], c.plates[i]);
  for (plate& p : c.plates) co_await tine::fork<relax>(std::ref(p));
  co_await tine::join;
}

double change_of(plate& p) { return greatest_change(p.now.data(), p.before.data(), p.height, p.width); }

/// The steps follow the schedule of the step before. A relaxed replay keeps each row on the worker in whose caches it
/// is, and mends the schedule where a worker had nothing to do.
class steps {
 public:
  explicit steps(const std::string& file) : file_{file} {
    if (!file.empty() && std::filesystem::exists(file)) kept_ = tine::schedule::load(file), has_kept_ = true;
  }

  void run(chain& c) {
    const auto one = [&] { return step(c); };
    if (!has_kept_) {
      kept_ = tine::record(one);
      has_kept_ = true;
      return;
    }
    tine::replayed r = tine::replay(kept_, tine::replay_mode::relaxed, one);
    matched_ += r.matched;
    skipped_ += r.skipped;
    diverged_ += r.diverged;
    kept_ = std::move(r.performed);
  }

  void save() const {
    if (!file_.empty()) kept_.save(file_);
    std::printf("the schedule has %zu steals; %llu steals and joins were followed, %llu never came, %llu differed\n",
                kept_.steals(), static_cast<unsigned long long>(matched_), static_cast<unsigned long long>(skipped_),
                static_cast<unsigned long long>(diverged_));
  }

 private:
  std::string file_;
  tine::schedule kept_;
  bool has_kept_ = false;
  std::uint64_t matched_ = 0, skipped_ = 0, diverged_ = 0;
};

int simulate(int size, int most_steps, const std::string& file) {
  chain c{size};
  steps in_order{file};
  double change = 0;
  int done = 0;
  do {
    in_order.run(c);
    change = tine::run(
        [&] { return tine::par_reduce(c.plates, 0.0, change_of, [](double a, double b) { return std::max(a, b); }); });
  } while (++done < most_steps && change > 1e-3);

  double heat = 0;
  for (const plate& p : c.plates) {
    for (int row = 1; row < p.height - 1; ++row) {
      for (int column = 1; column < p.width - 1; ++column) heat += p.now[p.at(row, column)];
    }
  }
  std::printf("%d steps, last change %.17g, heat %.17g\n", done, change, heat);
  in_order.save();
  return 0;
}

}  // namespace

/// usage: heat [SIZE [STEPS [SCHEDULE]]]
int main(int count, char** words) try {
  return simulate(count > 1 ? std::atoi(words[1]) : 512, count > 2 ? std::atoi(words[2]) : 200,
                  count > 3 ? words[3] : "");
} catch (const std::exception& e) {
  std::fprintf(stderr, "heat: %s\n", e.what());
  return 2;
}
