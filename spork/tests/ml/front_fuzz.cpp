// A libFuzzer target for the front end of Parallel ML. Every text is parsed without a crash, and its errors are
// rendered. A text without errors is printed, and that parses to the same tree. It is formatted, which keeps the tree,
// too, and is repeated without a change; then the elaborator checks its types. See `./dev fuzz`.
#include "ml/elaboration.hpp"
#include "ml/format.hpp"
#include "ml/parse.hpp"
#include "ml/print.hpp"
#include "unit/ml/tree_text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace tine::ml;

void require(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  source_files files;
  files.emplace_back(0, "input", std::string{data, data + size});
  diagnostics wrong;
  const syntax_tree tree = parse(files[0], wrong);
  wrong.sort();
  render(wrong, files);
  if (wrong.has_errors()) return 0;
  const std::string printed = print(tree);
  files.emplace_back(1, "again", printed);
  const syntax_tree again = parse(files[1], wrong);
  require(!wrong.has_errors(), "what is printed has errors:\n" + render(wrong, files) + printed);
  require(tree_text::of(again) == tree_text::of(tree), "what is printed is another tree:\n" + printed);
  require(print(again) == printed, "what is printed is printed in another way:\n" + printed);
  const std::string formatted = format(files[0], 60);
  files.emplace_back(2, "formatted", formatted);
  require(tree_text::of(parse(files[2], wrong)) == tree_text::of(tree),
          "what is formatted is another tree:\n" + formatted);
  require(format(files[2], 60) == formatted, "what is formatted is formatted in another way:\n" + formatted);
  elaboration elaboration{files, wrong};
  elaboration.add(tree);
  elaboration.finish();
  wrong.sort();
  render(wrong, files);
  return 0;
}
