// Finds the source of each site in the debug information, and makes the names of functions readable.
#include "report/resolve_sites.hpp"

#include "report/debug_info.hpp"
#include "trace/wrappers.hpp"

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

bool is_in(const frame& f, const std::string& folder) {
  return f.file.find("include/" + folder + "/") != std::string::npos;
}

bool is_of_tine(const frame& f) {
  return is_in(f, "tine") || f.function.starts_with("tine::detail::") || f.function.starts_with("tine::sched::") ||
         trace::is_symbol_of_tine(f.function);
}

// Some headers of libstdc++ are in /usr/include/x86_64-linux-gnu/c++.
bool is_in_c_plus_plus_headers(const frame& f) {
  const std::size_t include = f.file.find("/include/");
  return include != std::string::npos && f.file.find("/c++/", include) != std::string::npos;
}

// Returns true for frames of tine's headers and of the standard library, which are never shown if there are others.
bool is_of_a_library(const frame& f) {
  return f.function.starts_with("std::") || f.function.starts_with("__gnu_cxx::") || is_in_c_plus_plus_headers(f) ||
         is_of_tine(f);
}

// Returns true for a file that is no header, where the program's own functions are, too.
bool is_source(const std::string& file) {
  const std::string end = file.substr(std::min(file.rfind('.'), file.size()));
  return end == ".cpp" || end == ".cc" || end == ".cxx" || end == ".C" || end == ".c";
}

bool ends_with_path(const std::string& file, std::string path) {
  while (path.starts_with("./") || path.starts_with("../")) path.erase(0, path.find('/') + 1);
  return file == path || file.ends_with("/" + path);
}

// Returns true for frames of wrappers. The demangler doesn't know all names. With -g1 functions that were inlined have
// names without namespaces, so we look at their headers, too.
bool is_wrapper(const frame& f, const std::vector<trace::named_wrapper>& named) {
  if (trace::is_wrapper_name(f.function, named) || trace::is_wrapper_symbol(f.function, named) || is_of_a_library(f))
    return true;
  if (std::ranges::any_of(trace::known_wrappers, [&](std::string_view name) { return is_in(f, std::string{name}); }))
    return true;
  return !f.has_whole_name && std::ranges::any_of(named, [&](const trace::named_wrapper& each) {
    return ends_with_path(f.file, each.header) && !is_source(each.header);
  });
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
  resolver(const trace::profile& p, const shown_frames& shown) : profile_{p}, shown_{shown} {
    for (const trace::chain_address& each : p.chains) chains_[each.number].push_back(each.address);
    for (const trace::module& m : p.modules) {
      if (const debug_info* const file = file_of(m)) file->add_wrappers(wrappers_);
    }
  }

  /// `callers` are the return addresses above `address`, innermost first. The address may be the number of a chain.
  place resolve(std::uint64_t address, const std::vector<std::uint64_t>& callers) {
    const auto numbered = chains_.find(address);
    std::vector<std::uint64_t> all = numbered != chains_.end() ? numbered->second : std::vector{address};
    all.insert(all.end(), callers.begin(), callers.end());
    place found;
    std::vector<std::string> fallbacks;  // of each frame
    for (const std::uint64_t each : all) {
      const described& here = described_once(each);
      found.chain.insert(found.chain.end(), here.frames.begin(), here.frames.end());
      if (each == all.front()) found.fallback = here.fallback;
      fallbacks.resize(found.chain.size(), here.fallback);
    }
    if (const std::size_t at = choose(found); at < fallbacks.size()) found.fallback = fallbacks[at];
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
  // The frames at an address, innermost first, and the module with the offset in it.
  struct described {
    std::vector<frame> frames;
    std::string fallback;
  };

  // A return address is behind its call: the call itself is one byte back, which may be another line.
  described describe(std::uint64_t return_address) {
    const trace::module* module = module_of(return_address);
    if (module == nullptr) return {{}, hexadecimal(return_address)};
    const std::uint64_t own = return_address - module->bias;
    described found{{}, module->path.substr(module->path.rfind('/') + 1) + "+" + hexadecimal(own)};
    const debug_info* file = file_of(*module);
    if (file == nullptr) return found;
    for (frame f : file->frames_at(own - 1)) {
      f.has_whole_name = f.function.starts_with("_Z");
      f.function = function_name(f.function);
      if (!f.function.empty() || !f.file.empty()) found.frames.push_back(std::move(f));
    }
    return found;
  }

  // Chains have most of their addresses in common.
  const described& described_once(std::uint64_t return_address) {
    const auto known = described_.find(return_address);
    return known != described_.end() ? known->second
                                     : described_.emplace(return_address, describe(return_address)).first->second;
  }

  // Chooses the first frame that is the program's, and the frames that called it. These end where tine called the
  // program, because the frames above depend on whether the branch was stolen. Returns the number of the frame.
  std::size_t choose(place& found) const {
    const auto is_hidden = [&](const frame& f) {
      return shown_.wrappers ? is_of_a_library(f) : is_wrapper(f, wrappers_);
    };
    const auto is_own = [&](const frame& f) { return !is_hidden(f) && !is_skipped(f, shown_.skip); };
    const auto end = found.chain.end();
    auto at = std::ranges::find_if(found.chain, is_own);
    if (at == end) at = std::ranges::find_if_not(found.chain, is_hidden);
    if (at == end) at = std::ranges::find_if_not(found.chain, is_of_a_library);
    if (at == end) {
      if (!found.chain.empty()) found.at = found.chain.back();
      return found.chain.size();
    }
    found.at = *at;
    const auto number = static_cast<std::size_t>(at - found.chain.begin());
    while (++at != end && !is_of_tine(*at)) {
      if (is_own(*at)) found.callers.push_back(*at);
    }
    return number;
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
  const shown_frames& shown_;
  std::map<std::string, debug_info> files_;
  std::map<std::uint64_t, described> described_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> chains_;
  std::vector<trace::named_wrapper> wrappers_;
};

}  // namespace

std::vector<place> resolve_sites(const trace::profile& p, const shown_frames& shown) {
  std::vector<std::vector<std::uint64_t>> callers(p.sites.size());
  for (const trace::caller& c : p.callers) callers[c.site].push_back(c.address);
  resolver r{p, shown};
  std::vector<place> places;
  for (std::size_t i = 0; i < p.sites.size(); ++i) places.push_back(r.resolve(p.sites[i].address, callers[i]));
  return places;
}

std::vector<place> resolve_samples(const trace::profile& p, const shown_frames& shown) {
  resolver r{p, shown};
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
                                     const shown_frames& shown) {
  resolver r{p, shown};
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
  const shown_frames shown{.skip = {"__gthread_*"}};  // wrappers of the C++ library around the functions of locks
  resolver r{p, shown};
  std::vector<place> places;
  for (const std::vector<std::uint64_t>& stack : stacks)
    places.push_back(r.resolve(stack.front(), {stack.begin() + 1, stack.end()}));
  return places;
}

std::vector<variable> resolve_variables(const trace::profile& p, const std::vector<std::uint64_t>& addresses) {
  const shown_frames shown;
  resolver r{p, shown};
  std::vector<variable> all;
  for (const std::uint64_t address : addresses) all.push_back(r.resolve_variable(address));
  return all;
}

}  // namespace tine::report
