// Asks LLVM's symbolizer for the source of each site. This is the only file here that includes LLVM.
#include "report/resolve_sites.hpp"

#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Object/BuildID.h>
#include <llvm/Object/ObjectFile.h>

#include <fnmatch.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>

namespace tine::report {
namespace {

void erase_all(std::string& text, const std::string& part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) text.erase(at, part.size());
}

// Removes the suffix that compilers put behind a dot for parts of coroutines and for clones. A mangled name may contain a dot, too,
// so the function returns the shortest part that can be demangled; an empty string if there is none.
std::string mangled_name(const std::string& linkage) {
  for (std::size_t dot = linkage.find('.');; dot = linkage.find('.', dot + 1)) {
    std::string part = linkage.substr(0, dot);
    if (!llvm::ItaniumPartialDemangler{}.partialDemangle(part.c_str())) return part;  // true means that it failed
    if (dot == std::string::npos) return {};
  }
}

// Returns the function without its parameters: they make a table's column unreadable, and the line distinguishes overloads.
std::string function_name(const std::string& linkage) {
  if (linkage == llvm::DILineInfo::BadString) return {};
  const std::string mangled = mangled_name(linkage);
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str())) return linkage;
  const std::unique_ptr<char, void (*)(void*)> name{
      demangler.isFunction() ? demangler.getFunctionName(nullptr, nullptr) : demangler.finishDemangle(nullptr, nullptr),
      std::free};
  if (!name) return linkage;
  std::string text{name.get()};
  erase_all(text, "(anonymous namespace)::");
  return text;
}

frame frame_of(const llvm::DILineInfo& line) {
  const bool has_file = line.FileName != llvm::DILineInfo::BadString;
  return {function_name(line.FunctionName), has_file ? line.FileName : std::string{}, has_file ? line.Line : 0};
}

bool is_of_tine(const frame& f) {
  return f.file.find("include/tine/") != std::string::npos || f.function.starts_with("tine::detail::") ||
         f.function.starts_with("tine::sched::");
}

// Returns true for frames of tine's headers and of the standard library, which say nothing about the program.
bool is_of_a_library(const frame& f) { return f.function.starts_with("std::") || is_of_tine(f); }

// Returns the function in which a frame is: the part of the name before the first template's or function's arguments. For a lambda
// this is the function around it.
std::string without_arguments(const std::string& function) { return function.substr(0, function.find_first_of("<(")); }

bool is_skipped(const frame& f, const std::vector<std::string>& patterns) {
  const std::string names[] = {f.function, without_arguments(f.function), f.file, f.file.substr(f.file.rfind('/') + 1)};
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return std::ranges::any_of(names, [&](const std::string& name) {
      return !name.empty() && fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
  });
}

std::string build_id_of(const std::string& path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  std::string hex;
  for (const auto byte : llvm::object::getBuildID(file->getBinary())) {
    constexpr char digits[] = "0123456789abcdef";
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

class resolver {
 public:
  resolver(const trace::profile& p, const std::vector<std::string>& skip)
      : profile_{p}, skip_{skip}, symbolizer_{options()} {}

  /// `callers` are the return addresses above `address`, innermost first.
  place resolve(std::uint64_t address, const std::vector<std::uint64_t>& callers) {
    place found;
    found.fallback = add_frames(found, address);
    for (const std::uint64_t caller : callers) add_frames(found, caller);
    choose(found);
    return found;
  }

 private:
  static llvm::symbolize::LLVMSymbolizer::Options options() {
    llvm::symbolize::LLVMSymbolizer::Options o;
    o.Demangle = false;  // function_name does
    o.UseSymbolTable = true;
    return o;
  }

  // Adds the frames at an address to `found`. Returns the module and the offset in it. A return address is behind its call: the
  // call itself is one byte back, which may be another line.
  std::string add_frames(place& found, std::uint64_t return_address) {
    const trace::module* module = module_of(return_address);
    if (module == nullptr) return hexadecimal(return_address);
    const std::uint64_t own = return_address - module->bias;
    const std::string fallback = module->path.substr(module->path.rfind('/') + 1) + "+" + hexadecimal(own);
    if (!is_as_profiled(*module)) return fallback;
    auto frames =
        symbolizer_.symbolizeInlinedCode(module->path, {own - 1, llvm::object::SectionedAddress::UndefSection});
    if (!frames) {
      llvm::consumeError(frames.takeError());
      return fallback;
    }
    for (std::uint32_t i = 0; i < frames->getNumberOfFrames(); ++i) {
      frame f = frame_of(frames->getFrame(i));
      if (!f.function.empty() || !f.file.empty()) found.chain.push_back(std::move(f));
    }
    return fallback;
  }

  // Chooses the first frame that is the program's, and the frames that called it. These end where tine called the program, because
  // the frames above depend on whether the branch was stolen.
  void choose(place& found) const {
    const auto is_own = [&](const frame& f) { return !is_of_a_library(f) && !is_skipped(f, skip_); };
    auto at = std::ranges::find_if(found.chain, is_own);
    if (at == found.chain.end()) at = std::ranges::find_if_not(found.chain, is_of_a_library);
    if (at == found.chain.end()) {
      if (!found.chain.empty()) found.at = found.chain.back();
      return;
    }
    found.at = *at;
    while (++at != found.chain.end() && !is_of_tine(*at)) {
      if (is_own(*at)) found.callers.push_back(*at);
    }
  }

  const trace::module* module_of(std::uint64_t address) const {
    for (const trace::module& m : profile_.modules) {
      if (m.begin <= address && address < m.end) return &m;
    }
    return nullptr;
  }

  // Returns true if the file is the one that was profiled. If it was built again since, its lines would be wrong. Only an ordinary
  // file is read, because another one might never end.
  bool is_as_profiled(const trace::module& module) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(module.path, unknown)) return false;
    if (module.build_id.empty()) return true;
    const auto [known, is_new] = build_ids_.try_emplace(module.path);
    if (is_new) known->second = build_id_of(module.path);
    return known->second == module.build_id;
  }

  const trace::profile& profile_;
  const std::vector<std::string>& skip_;
  llvm::symbolize::LLVMSymbolizer symbolizer_;
  std::map<std::string, std::string> build_ids_;
};

}  // namespace

std::vector<place> resolve_sites(const trace::profile& p, const std::vector<std::string>& skip) {
  std::vector<std::vector<std::uint64_t>> callers(p.sites.size());
  for (const trace::caller& c : p.callers) callers[c.site].push_back(c.address);
  resolver r{p, skip};
  std::vector<place> places;
  for (std::size_t i = 0; i < p.sites.size(); ++i) places.push_back(r.resolve(p.sites[i].address, callers[i]));
  return places;
}

std::vector<place> resolve_samples(const trace::profile& p, const std::vector<std::string>& skip) {
  resolver r{p, skip};
  std::vector<place> places;
  for (const trace::sample& s : p.samples) {
    std::vector<std::uint64_t> callers;
    for (const std::uint64_t caller : {s.caller, s.second_caller, s.third_caller}) {
      if (caller == 0) break;
      callers.push_back(caller);
    }
    place& found = places.emplace_back(r.resolve(s.address, callers));
    found.shown_callers = found.at.file.empty() && !found.callers.empty() ? 1 : 0;
  }
  return places;
}

}  // namespace tine::report
