// Eight programs, each with a call site whose work can be made longer or shorter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench::whatif {

/// A program of this study. The function `site` forks or loops, and all the work below it is multiplied by `scale`.
struct program {
  std::string name;
  std::string site;
  std::uint64_t (*run)(double scale);  ///< returns how many pieces of work it has done
  std::uint64_t right;                 ///< that number
};

const std::vector<program>& programs();

}  // namespace bench::whatif
