// The only list of passes.
#include "ir/pipeline.hpp"

#include "ir/verify.hpp"

#include <array>
#include <stdexcept>

namespace tine::spork {

std::span<const pass> pipeline() {
  static constexpr std::array<pass, 9> passes{{
      {"inline", inline_calls, "puts small functions in the place of their calls"},
      {"fold", fold_constants, "computes what is known"},
      {"merge", merge_blocks, "puts blocks in a row together"},
      {"arguments", propagate_arguments, "replaces parameters that are always given the same constant"},
      {"hoist", hoist, "moves what loops do not change in front of them"},
      {"fold-again", fold_constants, "computes what the others have made known"},
      {"merge-again", merge_blocks, "and puts together what that has left"},
      {"split-promoted", split_promoted, "gives the promoted way a copy of the block that returns"},
      {"dead-code", remove_dead_code, "removes what is not used"},
  }};
  return passes;
}

void optimise(program& p, const std::function<void(const pass&)>& after) {
  for (const pass& each : pipeline()) {
    each.run(p);
    if (const diagnostics wrong = verify(p); !wrong.empty()) {
      throw std::logic_error{"the pass '" + std::string{each.name} + "' has broken the program; please report this:\n" +
                             render(wrong, p.name, p.sources)};
    }
    if (after) after(each);
  }
}

}  // namespace tine::spork
