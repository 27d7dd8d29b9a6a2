// From the abstract syntax of a program to its typed form.
#pragma once

#include "ml/diagnostic.hpp"
#include "ml/source.hpp"
#include "ml/typed.hpp"

#include <memory>

namespace tine::ml {

class syntax_tree;
class elaborator;

/// Elaborates the files of a program in their order, behind the initial basis. One thread uses it at a time.
class elaboration {
 public:
  /// Adds the text of the basis to `files`. Errors and warnings are reported to `report_to`. Both must live as long as
  /// the elaboration.
  elaboration(source_files& files, diagnostics& report_to);
  ~elaboration();
  elaboration(const elaboration&) = delete;
  elaboration& operator=(const elaboration&) = delete;

  /// Elaborates one file. The tree must live until `finish` returns.
  void add(const syntax_tree& tree);
  /// Ends the program. It may be compiled if there are no errors.
  std::unique_ptr<typed::program> finish();
  /// Returns the type of a value at the top level as it is printed, or an empty text if there is none. `path` is as in
  /// "List.map".
  std::string type_of(const std::string& path) const;

 private:
  std::unique_ptr<typed::program> program_;
  std::unique_ptr<elaborator> elaborator_;
  std::unique_ptr<syntax_tree> basis_;
};

}  // namespace tine::ml
