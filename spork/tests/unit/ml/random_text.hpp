// Random programs, from a grammar in which each phrase stands in parentheses. The trees of their texts have every kind
// of node.
#pragma once

#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml {

/// The choices for each `$symbol` in a program. The first one ends it.
inline const std::map<std::string_view, std::vector<std::string_view>> program_grammar{
    {"word", {"x", "y'", "foo_1", "List", "A", "nil", "a"}},
    {"operator", {"+", "*", "::", "@", ":=", "o", "before", "div", "<>"}},
    {"name", {"x", "$word", "$word", "++", "!", "~", "**", "<->", "%"}},
    {"path", {"x", "$name", "A.B.$name"}},
    {"variables", {"", "'a", "('a, ''b)"}},
    {"type", {"'a", "( $deeper_type )", "( $deeper_type )"}},
    {"deeper_type",
     {"'b", "$path", "$type $path", "($type, $type) $path", "{}", "{$label : $type, $label : $type}", "$type * $type",
      "$type * $type * $type", "$type -> $type", "$type -> $type"}},
    {"pattern", {"_", "( $deeper_pattern )", "( $deeper_pattern )", "( $deeper_pattern )"}},
    {"deeper_pattern",
     {"_", "$constant", "$path", "op $name", "op $operator", "$path $pattern", "$pattern $operator $pattern", "{...}",
      "{}", "{$label = $pattern}", "{$label = $pattern, $label = $pattern, ...}", "()", "$pattern, $pattern", "[]",
      "[$pattern, $pattern]", "$pattern : $type", "$word as $pattern", "$word : $type as $pattern",
      "op $operator as $pattern"}},
    {"rules", {"$pattern => $exp", "$pattern => $exp", "$pattern => $exp | $pattern => $exp"}},
    {"exp", {"x", "( $deeper_exp )", "( $deeper_exp )", "( $deeper_exp )", "( $deeper_exp )"}},
    {"deeper_exp", {"$closed", "$closed", "$operation", "$operation", "$control"}},
    {"closed",
     {"$path", "$constant", "$real", "op $name", "op $operator", "op =", "{}", "{$label = $exp, $label = $exp}",
      "#$label", "#$name", "()", "$exp, $exp", "$exp, $exp, $exp", "[]", "[$exp]", "[$exp, $exp]", "$exp; $exp",
      "let $declarations in $exp end"}},
    {"operation",
     {"$path", "$exp $exp", "$exp $exp", "$exp $operator $exp", "$exp $operator $exp", "$exp = $exp", "$exp : $type",
      "$exp andalso $exp", "$exp orelse $exp"}},
    {"control",
     {"$path", "$exp handle $rules", "raise $exp", "while $exp do $exp", "if $exp then $exp else $exp",
      "case $exp of $rules", "fn $rules", "fn $rules"}},
    {"function",
     {"f $pattern = $exp", "f $pattern : $type = $exp | f $pattern = $exp", "g $pattern $pattern $pattern = $exp",
      "$pattern + $pattern = $exp | $pattern + $pattern : $type = $exp",
      "($pattern o $pattern) $pattern : $type = $exp | ($pattern o $pattern) $pattern = $exp"}},
    {"constructor", {"$word", "$word of $type", "$word | $word of $type"}},
    {"datatype", {"$variables $word = $constructor", "$word = $constructor and $variables $word = $constructor"}},
    {"declarations", {"", "$declaration", "$declaration $declaration"}},
    {"declaration",
     {"open A.$word", "open A.$word A.$word", "val $variables $pattern = $exp",
      "val $pattern = $exp and rec $pattern = fn $rules and $pattern = fn $rules", "val rec $pattern = fn $rules",
      "fun $variables $function", "fun $function and $function", "type $variables $word = $type and $word = $type",
      "datatype $datatype", "datatype $datatype withtype $variables $word = $type", "datatype $word = datatype $path",
      "exception $word", "exception $word of $type and $word = $path", "local $declarations in $declarations end"}},
    {"top",
     {"", "$declaration", "$declaration", ";$exp;", "structure $word = $structure and $word = $structure",
      "structure $word : $signature = $structure", "signature $word = $signature and $word = $signature"}},
    {"structure",
     {"A.$word", "struct $declarations end", "$structure : $signature", "$structure :> $signature",
      "let $declarations in $structure end"}},
    {"signature", {"S", "sig $specification $specification end", "$signature where type $variables $path = $type"}},
    {"specification",
     {"", "val $name : $type", "type $variables $word", "type $variables $word = $type", "eqtype $variables $word",
      "datatype $datatype", "datatype $word = datatype $path", "exception $word", "exception $word of $type",
      "structure $word : $signature", "include $signature", "sharing type $path = $path = $path"}},
};

class random_text {
 public:
  explicit random_text(unsigned seed) : random_{seed} {}

  std::string program() { return expanded("$top $top $top"); }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string of(std::string_view symbol) {
    if (symbol == "label") return (below(2) == 0 ? "l" : "") + std::to_string(++labels_);  // all differ
    if (symbol == "constant") return constant();
    if (symbol == "real")
      return sign() + std::to_string(below(1000)) + "." + std::to_string(below(1000)) + "E" + sign() +
             std::to_string(below(150));
    const std::vector<std::string_view>& choices = program_grammar.at(symbol);
    ++depth_;
    const std::string text = expanded(choices[depth_ > 16 ? 0 : below(static_cast<unsigned>(choices.size()))]);
    --depth_;
    return text;
  }
  std::string expanded(std::string_view form) {
    std::string all;
    for (std::size_t at = 0; at < form.size();) {
      std::size_t end = at + 1;
      if (form[at] != '$') {
        all += form[at];
      } else {
        while (end < form.size() && (form[end] == '_' || (form[end] >= 'a' && form[end] <= 'z'))) ++end;
        all += of(form.substr(at + 1, end - at - 1));
      }
      at = end;
    }
    return all;
  }

  std::string sign() { return below(2) == 0 ? "~" : ""; }
  std::string byte() {
    char text[5];
    std::snprintf(text, sizeof text, "\\%03u", below(256));
    return text;
  }
  std::string constant() {
    switch (below(4)) {
      case 0:
        return sign() + std::to_string(random_() >> below(64));
      case 1:
        return "0w" + std::to_string(random_());
      case 2:
        return "#\"" + byte() + "\"";
      default:
        return "\"" + byte() + byte() + (below(2) == 0 ? "é\\\"\\\\(*" : "") + "\"";
    }
  }

  std::mt19937_64 random_;
  unsigned labels_ = 0;
  int depth_ = 0;
};

}  // namespace tine::ml
