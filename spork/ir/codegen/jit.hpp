// Compiles programs to machine code, in this process or to a file. This header needs no header of LLVM.
#pragma once

#include "ir/value.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tine::spork {

/// The way in which a promotion finds the call that a spork offers.
enum class promotion_by : std::uint8_t {
  record,     ///< the spork writes a record on the shadow stack
  stack_map,  ///< the arguments are in the frame, and LLVM's stack maps say where
};

/// Returns the kinds of processors for which code can be made here: "native", this machine's, and the levels of its
/// architecture, the oldest first.
const std::vector<std::string>& processor_levels();
/// Returns the oldest of these levels, whose code runs on every processor of the architecture; "native" if this
/// architecture has no levels.
const std::string& base_level();
/// Returns LLVM's name of this machine's processor.
std::string native_processor();

/// Thrown by functions that write files, if the file is the problem and not the program.
struct unwritable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct compile_options {
  unsigned level = 2;  ///< of LLVM's passes and of its code generator: 0 to 3
  promotion_by promotes = promotion_by::record;
  std::string processor = {};  ///< the processors that run the code, one of processor_levels; empty: this machine's
  std::optional<sharing> share = {};  ///< of all sporks, in place of what the program says
  bool verifies_each = false;  ///< LLVM's verifier checks the module after each of LLVM's passes, too; for the fuzzer
  /// Allocations go to a collector, by the functions tine_ml_…, and `free` does nothing. If the code is for this
  /// process, its globals become roots of the collector, and must exist to the end of the process.
  bool collects = false;
  bool lines = true;  ///< files describe the places of the code, as DWARF
};

/// LLVM's just-in-time compiler and its code. It throws std::runtime_error if a program cannot be compiled, with LLVM's
/// message if LLVM reports the problem.
class jit {
 public:
  jit();
  ~jit();

  /// Defines a function of C that programs call by this name. To be called before the first program that does is
  /// compiled.
  void define(const char* name, void (*function)());

  using entry = void (*)(void* results);
  /// Compiles `p`. The returned code is valid as long as this object.
  entry compile(const program& p, const compile_options& o);

 private:
  struct inside;
  std::unique_ptr<inside> inside_;
};

/// Runs compiled code in a pool of `workers` workers, or in the default pool if `workers` is 0.
std::vector<value> run_compiled(jit::entry code, const program& p, unsigned workers);
/// Runs compiled code by `call(code, results)`, which chooses where it runs.
std::vector<value> run_compiled(jit::entry code, const program& p, const std::function<void(jit::entry, void*)>& call);

/// Returns `p` as text in LLVM's own language, after LLVM's passes, for inspection.
std::string show_llvm(const program& p, const compile_options& o);

/// Writes `p` as an object file with a C `main`, to be linked with tine and -no-pie: addresses are then constants, and
/// need no registers.
void write_program(const program& p, const compile_options& o, const std::string& path);
/// Writes an object file with the functions that `p` exports, which may be linked into any program and shared library
/// with tine. `p` needs no main.
void write_exports(const program& p, const compile_options& o, const std::string& path);

}  // namespace tine::spork
