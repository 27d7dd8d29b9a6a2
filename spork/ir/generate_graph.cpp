// Generates graphs of blocks that nested constructs cannot express: heads of loops that any block may jump to, with
// arguments; irreducible loops; sporks whose ways lead back to a head; several spoins for one spork, in blocks of their
// own or of a loop inside the scope.
//
// A graph has a few heads. Each head takes an amount of fuel that every way to it decreases, so that each run of the
// graph ends, and the arguments that the jumping block gives it. The unpromoted way may skip a child whose result the
// graph does not use, because the functions of a generated program have no effects that their callers can see.
#include "ir/function_generator.hpp"

namespace tine::spork {

void function_generator::graph(unsigned depth) {
  const block_id out = make_.add_block("out");
  const atom last = make_.add_param(out, "last", type::i64);
  const std::vector<atom> outside = scope_;
  write_heads(depth, [&] { make_.end(here_, jump{make_.to(out), {value_of(type::i64)}}); });
  scope_ = outside;
  here_ = out;
  add(last);
}

void function_generator::write_heads(unsigned depth, const std::function<void()>& leave) {
  const std::uint64_t fuel = random_.below(4);
  graph_of_blocks g;
  g.depth = depth;
  g.leave = leave;
  for (std::uint64_t n = 1 + random_.below(3); n > 0; --n) {
    const block_id head = make_.add_block("loop");
    std::vector<atom> params{make_.add_param(head, "fuel", type::i64)};
    for (std::uint64_t more = random_.below(4); more > 0; --more)
      params.push_back(make_.add_param(head, "p", head_type()));
    g.heads.push_back({head, params});
  }
  times_ *= fuel + 1;
  make_.end(here_, jump_to_head(g, atom::number(static_cast<std::int64_t>(fuel))));
  const std::vector<atom> outside = scope_;
  for (const head_of_loop& head : g.heads) {
    scope_ = outside;
    for (const atom& p : head.params) add(p);
    const block_id step = make_.add_block("step"), spent = make_.add_block("spent");
    const atom more = make_.let(head.block, "more", type::i64, operation::less, {atom::number(0), head.params[0]});
    make_.end(head.block, branch{more, make_.to(step), make_.to(spent)});
    here_ = spent;
    leave();
    here_ = step;
    g.left = make_.let(step, "left", type::i64, operation::sub, {head.params[0], atom::number(1)});
    way(g, 2);
  }
  times_ /= fuel + 1;
}

// Returns a jump to the first head that no block leads to yet, because unreachable blocks are ill-formed; else to a
// random head.
jump function_generator::jump_to_head(graph_of_blocks& g, atom fuel) {
  const std::size_t to = g.reached < g.heads.size() ? g.reached++ : random_.below(g.heads.size());
  jump j{make_.to(g.heads[to].block), {fuel}};
  for (std::size_t i = 1; i < g.heads[to].params.size(); ++i)
    j.args.push_back(value_of(f_.type_of(g.heads[to].params[i])));
  return j;
}

void function_generator::way(graph_of_blocks& g, unsigned levels) {
  spend(8);
  for (std::uint64_t n = random_.below(3); n > 0; --n) operation_of(any_type());
  if (random_.one_in(6)) call_one();
  const std::uint64_t kind = levels == 0 || !affordable(16) ? 0 : random_.below(5);
  if (kind >= 2 && fork_to_heads(g, levels)) return;
  if (kind == 1) {
    const block_id yes = make_.add_block("yes"), no = make_.add_block("no");
    make_.end(here_, branch{value_of(type::i64), make_.to(yes), make_.to(no)});
    const std::vector<atom> before = scope_;
    for (const block_id each : {yes, no}) {
      here_ = each;
      scope_ = before;
      way(g, levels - 1);
    }
    return;
  }
  if (random_.one_in(6) && g.reached == g.heads.size()) return g.leave();
  make_.end(here_, jump_to_head(g, g.left));
}

bool function_generator::fork_to_heads(graph_of_blocks& g, unsigned levels) {
  invocation spawn;
  if (!choose(spawn)) return false;
  const function& spawned = p_.functions[spawn.callee];
  for (std::size_t i = 0; i < spawn.args.size(); ++i) {  // the newest values are mostly the parameters of a head
    if (!spawn.args[i].is_constant() && random_.one_in(2)) spawn.args[i] = newest(spawned.param_types[i]);
  }
  const block_id body = make_.add_block("body");
  const spork opened{make_.to(body), spawn, static_cast<sharing>(random_.below(3))};
  if (random_.one_in(4)) {  // two sporks open one scope
    const block_id one = make_.add_block("one"), other = make_.add_block("other");
    make_.end(here_, branch{value_of(type::i64), make_.to(one), make_.to(other)});
    make_.end(one, spork{opened});
    here_ = other;
  }
  make_.end(here_, spork{opened});
  here_ = body;
  fork_ends ends;
  ends.discards = spawned.results.empty() || random_.one_in(2);
  const bool share = random_.one_in(2);
  spoin shared;
  if (share) shared = close_fork(g, spawn, ends);
  const auto close = [&] { make_.end(here_, share ? spoin{shared} : close_fork(g, spawn, ends)); };
  const std::vector<atom> before = scope_;
  if (g.depth + 1 < deepest && random_.one_in(3) && affordable(64)) {
    write_heads(g.depth + 1, close);
  } else {
    if (g.depth + 1 < deepest) region(g.depth + 1);
    for (std::uint64_t more = random_.below(3); more > 0; --more) {
      const block_id here = make_.add_block("here"), there = make_.add_block("there");
      make_.end(here_, branch{value_of(type::i64), make_.to(here), make_.to(there)});
      here_ = here;
      close();
      here_ = there;
    }
    close();
  }
  for (const auto& [after, scope] : ends.open) {
    here_ = after;
    scope_ = scope;
    way(g, levels - 1);
  }
  scope_ = before;
  return true;
}

// Writes the ways from a spoin of `spawn`. The ways that use the results meet in a block, which is added to
// `ends.open`.
spoin function_generator::close_fork(graph_of_blocks& g, const invocation& spawn, fork_ends& ends) {
  const std::vector<type> results = p_.functions[spawn.callee].results;
  const block_id alone = make_.add_block("alone");
  spoin close{make_.to(alone), make_.to(alone), {}};
  if (ends.discards) {
    const jump on = jump_to_head(g, g.left);
    make_.end(alone, jump{on});
    if (!results.empty() || random_.one_in(2)) {
      const block_id joined = make_.add_block("joined");
      make_.add_params(joined, "got", results);
      make_.end(joined, jump{on});
      close.promoted = make_.to(joined);
    }
    if (p_.functions[spawn.callee].raises) {  // dropped, too: where the child is not promoted, it does not run
      close.handler = make_.to(make_.add_block("failed"));
      make_.add_param(close.handler.block, "e", type::ptr);
      make_.end(close.handler.block, jump{on});
    }
    if (random_.one_in(3)) {
      close.unstolen = make_.to(make_.add_block("back"));
      make_.end(close.unstolen.block, jump{on});
    } else if (random_.one_in(3)) {
      close.unstolen = make_.to(alone);
    }
    return close;
  }
  const block_id after = make_.add_block("after"), joined = make_.add_block("joined");
  ends.open.emplace_back(after, scope_);
  for (const atom& a : make_.add_params(after, "got", results)) ends.open.back().second.push_back(a);
  close.handler = handler_of({spawn.callee}, after, results);
  make_.end(alone, call{spawn, make_.to(after), close.handler});
  make_.end(joined, jump{make_.to(after), make_.add_params(joined, "got", results)});
  close.promoted = make_.to(joined);
  if (random_.one_in(3)) {
    close.unstolen = make_.to(make_.add_block("back"));
    make_.end(close.unstolen.block, call{spawn, make_.to(after), close.handler});
  }
  return close;
}

}  // namespace tine::spork
