// Makes the functions and the data of a program on demand, beginning with main.
#include "ml/lower/lowering.hpp"

#include "ir/load.hpp"
#include "ml/basis.hpp"
#include "ml/lower/exceptions.hpp"
#include "ml/lower/function_lowering.hpp"
#include "ml/lower/lower_program.hpp"
#include "ml/lower/runtime_text.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <variant>

namespace tine::ml::lower {

using spork::atom;

namespace {

// A name of the IR: letters, digits and underscores.
std::string spelling(std::string_view name) {
  std::string made;
  for (const char c : name) made += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  return made.empty() || std::isdigit(static_cast<unsigned char>(made[0])) != 0 ? "f" + made : made;
}

}  // namespace

lowering::lowering(typed::program& p, const source_files& files, std::string name)
    : forms{types, p.types}, names{p}, source{p}, files_{files} {
  out.name = std::move(name);
  for (const ml::source& file : files) out.sources.push_back(file.name());
  for (const typed::declaration_ref d : p.declarations) {
    const auto* e = std::get_if<typed::new_exception>(&d->is);
    if (e != nullptr && e->made->is_basic) basic_.try_emplace(e->made->name, e->made);
  }
}

spork::program lowering::run() {
  const spork::function_id main = add_function("main");
  globals_datum_ = static_cast<spork::data_id>(out.data.size());
  out.data.push_back({"ml.globals", {}, false, {}});
  function_lowering{*this, main, {}}.compile_main(source.declarations);
  while (!later_.empty()) {
    const std::function<void()> next = std::move(later_.front());
    later_.pop_front();
    next();
  }
  finish_globals();
  remove_unraised_exceptions(out);
  return std::move(out);
}

// --- functions ---

spork::function_id lowering::add_function(std::string name) {
  const auto id = static_cast<spork::function_id>(out.functions.size());
  spork::function f;
  f.name = name == "main" ? name : spelling(name) + "." + std::to_string(id);
  f.defined = true;
  out.functions.push_back(std::move(f));
  return id;
}

shape_ref lowering::affordable(shape_ref closure, shape_ref argument, ground_ref type) {
  constexpr std::size_t most = 64;
  const shape_ref plain = forms.of(type);
  if (argument == plain || instances_.contains({closure, argument})) return argument;
  return ++specialised_[{closure->code, closure->types}] <= most ? argument : plain;
}

const instance& lowering::instance_of(shape_ref closure, shape_ref argument) {
  std::unique_ptr<instance>& at = instances_[{closure, argument}];
  if (at != nullptr) {
    // A function that is called while its result is being found out: a recursive one.
    if (at->result == nullptr) at->result = forms.of(types.of(closure->code->body->of, closure->types));
    return *at;
  }
  std::string title = "fn";
  if (closure->group != nullptr) {
    for (const typed::recursive_function& f : closure->group->functions) {
      if (&std::get<typed::function>(f.is->is) == closure->code) title = f.name->name;
    }
  } else {
    title += "." + std::to_string(place_of(closure->code->body->where).line);
  }
  at = std::make_unique<instance>(instance{add_function(title), closure, argument, nullptr});
  instance& made = *at;
  const ground_ref gives = types.of(closure->code->body->of, closure->types);
  const auto compile = [this, &made] {
    function_lowering{*this, made.id, place_of(made.closure->code->body->where)}.compile(made);
  };
  if (forms.shows_functions(gives)) {
    compile();
  } else {
    made.result = forms.of(gives);
    later_.push_back(compile);
  }
  return made;
}

spork::atom lowering::generic_entry(shape_ref closure, ground_ref arrow) {
  const auto [at, is_new] = entries_.try_emplace({closure, arrow}, spork::none);
  if (is_new) {
    const spork::function_id id = at->second = add_function("entry");
    later_.push_back([this, closure, arrow, id] { function_lowering{*this, id, {}}.compile_entry(closure, arrow); });
  }
  return atom::constant(spork::type::ptr, spork::address_of_function(at->second));
}

spork::function_id lowering::caller_of(shape_ref callee, ground_ref arrow) {
  const auto [at, is_new] = callers_.try_emplace({callee, arrow}, spork::none);
  if (is_new) {
    const spork::function_id id = at->second = add_function("call");
    later_.push_back([this, callee, arrow, id] { function_lowering{*this, id, {}}.compile_caller(callee, arrow); });
  }
  return at->second;
}

spork::function_id lowering::equality_of(ground_ref t) {
  const auto [at, is_new] = equalities_.try_emplace(t, spork::none);
  if (is_new) {
    const spork::function_id id = at->second = add_function("equal." + t->head->name);
    later_.push_back([this, t, id] { function_lowering{*this, id, {}}.compile_equality(t); });
  }
  return at->second;
}

spork::function_id lowering::c_function(std::string_view name, const std::vector<spork::type>& takes,
                                        const std::vector<spork::type>& gives) {
  const auto [at, is_new] = c_functions_.try_emplace(std::string(name), spork::none);
  if (is_new) {
    at->second = static_cast<spork::function_id>(out.functions.size());
    spork::function f;
    f.name = name;
    f.defined = f.in_c = true;
    f.param_types = takes;
    f.results = gives;
    for (std::size_t i = 0; i < takes.size(); ++i) {
      f.params.push_back(static_cast<spork::temp_id>(i));
      f.temporaries.push_back({"p" + std::to_string(i), {}, true, takes[i]});
    }
    out.functions.push_back(std::move(f));
  }
  return at->second;
}

spork::function_id lowering::helper(std::string_view name) {
  const auto [at, is_new] = c_functions_.try_emplace(std::string(name), spork::none);
  if (is_new) {
    spork::diagnostics wrong;
    const spork::program p = spork::load(runtime_text, "runtime", wrong);
    if (!wrong.empty()) throw std::logic_error{spork::render(wrong, "runtime_text")};
    at->second = static_cast<spork::function_id>(out.functions.size());
    out.functions.push_back(p.functions.at(p.find(name)));
    out.functions.back().apart = true;  // many places call it, and LLVM would make four loops of its loop in each
  }
  return at->second;
}

// --- data ---

spork::atom lowering::constant_block(const std::vector<atom>& cells) {
  std::vector<std::uint64_t> key;
  for (const atom& a : cells) key.push_back(static_cast<std::uint64_t>(a.of_type)), key.push_back(a.bits);
  const auto [at, is_new] = blocks_.try_emplace(key);
  if (is_new) {
    const auto id = static_cast<spork::data_id>(out.data.size());
    out.data.push_back({"ml.data." + std::to_string(id), {}, true, cells});
    at->second = atom::constant(spork::type::ptr, spork::address_of_data(id));
  }
  return at->second;
}

spork::atom lowering::text(const std::string& bytes) {
  const auto [at, is_new] = texts_.try_emplace(bytes);
  if (!is_new) return at->second;
  std::vector<atom> cells{atom::number(static_cast<std::int64_t>(bytes.size()))};
  for (std::size_t first = 0; first <= bytes.size(); first += 8) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8 && first + i < bytes.size(); ++i)
      bits |= std::uint64_t{static_cast<unsigned char>(bytes[first + i])} << (8 * i);
    cells.push_back(atom::constant(spork::type::i64, bits));
  }
  return at->second = constant_block(cells);
}

spork::atom lowering::identity_of(const typed::exception& e) {
  const auto [at, is_new] = identities_.try_emplace(&e);
  if (is_new) {
    const atom number = atom::number(static_cast<std::int64_t>(identities_.size()));
    at->second = constant_block({text(e.name), number});  // the number makes the identities of equal names different
  }
  return at->second;
}

const typed::exception& lowering::basic_exception(std::string_view name) const { return *basic_.at(name); }

const typed::variable& lowering::basis_function(std::string_view name) const {
  for (const typed::declaration_ref d : source.declarations) {
    const auto* r = std::get_if<typed::recursive>(&d->is);
    if (r != nullptr && r->functions[0].name->name == name) return *r->functions[0].name;
  }
  throw std::logic_error{"the basis has no function " + std::string(name)};
}

// --- variables of the top level ---

std::size_t lowering::reserve_globals(const std::vector<spork::type>& cells) {
  const std::size_t first = global_cells_.size();
  global_cells_.insert(global_cells_.end(), cells.begin(), cells.end());
  return first;
}

void lowering::add_global(name n, const value& v, std::size_t first) {
  global& g = globals_[n] = {v.has, first, {}};
  if (std::ranges::all_of(v.cells, [](const atom& a) { return a.is_constant(); })) g.constant = v.cells;
}

const lowering::global* lowering::find_global(name n) const {
  const auto found = globals_.find(n);
  return found == globals_.end() ? nullptr : &found->second;
}

spork::atom lowering::globals_address() {
  return atom::constant(spork::type::ptr, spork::address_of_data(globals_datum_));
}

// A global that no function reads needs no store.
void lowering::finish_globals() {
  for (const spork::type t : global_cells_) out.data[globals_datum_].words.push_back(atom::constant(t, 0));
  if (global_cells_.empty()) out.data[globals_datum_].words.push_back(atom::number(0));
}

// --- places ---

spork::place lowering::place_of(span s) const {
  if (s.file >= files_.size() || s.end == 0) return {};
  const source::position p = files_[s.file].position_of(s.begin);
  return spork::place::at(p.line, p.column, s.file + 1);
}

bool lowering::is_in_basis(spork::place p) const {
  return p.source != 0 && p.source <= files_.size() && files_[p.source - 1].name() == basis_name;
}

}  // namespace tine::ml::lower

namespace tine::ml {

spork::program lower_program(typed::program& p, const source_files& files, std::string name) {
  return lower::lowering{p, files, std::move(name)}.run();
}

}  // namespace tine::ml
