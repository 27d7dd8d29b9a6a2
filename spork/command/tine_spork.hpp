// The program `tine-spork`, without its `main`: tests run it many times in one process.
#pragma once

namespace tine::cli {

/// Runs `tine ir` or `tine ml`, with the words of `tine`; returns the exit code.
int run_tine_spork(int argc, char** argv);

}  // namespace tine::cli
