// The generator. A function calls only functions made before it, so that it recurses only where that is intended. The
// generator counts the steps of each function, so that no program runs for long.
#include "ir/generate.hpp"

#include "ir/function_generator.hpp"

#include <bit>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tine::spork {
namespace {

// Adds the functions that generated loops use.
void add_library(program& p, fragment part) {
  const auto i64 = type::i64;
  function plus = builder::begin("plus", {i64}, {});
  builder sum{plus};
  const atom a = sum.param("a", i64), b = sum.param("b", i64);
  const block_id entry = sum.add_block("entry");
  sum.end(entry, give_back{{sum.let(entry, "sum", i64, operation::add, {a, b})}});
  p.functions.push_back(std::move(plus));

  function first = builder::begin("first", {i64}, {});  // associative, but not commutative; 0 is neutral
  builder choice{first};
  const atom x = choice.param("x", i64), y = choice.param("y", i64);
  const block_id begin = choice.add_block("entry");
  choice.end(begin, give_back{{choice.let(begin, "chosen", i64, operation::select, {x, x, y})}});
  p.functions.push_back(std::move(first));

  function both = builder::begin("both", {i64, i64}, {});  // the two operations at once
  builder pair{both};
  const std::vector<atom> in{pair.param("a", i64), pair.param("b", i64), pair.param("c", i64), pair.param("d", i64)};
  const block_id all = pair.add_block("entry");
  const atom total = pair.let(all, "sum", i64, operation::add, {in[0], in[2]});
  pair.end(all, give_back{{total, pair.let(all, "chosen", i64, operation::select, {in[1], in[1], in[3]})}});
  p.functions.push_back(std::move(both));

  if (part == fragment::whole_numbers) return;
  const auto word = [](std::int64_t n) { return atom::number(n); };
  const atom half = atom::constant(type::f64, std::bit_cast<std::uint64_t>(0.5));
  p.data.push_back({"table", {}, true, {word(-3), word(1000), half, atom::constant(type::ptr, address_of_data(1))}});
  p.data.push_back({"cells", {}, false, {word(7), word(258), half, atom::constant(type::ptr, address_of_data(0))}});
  function put = builder::begin("put", {}, {});
  builder write{put};
  const atom i = write.param("i", i64), to = write.param("p", type::ptr), v = write.param("v", i64);
  const block_id only = write.add_block("entry");
  const atom value = write.let(only, "value", i64, operation::bit_xor, {v, i});
  statement store;
  store.what = operation::store;
  store.args = {to, i, value};
  put.blocks[only].statements.push_back(store);
  write.end(only, give_back{});
  p.functions.push_back(std::move(put));
  function count = builder::begin("count", {}, {});  // adds v to *p, in any order
  builder adds{count};
  const atom k = adds.param("i", i64), counter = adds.param("p", type::ptr), more = adds.param("v", i64);
  const block_id begins = adds.add_block("entry");
  const atom amount = adds.let(begins, "amount", i64, operation::mul, {more, k});
  adds.let(begins, "old", i64, operation::atomic_add, {counter, amount});
  adds.end(begins, give_back{});
  p.functions.push_back(std::move(count));
  for (const char* name : {"sqrt", "floor", "pow"}) {
    function in_c = builder::begin(name, {type::f64}, {});
    in_c.in_c = true;
    in_c.pure = name != std::string_view{"floor"};  // which is known to be
    in_c.param_types.assign(name == std::string_view{"pow"} ? 2 : 1, type::f64);
    p.functions.push_back(std::move(in_c));
  }
}

}  // namespace

loop_form some_loop_form(std::uint64_t seed) {
  constexpr loop_form forms[] = {loop_form::chunked, loop_form::in_threes, loop_form::single, loop_form::single};
  return forms[seed % std::size(forms)];
}

program generate(std::uint64_t seed, unsigned size, loop_form loops, fragment part) {
  dice random{seed};
  program p;
  p.name = "program " + std::to_string(seed);
  add_library(p, part);
  // not in every program: no pass may remove a function whose address is known
  const bool lists_functions = part == fragment::everything && random.one_in(3);
  if (lists_functions) p.data.push_back({"functions", {}, false, {atom::constant(type::ptr, 0)}});
  std::vector<known_function> known;
  const std::uint64_t functions = 1 + random.below(4);
  for (std::uint64_t n = 0; n <= functions; ++n) {
    const bool is_main = n == functions, recursive = !is_main && random.one_in(4);
    std::vector<type> results;
    for (std::uint64_t r = random.one_in(4) ? 2 : !is_main && random.one_in(6) ? 0 : 1; r > 0; --r)
      results.push_back(random_type(random, part));
    if (recursive) results = {type::i64};
    function f = builder::begin(is_main ? "main" : "f" + std::to_string(n), results, {});
    f.raises = !is_main && !recursive && part == fragment::everything && random.one_in(3);
    const auto id = static_cast<function_id>(p.functions.size());
    if (!is_main && !recursive) {
      builder make{f};
      make.param("n", type::i64);
      for (std::uint64_t more = random.below(3); more > 0; --more) {
        make.param("x", random_parameter_type(random, part));
      }
    }
    function_generator generator{p, known, random, f, size, part};
    const std::size_t cost = recursive ? generator.run_recursion(id) : generator.run();
    p.functions.push_back(std::move(f));
    known.push_back({id, cost, recursive});
    if (lists_functions) p.data.back().words.push_back(atom::constant(type::ptr, address_of_function(id)));
  }
  diagnostics wrong;
  encode(p, wrong, loops);
  if (!wrong.empty()) throw std::logic_error{"the generator made a wrong program:\n" + render(wrong, p.name)};
  return p;
}

}  // namespace tine::spork
