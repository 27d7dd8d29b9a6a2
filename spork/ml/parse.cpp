// Files and lists of declarations.
#include "ml/parse.hpp"

#include "ml/parser.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tine::ml {

using enum token_kind;

syntax_tree parse(const source& of, diagnostics& wrong) { return parser{of, wrong}.run(); }

syntax_tree parser::run() {
  tree_.declarations = declarations(place::top);
  return std::move(tree_);
}

namespace {

bool begins_expression(token_kind k) {
  constexpr std::array all{name,
                           symbol,
                           qualified,
                           integer,
                           token_kind::word,
                           real,
                           character,
                           token_kind::string,
                           token_kind::wrong,
                           case_,
                           fn,
                           if_,
                           let,
                           op,
                           raise,
                           while_,
                           left_parenthesis,
                           left_bracket,
                           left_brace,
                           hash};
  return std::ranges::find(all, k) != all.end();
}

}  // namespace

// Ends at a token that ends the declarations; the caller checks which one.
std::vector<declaration_ref> parser::declarations(place where) {
  const nested here{*this};
  std::vector<declaration_ref> all;
  for (;;) {
    in_.stop_if_full();
    if (in_.accept(semicolon)) continue;
    const token t = in_.peek();
    if (t.kind == end_of_file) return all;
    if (begins_declaration(t.kind) || begins_expression(t.kind)) {
      declaration_or_skip(where, all);
    } else if (where == place::top) {
      misplaced_at_top();
    } else if (closes_bracket(t.kind) && take_abandoned()) {
      continue;
    } else {
      return all;
    }
  }
}

// Takes the end of what an error left without its end.
bool parser::take_abandoned() {
  std::size_t& left = in_.at(end) ? abandoned_ends_ : abandoned_brackets_;
  if ((!in_.at(end) && !closes_bracket(in_.peek().kind)) || left == 0) return false;
  --left;
  in_.take();
  return true;
}

void parser::misplaced_at_top() {
  if (take_abandoned()) return;
  const bool is_end = in_.at(end) || in_.at(in);
  in_.report(in_.where(in_.peek()), in_.shown() + " is unexpected; expected a declaration");
  in_.take();
  if (!is_end) in_.skip_to_declaration(true);
}

void parser::declaration_or_skip(place where, std::vector<declaration_ref>& into) {
  const token first = in_.peek();
  const fixity_scope::mark before = fixities_.here();
  try {
    into.push_back(one_declaration(where));
  } catch (const lost&) {
    fixities_.leave(before);
    in_.skip_to_declaration(where == place::top);
    into.push_back(make<declaration>(broken{}, in_.from(first)));
  }
}

declaration_ref parser::one_declaration(place where) {
  if (in_.at(val)) return values();
  if (in_.at(fun)) return functions();
  if (in_.at(token_kind::type)) return types();
  if (in_.at(datatype)) return datatypes();
  if (in_.at(exception)) return exceptions();
  if (in_.at(local)) return local_in(where);
  if (in_.at(open)) return opened();
  if (in_.at(infix) || in_.at(infixr) || in_.at(nonfix)) return fixities();
  if (in_.at(abstype)) return unsupported("a structure with an opaque signature");
  if (in_.at(functor)) return unsupported("functions with type variables, or a structure for each use");
  if (in_.at(structure) || in_.at(signature)) return module(where);
  if (begins_declaration(in_.peek().kind)) {
    in_.report(in_.where(in_.peek()),
               in_.shown() + " is unexpected; expected a declaration, not a specification, which only a signature has");
    in_.take();
    throw lost{};
  }
  if (where == place::top) return expression_at_top();
  if (where == place::in_structure) in_.fail("a declaration; for an expression's effect write 'val _ = …'");
  in_.fail("a declaration or 'in'; for an expression's effect write 'val _ = …'");
}

declaration_ref parser::module(place where) {
  if (where == place::in_expression) {
    in_.report(
        in_.where(in_.peek()),
        in_.shown() +
            " is unexpected among the declarations of an expression; move it to the top of the file, or into a structure");
  } else if (in_.at(signature) && where == place::in_structure) {
    in_.report(in_.where(in_.peek()), "'signature' is unexpected in a structure; move it to the top of the file");
  }
  return in_.at(structure) ? structures() : signatures();
}

declaration_ref parser::expression_at_top() {
  const token first = in_.peek();
  const expression_ref e = whole_expression();
  if (!in_.at(semicolon) && !in_.at(end_of_file)) in_.fail("';' after an expression at the top of a file");
  return make<declaration>(expression_declaration{e}, in_.from(first), deepest(e));
}

// Reports a declaration that the language does not have, and skips it.
declaration_ref parser::unsupported(std::string_view instead) {
  const token first = in_.take();
  in_.report(in_.where(first), quoted(in_.text(first)) + " is not supported; use " + std::string{instead});
  if (first.kind == abstype) {
    if (!in_.skip_to_matching_end()) throw lost{};
  } else {
    in_.skip_to_declaration(false);
  }
  return make<declaration>(broken{}, in_.from(first));
}

}  // namespace tine::ml
