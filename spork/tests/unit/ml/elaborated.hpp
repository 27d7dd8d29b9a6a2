// A program for the tests of elaboration: parsed and elaborated.
#pragma once

#include "ml/elaboration.hpp"
#include "ml/parse.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tine::test {

struct elaborated {
  explicit elaborated(std::string text) : stage{files, wrong} {
    files.emplace_back(static_cast<std::uint32_t>(files.size()), "test.sml", std::move(text));
    tree = ml::parse(files.back(), wrong);
    stage.add(tree);
  }
  std::string type_of(const std::string& path) const { return stage.type_of(path); }

  ml::source_files files;
  ml::diagnostics wrong;
  ml::syntax_tree tree;
  ml::elaboration stage;
};

}  // namespace tine::test
