// Parses programs, functions, blocks and transfers. spork/docs/spork.md has the grammar.
#include "ir/parser.hpp"

#include "ir/successors.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tine::spork {
namespace {

std::optional<type> type_spelt(const token& t) {
  if (t.is("i64")) return type::i64;
  if (t.is("f64")) return type::f64;
  if (t.is("ptr")) return type::ptr;
  return {};
}

bool begins_item(const token& t) {
  return t.is("fun") || t.is("declare") || t.is("export") || t.is("extern") || t.is("data") || t.is("global");
}

class function_parser {
 public:
  function_parser(token_stream& in, program_scope& functions, function& f)
      : in_{in}, functions_{functions}, f_{f}, names_{in, f}, expressions_{in, functions, names_} {}

  void run() {
    f_.params = parameters(f_.param_types);
    f_.results = results();
    f_.raises = in_.accept("raises");
    if (const auto mark = read_mark()) f_.where = *mark;
    in_.expect("{", "to open the function");
    // Blocks are numbered in the order of the text, so that printing keeps this order; but the entry is always the
    // first.
    names_.mention_block({token::kind::word, "entry", f_.where});
    for (const token& name : in_.names_behind("block", "fun", "declare")) names_.mention_block(name);
    depth_ = in_.depth();
    while (!in_.accept("}")) {
      if (begins_item(in_.peek()) || in_.done()) in_.fail("a block, or '}' to close the function,");
      try {
        read_block();
      } catch (const lost&) {
        find_next_block();
      }
    }
    names_.name_anonymous();
  }

  std::vector<type> results() {
    std::vector<type> all;
    if (!in_.accept("->")) return all;
    in_.expect("(", "to open the types of the results");
    if (in_.accept(")")) return all;
    do {
      all.push_back(expect_type());
    } while (in_.accept(","));
    in_.expect(")", "to close the types of the results");
    return all;
  }

  type expect_type() {
    const auto t = type_spelt(in_.peek());
    if (!t) in_.fail("a type (i64, f64 or ptr)");
    in_.take();
    return *t;
  }

 private:
  std::vector<temp_id> parameters(std::vector<type>& types) {
    std::vector<temp_id> all;
    in_.expect("(", "to open the parameters");
    if (in_.accept(")")) return all;
    do {
      const token name = in_.name("a parameter");
      in_.expect(":", "and the type of '" + std::string{name.text} + "'");
      types.push_back(expect_type());
      all.push_back(names_.define(name, types.back()));
    } while (in_.accept(","));
    in_.expect(")", "to close the parameters");
    return all;
  }

  void find_next_block() {
    const auto found = [&] { return in_.peek().is("block") || (in_.peek().is("}") && in_.depth() <= depth_); };
    while (!in_.done() && !found() && !begins_item(in_.peek())) in_.take();
  }

  void read_block() {
    in_.expect("block", "and the name of a block, or '}' to close the function,");
    const token name = in_.name("a block");
    const block_id id = names_.define_block(name);
    std::vector<type> types;
    // no reference is kept: reading a block mentions others, and f_.blocks grows
    f_.blocks[id].params = in_.peek().is("(") ? parameters(types) : std::vector<temp_id>{};
    in_.expect("{", "to open the block");
    std::vector<statement> body;
    while (is_statement()) {
      const std::size_t first = body.size();
      read_statement(body);
      apply_mark(body, first);
    }
    const std::size_t first = body.size();
    transfer end = read_transfer(body);
    if (const auto mark = apply_mark(body, first)) end.where = *mark;
    f_.blocks[id].statements = std::move(body);
    f_.blocks[id].end = std::move(end);
    in_.expect("}", "to close the block (nothing follows its transfer)");
  }

  // Reads `@source:line:column`, if it stands here.
  std::optional<place> read_mark() {
    const place here = in_.here();
    if (!in_.accept("@")) return {};
    const std::uint32_t source = in_.ordinal("a source", place::most_sources);
    in_.expect(":", "and a line");
    const std::uint32_t line = in_.ordinal("a line", ~std::uint32_t{0});
    in_.expect(":", "and a column");
    const std::uint32_t column = in_.ordinal("a column", place::last_column);
    if (source > functions_.sources()) {
      in_.report(here, "there is no source " + std::to_string(source) + "; write 'source " + std::to_string(source) +
                           " = \"its file\"' in front of all functions");
    }
    return place::at(line, column, source);
  }

  // Reads a mark, and gives this place to the operations from `first` on, which one statement or transfer has written.
  std::optional<place> apply_mark(std::vector<statement>& body, std::size_t first) {
    const std::optional<place> mark = read_mark();
    for (std::size_t i = first; mark && i < body.size(); ++i) body[i].where = *mark;
    return mark;
  }

  bool is_statement() const {
    const token& t = in_.peek();
    return t.what == token::kind::word && (!is_reserved(t.text) || is_without_value(word_for(t.text)));
  }
  static bool is_without_value(operation o) { return facts(o).to == gives::nothing; }

  void read_statement(std::vector<statement>& into) {
    const token first = in_.peek();
    statement s;
    s.where = first.where;
    if (const operation o = word_for(first.text); is_without_value(o)) {
      in_.take();
      s.what = o;
      if (facts(o).written == shape::memory) {
        const auto [base, index] = expressions_.cell(into);
        in_.expect(",", "and the value to be stored");
        s.args = {base, index};
      }
      s.args.push_back(expressions_.value(into));
    } else if (in_.peek(1).is("=")) {
      in_.take(), in_.take();
      s = expressions_.expression(into);
      s.result = names_.define(first, type::unknown);
    } else if (in_.peek(1).is("(")) {
      s = expressions_.expression(into);
      if (s.what != operation::call_c)
        in_.report(first.where, "the value of this expression is lost; assign it, or remove it");
    } else {
      in_.take();
      in_.fail("'=' after '" + std::string{first.text} + "'");
    }
    into.push_back(std::move(s));
  }

  label read_label() {
    const token name = in_.name("a block");
    return {names_.mention_block(name), name.where};
  }
  invocation read_invocation(std::vector<statement>& into) {
    const token name = in_.name("a function");
    in_.expect("(", "to open the arguments of '" + std::string{name.text} + "'");
    return {functions_.mention(name), expressions_.values(into, ")"), name.where};
  }
  label then() {
    in_.expect("->", "and the block that continues");
    return read_label();
  }
  label handler() { return in_.accept("else") ? read_label() : label{}; }
  void comma(std::string_view what) { in_.expect(",", "and " + std::string{what}); }

  transfer read_transfer(std::vector<statement>& into) {
    transfer t;
    t.where = in_.here();
    if (in_.accept("goto")) {
      const label to = read_label();
      t.what = jump{to, in_.accept("(") ? expressions_.values(into, ")") : std::vector<atom>{}};
    } else if (in_.accept("if")) {
      const atom condition = expressions_.value(into);
      in_.expect("then", "and a block");
      const label yes = read_label();
      in_.expect("else", "and a block");
      t.what = branch{condition, yes, read_label()};
    } else if (in_.accept("switch")) {
      t.what = read_switch(into);
    } else if (in_.accept("call")) {
      if (in_.accept("*")) {
        t.what = read_indirect_call(into);
      } else {
        invocation what = read_invocation(into);
        const label to = then();
        t.what = call{std::move(what), to, handler()};
      }
    } else if (in_.accept("raise")) {
      t.what = raise{expressions_.value(into)};
    } else if (in_.accept("return")) {
      t.what = give_back{in_.accept("(") ? expressions_.values(into, ")") : std::vector<atom>{}};
    } else {
      read_parallel(t, into);
    }
    return t;
  }

  indirect_call read_indirect_call(std::vector<statement>& into) {
    indirect_call c;
    if (in_.accept("(")) {
      c.callee = expressions_.value(into);
      in_.expect(")", "to close the parenthesis");
    } else {
      const token name = in_.name("a temporary that holds the address of a function");
      c.callee = atom::of(names_.mention(name), name.where);
    }
    in_.expect("(", "to open the arguments");
    c.args = expressions_.values(into, ")");
    c.raises = in_.accept("raises");
    c.then = then();
    c.handler = handler();
    c.raises |= c.handler.block != none;
    return c;
  }

  switch_on read_switch(std::vector<statement>& into) {
    switch_on s;
    s.condition = expressions_.value(into);
    in_.expect("{", "to open the ways");
    do {
      std::vector<statement> computed;
      const atom value = expressions_.value(computed);
      if (!value.is_constant() || value.of_type != type::i64) {
        in_.report(value.where, "the value of a way is a number without a point; compare with 'if' instead");
      }
      s.ways.push_back({static_cast<std::int64_t>(value.bits), then()});
    } while (in_.accept(","));
    in_.expect("}", "to close the ways");
    in_.expect("else", "and the block for all other values");
    s.otherwise = read_label();
    return s;
  }

  void read_parallel(transfer& t, std::vector<statement>& into) {
    if (in_.accept("spork")) {
      const sharing tokens = read_sharing();
      const label body = read_label();
      in_.expect("||", "and the call that may be spawned");
      t.what = spork{body, read_invocation(into), tokens};
    } else if (in_.accept("spoin")) {
      spoin s;
      s.unpromoted = read_label();
      comma("the block for a promoted spork");
      s.promoted = read_label();
      if (in_.accept(",")) s.unstolen = read_label();
      s.handler = handler();
      t.what = s;
    } else if (in_.accept("par")) {
      invocation first = read_invocation(into);
      comma("the second call");
      invocation second = read_invocation(into);
      const label to = then();
      t.what = par{std::move(first), std::move(second), to, handler()};
    } else if (in_.accept("reduce")) {
      read_reduce(t, into);
    } else if (in_.accept("parfor")) {
      const auto [low, high] = read_range(into);
      invocation body = read_invocation(into);
      const label to = then();
      t.what = parfor{low, high, std::move(body), to, handler()};
    } else {
      in_.fail("a statement or a transfer (goto, if, switch, call, return, raise, spork, spoin, par, reduce, parfor)");
    }
  }

  sharing read_sharing() {
    if (!in_.accept("[")) return sharing::half;
    const token t = in_.take();
    if (t.text != "half" && t.text != "all" && t.text != "none") {
      in_.report(t.where, "'" + std::string{t.text} + "' is no way to share tokens; write [half], [all] or [none]");
    }
    in_.expect("]", "to close the tag");
    return t.text == "all" ? sharing::all : t.text == "none" ? sharing::no_token : sharing::half;
  }

  std::pair<atom, atom> read_range(std::vector<statement>& into) {
    const atom low = expressions_.value(into);
    comma("the end of the range");
    const atom high = expressions_.value(into);
    comma("what comes next");
    return {low, high};
  }

  void read_reduce(transfer& t, std::vector<statement>& into) {
    const auto [low, high] = read_range(into);
    std::vector<atom> zero =
        in_.accept("[") ? expressions_.values(into, "]") : std::vector<atom>{expressions_.value(into)};
    comma("the body");
    invocation body = read_invocation(into);
    comma("the function that combines two results");
    const function_id combine = functions_.mention(in_.name("a function"));
    const label to = then();
    t.what = reduce{low, high, std::move(zero), std::move(body), combine, to, handler()};
  }

  token_stream& in_;
  program_scope& functions_;
  function& f_;
  function_scope names_;
  expression_parser expressions_;
  int depth_ = 0;  // depth of braces between two blocks
};

class program_parser {
 public:
  program_parser(std::string_view text, std::string name, diagnostics& wrong) : in_{text, wrong}, functions_{program_} {
    program_.name = std::move(name);
  }

  program run() {
    number_items();
    while (!in_.done()) {
      try {
        if (in_.accept("declare")) {
          read(in_.accept("pure") ? form::pure : form::declared);
        } else if (in_.accept("export")) {
          in_.expect("fun", "after 'export'");
          read(form::exported);
        } else if (in_.accept("fun")) {
          read(form::plain);
        } else if (in_.peek().is("data") || in_.peek().is("global")) {
          keep(read_datum(in_, functions_, in_.take().is("data"), false));
        } else if (in_.accept("extern")) {
          read_extern();
        } else if (in_.accept("source")) {
          read_source();
        } else {
          in_.fail("'fun', 'export', 'extern', 'declare', 'data', 'global' or 'source'");
        }
      } catch (const lost&) {
        while (!in_.done() && !begins_item(in_.peek())) in_.take();
      }
    }
    infer_types(program_);
    return std::move(program_);
  }

 private:
  enum class form : std::uint8_t { plain, exported, declared, pure, external };

  // Reads the number and the file of a source. (`source` is no reserved word, because programs may have that name
  // already.)
  void read_source() {
    const place here = in_.here();
    const std::uint32_t number = in_.ordinal("a source", place::most_sources);
    if (number != program_.sources.size() + 1) {
      in_.report(here,
                 "sources are numbered from 1 on; write 'source " + std::to_string(program_.sources.size() + 1) + "'");
    }
    in_.expect("=", "and the file of the source");
    if (in_.peek().what != token::kind::text) in_.fail("the name of a file in quotes");
    program_.sources.push_back(bytes_of(in_, in_.take()));
  }

  // Numbers the functions and the data in the order of the text.
  void number_items() {
    std::vector<token> names = in_.names_behind("declare");
    for (const std::string_view word : {"pure", "fun"}) {
      for (const token& name : in_.names_behind(word)) names.push_back(name);
    }
    std::ranges::sort(names, {}, [](const token& t) { return t.text.data(); });
    for (const token& name : names) functions_.mention(name);
    names = in_.names_behind("data");
    for (const token& name : in_.names_behind("global")) names.push_back(name);
    std::ranges::sort(names, {}, [](const token& t) { return t.text.data(); });
    for (const token& name : names) functions_.add_data(name);
  }

  void read_extern() {
    if (in_.peek().is("data") || in_.peek().is("global"))
      return keep(read_datum(in_, functions_, in_.take().is("data"), true));
    in_.expect("fun", "after 'extern' (or 'data', or 'global')");
    read(form::external);
  }

  // Reads the function into a local variable, because its calls mention others, and the list grows.
  void read(form as) {
    const token name = in_.name("a function");
    const function_id id = functions_.mention(name);
    function f;
    f.name = name.text;
    f.where = name.where;
    f.defined = true;
    f.pure = as == form::pure;
    f.in_c = as == form::declared || f.pure;
    f.exported = as == form::exported;
    f.external = as == form::external;
    function_parser parser{in_, functions_, f};
    try {
      f.in_c || f.external ? declaration(parser, f) : parser.run();
    } catch (const lost&) {
      keep(id, std::move(f));
      throw;
    }
    keep(id, std::move(f));
  }

  void declaration(function_parser& parser, function& f) {
    in_.expect("(", "to open the types of the parameters");
    if (!in_.accept(")")) {
      do {
        f.param_types.push_back(parser.expect_type());
      } while (in_.accept(","));
      in_.expect(")", "to close the types of the parameters");
    }
    f.results = parser.results();
    if (f.external) f.raises = in_.accept("raises");
  }

  void keep(function_id id, function f) {
    function& kept = program_.functions[id];
    if (kept.defined) {
      in_.report(f.where,
                 "function '" + f.name + "' is written a second time, after line " + std::to_string(kept.where.line) +
                     "; give this one another name",
                 "single-definition");
      return;
    }
    kept = std::move(f);
  }

  void keep(datum d) {
    datum& kept = program_.data[functions_.find_data({token::kind::word, d.name, d.where})];
    if (!kept.words.empty() || kept.external) {
      in_.report(d.where,
                 "data '" + d.name + "' are written a second time, after line " + std::to_string(kept.where.line) +
                     "; give these another name",
                 "single-definition");
      return;
    }
    kept = std::move(d);
  }

  token_stream in_;
  program program_;
  program_scope functions_;
};

}  // namespace

program parse(std::string_view text, std::string name, diagnostics& wrong) {
  return program_parser{text, std::move(name), wrong}.run();
}

}  // namespace tine::spork
