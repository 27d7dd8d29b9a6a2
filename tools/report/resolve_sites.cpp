// Finds the source of each site in the debug information, and makes the names of functions readable.
#include "report/resolve_sites.hpp"

#include "report/debug_info.hpp"

#include <fnmatch.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <libiberty/demangle.h>
#include <map>
#include <memory>
#include <string>
#include <system_error>

namespace tine::report {
namespace {

void erase_all(std::string& text, const std::string& part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) text.erase(at, part.size());
}

// Returns the function without its parameters: they make a table's column unreadable, and the line distinguishes
// overloads. Compilers put a suffix behind a dot for parts of coroutines and for clones. A mangled name may contain a
// dot, too, so the function demangles the shortest part that can be demangled.
std::string function_name(const std::string& linkage) {
  for (std::size_t dot = linkage.find('.');; dot = linkage.find('.', dot + 1)) {
    const std::unique_ptr<char, void (*)(void*)> name{cplus_demangle_v3(linkage.substr(0, dot).c_str(), DMGL_NO_OPTS),
                                                      std::free};
    if (name) {
      std::string text{name.get()};
      erase_all(text, "(anonymous namespace)::");
      return text;
    }
    if (dot == std::string::npos) return linkage;
  }
}

bool is_of_tine(const frame& f) {
  return f.file.find("include/tine/") != std::string::npos || f.function.starts_with("tine::detail::") ||
         f.function.starts_with("tine::sched::");
}

// Returns true for frames of tine's headers and of the standard library, which say nothing about the program.
bool is_of_a_library(const frame& f) {
  return f.function.starts_with("std::") || f.function.starts_with("__gnu_cxx::") ||
         f.file.find("/include/c++/") != std::string::npos || is_of_tine(f);
}

bool is_skipped(const frame& f, const std::vector<std::string>& patterns) {
  const std::string names[] = {f.function, without_arguments(f.function), f.file, f.file.substr(f.file.rfind('/') + 1)};
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return std::ranges::any_of(names, [&](const std::string& name) {
      return !name.empty() && fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
  });
}

class resolver {
 public:
  resolver(const trace::profile& p, const std::vector<std::string>& skip) : profile_{p}, skip_{skip} {}

  /// `callers` are the return addresses above `address`, innermost first.
  place resolve(std::uint64_t address, const std::vector<std::uint64_t>& callers) {
    place found;
    found.fallback = add_frames(found, address);
    for (const std::uint64_t caller : callers) add_frames(found, caller);
    choose(found);
    return found;
  }

  variable resolve_variable(std::uint64_t address) {
    const trace::module* module = module_around(address);
    const debug_info* file = module == nullptr ? nullptr : file_of(*module);
    if (file == nullptr) return {};
    variable found = file->variable_at(address - module->bias);
    if (!found.name.empty()) found.name = function_name(found.name);
    return found;
  }

 private:
  // Adds the frames at an address to `found`. Returns the module and the offset in it. A return address is behind its
  // call: the call itself is one byte back, which may be another line.
  std::string add_frames(place& found, std::uint64_t return_address) {
    const trace::module* module = module_of(return_address);
    if (module == nullptr) return hexadecimal(return_address);
    const std::uint64_t own = return_address - module->bias;
    const std::string fallback = module->path.substr(module->path.rfind('/') + 1) + "+" + hexadecimal(own);
    const debug_info* file = file_of(*module);
    if (file == nullptr) return fallback;
    for (frame f : file->frames_at(own - 1)) {
      f.function = function_name(f.function);
      if (!f.function.empty() || !f.file.empty()) found.chain.push_back(std::move(f));
    }
    return fallback;
  }

  // Chooses the first frame that is the program's, and the frames that called it. These end where tine called the
  // program, because the frames above depend on whether the branch was stolen.
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

  // Returns the module with the last code in front of the address. The bounds of modules are those of their code, and
  // the variables of a module lie between its code and that of the next module.
  const trace::module* module_around(std::uint64_t address) const {
    const trace::module* found = nullptr;
    for (const trace::module& m : profile_.modules) {
      if (m.begin <= address && (found == nullptr || found->begin < m.begin)) found = &m;
    }
    return found;
  }

  // Returns the file of the module; null if it is not the one that was profiled. If it was built again since, its lines
  // would be wrong. Only an ordinary file is read, because another one might never end.
  const debug_info* file_of(const trace::module& module) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(module.path, unknown)) return nullptr;
    const debug_info& file = files_.try_emplace(module.path, module.path).first->second;
    return module.build_id.empty() || file.build_id() == module.build_id ? &file : nullptr;
  }

  const trace::profile& profile_;
  const std::vector<std::string>& skip_;
  std::map<std::string, debug_info> files_;
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

std::vector<place> resolve_addresses(const trace::profile& p, const std::vector<std::uint64_t>& addresses,
                                     const std::vector<std::string>& skip) {
  resolver r{p, skip};
  std::vector<place> places;
  for (const std::uint64_t address : addresses) places.push_back(r.resolve(address, {}));
  return places;
}

std::vector<std::string> unmatched(const std::vector<std::string>& patterns, const std::vector<place>& places) {
  std::vector<std::string> rest;
  for (const std::string& pattern : patterns) {
    const auto matches = [one = std::vector{pattern}](const frame& f) { return is_skipped(f, one); };
    const auto has_match = [&](const place& p) { return std::ranges::any_of(p.chain, matches); };
    if (std::ranges::none_of(places, has_match)) rest.push_back(pattern);
  }
  return rest;
}

std::vector<place> resolve_stacks(const trace::profile& p, const std::vector<std::vector<std::uint64_t>>& stacks) {
  const std::vector<std::string> skip{"__gthread_*"};  // wrappers of the C++ library around the functions of locks
  resolver r{p, skip};
  std::vector<place> places;
  for (const std::vector<std::uint64_t>& stack : stacks)
    places.push_back(r.resolve(stack.front(), {stack.begin() + 1, stack.end()}));
  return places;
}

std::vector<variable> resolve_variables(const trace::profile& p, const std::vector<std::uint64_t>& addresses) {
  const std::vector<std::string> skip;
  resolver r{p, skip};
  std::vector<variable> all;
  for (const std::uint64_t address : addresses) all.push_back(r.resolve_variable(address));
  return all;
}

}  // namespace tine::report
