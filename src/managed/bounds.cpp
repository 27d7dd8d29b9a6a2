// Refuses bounds of loops that the usual conversions would change, before anything runs. Any thread may call it.
#include <tine/detail/managed/iterations.hpp>

#include <stdexcept>

namespace tine::detail {

void refuse_negative_bound() {
  throw std::invalid_argument{
      "tine: one bound of a loop is negative and the other one unsigned, so that the usual conversions would change the negative one; give both the same signedness, as in tine::par_for(-1, std::ssize(v), ...)"};
}

}  // namespace tine::detail
