// See swept.hpp.
#include "studies/locality/swept.hpp"

#include "harness/blocks/halved.hpp"
#include "harness/loops/managed.hpp"
#include "harness/splitmix.hpp"

namespace bench::locality {
namespace {

/// Calls work(b) for each block.
template <class Work>
void for_blocks(std::size_t blocks, const Work& work) {
  halved_blocks<managed_loops>{}(0, static_cast<int>(blocks),
                                 [&](int b, int /*e*/) { work(static_cast<std::size_t>(b)); });
}

}  // namespace

/// Returns the initial value of an element. Each line of a linked block begins with a link to another line.
std::uint64_t swept::first_value(std::size_t element) const {
  if (way_ == order::linked && element % 8 == 0) return link_from(element / 8);
  std::uint64_t value = element;
  for (int round = 0; round < 8; ++round) value = splitmix{value}();
  return value;
}

/// Returns the line to which a line is linked. The links form a cycle through all lines of a block, in an order that
/// looks random (Hull and Dobell 1962).
std::uint64_t swept::link_from(std::size_t from) const { return (from * 5 + 1) % lines_; }

void swept::initialise() {
  for_blocks(blocks_, [this](std::size_t b) {
    for (std::size_t i = b * lines_; i < (b + 1) * lines_; ++i)
      for (std::size_t k = 0; k < 8; ++k) all_[i].elements[k] = first_value(8 * i + k);
  });
}

void swept::sweep() { way_ == order::ascending ? sweep_ascending() : sweep_linked(); }

void swept::sweep_ascending() {
  for_blocks(blocks_, [all = all_.data(), size = lines_](std::size_t b) {
    for (line* each = all + b * size; each != all + (b + 1) * size; ++each)
      for (std::uint64_t& element : each->elements) ++element;
  });
}

void swept::sweep_linked() {
  for_blocks(blocks_, [all = all_.data(), size = lines_](std::size_t b) {
    line* const block = all + b * size;
    std::size_t at = 0;
    for (std::size_t i = 0; i < size; ++i) {
      ++block[at].elements[1];
      at = block[at].elements[0];
    }
  });
}

bool swept::is_right(std::uint64_t sweeps) const {
  for (std::size_t i = 0; i < 8 * all_.size(); ++i) {
    const bool is_swept = way_ == order::ascending || i % 8 == 1;
    if (all_[i / 8].elements[i % 8] != first_value(i) + (is_swept ? sweeps : 0)) return false;
  }
  return true;
}

}  // namespace bench::locality
