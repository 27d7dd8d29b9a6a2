// Programs to machine code, in this process or in a file. Nothing of LLVM shows.
#pragma once

#include "spork/value.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tine::spork {

/// How a promotion finds what a spork offers.
enum class promotion_by : std::uint8_t {
  record,     ///< the spork writes a record on the shadow stack
  stack_map,  ///< it is in the frame, and LLVM's stack maps tell where
};

struct compile_options {
  unsigned level = 2;  ///< of LLVM's passes and of its code generator: 0 to 3
  promotion_by promotes = promotion_by::record;
  std::string processor = {};  ///< that runs it, as LLVM names it; empty: this machine's
  bool verifies_each = false;  ///< LLVM's verifier checks the module after each of LLVM's passes, too; for the fuzzer
};

/// Code made by LLVM's just-in-time compiler. Throws std::runtime_error if the program cannot be compiled, in LLVM's words if
/// the problem is LLVM's.
class jit {
 public:
  jit();
  ~jit();

  using entry = void (*)(void* results);
  /// Compiles `p`; what it gives stays valid as long as this.
  entry compile(const program& p, const compile_options& o);

 private:
  struct inside;
  std::unique_ptr<inside> inside_;
};

/// Runs compiled code in a pool of so many workers; 0: in the default pool.
std::vector<value> run_compiled(jit::entry code, const program& p, unsigned workers);
/// Runs it by `call(code, results)`, wherever that is.
std::vector<value> run_compiled(jit::entry code, const program& p, const std::function<void(jit::entry, void*)>& call);

/// The text of LLVM's own language for `p`, after its passes; for the curious.
std::string show_llvm(const program& p, const compile_options& o);

/// Writes `p` as an object file with a C `main`, to be linked with tine, by -no-pie: addresses are
/// constants then, and need no registers.
void write_object(const program& p, const compile_options& o, const std::string& path);

}  // namespace tine::spork
