// The parts of `tine ir` that need LLVM: `run --engine=jit`, `build`, and the compiled code of `fuzz`.
#include "cli/library_of_tine.hpp"
#include "cli/print.hpp"
#include "command/ir.hpp"
#ifdef TINE_COLLECTS
#include "ml/runtime/ml.h"
#endif
#include "ir/c_header.hpp"
#include "ir/codegen/jit.hpp"
#include "ir/interpret.hpp"
#include "ir/join.hpp"
#include "ir/pipeline.hpp"

#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace tine::cli {
namespace {

// Runs a program with these words and waits for it. Returns its status as waitpid gives it, or -1 and the reason in
// errno if it does not start.
int run_tool(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;  // tine ignores SIGPIPE, which its children would inherit
  posix_spawnattr_init(&attributes);
  sigset_t pipes;
  sigemptyset(&pipes), sigaddset(&pipes, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &pipes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t tool = 0;
  const int error = posix_spawnp(&tool, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return errno = error, -1;
  int status = 0;
  waitpid(tool, &status, 0);
  return status;
}

// A folder that is removed with its files at the end.
struct temporary_folder {
  temporary_folder() {
    if (mkdtemp(name.data()) == nullptr)
      throw refusal{fmt::format("/tmp: no folder can be made: {}", std::strerror(errno))};
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(name, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string name = "/tmp/tine-ir-XXXXXX";
};

// Adds the runtime, the profiler and the recorder of schedules, static or shared, and the runtime library of Parallel
// ML with the collector if the program needs it. The executable describes the lines of the program, but not those of a
// static runtime: valgrind 3.19 ends a program with the latter, because clang 19 writes DWARF 5. So a copy without them
// is linked; without objcopy, the executable describes no lines at all.
void add_libraries(std::vector<std::string>& words, const temporary_folder& copies, bool collects) {
  words.emplace_back("-Wl,--undefined=tine_profiler,--undefined=tine_replay");
  std::vector<std::string> names{"libtine_replay", "libtine_profiler", "libtine"};
  if (collects) names.insert(names.begin(), "libtine_ml_runtime");
  for (const std::string& name : names) {
    std::string library = library_of_tine(name + ".a");
    if (library.empty()) {
      library = library_of_tine(name + ".so");
      if (library.empty()) throw refusal{name + " is neither beside this command nor installed with it"};
      words.push_back("-Wl,-rpath," + library.substr(0, library.rfind('/')));
    } else if (const std::string copy = copies.name + "/" + name + ".a";
               run_tool({TINE_OBJCOPY, "--strip-debug", library, copy}) == 0) {
      library = copy;
    } else {
      words.emplace_back("-Wl,--strip-debug");
    }
    words.push_back(library);
  }
}

// Runs the compiler that tine was built with, as a linker.
void link(const std::string& object, const std::string& out, bool collects) {
  const temporary_folder copies;
  std::vector<std::string> words{TINE_CXX, "-no-pie", "-o", out, object};
  add_libraries(words, copies, collects);
  const std::string libraries = collects ? TINE_LINK_LINE "|-lgc" : TINE_LINK_LINE;
  for (std::size_t at = 0; at < libraries.size();) {
    const std::size_t end = std::min(libraries.find('|', at), libraries.size());
    words.push_back(libraries.substr(at, end - at));
    at = end + 1;
  }
  const int status = run_tool(words);
  if (status == -1) {
    throw refusal{fmt::format("{} cannot be started to link {}: {}; --emit=object makes what you can link yourself",
                              words[0], out, std::strerror(errno))};
  }
  if (status != 0) throw refusal{fmt::format("{} could not link {}; it says why above", words[0], out)};
}

// Returns the result of `compile`. A program that cannot be compiled is a bad program.
auto compilable(const spork::program& p, auto compile) {
  try {
    return compile();
  } catch (const spork::unwritable& e) {
    throw refusal{e.what()};
  } catch (const std::runtime_error& e) {
    throw bad_program{fmt::format("{}: {}\n", p.name, e.what())};
  }
}

std::optional<spork::sharing> share_of(const ir_options& o) {
  if (o.share.empty()) return {};
  return o.share == "none" ? spork::sharing::no_token : o.share == "all" ? spork::sharing::all : spork::sharing::half;
}

// `processor`: as compile_options has it.
spork::compile_options compile_options_of(const ir_options& o, const std::string& processor) {
  return {o.level,   o.promotion == "stackmap" ? spork::promotion_by::stack_map : spork::promotion_by::record,
          processor, share_of(o),
          false,     o.collects};
}

const std::string& level_of(const ir_options& o) { return o.processor.empty() ? spork::base_level() : o.processor; }

spork::compile_options build_options_of(const ir_options& o) {
  return compile_options_of(o, level_of(o) == "native" ? "" : level_of(o));
}

// Says which processors can run an executable.
std::string fitness(const ir_options& o) {
  const std::string like_this = fmt::format("processors like this one ({})", spork::native_processor());
  if (level_of(o) == "native") return fmt::format("{}: for {}\n", o.out, like_this);
  return fmt::format("{}: for all {} processors{}\n", o.out, level_of(o),
                     o.processor.empty() ? "; with --march=native, for " + like_this : "");
}

// Starts the collector, which compiled code in this process calls.
void start_collector([[maybe_unused]] spork::jit& compiler, [[maybe_unused]] const std::vector<char*>& arguments) {
#ifdef TINE_COLLECTS
  tine_ml_start();
  tine_ml_set_arguments(static_cast<int>(arguments.size()) - 1, const_cast<char**>(arguments.data()));
  for (const tine_ml_function* f = tine_ml_functions; f->name != nullptr; ++f) compiler.define(f->name, f->address);
#endif
}

// Refuses an output that a linker could not write.
void require_writable(const std::string& path) {
  const auto refuse = [&](int why) {
    throw refusal{fmt::format("{} cannot be written: {}", path, std::strerror(why))};
  };
  if (path.empty()) refuse(ENOENT);
  if (std::filesystem::is_directory(path)) refuse(EISDIR);
  const std::string folder = std::filesystem::path{path}.parent_path().string();
  if (std::filesystem::exists(path) ? access(path.c_str(), W_OK) != 0
                                    : access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    refuse(errno);
}

void require_collector(const ir_options& o) {
#ifdef TINE_COLLECTS
  constexpr bool has = true;
#else
  constexpr bool has = false;
#endif
  if (o.collects && !has)
    throw refusal{
        "--collect: this tine was built without a collector; build it where libgc is installed (Debian: libgc-dev)"};
}

}  // namespace

int run_jit(const ir_options& o, const spork::program& p) {
  require_collector(o);
  if (!o.promote.empty()) setenv("TINE_PROMOTE", o.promote.c_str(), 1);  // which executables obey, too
  spork::jit compiler;
  std::vector<char*> arguments{const_cast<char*>(p.name.c_str())};
  for (const std::string& each : o.arguments) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  if (o.collects) start_collector(compiler, arguments);
  const spork::jit::entry code = compilable(p, [&] { return compiler.compile(p, compile_options_of(o, {})); });
  const std::string line = spork::show(spork::run_compiled(code, p, o.workers));
  std::fflush(stdout);  // the program's own output comes first
  if (!line.empty()) print(line + "\n");
  return success;
}

namespace {

struct way {
  unsigned level;
  bool optimised;
  spork::promotion_by how;
};

std::vector<way> ways(const ir_options& o) {
  std::vector<way> all;
  for (const spork::promotion_by how : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
    if (!o.fuzz_level) all.push_back({0, false, how});
    all.push_back({o.fuzz_level.value_or(2), true, how});
  }
  return all;
}

// Builds and runs an executable. Returns the line that it prints, or its exit status if it fails.
std::string printed(const spork::program& p, const way& w) {
  const temporary_folder folder;
  const std::string app = folder.name + "/app", object = app + ".o";
  spork::write_program(p, {w.level, w.how, {}, {}, true}, object);
  link(object, app, false);
  std::FILE* out = popen(app.c_str(), "r");
  std::string line;
  char piece[4096];
  for (std::size_t n; out != nullptr && (n = std::fread(piece, 1, sizeof piece, out)) != 0;) line.append(piece, n);
  const int status = out == nullptr ? -1 : pclose(out);
  if (status != 0) return fmt::format("exit status {}", status);
  if (line.ends_with('\n')) line.pop_back();
  return line;
}

}  // namespace

std::string compiled_disagreement(const ir_options& o, std::span<const spork::program> programs) {
  std::string expected;
  std::vector<spork::program> optimised(programs.begin(), programs.end());
  for (spork::program& p : optimised) {
    const spork::program elided = spork::elide(p);
    expected += (expected.empty() ? "" : " ") +
                spork::show(spork::interpret(spork::semantics{elided}, *spork::make_schedule("none"), o.most_steps));
    spork::optimise(p);
  }
  const spork::program plain = spork::join(programs), passed = spork::join(optimised);
  spork::jit compiler;
  for (const way& w : ways(o)) {
    const spork::program& p = w.optimised ? passed : plain;
    const auto says = [&](const char* what, const std::string& got) {
      return fmt::format("{} at level {}{}{}, it gives {} instead of {}", what, w.level,
                         w.optimised ? " after our passes" : "",
                         w.how == spork::promotion_by::stack_map ? " with stack maps" : "", got, expected);
    };
    if (o.with_elf) {
      if (const std::string got = printed(p, w); got != expected) return says("as an executable", got);
    }
    if (!o.with_jit) continue;
    const spork::jit::entry code = compiler.compile(p, {w.level, w.how, {}, {}, true});
    for (unsigned runs = 0; runs < 3; ++runs) {
      const std::string got = spork::show(spork::run_compiled(code, p, o.workers));
      if (got != expected) return says("compiled", got);
    }
  }
  return {};
}

int build_ir(const ir_options& o) {
  return build_program(o, o.elided ? spork::elide(load_ir(o)) : load_ir(o, spork::loop_form::chunked));
}

int build_program(const ir_options& o, spork::program p) {
  require_collector(o);
  if (o.emit == "program") require_main(p);
  if (!o.header.empty()) {
    if (!spork::has_exports(p)) {
      throw bad_program{
          fmt::format("{}: no function is exported, so a header would be empty; write 'export fun'\n", p.name)};
    }
    write_to(o.header, spork::c_header(p));
  }
  spork::optimise(p);
  if (o.emit == "llvm") {
    write_to(o.out == "a.out" ? "" : o.out, compilable(p, [&] { return spork::show_llvm(p, build_options_of(o)); }));
  } else if (o.emit == "object") {
    const auto write_object = spork::has_exports(p) ? spork::write_exports : spork::write_program;
    compilable(p, [&] { write_object(p, build_options_of(o), o.out); });
  } else {
    require_writable(o.out);  // before LLVM takes its time; and the linker would replace a file that its owner protects
    const temporary_folder folder;
    const std::string object = folder.name + "/program.o";
    compilable(p, [&] { spork::write_program(p, build_options_of(o), object); });
    link(object, o.out, o.collects);
    print(fitness(o));
  }
  return success;
}

}  // namespace tine::cli
