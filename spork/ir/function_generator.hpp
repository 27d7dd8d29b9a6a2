// Inner header of the generator of random programs: makes one function. It counts the steps that the function takes, so
// that no program runs for long.
#pragma once

#include "ir/builder.hpp"
#include "ir/generate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace tine::spork {

inline constexpr std::size_t longest_function = 400;  // steps, approximately
inline constexpr unsigned deepest = 4;                // constructs nested in each other

// The facts about a finished function that its callers need.
struct known_function {
  function_id id = none;
  std::size_t cost = 0;
  bool recursive = false;  // its first argument must be small
};

class dice {
 public:
  explicit dice(std::uint64_t seed) : random_{seed} {}
  // Uses no distribution of the standard library, because they differ between implementations.
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 random_;
};

inline type random_type(dice& random, fragment part) {
  return part == fragment::everything && random.one_in(4) ? type::f64 : type::i64;
}
inline type random_parameter_type(dice& random, fragment part) {
  if (part == fragment::whole_numbers) return type::i64;
  return random.one_in(4) ? type::f64 : random.one_in(4) ? type::ptr : type::i64;
}

class function_generator {
 public:
  function_generator(program& p, const std::vector<known_function>& known, dice& random, function& f, unsigned size,
                     fragment part)
      : p_{p}, known_{known}, random_{random}, f_{f}, make_{f}, size_{size}, part_{part} {}

  std::size_t run() {
    here_ = make_.add_block("entry");
    for (const temp_id t : f_.params) scope_.push_back(atom::of(t));
    region(0);
    if (f_.raises && random_.one_in(2)) raise_sometimes();
    make_.end(here_, give_back{values_of(f_.results)});
    return cost_;
  }

  // Writes a function of n and one more value, which calls itself twice, with smaller n.
  std::size_t run_recursion(function_id self) {
    here_ = make_.add_block("entry");
    const atom n = make_.param("n", type::i64), x = make_.param("x", type::i64);
    scope_ = {n, x};
    const block_id base = make_.add_block("base"), step = make_.add_block("step"), both = make_.add_block("both");
    const atom small = make_.let(here_, "small", type::i64, operation::less, {n, atom::number(1)});
    make_.end(here_, branch{small, make_.to(base), make_.to(step)});
    make_.end(base, give_back{{x}});
    here_ = step;
    region(deepest - 1);
    const atom less = make_.let(here_, "less", type::i64, operation::sub, {n, atom::number(1)});
    const atom least = make_.let(here_, "least", type::i64, operation::sub, {n, atom::number(2)});
    make_.end(here_, par{make_.invoke(self, {less, value_of(type::i64)}),
                         make_.invoke(self, {least, value_of(type::i64)}), make_.to(both)});
    const atom a = make_.add_param(both, "a", type::i64), b = make_.add_param(both, "b", type::i64);
    const atom sum = make_.let(both, "sum", type::i64, operation::sub, {a, b});
    make_.end(both, give_back{{sum}});
    return cost_ * 8 + 32;  // with n at most 3
  }

 private:
  // generate_graph.cpp
  struct head_of_loop {
    block_id block = none;
    std::vector<atom> params;  // the first is the fuel
  };
  struct graph_of_blocks {
    std::vector<head_of_loop> heads;
    std::size_t reached = 0;  // so many heads have a way in
    unsigned depth = 0;
    atom left;                    // the fuel of the next head
    std::function<void()> leave;  // ends `here_` by leaving the graph
  };
  struct fork_ends {
    bool discards = false;                                     // the child's results are not used
    std::vector<std::pair<block_id, std::vector<atom>>> open;  // blocks that use the results, with their scopes
  };
  void graph(unsigned depth);
  void write_heads(unsigned depth, const std::function<void()>& leave);
  jump jump_to_head(graph_of_blocks& g, atom fuel);
  void way(graph_of_blocks& g, unsigned levels);
  bool fork_to_heads(graph_of_blocks& g, unsigned levels);
  spoin close_fork(graph_of_blocks& g, const invocation& spawn, fork_ends& ends);

  type any_type() { return random_type(random_, part_); }

  type head_type() {
    if (part_ == fragment::whole_numbers) return type::i64;
    return random_.one_in(4) ? type::ptr : any_type();
  }

  atom constant(type t) {
    static constexpr std::array<std::int64_t, 10> numbers{
        0, 1, -1, 2, 3, 7, 63, 64, std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::min()};
    static constexpr std::array fractions{0.0, -0.0, 1.0, -1.5, 2.5, 0.1, 1e300, -1e-300, 3.0};
    if (t == type::ptr) return atom::constant(t, random_.one_in(2) ? 0 : address_of_data(random_.one_in(2)));
    if (t == type::i64) return atom::number(numbers[random_.below(numbers.size())]);
    return atom::constant(t, std::bit_cast<std::uint64_t>(fractions[random_.below(fractions.size())]));
  }

  // Returns a value of this type that is in scope here, or a constant.
  atom value_of(type t) {
    for (unsigned tries = 0; tries < 6 && !scope_.empty(); ++tries) {
      const atom& a = scope_[random_.below(scope_.size())];
      if (f_.type_of(a) == t) return a;
    }
    return constant(t);
  }
  // Returns one of the three values of this type that came into scope last, or a constant if there is none.
  atom newest(type t) {
    std::vector<atom> found;
    for (std::size_t i = scope_.size(); i-- > 0 && found.size() < 3;) {
      if (f_.type_of(scope_[i]) == t) found.push_back(scope_[i]);
    }
    return found.empty() ? constant(t) : found[random_.below(found.size())];
  }
  std::vector<atom> values_of(const std::vector<type>& types) {
    std::vector<atom> all;
    for (const type t : types) all.push_back(value_of(t));
    return all;
  }

  bool affordable(std::size_t steps) const { return cost_ + times_ * steps <= longest_function; }
  void spend(std::size_t steps) { cost_ += times_ * steps; }

  // Chooses a function that can still be afforded, and arguments for it. Returns false if it finds none.
  bool choose(invocation& call, bool for_loop = false) {
    if (known_.empty()) return false;
    const known_function& k = known_[random_.below(known_.size())];
    const function& f = p_.functions[k.id];
    if (!affordable(k.cost * (for_loop ? 8 : 2))) return false;
    if (for_loop && (k.recursive || f.results.empty() || std::ranges::count(f.results, type::f64) != 0)) return false;
    spend(k.cost * (for_loop ? 8 : 2));
    call = make_.invoke(k.id, values_of(f.param_types));
    if (k.recursive) call.args[0] = atom::number(static_cast<std::int64_t>(random_.below(4)));
    if (for_loop) call.args.erase(call.args.begin());
    return true;
  }

  void region(unsigned depth) {
    const std::size_t outside = scope_.size();
    for (std::uint64_t steps = 1 + random_.below(size_); steps > 0 && affordable(4); --steps) {
      spend(4);
      if (part_ == fragment::everything && depth < deepest && random_.one_in(16)) switch_over(depth);
      const std::uint64_t kind = depth >= deepest ? 0 : random_.below(14);
      if (kind < 4) operation_of(any_type());
      if (kind == 4) if_else(depth);
      if (kind == 5) loop(depth);
      if (f_.raises && random_.one_in(12)) raise_sometimes();
      if (kind == 6) call_one();
      if (kind == 7 || kind == 8) fork(depth);
      if (kind == 9) call_both();
      if (kind == 10) sum();
      if (kind == 11 && part_ == fragment::everything) memory();
      if (kind >= 12 && affordable(64)) graph(depth);
    }
    if (depth > 0) inner_ = value_of(type::i64);
    // values assigned in branches and bodies are out of scope behind them; the caller passes on `inner_`
    if (depth > 0) scope_.resize(std::min(scope_.size(), outside));
  }

  void add(atom a) { scope_.push_back(a); }

  void operation_of(type t) {
    using o = operation;
    static constexpr std::array whole{o::add,        o::sub,         o::mul,  o::bit_and, o::bit_or,  o::bit_xor,
                                      o::shift_left, o::shift_right, o::less, o::equal,   o::at_least};
    static constexpr std::array fractional{o::add, o::sub, o::mul, o::div};
    if (random_.one_in(8)) return convert(t);
    if (part_ == fragment::whole_numbers) {
      return add(make_.let(here_, "x", t, whole[random_.below(whole.size())], values_of({t, t})));
    }
    if (random_.one_in(6)) return rare_operation_of(t);
    if (t == type::f64 && random_.one_in(8)) return add(load_of_data(t, 2));
    if (t == type::f64) {
      return add(make_.let(here_, "x", t, fractional[random_.below(fractional.size())], values_of({t, t})));
    }
    if (random_.one_in(8)) {  // an odd divisor is not zero
      const atom odd = make_.let(here_, "odd", t, o::bit_or, {value_of(t), atom::number(1)});
      return add(make_.let(here_, "x", t, random_.one_in(2) ? o::div : o::rem, {value_of(t), odd}));
    }
    if (random_.one_in(8)) return add(make_.let(here_, "x", t, o::less, values_of({type::f64, type::f64})));
    // addresses differ from run to run, so they are compared with null or data only
    if (random_.one_in(8)) return add(make_.let(here_, "x", t, o::differs, {value_of(type::ptr), constant(type::ptr)}));
    if (random_.one_in(6)) return add(load_of_data(t, random_.below(2)));
    add(make_.let(here_, "x", t, whole[random_.below(whole.size())], values_of({t, t})));
  }
  // Loads a word of the library's data, of which the last is the address of the others. No program stores to them,
  // because a function must have no effect that its callers can see.
  atom load_of_data(type t, std::uint64_t cell) {
    const auto load = [&](type of, atom from, std::uint64_t at) {
      const atom read =
          make_.let(here_, "read", of, operation::load, {from, atom::number(static_cast<std::int64_t>(at))});
      f_.blocks[here_].statements.back().loaded = of;
      return read;
    };
    const atom from = atom::constant(type::ptr, address_of_data(random_.one_in(2)));
    return load(t, random_.one_in(3) ? load(type::ptr, from, 3) : from, cell);
  }
  // Writes an operation that has a word instead of a sign.
  void rare_operation_of(type t) {
    using o = operation;
    static constexpr std::array whole{o::shift_right_zero, o::unsigned_less, o::unsigned_at_most,
                                      o::add_overflows,    o::sub_overflows, o::mul_overflows};
    static constexpr std::array bits{o::count_ones, o::leading_zeros, o::trailing_zeros};
    static constexpr std::array fractional{o::round_down,    o::round_up,    o::round_to_zero,
                                           o::round_to_even, o::square_root, o::magnitude};
    const auto write = [&](operation what, std::vector<atom> args) {
      add(make_.let(here_, "x", t, what, std::move(args)));
    };
    if (t == type::f64) {
      if (random_.one_in(6)) return write(o::of_bits, values_of({type::i64}));
      if (random_.one_in(4)) return call_c_function();
      return write(fractional[random_.below(fractional.size())], values_of({t}));
    }
    if (random_.one_in(6)) return write(o::bits_of, values_of({type::f64}));
    if (random_.one_in(4)) return write(bits[random_.below(bits.size())], values_of({t}));
    if (random_.one_in(4)) {
      const atom odd = make_.let(here_, "odd", t, o::bit_or, {value_of(t), atom::number(1)});
      return write(random_.one_in(2) ? o::unsigned_div : o::unsigned_rem, {value_of(t), odd});
    }
    write(whole[random_.below(whole.size())], values_of({t, t}));
  }
  void call_c_function() {
    static constexpr std::array names{"sqrt", "floor", "pow"};
    const function_id callee = p_.find(names[random_.below(names.size())]);
    add(make_.let(here_, "x", type::f64, operation::call_c, values_of(p_.functions[callee].param_types)));
    f_.blocks[here_].statements.back().callee = callee;
  }
  void convert(type t) {
    const std::uint64_t kind = random_.below(4);
    if (kind == 0 && part_ == fragment::everything)
      return add(
          make_.let(here_, "x", t, t == type::i64 ? operation::to_i64 : operation::to_f64, values_of({any_type()})));
    if (kind == 1) return add(make_.let(here_, "x", t, operation::negate, values_of({t})));
    if (kind == 2) return add(make_.let(here_, "x", t, operation::copy, values_of({t})));
    add(make_.let(here_, "x", t, operation::select, values_of({type::i64, t, t})));
  }

  void if_else(unsigned depth) {
    const block_id yes = make_.add_block("yes"), no = make_.add_block("no"), both = make_.add_block("both");
    make_.end(here_, branch{value_of(type::i64), make_.to(yes), make_.to(no)});
    for (const block_id way : {yes, no}) {
      here_ = way;
      region(depth + 1);
      make_.end(here_, jump{make_.to(both), {inner_}});
    }
    here_ = both;
    add(make_.add_param(both, "joined", type::i64));
  }

  void switch_over(unsigned depth) {
    const block_id all = make_.add_block("all");
    switch_on s{value_of(type::i64), {}, make_.to(make_.add_block("none"))};
    for (std::uint64_t n = random_.below(4); n > 0; --n) {
      const std::int64_t value = static_cast<std::int64_t>(n) * 2 - 3;
      // sometimes a way to the block of another one
      const block_id to = random_.one_in(4) ? s.otherwise.block : make_.add_block("way");
      s.ways.push_back({value, make_.to(to)});
    }
    if (s.ways.empty()) s.ways.push_back({0, s.otherwise});
    std::vector<block_id> ends{s.otherwise.block};
    for (const switch_on::way& each : s.ways) {
      if (each.to.block != s.otherwise.block) ends.push_back(each.to.block);
    }
    make_.end(here_, std::move(s));
    for (const block_id way : ends) {
      here_ = way;
      region(depth + 1);
      make_.end(here_, jump{make_.to(all), {inner_}});
    }
    here_ = all;
    add(make_.add_param(all, "joined", type::i64));
  }

  void loop(unsigned depth) {
    const auto rounds = static_cast<std::int64_t>(random_.below(4));
    if (!affordable(8 * static_cast<std::size_t>(rounds))) return;
    const block_id head = make_.add_block("head"), body = make_.add_block("body"), out = make_.add_block("out");
    make_.end(here_, jump{make_.to(head), {atom::number(0), value_of(type::i64)}});
    const atom i = make_.add_param(head, "i", type::i64), sum_so_far = make_.add_param(head, "so_far", type::i64);
    const atom more = make_.let(head, "more", type::i64, operation::less, {i, atom::number(rounds)});
    make_.end(head, branch{more, make_.to(body), make_.to(out)});
    const std::size_t outside = scope_.size();
    add(i), add(sum_so_far);
    here_ = body;
    times_ *= static_cast<std::size_t>(rounds) + 1;
    region(depth + 1);
    times_ /= static_cast<std::size_t>(rounds) + 1;
    scope_.resize(outside);
    const atom next = make_.let(here_, "next", type::i64, operation::add, {i, atom::number(1)});
    make_.end(here_, jump{make_.to(head), {next, inner_}});
    here_ = out;
    add(sum_so_far);
  }

  void continue_with(block_id b, const std::vector<type>& given) {
    here_ = b;
    for (const atom& a : make_.add_params(b, "got", given)) add(a);
  }

  void call_one() {
    invocation what;
    if (!choose(what)) return;
    const block_id after = make_.add_block("after");
    const std::vector<type>& results = p_.functions[what.callee].results;
    const label handler = handler_of({what.callee}, after, results);
    if (part_ == fragment::everything && random_.one_in(p_.data.size() < 3 ? 8 : 3)) {
      make_.end(here_, indirect_call{address_of(what.callee), what.args, make_.to(after),
                                     p_.functions[what.callee].raises, handler});
    } else {
      make_.end(here_, call{what, make_.to(after), handler});
    }
    continue_with(after, results);
  }

  // Returns a handler of the exceptions of these functions, which leads to `after`, or none if no function raises. A
  // function that raises sometimes passes them on.
  label handler_of(const std::vector<function_id>& callees, block_id after, const std::vector<type>& results) {
    bool raises = false;
    for (const function_id f : callees) raises |= p_.functions[f].raises;
    if (!raises || (f_.raises && random_.one_in(2))) return {};
    const block_id handles = make_.add_block("handles");
    const atom e = make_.add_param(handles, "e", type::ptr);
    const atom is = make_.let(handles, "is", type::i64, operation::equal, {e, exception()});
    std::vector<atom> given = values_of(results);
    if (!given.empty() && results[0] == type::i64) given[0] = is;
    make_.end(handles, jump{make_.to(after), std::move(given)});
    return make_.to(handles);
  }

  // Exceptions are the addresses of the library's data.
  atom exception() { return atom::constant(type::ptr, address_of_data(random_.one_in(2))); }

  // Raises an exception on one way of a branch.
  void raise_sometimes() {
    const block_id raises = make_.add_block("raises"), after = make_.add_block("after");
    const atom low = make_.let(here_, "low", type::i64, operation::bit_and, {newest(type::i64), atom::number(1)});
    make_.end(here_, branch{low, make_.to(raises), make_.to(after)});
    make_.end(raises, raise{exception()});
    here_ = after;
  }

  // Returns the address of a function; the passes know it only sometimes.
  atom address_of(function_id f) {
    if (p_.data.size() < 3 || random_.one_in(3)) return atom::constant(type::ptr, address_of_function(f));
    std::int64_t at = 1;  // the generator adds each finished function to the library's list
    for (const known_function& k : known_) {
      if (k.id == f) break;
      ++at;
    }
    const atom list = atom::constant(type::ptr, address_of_data(2));
    const atom read = make_.let(here_, "function", type::ptr, operation::load, {list, atom::number(at)});
    f_.blocks[here_].statements.back().loaded = type::ptr;
    return read;
  }

  void call_both() {
    invocation first, second;
    if (!choose(first) || !choose(second)) return;
    const block_id after = make_.add_block("after");
    std::vector<type> given = p_.functions[first.callee].results;
    const std::vector<type>& more = p_.functions[second.callee].results;
    given.insert(given.end(), more.begin(), more.end());
    const label handler = handler_of({first.callee, second.callee}, after, given);
    make_.end(here_, par{first, second, make_.to(after), handler});
    continue_with(after, given);
  }

  // Writes a spork, its body, one or two spoins, and sometimes a separate way for a child that is reclaimed.
  void fork(unsigned depth) {
    invocation spawn;
    if (!choose(spawn)) return;
    const std::vector<type> results = p_.functions[spawn.callee].results;
    const block_id body = make_.add_block("body"), alone = make_.add_block("alone"), joined = make_.add_block("joined");
    const block_id after = make_.add_block("after");
    make_.end(here_, spork{make_.to(body), spawn, static_cast<sharing>(random_.below(3))});
    const label handler = handler_of({spawn.callee}, after, results);
    here_ = body;
    region(depth + 1);
    const atom from_body = inner_;
    spoin close{make_.to(alone), make_.to(joined), {}, handler};
    if (random_.one_in(3)) {
      close.unstolen = make_.to(make_.add_block("back"));
      make_.end(close.unstolen.block, call{spawn, make_.to(after), handler});
    }
    if (random_.one_in(4)) {
      const block_id one = make_.add_block("one"), other = make_.add_block("other");
      make_.end(here_, branch{from_body, make_.to(one), make_.to(other)});
      make_.end(one, spoin{close});
      here_ = other;
    }
    make_.end(here_, close);
    make_.end(alone, call{spawn, make_.to(after), handler});
    make_.end(joined, jump{make_.to(after), make_.add_params(joined, "got", results)});
    continue_with(after, results);
  }

  void sum() {
    invocation body;
    if (!choose(body, true)) return;
    const block_id after = make_.add_block("after");
    const auto rounds = static_cast<std::int64_t>(random_.below(5));
    const std::vector<type> results = p_.functions[body.callee].results;
    const function_id combine = p_.find(results.size() == 2 ? "both" : random_.one_in(2) ? "plus" : "first");
    const label handler = handler_of({body.callee}, after, results);
    make_.end(here_, reduce{atom::number(0), atom::number(rounds), std::vector(results.size(), atom::number(0)), body,
                            combine, make_.to(after), handler});
    continue_with(after, results);
  }

  // Writes a parallel loop that fills an array, a load of one of its cells, and sometimes accesses to bytes.
  void memory() {
    if (!affordable(60)) return;
    spend(60);
    const auto cells = static_cast<std::int64_t>(1 + random_.below(4));
    const operation how = random_.one_in(2) ? operation::alloc : operation::alloc_numbers;
    const atom p = make_.let(here_, "p", type::ptr, how, {atom::number(cells)});
    block_id after = make_.add_block("after");
    make_.end(here_, parfor{atom::number(0), atom::number(cells),
                            make_.invoke(p_.find("put"), {p, value_of(type::i64)}), make_.to(after)});
    here_ = after;
    const auto some = [&](std::int64_t n) {
      return atom::number(static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(n))));
    };
    if (random_.one_in(3)) {
      after = make_.add_block("after");
      make_.end(here_, parfor{atom::number(0), atom::number(3),
                              make_.invoke(p_.find("count"), {p, value_of(type::i64)}), make_.to(after)});
      here_ = after;
    }
    if (random_.one_in(3)) atomics(p, some(cells));
    if (random_.one_in(3)) write(operation::store_byte, {p, some(8 * cells), value_of(type::i64)});
    if (random_.one_in(3)) add(make_.let(here_, "byte", type::i64, operation::load_byte, {p, some(8 * cells)}));
    const atom read = make_.let(here_, "read", type::i64, operation::load, {p, some(cells)});
    f_.blocks[here_].statements.back().loaded = type::i64;
    if (random_.one_in(2)) {
      write(operation::free, {p});
    } else {
      add(p);
    }
    add(read);
  }

  // Writes atomic operations on a cell that holds an i64, and that no other thread changes.
  void atomics(atom p, atom cell) {
    const atom at = make_.let(here_, "at", type::ptr, operation::add, {p, cell});
    if (random_.one_in(2)) write(operation::atomic_store, {p, cell, value_of(type::i64)});
    add(make_.let(here_, "old", type::i64, operation::atomic_add, {at, value_of(type::i64)}));
    const atom read = make_.let(here_, "now", type::i64, operation::atomic_load, {p, cell});
    f_.blocks[here_].statements.back().loaded = type::i64;
    const atom expected = random_.one_in(2) ? read : value_of(type::i64);
    add(make_.let(here_, "was", type::i64, operation::compare_and_swap, {at, expected, value_of(type::i64)}));
  }

  // Writes an operation without a value.
  void write(operation what, std::vector<atom> args) {
    statement s;
    s.what = what;
    s.args = std::move(args);
    f_.blocks[here_].statements.push_back(std::move(s));
  }

  program& p_;
  const std::vector<known_function>& known_;
  dice& random_;
  function& f_;
  builder make_;
  unsigned size_;
  fragment part_;
  block_id here_ = 0;
  std::vector<atom> scope_;
  atom inner_ = atom::number(0);  // the value that the region that just ended passes on
  std::size_t cost_ = 4, times_ = 1;
};

}  // namespace tine::spork
