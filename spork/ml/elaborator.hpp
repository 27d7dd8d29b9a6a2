// Elaboration: from the abstract syntax to the typed program. See `elaboration.hpp` for its use.
//
// Inference is Hindley's and Milner's with levels. An expression is elaborated with a wish: the type that its context
// wants, and the reason. The wish is handed down to the branches of the expression, so that we report an error at the
// part that does not fit. A part with an error has the broken type, which equals every type, so that one mistake is
// reported once.
#pragma once

#include "ml/diagnostic.hpp"
#include "ml/environment.hpp"
#include "ml/syntax.hpp"
#include "ml/typed.hpp"
#include "ml/types.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tine::ml {

/// The reason why an expression or a pattern must have a type.
struct context {
  enum class kind : std::uint8_t {
    nothing,
    argument,
    argument_part,
    left_operand,
    right_operand,
    condition,
    then_branch,
    else_branch,
    rule_body,
    rule_pattern,
    handler,
    raised,
    annotation,
    loop_body,
    element,
    clause_body,
    clause_parameter,
    constructor_argument,
    binding
  };
  kind is = kind::nothing;
  std::string_view name = {};  ///< of the function, the operator or the constructor
  std::size_t number = 0;      ///< of the part, from 1
};

struct wish {
  type* of;
  context why = {};
};

class elaborator {
 public:
  elaborator(typed::program& into, diagnostics& report_to);

  /// Elaborates the text of the initial basis, in which `prim "name" : type` is a primitive.
  void basis(const syntax_tree& tree);
  void file(const syntax_tree& tree);
  /// Reports the type variables that nothing has determined. Call it after the last file.
  void finish();

  const scopes& names() const { return scope_; }

 private:
  // A pattern binds names in their order.
  struct bound_name {
    std::string_view name;
    typed::variable* variable;
  };
  using bound_names = std::vector<bound_name>;
  using type_variables = std::map<std::string, type*, std::less<>>;

  // Decisions that wait for the end of a declaration.
  struct open_pattern {
    typed::pattern* is;
    label_list labels;
  };
  struct open_selection {
    typed::expression* is;
    std::string label;
    type* record;
  };
  struct pending_word {
    type* of;
    std::uint64_t value;
    span where;
  };
  struct pending_match {
    enum class kind : std::uint8_t { rules, clauses, handler, binding } is;
    typed::expression* match = nullptr;         ///< rules, clauses, handler
    typed::declaration* declaration = nullptr;  ///< binding
    span where;
    std::string_view name = {};
  };

  // --- elaborate_names.cpp: names, and the texts of messages ---
  void error(span where, std::string text) { problems_.error(where, std::move(text)); }
  void warn(span where, std::string text) { problems_.warn(where, std::move(text)); }
  const environment* find_path(const long_name& name);
  const value_entry* find_value(const long_name& name, std::string_view role);
  const type_entry* find_type(const long_name& name);
  const environment_ref* find_structure(const long_name& name);
  /// Makes the type that was found the one that is wanted; reports a mismatch and returns false.
  bool meet(span where, type* found, const wish& w);
  void report(span where, type* found, const wish& w, const mismatch& m);
  static std::string subject_of(const context& c);
  static std::string_view demand_of(const context& c);
  std::string detail_of(const mismatch& m, type_printer& print);

  // --- elaborate_types.cpp ---
  type* type_of(type_ref t);
  type* of(const variable_type& t, span where);
  type* of(const named_type& t, span where);
  type* of(const record_type& t, span where);
  type* of(const tuple_type& t, span where);
  type* of(const arrow_type& t, span where);
  type_function function_of(const std::vector<std::string>& variables, type_ref body, span where);
  /// The parameters 'a, 'b, … of a type declaration; reports a name that occurs twice.
  std::vector<type*> bind_parameters(const std::vector<std::string>& names, span where);

  // --- elaborate_patterns.cpp ---
  typed::pattern_ref elaborate(pattern_ref p, const wish& w, bound_names& names);
  typed::pattern_ref of(const broken&, span, const wish&, bound_names&);
  typed::pattern_ref of(const wildcard_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const literal_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const name_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const constructed_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const record_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const tuple_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const list_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const typed_pattern&, span, const wish&, bound_names&);
  typed::pattern_ref of(const layered_pattern&, span, const wish&, bound_names&);
  typed::variable* bind(std::string_view name, type* t, span where, bound_names& names);
  typed::pattern* make_pattern(decltype(typed::pattern::is) is, type* t, span where);
  void declare(const bound_names& names);

  // --- elaborate_expressions.cpp, elaborate_applications.cpp ---
  typed::expression_ref elaborate(expression_ref e, const wish& w);
  typed::expression_ref of(const broken&, span, const wish&);
  typed::expression_ref of(const literal_expression&, span, const wish&);
  typed::expression_ref of(const name_expression&, span, const wish&);
  typed::expression_ref of(const record_expression&, span, const wish&);
  typed::expression_ref of(const selector_expression&, span, const wish&);
  typed::expression_ref of(const tuple_expression&, span, const wish&);
  typed::expression_ref of(const list_expression&, span, const wish&);
  typed::expression_ref of(const sequence_expression&, span, const wish&);
  typed::expression_ref of(const let_expression&, span, const wish&);
  typed::expression_ref of(const apply_expression&, span, const wish&);
  typed::expression_ref of(const typed_expression&, span, const wish&);
  typed::expression_ref of(const and_also_expression&, span, const wish&);
  typed::expression_ref of(const or_else_expression&, span, const wish&);
  typed::expression_ref of(const handle_expression&, span, const wish&);
  typed::expression_ref of(const raise_expression&, span, const wish&);
  typed::expression_ref of(const if_expression&, span, const wish&);
  typed::expression_ref of(const while_expression&, span, const wish&);
  typed::expression_ref of(const case_expression&, span, const wish&);
  typed::expression_ref of(const function_expression&, span, const wish&);
  typed::expression* make(decltype(typed::expression::is) is, type* t, span where);
  typed::expression_ref broken_expression(span where);
  typed::expression_ref use_of(const typed::variable* v, span where);
  typed::expression_ref instance(const value_entry& entry, span where, type*& found);
  typed::expression_ref constructor_function(const value_entry& entry, type* arrow, span where);
  typed::expression_ref apply_constructor(const value_entry& entry, const apply_expression& a, span where,
                                          const wish& w);
  bool reports_unknown_operator(const apply_expression& e);
  typed::expression_ref apply_selector(const selector_expression& s, const apply_expression& a, span where,
                                       const wish& w);
  typed::expression_ref argument(const apply_expression& a, type* wanted, std::string_view name);
  typed::expression_ref call(const apply_expression& a, span where, const wish& w);
  typed::expression_ref select(const std::string& label, typed::expression_ref of, type* record, span where,
                               type* result);
  typed::expression_ref condition(expression_ref e);
  typed::expression_ref truth(bool value, span where);
  bool is_exhausted(span where);
  typed::expression_ref basic(const value_entry& entry, span where, type* t);
  std::vector<typed::rule> rules_of(const std::vector<rule>& rules, const wish& pattern, const wish& body);
  type* literal_type(const literal& value, span where);

  // --- elaborate_declarations.cpp ---
  void elaborate(declaration_ref d);
  void elaborate(const std::vector<declaration_ref>& all) {
    for (declaration_ref d : all) elaborate(d);
  }
  void of(const broken&, span) {}
  void of(const value_declaration&, span);
  void of(const function_declaration&, span);
  void of(const type_declaration&, span);
  void of(const datatype_declaration&, span);
  void of(const datatype_copy&, span);
  void of(const exception_declaration&, span);
  void of(const local_declaration&, span);
  void of(const open_declaration&, span);
  void of(const fixity_declaration&, span) {}
  void of(const structure_declaration&, span);
  void of(const signature_declaration&, span);
  void of(const expression_declaration&, span);
  struct function_part {
    typed::variable* variable;
    const value_binding* value = nullptr;
    const function_binding* clauses = nullptr;
  };
  void bind_value(const value_binding& b, bound_names& all);
  bool bind_primitive(const value_binding& b);
  void bind_functions(std::vector<function_part>& parts, const bound_names& names, span where);
  bool prepare(const value_binding& b, function_part& part, bound_names& names);
  typed::expression_ref clauses_of(const function_binding& f, type* t, span where);
  typed::rule clause_of(const function_binding& f, const clause& c, const std::vector<type*>& from, type* to);
  typed::expression_ref curried(const std::vector<const typed::variable*>& parameters, typed::expression_ref body,
                                span where);
  /// Returns the parameters of a declaration that binds the variables. `leave` binds them.
  std::vector<type*> generalise(const bound_names& names, bool is_value, span where);
  /// Begins a declaration that generalises, with its type variables: those that it lists, and those that occur and are
  /// not bound around it.
  void enter(const std::vector<std::string>& listed, std::set<std::string> occurring, span where);
  void leave();

  // --- settle.cpp ---
  /// Decides overloading and open records at the end of a declaration outside of expressions, then checks the matches
  /// in it.
  void settle();
  void settle_records();
  void settle_words();
  void check(const pending_match& m);

  // --- elaborate_datatypes.cpp ---
  type_entry declare_datatype(const datatype_binding& d);
  void declare_constructors(const datatype_binding& d, type_constructor* t, type_entry& entry);
  void decide_equality(const std::vector<type_constructor*>& all);
  std::vector<type_constructor*> declare_datatypes(const std::vector<datatype_binding>& all,
                                                   const std::vector<type_binding>& with_types);
  void copy_datatype(const datatype_copy& d);

  // --- elaborate_structures.cpp, elaborate_signatures.cpp, match_signature.cpp ---
  environment_ref structure(structure_ref s);
  environment_ref ascribe(environment_ref s, signature_ref signature, bool is_opaque, span where);
  signature_entry signature(signature_ref s);
  signature_entry plain(const plain_signature& s);
  signature_entry refined(const refined_signature& s, span where);
  void specify(const value_specification&, span, signature_entry&);
  void specify(const type_specification&, span, signature_entry&);
  void specify(const datatype_specification&, span, signature_entry&);
  void specify(const datatype_copy&, span, signature_entry&);
  void specify(const exception_specification&, span, signature_entry&);
  void specify(const structure_specification&, span, signature_entry&);
  void specify(const include_specification&, span, signature_entry&);
  void specify(const sharing_specification&, span, signature_entry&);
  /// A copy with open type constructors of its own.
  signature_entry fresh(const signature_entry& s);
  environment_ref realise(const environment& e, const type_store::realisation& by);
  value_entry realise(const value_entry& v, const type_store::realisation& by);
  type_entry realise(const type_entry& t, const type_store::realisation& by);
  const type_entry* find_in(const environment& e, const long_name& name);

  typed::program& into_;
  type_store& types_;
  diagnostics& problems_;
  scopes scope_;
  std::vector<type_variables> type_variables_;
  std::vector<typed::declaration_ref>* out_;
  unsigned level_ = 1;  ///< of the variables of the surroundings
  unsigned inside_expressions_ = 0;
  bool in_basis_ = false;
  bool is_exhausted_ = false;      ///< the types of the program have too many nodes, which is reported
  std::size_t errors_before_ = 0;  ///< this declaration
  std::vector<type*> to_bind_;     ///< parameters of the declaration that is about to end

  std::vector<type*> overloaded_;
  std::vector<std::pair<type*, span>> open_records_;
  std::vector<open_pattern> open_patterns_;
  std::vector<open_selection> open_selections_;
  std::vector<pending_word> words_;
  std::vector<pending_match> matches_;
  std::vector<std::pair<const typed::variable*, span>> not_generalised_;
};

}  // namespace tine::ml
