// The options and functions that the verbs of `tine ir` share.
#pragma once

#include "cli/command.hpp"
#include "ir/encode.hpp"

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tine::cli {

struct ir_options {
  std::vector<std::string> files;
  std::vector<std::string> arguments = {};  // of a program in Parallel ML
  std::string engine = "interpret", schedule = "none", rules = "runtime";
  std::size_t most_steps = 1'000'000'000;
  std::size_t most_states = 1'000'000;
  bool optimised = false;
  std::vector<std::string> print_after;
  std::uint64_t seed = 1;
  std::size_t programs = 1000;
  unsigned size = 6;
  std::size_t explored = 0;
  bool with_jit = false, with_elf = false;
  std::optional<unsigned> fuzz_level;
  bool elided = false, collects = false;
  unsigned workers = 0, level = 2;
  std::string out = "a.out", header, emit = "program", promotion = "record", promote, share;
  std::string processor = {};  // of `build`; empty for the oldest of the architecture. Code in this process is native
};

/// Thrown for a bad program. `what` says where and why, line by line.
struct bad_program : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs a verb. A bad program is no misuse of the command: the diagnosis is the answer.
int diagnosed(const std::function<int()>& verb);

/// Loads the program in the files. Throws `bad_program` if it is not well-formed.
spork::program load_ir(const ir_options& o, spork::loop_form loops = spork::loop_form::single);
/// Does the same with a file that is alone, which may declare what other files define.
spork::program load_module(const ir_options& o);

/// Throws `bad_program` if the program has no `main`: then it only exports functions, and cannot run by itself.
void require_main(const spork::program& p);

/// The verbs that need LLVM: ir_compile.cpp.
int run_jit(const ir_options& o, const spork::program& p);
int build_ir(const ir_options& o);
/// Builds what `o.emit` says of a well-formed program.
int build_program(const ir_options& o, spork::program p);
/// Interprets a well-formed program by the schedule of the options, and prints its output and its results.
int interpret_program(const ir_options& o, const spork::program& p);
/// Explores the schedules of a well-formed program.
int explore_program(const ir_options& o, const spork::program& p);
/// Adds the options of `build_program` to a verb. `kinds`: what --emit may be.
void add_build_options(CLI::App* builds, ir_options& given, const std::set<std::string>& kinds);
void add_promotion_option(CLI::App* to, ir_options& given);
/// Adds the option for the promotion policy of code that runs in this process.
void add_policy_option(CLI::App* to, ir_options& given);
/// Returns how the compiled code of well-formed programs disagrees with their elisions, for `tine ir fuzz`; an empty
/// string if they agree.
std::string compiled_disagreement(const ir_options& o, std::span<const spork::program> programs);

command add_ir(CLI::App& tine);
command add_ml(CLI::App& tine);

/// The verb in ir_fuzz.cpp.
int fuzz(const ir_options& o);

}  // namespace tine::cli
