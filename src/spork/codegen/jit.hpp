// Programs to machine code, in this process or in a file. Nothing of LLVM shows.
#pragma once

#include "spork/value.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tine::spork {

/// Code made by LLVM's just-in-time compiler. Throws std::runtime_error if the program cannot be compiled, in LLVM's words if
/// the problem is LLVM's.
class jit {
 public:
  jit();
  ~jit();

  using entry = void (*)(void* results);
  /// Compiles `p`; what it gives stays valid as long as this. `level` is LLVM's: 0 to 3.
  entry compile(const program& p, unsigned level);

 private:
  struct inside;
  std::unique_ptr<inside> inside_;
};

/// Runs compiled code in a pool of so many workers.
std::vector<value> run_compiled(jit::entry code, const program& p, unsigned workers);

/// The text of LLVM's own language for `p`, after its passes; for the curious.
std::string show_llvm(const program& p, unsigned level);

/// Writes `p` as an object file with a C `main`, to be linked with tine, by -no-pie: addresses are
/// constants then, and need no registers.
void write_object(const program& p, unsigned level, const std::string& path);

}  // namespace tine::spork
