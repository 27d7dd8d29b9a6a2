// Links modules before they are encoded, so that loops and exceptions do not depend on the borders between files.
#include "ir/link.hpp"

#include "ir/passes/substitution.hpp"
#include "ir/print.hpp"

#include <map>
#include <string>
#include <utility>

namespace tine::spork {
namespace {

// Calls `visit(function_id&)` for each function that a transfer of a program with sugar calls or spawns.
struct callee_visitor {
  const std::vector<function_id>& now;

  void operator()(invocation& i) const { i.callee = now[i.callee]; }
  void operator()(call& t) const { (*this)(t.what); }
  void operator()(spork& t) const { (*this)(t.spawn); }
  void operator()(par& t) const { (*this)(t.first), (*this)(t.second); }
  void operator()(parfor& t) const { (*this)(t.body); }
  void operator()(reduce& t) const {
    (*this)(t.body);
    t.combine = now[t.combine];
  }
  void operator()(auto&) const {}
};

class linker {
 public:
  linker(std::span<const program> modules, std::span<diagnostics> wrong) : modules_{modules}, wrong_{wrong} {}

  program run() {
    for (at_ = 0; at_ < modules_.size(); ++at_) {
      whole_.name += (at_ == 0 ? "" : "+") + modules_[at_].name;
      first_source_.push_back(whole_.sources.size());
      if (modules_.size() > 1) whole_.sources.push_back(modules_[at_].name);
      whole_.sources.insert(whole_.sources.end(), modules_[at_].sources.begin(), modules_[at_].sources.end());
      for (const function& f : modules_[at_].functions) add(f);
      for (const datum& d : modules_[at_].data) add(d);
    }
    for (at_ = 0; at_ < modules_.size(); ++at_) check_and_renumber(modules_[at_]);
    return std::move(whole_);
  }

 private:
  // Where something is defined.
  struct origin {
    std::size_t module = 0;
    std::uint32_t number = none;  // in the whole program
    bool is_function = true;
  };

  void report(place where, std::string_view rule, std::string message) {
    wrong_[at_].push_back({where, rule, std::move(message)});
  }

  // Gives a definition a number in the whole program, or reports that there is another one of this name. Each function
  // of C has one definition, its first declaration.
  bool define(const std::string& name, place where, std::uint32_t number, bool is_function) {
    const auto [found, is_new] = defined_.try_emplace(name, origin{at_, number, is_function});
    if (!is_new) {
      report(where, "single-definition",
             "'" + name + "' is defined in " + modules_[found->second.module].name +
                 ", too; the files of a program share their names, so give one of them another name");
    }
    return is_new;
  }

  void add(const function& f) {
    if (f.external) return;
    const auto known = defined_.find(f.name);
    const bool is_again =
        f.in_c && known != defined_.end() && known->second.is_function && whole_.functions[known->second.number].in_c;
    if (is_again || !define(f.name, f.where, static_cast<function_id>(whole_.functions.size()), true)) return;
    whole_.functions.push_back(f);
    name_source(whole_.functions.back());
    moved_.push_back(at_);
  }

  // The places in the code of one module among several name its file.
  void name_source(place& where) const {
    if (where.line != 0) where = place::at(where.line, where.column, first_source_[at_] + where.source + 1);
  }
  void name_source(function& f) const {
    if (modules_.size() == 1) return;
    name_source(f.where);
    for (block& b : f.blocks) {
      for (statement& s : b.statements) name_source(s.where);
      name_source(b.end.where);
    }
  }

  void add(const datum& d) {
    if (d.external || !define(d.name, d.where, static_cast<data_id>(whole_.data.size()), false)) return;
    whole_.data.push_back(d);
  }

  // Returns the definition of what a module declares or defines; null, with a report, if there is none.
  const origin* find(const std::string& name, place where, bool is_function) {
    const auto found = defined_.find(name);
    if (found != defined_.end() && found->second.is_function == is_function) return &found->second;
    report(where, is_function ? "unknown-function" : "unknown-data",
           "'" + name + "' is declared as extern, but no file of the program defines " +
               (is_function ? "such a function" : "such data") + "; name the file that does, too");
    return nullptr;
  }

  void check_and_renumber(const program& module) {
    std::vector<function_id> functions;
    std::vector<data_id> data;
    for (const function& f : module.functions) {
      const origin* defined = find(f.name, f.where, true);
      functions.push_back(defined == nullptr ? 0 : defined->number);
      const bool is_definition = !f.external && !f.in_c;
      if (defined != nullptr && !is_definition)
        check_types(f, whole_.functions[defined->number], modules_[defined->module].name);
    }
    for (const datum& d : module.data) {
      const origin* defined = find(d.name, d.where, false);
      data.push_back(defined == nullptr ? 0 : defined->number);
      if (d.external && defined != nullptr && whole_.data[defined->number].is_constant != d.is_constant) {
        report(d.where, "extern",
               "'" + d.name + "' is declared as " + (d.is_constant ? "data" : "global") + ", but " +
                   modules_[defined->module].name + " defines it as " + (d.is_constant ? "global" : "data") +
                   "; declare it as it is defined");
      }
    }
    renumber(functions, data);
  }

  void check_types(const function& f, const function& defined, const std::string& in) {
    if (f.param_types == defined.param_types && f.results == defined.results && f.raises == defined.raises &&
        f.pure == defined.pure && f.in_c == defined.in_c) {
      return;
    }
    const auto shown = [](const function& any) {
      return std::string{any.in_c ? any.pure ? "declare pure " : "declare " : ""} + show_types(any.param_types) +
             " -> " + show_types(any.results) + (any.raises ? " raises" : "");
    };
    report(f.where, "extern",
           "'" + f.name + "' is " + shown(f) + " here, but " + shown(defined) + " in " + in +
               "; declare it as it is defined");
  }

  // Replaces the numbers of this module in its functions and data by those of the whole program.
  void renumber(const std::vector<function_id>& functions, const std::vector<data_id>& data) {
    const auto move = [&](atom& a) {
      if (!a.is_address()) return;
      a.bits = is_of_function(a.bits) ? address_of_function(functions[function_at(a.bits)])
                                      : address_of_data(data[data_at(a.bits)]);
    };
    for (function_id f = 0; f < whole_.functions.size(); ++f) {
      if (moved_[f] != at_) continue;
      for_each_atom_of(whole_.functions[f], move);
      for (block& b : whole_.functions[f].blocks) {
        std::visit(callee_visitor{functions}, b.end.what);
        for (statement& s : b.statements) {
          if (s.what == operation::call_c) s.callee = functions[s.callee];
        }
      }
    }
    for (const datum& d : modules_[at_].data) {
      const auto found = defined_.find(d.name);
      if (d.external || found == defined_.end() || found->second.module != at_) continue;
      for (atom& word : whole_.data[found->second.number].words) move(word);
    }
  }

  std::span<const program> modules_;
  std::span<diagnostics> wrong_;
  std::size_t at_ = 0;  // the module that is read
  program whole_;
  std::vector<std::size_t> moved_;         // for each function of the whole program, its module
  std::vector<std::size_t> first_source_;  // of each module, in the whole program
  std::map<std::string, origin> defined_;
};

}  // namespace

program link(std::span<const program> modules, std::span<diagnostics> wrong) { return linker{modules, wrong}.run(); }

}  // namespace tine::spork
