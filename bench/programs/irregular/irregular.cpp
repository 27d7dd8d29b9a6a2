// irregular: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

#include <map>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }

/// On tine: the outer and the inner loops are tine's.
void managed(problem& p) { solve(p, managed_loops{}); }

namespace {

std::int64_t grain_of(shape kind) {
  switch (kind) {
    case shape::triangle_up:
    case shape::triangle_down:
      return 8;
    case shape::heavy_first:
    case shape::heavy_last:
      return 512;
    case shape::forks:
      return 16;
    case shape::tiny:
      return 8192;
    case shape::jump_up:
    case shape::jump_down:
      break;
  }
  return 4;
}

}  // namespace

/// With a grain for each shape, found by trial, and inner loops without forks.
void tuned(problem& p) { p.answer = sum(p, divided_loops{grain_of(p.kind)}, serial_loops{}); }

/// By divide and conquer: the outer and the inner loops down to single iterations.
void dac(problem& p) { solve(p, divided_loops{single}); }

std::int64_t problem::n() const {
  const auto full = [this]() -> std::int64_t {
    switch (kind) {
      case shape::triangle_up:
      case shape::triangle_down:
        return 24'000;
      case shape::heavy_first:
      case shape::heavy_last:
        return 2'000'000;
      case shape::forks:
        return 100'000;
      case shape::tiny:
        return 64'000'000;
      case shape::jump_up:
      case shape::jump_down:
        break;
    }
    return 10'000;
  }();
  if (!quick) return full;
  return kind == shape::triangle_up || kind == shape::triangle_down ? full / 3 : full / 10;
}

std::uint64_t problem::expected() const {
  const std::int64_t rows = n();
  std::uint64_t all = 0;
  for (std::int64_t i = rows; i-- > 0;) {
    const bool nested = kind == shape::triangle_up || kind == shape::triangle_down || kind == shape::tiny;
    const bool forked = kind == shape::forks;
    const std::int64_t columns = nested ? length_of(kind, rows, i) : forked ? leaves : 1;
    const std::int64_t steps = nested ? item_steps : forked ? leaf_steps : steps_of(kind, rows, i);
    for (std::int64_t j = columns; j-- > 0;) all += hash_of(item(i, j), steps);
  }
  return all;
}

std::string problem::mistake() const {
  static std::map<shape, std::uint64_t> right;
  if (!right.contains(kind)) right[kind] = expected();
  return answer == right[kind] ? "" : format("the sum is {}, not {}", right[kind], answer);
}

program describe_program() {
  static problem p;
  program it{
      .name = "irregular",
      .description = "Sums hashes in loops whose iterations differ.",
      .add_options =
          [](options& o) {
            o.word("--shape", p.kind, shapes, "How the iterations differ");
            o.flag("--small", p.quick, "About a tenth of the usual work");
          },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
