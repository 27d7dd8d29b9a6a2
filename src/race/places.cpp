// The table of places. Only the thread that holds the detector adds to it.
#include "race/places.hpp"

namespace tine::detail {

constinit std::uintptr_t place_table::addresses_[1 << 16] = {};

std::uint16_t place_table::find(std::uintptr_t return_address, std::uint16_t at) noexcept {
  constexpr unsigned most_probes = 64;  // a nearly full table must not make each access slow
  for (unsigned i = 0; i < most_probes; ++i, ++at) {
    if (at == 0) continue;
    if (addresses_[at] == return_address) return at;
    if (addresses_[at] == 0) {
      addresses_[at] = return_address;
      return at;
    }
  }
  return 0;
}

}  // namespace tine::detail
