// The program irregular: parameters, variants, check.
#include "programs/irregular/problem.hpp"

#include "harness/loop_variants.hpp"

#include <map>

namespace bench {
namespace {

std::string name_of(irregular::shape kind) {
  for (const auto& [name, shape] : irregular::shapes) {
    if (shape == kind) return name;
  }
  return "";
}

}  // namespace

program describe_program() {
  using namespace irregular;
  static problem p;
  return {
      .name = "irregular",
      .description = "Sums hashes in loops whose iterations differ.",
      .add_options =
          [](options& o) {
            std::vector<std::string> names;
            for (const auto& [name, shape] : shapes) names.push_back(name);
            o.word(
                "--shape", "triangle-up", names, [](const std::string& name) { p.kind = shapes.at(name); },
                "How the iterations differ");
            o.flag("--small", p.quick, "About a tenth of the usual work");
          },
      .params = [] { return parameters{{"shape", name_of(p.kind)}, {"n", p.n()}}; },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        static std::map<shape, std::uint64_t> right;
        if (!right.contains(p.kind)) right[p.kind] = p.expected();
        if (p.answer == right[p.kind]) return {p.answer, ""};
        return {p.answer, format("the sum is {}, not {}", right[p.kind], p.answer)};
      },
  };
}

}  // namespace bench
