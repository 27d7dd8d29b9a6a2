// tine ir run --engine=jit, tine ir build: what needs LLVM.
#include "cli/ir.hpp"
#include "cli/output.hpp"
#include "spork/codegen/jit.hpp"
#include "spork/interpret.hpp"
#include "spork/pipeline.hpp"

#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

// Runs the compiler that tine was built with, as a linker.
void link(const std::string& object, const std::string& out) {
  std::vector<std::string> words{TINE_CXX, "-no-pie", "-o", out, object};
  const std::string libraries = TINE_LINK_LINE;
  for (std::size_t at = 0; at < libraries.size();) {
    const std::size_t end = std::min(libraries.find('|', at), libraries.size());
    words.push_back(libraries.substr(at, end - at));
    at = end + 1;
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t linker = 0;
  if (const int error = posix_spawnp(&linker, arguments[0], nullptr, nullptr, arguments.data(), environ); error != 0) {
    throw refusal{fmt::format("{} cannot be started to link {}: {}; --emit=object makes what you can link yourself",
                              words[0], out, std::strerror(error))};
  }
  int status = 0;
  waitpid(linker, &status, 0);
  if (status != 0) throw refusal{fmt::format("{} could not link {}; it says why above", words[0], out)};
}

// What `compile` gives. That a program cannot be compiled is the program's fault.
auto compilable(const spork::program& p, auto compile) {
  try {
    return compile();
  } catch (const std::runtime_error& e) {
    throw bad_program{fmt::format("{}: {}\n", p.name, e.what())};
  }
}

spork::compile_options compile_options_of(const ir_options& o) {
  return {o.level, o.promotion == "stackmap" ? spork::promotion_by::stack_map : spork::promotion_by::record};
}

}  // namespace

int run_jit(const ir_options& o, const spork::program& p) {
  spork::jit compiler;
  const spork::jit::entry code = compilable(p, [&] { return compiler.compile(p, compile_options_of(o)); });
  const std::string line = spork::show(spork::run_compiled(code, p, o.workers));
  if (!line.empty()) print(line + "\n");
  return good;
}

std::string compiled_disagreement(const ir_options& o, const spork::program& p) {
  const spork::program elided = spork::elide(p);
  const std::string expected =
      spork::show(spork::interpret(spork::semantics{elided}, *spork::make_schedule("none"), o.most_steps));
  spork::program optimised = p;
  spork::optimise(optimised);
  spork::jit compiler;
  for (const auto& [each, level] : {std::pair{&p, 0u}, std::pair{static_cast<const spork::program*>(&optimised), 2u}}) {
    for (const spork::promotion_by how : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
      const spork::jit::entry code = compiler.compile(*each, {level, how});
      for (unsigned runs = 0; runs < 3; ++runs) {
        const std::string got = spork::show(spork::run_compiled(code, *each, o.workers));
        if (got == expected) continue;
        return fmt::format("compiled at level {}{}, it gives {} instead of {}", level,
                           how == spork::promotion_by::stack_map ? " with stack maps" : "", got, expected);
      }
    }
  }
  return {};
}

int build_ir(const ir_options& o) {
  spork::program p = load_ir(o, spork::loop_form::chunked);
  if (o.elided) p = spork::elide(load_ir(o));
  spork::optimise(p);
  if (o.emit == "llvm") {
    write_to(o.out == "a.out" ? "" : o.out, compilable(p, [&] { return spork::show_llvm(p, compile_options_of(o)); }));
  } else if (o.emit == "object") {
    compilable(p, [&] { spork::write_object(p, compile_options_of(o), o.out); });
  } else {
    const std::string object = o.out + ".o";
    compilable(p, [&] { spork::write_object(p, compile_options_of(o), object); });
    link(object, o.out);
    unlink(object.c_str());
  }
  return good;
}

}  // namespace tine::cli
