// The initial environment, and the elaboration of whole programs.
#include "ml/basis.hpp"
#include "ml/elaboration.hpp"
#include "ml/elaborator.hpp"
#include "ml/parse.hpp"

#include <string>
#include <utility>

namespace tine::ml {

elaborator::elaborator(typed::program& into, diagnostics& report_to)
    : into_{into}, types_{into.types}, problems_{report_to}, out_{&into.declarations} {
  auto& types = scope_.top().types;
  const auto name = [&](type* t) { types.emplace(t->head->name, type_entry{{{}, t}, {}, {}}); };
  for (type* t :
       {types_.int_, types_.word, types_.word8, types_.real, types_.character, types_.string, types_.exception})
    name(t);
  types.emplace("unit", type_entry{{{}, types_.unit}, {}, {}});
  for (type_constructor* t : {types_.array, types_.vector})
    types.emplace(t->name, type_entry{types_.function_of(t), {}, {}});
  for (type_constructor* t : {types_.boolean->head, types_.list, types_.reference}) {
    type_entry entry{types_.function_of(t), {}, {}};
    for (const constructor* c : t->constructors) {
      value_entry value;
      value.what = value_entry::kind::constructor;
      value.constructor = c;
      value.is = {c->parameters, c->argument == nullptr ? c->result : types_.arrow(c->argument, c->result)};
      scope_.top().values.emplace(c->name, value);
      entry.constructors.push_back({c->name, value});
    }
    types.emplace(t->name, std::move(entry));
  }
  value_entry equals;  // the basis cannot declare it, because no program may bind it
  equals.what = value_entry::kind::primitive;
  equals.primitive = "=";
  type* any = types_.rigid("''a", generic_level);
  equals.is = {{any}, types_.arrow(types_.tuple({any, any}), types_.boolean)};
  scope_.top().values.emplace("=", std::move(equals));
}

void elaborator::basis(const syntax_tree& tree) {
  in_basis_ = true;
  elaborate(tree.declarations);
  in_basis_ = false;
  not_generalised_.clear();
  scope_.push();  // so that suggestions prefer the names of the program
}

void elaborator::file(const syntax_tree& tree) { elaborate(tree.declarations); }

elaboration::elaboration(source_files& files, diagnostics& report_to)
    : program_{std::make_unique<typed::program>()}, elaborator_{std::make_unique<elaborator>(*program_, report_to)} {
  const source& text =
      files.emplace_back(static_cast<std::uint32_t>(files.size()), std::string(basis_name), std::string(basis_text));
  basis_ = std::make_unique<syntax_tree>(parse(text, report_to));
  elaborator_->basis(*basis_);
}

elaboration::~elaboration() = default;

void elaboration::add(const syntax_tree& tree) { elaborator_->file(tree); }

std::unique_ptr<typed::program> elaboration::finish() {
  elaborator_->finish();
  return std::move(program_);
}

std::string elaboration::type_of(const std::string& path) const {
  const environment* in = nullptr;
  std::string rest = path;
  for (std::size_t dot = rest.find('.'); dot != std::string::npos && dot != 0; dot = rest.find('.')) {
    const std::string name = rest.substr(0, dot);
    const environment_ref* next = nullptr;
    if (in == nullptr) {
      next = elaborator_->names().find_structure(name);
    } else if (const auto found = in->structures.find(name); found != in->structures.end()) {
      next = &found->second;
    }
    if (next == nullptr || *next == nullptr) return {};
    in = next->get();
    rest.erase(0, dot + 1);
  }
  const value_entry* value = nullptr;
  if (in == nullptr) {
    value = elaborator_->names().find_value(rest);
  } else if (const auto found = in->values.find(rest); found != in->values.end()) {
    value = &found->second;
  }
  type_printer print;
  return value == nullptr ? std::string{} : print(value->is.body);
}

}  // namespace tine::ml
