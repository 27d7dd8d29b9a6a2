// The table of reserved words.
#include "ml/token.hpp"

#include <array>
#include <cstddef>
#include <unordered_map>

namespace tine::ml {
namespace {

using namespace std::string_view_literals;

constexpr auto first = token_kind::abstype;
constexpr std::array spellings{
    "abstype"sv,  "and"sv,       "andalso"sv,   "as"sv,     "case"sv, "datatype"sv, "do"sv,     "else"sv,
    "end"sv,      "eqtype"sv,    "exception"sv, "fn"sv,     "fun"sv,  "functor"sv,  "handle"sv, "if"sv,
    "in"sv,       "include"sv,   "infix"sv,     "infixr"sv, "let"sv,  "local"sv,    "nonfix"sv, "of"sv,
    "op"sv,       "open"sv,      "orelse"sv,    "raise"sv,  "rec"sv,  "sharing"sv,  "sig"sv,    "signature"sv,
    "struct"sv,   "structure"sv, "then"sv,      "type"sv,   "val"sv,  "where"sv,    "while"sv,  "with"sv,
    "withtype"sv, "("sv,         ")"sv,         "["sv,      "]"sv,    "{"sv,        "}"sv,      ","sv,
    ";"sv,        "..."sv,       "_"sv,         ":"sv,      ":>"sv,   "|"sv,        "="sv,      "=>"sv,
    "->"sv,       "#"sv};
static_assert(spellings.size() == static_cast<std::size_t>(token_kind::hash) - static_cast<std::size_t>(first) + 1);

}  // namespace

std::string_view spelling(token_kind k) {
  return k < first ? std::string_view{} : spellings[static_cast<std::size_t>(k) - static_cast<std::size_t>(first)];
}

token_kind reserved(std::string_view text) {
  static const auto table = [] {
    std::unordered_map<std::string_view, token_kind> t;
    for (std::size_t i = 0; i < spellings.size(); ++i) {
      t.emplace(spellings[i], static_cast<token_kind>(static_cast<std::size_t>(first) + i));
    }
    return t;
  }();
  const auto found = table.find(text);
  return found == table.end() ? token_kind::name : found->second;
}

}  // namespace tine::ml
