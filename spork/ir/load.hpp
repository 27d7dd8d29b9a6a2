// The entry to the compiler: turns text into a program that is ready for every other stage.
#pragma once

#include "ir/encode.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tine::spork {

/// Parses the text, replaces its sugar and verifies the program, which is usable only if `wrong` is still empty
/// afterwards.
program load(std::string_view text, std::string name, diagnostics& wrong, loop_form loops = loop_form::single);

/// Does the same with one file of a program, which may declare what others define as extern. The program can be
/// printed, but not run.
program load_module(std::string_view text, std::string name, diagnostics& wrong);

/// A file of a program.
struct module_text {
  std::string name, text;
};

/// Does the same with a program of several files. `wrong[i]` becomes the errors of file i, and the last element those
/// of the whole program; all are empty if it is usable.
program load(std::span<const module_text> modules, std::vector<diagnostics>& wrong,
             loop_form loops = loop_form::single);

}  // namespace tine::spork
