// The encodings. They deviate from Spork, Figure 6, in two points: z is a parameter, so that one loop serves all uses
// of (f, c); and the variables that f captures are parameters, because the language has no closures. An exception
// leaves a loop as it leaves any function: the loop's functions raise if its body does, and `encode_exceptions` does
// the rest.
#include "ir/encode.hpp"

#include "ir/builder.hpp"
#include "ir/c_functions.hpp"
#include "ir/encode_exceptions.hpp"
#include "ir/successors.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tine::spork {
namespace {

std::vector<atom> joined(std::vector<atom> a, const std::vector<atom>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The parameters of a loop's function and of its split, and these functions themselves.
struct loop {
  function_id body = none, combine = none;  // no combine: parfor, which has no accumulator either
  function_id whole = none, split = none;
  function_id long_one = none;  // for more iterations than a chunk; `whole` if a chunk is one iteration
  std::int64_t chunk = 1;       // iterations in a spork's body
  std::vector<type> accumulator;
  bool raises = false;
  std::vector<type> captured;
  place where;
};

constexpr std::size_t operations_in_a_chunk =
    8192;  // some microseconds, or a fraction of a microsecond if LLVM vectorises them
constexpr std::int64_t most_in_a_chunk = 2048;
constexpr std::int64_t lanes = 64;  // a chunk of a multiple of this leaves no rest behind its vectors
constexpr std::size_t heavy = operations_in_a_chunk;
constexpr std::size_t pure_call = 32;  // of C: a sine takes about as long

std::size_t cost_of(const program& p, const statement& s) {
  if (s.what != operation::call_c) return 1;
  if (!is_pure(p, s)) return heavy;
  const c_function* known = find_c_function(p.functions[s.callee]);
  return known != nullptr && known->intrinsic != nullptr ? 1 : pure_call;
}

// Returns about how many operations a call takes, or `heavy` if it loops, forks, calls C (unless that is pure, C may do
// anything), or takes longer than a chunk should. All ways of a branch count.
std::size_t cost_of(const program& p, function_id which, unsigned depth = 0) {
  const function& f = p.functions[which];
  if (depth > 8) return heavy;  // it may call itself
  std::size_t cost = 1;
  std::vector<bool> passed(f.blocks.size());
  for (const block_id b : reverse_postorder(f)) {
    passed[b] = true;
    const transfer& end = f.blocks[b].end;
    for (const label& l : successors(end)) {
      if (passed[l.block]) return heavy;
    }
    for (const statement& s : f.blocks[b].statements) cost += cost_of(p, s);
    if (const auto* c = std::get_if<call>(&end.what)) {
      cost += cost_of(p, c->what.callee, depth + 1);
    } else if (!std::holds_alternative<jump>(end.what) && !std::holds_alternative<branch>(end.what) &&
               !std::holds_alternative<switch_on>(end.what) && !std::holds_alternative<give_back>(end.what) &&
               !std::holds_alternative<raise>(end.what)) {
      return heavy;
    }
    if (cost >= heavy) return heavy;
  }
  return cost;
}

class encoder {
 public:
  encoder(program& p, diagnostics& wrong, loop_form loops) : p_{p}, wrong_{wrong}, loops_are_{loops} {}

  void run() {
    const std::size_t written = p_.functions.size();  // the functions that are added have no sugar
    for (function_id f = 0; f < written; ++f) {
      names_of_function names;
      const std::size_t blocks = p_.functions[f].blocks.size();
      for (block_id b = 0; b < blocks; ++b) {
        transfer end = p_.functions[f].blocks[b].end;
        if (const auto* t = std::get_if<par>(&end.what)) encode_par(p_.functions[f], names, b, *t, end.where);
        if (const auto* t = std::get_if<reduce>(&end.what)) encode_reduce(f, b, *t, end.where);
        if (const auto* t = std::get_if<parfor>(&end.what)) encode_parfor(f, b, *t, end.where);
      }
    }
    encode_exceptions(p_, wrong_);
  }

 private:
  void report(place where, std::string message) { wrong_.push_back({where, "loop", std::move(message)}); }
  bool is_known(function_id f) const { return p_.functions[f].defined; }
  // Returns the handler of a call of `f` where `given` is that of the sugar.
  label handler_for(function_id f, label given) const { return p_.functions[f].raises ? given : label{}; }
  // Reports a handler of a construct that raises nothing.
  void check_handler(bool raises, label given) {
    if (!raises && given.block != none) report_no_exception(wrong_, given.where);
  }

  // Encodes a par as in Figure 5.
  void encode_par(function& f, names_of_function& names, block_id from, const par& t, place where) {
    builder make{f, where, &names};
    const std::string name = f.blocks[from].name;
    const block_id body = make.add_block(name + ".body"), check = make.add_block(name + ".check");
    const block_id unpromoted = make.add_block(name + ".unpromoted"), promoted = make.add_block(name + ".promoted");
    const block_id both = make.add_block(name + ".both");
    const std::vector<atom> a = make.add_params(check, "a", p_.functions[t.first.callee].results);
    const std::vector<atom> b = make.add_params(both, "b", p_.functions[t.second.callee].results);
    const std::vector<atom> b_promoted = make.add_params(promoted, "b", p_.functions[t.second.callee].results);
    const label of_first = handler_for(t.first.callee, t.handler), of_second = handler_for(t.second.callee, t.handler);
    check_handler(p_.functions[t.first.callee].raises || p_.functions[t.second.callee].raises, t.handler);
    make.end(from, spork{make.to(body), t.second, sharing::half});
    make.end(body, call{t.first, make.to(check), of_first.block == none ? of_first : leave_par(make, name, t)});
    make.end(check, spoin{make.to(unpromoted), make.to(promoted), {}, of_second});
    make.end(unpromoted, call{t.second, make.to(both), of_second});
    make.end(both, jump{t.then, joined(a, b)});
    make.end(promoted, jump{t.then, joined(a, b_promoted)});
  }

  // Writes the way from an exception of the first call to the handler. If the second call was promoted, its results or
  // its exception are dropped.
  label leave_par(builder& make, const std::string& name, const par& t) {
    const block_id raised = make.add_block(name + ".raised"), alone = make.add_block(name + ".alone");
    const block_id dropped = make.add_block(name + ".dropped");
    const atom exception = make.add_param(raised, "exception", type::ptr);
    make.add_params(dropped, "unused", p_.functions[t.second.callee].results);
    spoin close{make.to(alone), make.to(dropped), {}};
    if (p_.functions[t.second.callee].raises) {
      const block_id later = make.add_block(name + ".later");
      make.add_param(later, "unused", type::ptr);
      make.end(later, jump{t.handler, {exception}});
      close.handler = make.to(later);
    }
    make.end(raised, close);
    for (const block_id b : {alone, dropped}) make.end(b, jump{t.handler, {exception}});
    return make.to(raised);
  }

  void encode_reduce(function_id f, block_id from, const reduce& t, place where) {
    const auto no_result = [&] {
      report(where,
             "the body of a reduce returns at least one value, and the combining function takes twice as many of these "
             "types, and returns as many; change their types, or use parfor");
    };
    const function &body = p_.functions[t.body.callee], &combine = p_.functions[t.combine];
    if (!is_known(t.body.callee) || !is_known(t.combine) || !takes_an_index(t.body.callee, where))
      return spoil(f, from, t.then);
    std::vector<type> two = body.results;
    two.insert(two.end(), body.results.begin(), body.results.end());
    if (body.results.empty() || combine.results != body.results || combine.param_types != two)
      return no_result(), spoil(f, from, t.then);
    if (t.zero.size() != body.results.size()) {
      report(where, "the body of the reduce returns " + std::to_string(body.results.size()) +
                        " values, and there are neutral elements for " + std::to_string(t.zero.size()) +
                        "; write [zero, zero, …] with one for each");
      return spoil(f, from, t.then);
    }
    check_handler(body.raises || combine.raises, t.handler);
    const loop& l = made(t.body.callee, t.combine, where);
    const std::vector<atom> start = joined(joined(t.zero, t.zero), {t.low, t.high});
    p_.functions[f].blocks[from].end.what =
        call{{l.whole, joined(start, t.body.args), where}, t.then, handler_for(l.whole, t.handler)};
  }

  void encode_parfor(function_id f, block_id from, const parfor& t, place where) {
    if (!is_known(t.body.callee) || !takes_an_index(t.body.callee, where)) return spoil(f, from, t.then);
    if (!p_.functions[t.body.callee].results.empty()) {
      report(where, "the body of a parfor returns nothing; change its type, or use reduce");
      return spoil(f, from, t.then);
    }
    check_handler(p_.functions[t.body.callee].raises, t.handler);
    const loop& l = made(t.body.callee, none, where);
    p_.functions[f].blocks[from].end.what =
        call{{l.whole, joined({t.low, t.high}, t.body.args), where}, t.then, handler_for(l.whole, t.handler)};
  }

  // Replaces a wrong transfer by a jump with values of unknown type, so that the verifier reports no consequence of the
  // error.
  void spoil(function_id f, block_id from, label then) {
    std::vector<block>& blocks = p_.functions[f].blocks;
    const atom any = atom::constant(type::unknown, 0, then.where);
    blocks[from].end.what = jump{then, std::vector<atom>(blocks[then.block].params.size(), any)};
  }

  bool takes_an_index(function_id body, place where) {
    const function& f = p_.functions[body];
    if (!f.in_c && !f.param_types.empty() && f.param_types[0] == type::i64) return true;
    report(where, "'" + f.name +
                      "' is to be the body of a loop, a function of this program whose first parameter is the "
                      "index, an i64; change it");
    return false;
  }

  const loop& made(function_id body, function_id combine, place where) {
    const auto [found, is_new] = loops_.try_emplace({body, combine});
    loop& l = found->second;
    if (!is_new) return l;
    const function& f = p_.functions[body];
    l.body = body, l.combine = combine, l.where = where;
    l.raises = f.raises || (combine != none && p_.functions[combine].raises);
    if (loops_are_ == loop_form::chunked) l.chunk = chunk_of(body, combine);
    if (l.chunk > 1) p_.functions[body].light = true;
    if (l.chunk > 1 && combine != none) p_.functions[combine].light = true;
    if (loops_are_ == loop_form::in_threes) l.chunk = 3;
    if (combine != none) l.accumulator = f.results;
    l.captured.assign(f.param_types.begin() + 1, f.param_types.end());
    const std::string name = f.name;  // a copy: adding functions moves them
    const std::string kind = combine == none ? "parfor." : "reduce.";
    l.whole = l.long_one = add(kind + name, l);
    if (l.chunk > 1) l.long_one = add("long." + kind + name, l);
    l.split = add("split." + name, l);
    if (l.chunk > 1) write_short_or_long(l);
    write_long(l);
    write_split(l);
    return l;
  }
  function_id add(const std::string& name, const loop& l) {
    p_.functions.push_back(builder::begin(names_.unused(name, p_.functions), l.accumulator, l.where));
    p_.functions.back().raises = l.raises;
    return static_cast<function_id>(p_.functions.size() - 1);
  }

  struct parameters {
    std::vector<atom> start, zero;  // as many as `accumulator`; a split has no start
    atom low, high;
    std::vector<atom> captured;

    std::vector<atom> whole(const std::vector<atom>& from_value, atom from, atom to) const {
      return joined(from_value, split(from, to));
    }
    std::vector<atom> split(atom from, atom to) const { return joined(joined(zero, {from, to}), captured); }
  };
  static parameters begin(builder& make, const loop& l, bool with_start) {
    parameters p;
    if (with_start) {
      for (const type t : l.accumulator) p.start.push_back(make.param("start", t));
    }
    for (const type t : l.accumulator) p.zero.push_back(make.param("zero", t));
    p.low = make.param("low", type::i64);
    p.high = make.param("high", type::i64);
    for (const type t : l.captured) p.captured.push_back(make.param("x", t));
    return p;
  }

  // Ends `b` with a return of the combination of two values, or of nothing if the loop has no accumulator.
  static void return_combined(builder& make, const loop& l, block_id b, const std::vector<atom>& left,
                              const std::vector<atom>& right) {
    if (l.combine == none) return make.end(b, give_back{});
    const block_id out = make.add_block("combined");
    const std::vector<atom> sum = make.add_params(out, "sum", l.accumulator);
    make.end(b, call{make.invoke(l.combine, joined(left, right)), make.to(out)});
    make.end(out, give_back{sum});
  }

  // Returns how many iterations are worth a spork.
  std::int64_t chunk_of(function_id body, function_id combine) const {
    const std::size_t cost = cost_of(p_, body) + (combine == none ? 0 : cost_of(p_, combine)) + 1;
    const auto n =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(operations_in_a_chunk / cost), 1, most_in_a_chunk);
    return n < lanes ? n : n - n % lanes;
  }

  // A loop that is no longer than a chunk ends before a thief could help. So it becomes a plain loop, small enough for
  // LLVM to inline. A longer loop becomes a call of `long_one`.
  void write_short_or_long(const loop& l) {
    function& f = p_.functions[l.whole];
    builder make{f, l.where};
    const parameters p = begin(make, l, true);
    const block_id entry = make.add_block("entry"), brief = make.add_block("brief"), done = make.add_block("done");
    const block_id is_long = branch_if_long(make, l, entry, p.low, p.high, brief);
    make.end(is_long, call{make.invoke(l.long_one, p.whole(p.start, p.low, p.high)), make.to(done)});
    write_chunk(make, l, brief, p.start, p.low, p.high, p.captured, done);
    make.end(done, give_back{make.add_params(done, "all", l.accumulator)});
  }

  // Ends `from` with a branch: to the block that is returned if more is left than a chunk, else to `brief`. (Where the
  // difference overflows, the short loop has more iterations than any run could complete, or the long loop finds that
  // there are none.)
  static block_id branch_if_long(builder& make, const loop& l, block_id from, atom low, atom high, block_id brief) {
    const block_id is_long = make.add_block("long");
    const atom left = make.let(from, "left", type::i64, operation::sub, {high, low});
    const atom more = make.let(from, "more", type::i64, operation::less, {atom::number(l.chunk), left});
    make.end(from, branch{more, make.to(is_long), make.to(brief)});
    return is_long;
  }

  // REDUCE of Figure 6: a loop in which each iteration, or each chunk, offers all iterations after it. The last chunk
  // offers none.
  void write_long(const loop& l) {
    function& f = p_.functions[l.long_one];
    builder make{f, l.where};
    const parameters p = begin(make, l, true);
    const block_id entry = make.add_block("entry"), guard = make.add_block("guard");
    const block_id iterate = make.add_block("iterate"), done = make.add_block("done");
    make.end(entry, jump{make.to(guard), joined(p.start, {p.low})});
    const std::vector<atom> so_far = make.add_params(guard, "so_far", l.accumulator);
    const atom i = make.add_param(guard, "i", type::i64);
    const atom more = make.let(guard, "more", type::i64, operation::less, {i, p.high});
    make.end(guard, branch{more, make.to(iterate), make.to(done)});
    make.end(done, give_back{so_far});
    if (l.chunk == 1) return write_offer(make, l, iterate, so_far, i, p, guard);
    const block_id last = make.add_block("last"), out = make.add_block("ended");
    write_offer(make, l, branch_if_long(make, l, iterate, i, p.high, last), so_far, i, p, guard);
    make.end(last, call{make.invoke(l.whole, p.whole(so_far, i, p.high)), make.to(out)});
    make.end(out, give_back{make.add_params(out, "all", l.accumulator)});
  }

  // Writes an iteration or a chunk into `from`, with a spork that offers all iterations after it; then continues in
  // `guard`.
  static void write_offer(builder& make, const loop& l, block_id from, const std::vector<atom>& so_far, atom i,
                          const parameters& p, block_id guard) {
    const block_id body = make.add_block("body"), check = make.add_block("check"), next = make.add_block("next");
    const block_id rest = make.add_block("rest"), promoted = make.add_block("promoted");
    const atom after = make.let(from, "after", type::i64, operation::add, {i, atom::number(l.chunk)});
    make.end(from, spork{make.to(body), make.invoke(l.split, p.split(after, p.high)), sharing::all});
    if (l.chunk == 1) {
      write_iteration(make, l, body, so_far, joined({i}, p.captured), check);
    } else {
      write_chunk(make, l, body, so_far, i, after, p.captured, check);
    }
    const std::vector<atom> now = make.add_params(check, "now", l.accumulator);
    // A promoted rest is split even if no worker began it: the promotion shows that a worker wanted it (§4.4).
    make.end(check, spoin{make.to(next), make.to(promoted), make.to(rest)});
    make.end(next, jump{make.to(guard), joined(now, {after})});
    make.end(rest, call{make.invoke(l.split, p.split(after, p.high)), make.to(promoted)});
    const std::vector<atom> others = make.add_params(promoted, "others", l.accumulator);
    return_combined(make, l, promoted, now, others);
  }

  // Writes one iteration into `from`; then continues in `to`, which takes the accumulated value.
  static void write_iteration(builder& make, const loop& l, block_id from, const std::vector<atom>& so_far,
                              const std::vector<atom>& args, block_id to) {
    const invocation work = make.invoke(l.body, args);
    if (l.combine == none) return make.end(from, call{work, make.to(to)});
    const block_id accumulate = make.add_block("accumulate");
    const std::vector<atom> value = make.add_params(accumulate, "value", l.accumulator);
    make.end(from, call{work, make.to(accumulate)});
    make.end(accumulate, call{make.invoke(l.combine, joined(so_far, value)), make.to(to)});
  }

  // Writes a plain loop over i … after − 1 into `from`; then continues in `to`.
  static void write_chunk(builder& make, const loop& l, block_id from, const std::vector<atom>& so_far, atom i,
                          atom after, const std::vector<atom>& captured, block_id to) {
    const block_id head = make.add_block("head"), step = make.add_block("step"), stepped = make.add_block("stepped");
    const block_id end = make.add_block("end_of_chunk");
    make.end(from, jump{make.to(head), joined(so_far, {i})});
    const std::vector<atom> now = make.add_params(head, "now", l.accumulator);
    const atom k = make.add_param(head, "k", type::i64);
    const atom again = make.let(head, "again", type::i64, operation::less, {k, after});
    make.end(head, branch{again, make.to(step), make.to(end)});
    write_iteration(make, l, step, now, joined({k}, captured), stepped);
    const std::vector<atom> then = make.add_params(stepped, "later", l.accumulator);
    const atom next = make.let(stepped, "next", type::i64, operation::add, {k, atom::number(1)});
    make.end(stepped, jump{make.to(head), joined(then, {next})});
    make.end(end, jump{make.to(to), now});
  }

  // SPLIT: a par of the two halves. If they run one after the other, the second half starts with the first's result.
  void write_split(const loop& l) {
    function& f = p_.functions[l.split];
    builder make{f, l.where};
    const parameters p = begin(make, l, false);
    const block_id entry = make.add_block("entry"), body = make.add_block("body"), check = make.add_block("check");
    const block_id unpromoted = make.add_block("unpromoted"), promoted = make.add_block("promoted");
    const block_id done = make.add_block("done");
    // The rounded mean. The difference of the bounds could overflow, and the middle would then be outside of the range.
    const atom common = make.let(entry, "common", type::i64, operation::bit_and, {p.low, p.high});
    const atom differing = make.let(entry, "differing", type::i64, operation::bit_xor, {p.low, p.high});
    const atom half = make.let(entry, "half", type::i64, operation::shift_right, {differing, atom::number(1)});
    const atom middle = make.let(entry, "middle", type::i64, operation::add, {common, half});
    make.end(entry, spork{make.to(body), make.invoke(l.whole, p.whole(p.zero, middle, p.high)), sharing::half});
    make.end(body, call{make.invoke(l.whole, p.whole(p.zero, p.low, middle)), make.to(check)});
    const std::vector<atom> left = make.add_params(check, "left", l.accumulator);
    make.end(check, spoin{make.to(unpromoted), make.to(promoted), {}});
    make.end(unpromoted, call{make.invoke(l.whole, p.whole(left, middle, p.high)), make.to(done)});
    make.end(done, give_back{make.add_params(done, "all", l.accumulator)});
    const std::vector<atom> right = make.add_params(promoted, "right", l.accumulator);
    return_combined(make, l, promoted, left, right);
  }

  program& p_;
  diagnostics& wrong_;
  loop_form loops_are_;
  taken_names names_;  // of functions
  std::map<std::pair<function_id, function_id>, loop> loops_;
};

}  // namespace

void encode(program& p, diagnostics& wrong, loop_form loops) { encoder{p, wrong, loops}.run(); }

}  // namespace tine::spork
