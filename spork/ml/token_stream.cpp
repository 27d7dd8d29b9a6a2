// Errors of the parser, and how it finds a place from which it can continue.
#include "ml/token_stream.hpp"

#include <array>

namespace tine::ml {

using enum token_kind;

token_stream::token_stream(const source& of, diagnostics& wrong) : of_{of}, wrong_{wrong} {
  if (of.is_too_long()) {
    wrong.error({of.number(), 0, 0}, "the file is longer than 2 GiB; divide it");
    tokens_ = {{}};
    return;
  }
  lexed result = lex(of, wrong);
  tokens_ = std::move(result.tokens);
  is_cut_ = result.is_cut;
}

bool begins_declaration(token_kind k) {
  constexpr std::array all{val,    fun,    type,   datatype,  abstype,   exception, local,  open,
                           infix,  infixr, nonfix, structure, signature, functor,   eqtype, token_kind::include,
                           sharing};
  return std::ranges::find(all, k) != all.end();
}

bool closes_bracket(token_kind k) { return k == right_parenthesis || k == right_bracket || k == right_brace; }

std::string token_stream::shown() const { return at(end_of_file) ? "the end of the file" : quoted(text(peek())); }

void token_stream::fail(std::string_view wanted, std::vector<note> notes) {
  if (!at(token_kind::wrong) && !(at(end_of_file) && is_cut_)) {
    // The file ends behind its last token, whatever blanks follow that.
    const span place = at(end_of_file) ? span{of_.number(), last_end_, last_end_} : where(peek());
    report(place, shown() + " is unexpected; expected " + std::string{wanted}, std::move(notes));
  }
  // The end of the file is an error once, whatever is open there.
  if (at(end_of_file)) is_cut_ = true;
  throw lost{};
}

void token_stream::close(token_kind k, const token& open, std::string_view of_what) {
  if (accept(k)) return;
  fail(of_what, {{where(open), quoted(text(open)) + " is not closed"}});
}

namespace {

bool opens_bracket(token_kind k) { return k == left_parenthesis || k == left_bracket || k == left_brace; }
bool opens_end(token_kind k) { return k == let || k == local || k == struct_ || k == sig; }

}  // namespace

void token_stream::skip_to_declaration(bool at_top) {
  std::size_t brackets = 0, ends = 0;
  token_kind before = token_kind::end_of_file;
  for (;; before = take().kind) {
    const token_kind k = peek().kind;
    if (k == end_of_file) return;
    if (ends == 0) {
      if (k == end || k == in) return;
      if (begins_declaration(k) && before != token_kind::where && before != sharing && before != and_) return;
      if (k == semicolon && at_top && brackets == 0) return;
    }
    if (opens_end(k) || k == abstype) ++ends;
    if (k == end) --ends;
    if (opens_bracket(k)) ++brackets;
    if (closes_bracket(k) && brackets != 0) --brackets;
  }
}

bool token_stream::skip_to_close(token_kind close) {
  std::size_t brackets = 0, ends = 0;
  for (;; take()) {
    const token_kind k = peek().kind;
    if (k == end_of_file) return false;
    if (k == close && ends == 0 && (k == end || brackets == 0)) {
      take();
      return true;
    }
    if (ends == 0 && (k == end || (k == in && close != end) || begins_declaration(k))) return false;
    if (opens_end(k)) ++ends;
    if (k == end) --ends;
    if (ends != 0) continue;
    if (opens_bracket(k)) ++brackets;
    if (closes_bracket(k)) {
      if (brackets == 0 && close != end) return false;
      if (brackets != 0) --brackets;
    }
  }
}

bool token_stream::skip_to_matching_end() {
  for (std::size_t ends = 1; !at(end_of_file);) {
    const token_kind k = take().kind;
    if (opens_end(k) || k == abstype) ++ends;
    if (k == end && --ends == 0) return true;
  }
  return false;
}

}  // namespace tine::ml
