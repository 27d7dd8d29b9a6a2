// The words of the language.
#pragma once

#include <cstdint>
#include <string_view>

namespace tine::ml {

enum class token_kind : std::uint8_t {
  end_of_file,
  wrong,          ///< its error is reported already
  name,           ///< alphanumeric
  symbol,         ///< a symbolic name
  qualified,      ///< List.map, Int.+
  type_variable,  ///< 'a, ''a
  integer,
  word,
  real,
  character,
  string,
  // The reserved words, in the order of `spelling`.
  abstype,
  and_,
  andalso,
  as,
  case_,
  datatype,
  do_,
  else_,
  end,
  eqtype,
  exception,
  fn,
  fun,
  functor,
  handle,
  if_,
  in,
  include,
  infix,
  infixr,
  let,
  local,
  nonfix,
  of,
  op,
  open,
  orelse,
  raise,
  rec,
  sharing,
  sig,
  signature,
  struct_,
  structure,
  then,
  type,
  val,
  where,
  while_,
  with,
  withtype,
  // The reserved signs.
  left_parenthesis,
  right_parenthesis,
  left_bracket,
  right_bracket,
  left_brace,
  right_brace,
  comma,
  semicolon,
  dots,
  underscore,
  colon,
  opaque,
  bar,
  equals,
  double_arrow,
  arrow,
  hash,
};

struct token {
  token_kind kind = token_kind::end_of_file;
  std::uint32_t begin = 0, end = 0;  ///< its bytes in the source
};

/// Returns how a reserved word or sign is written; empty for other kinds.
std::string_view spelling(token_kind k);

/// Returns the kind of a reserved word or of a reserved sign of symbolic characters; `name` if `text` is not reserved.
token_kind reserved(std::string_view text);

}  // namespace tine::ml
