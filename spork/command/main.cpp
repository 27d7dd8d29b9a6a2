// The program that `tine` starts for `tine ir` and `tine ml`.
#include "command/tine_spork.hpp"

int main(int argc, char** argv) { return tine::cli::run_tine_spork(argc, argv); }
