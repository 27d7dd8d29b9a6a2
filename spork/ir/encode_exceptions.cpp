// The encoding of exceptions.
#include "ir/encode_exceptions.hpp"

#include "ir/attributes.hpp"
#include "ir/builder.hpp"
#include "ir/successors.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tine::spork {
namespace {

const atom no_exception = atom::constant(type::ptr, 0);

std::vector<type> with_exception(const std::vector<type>& results) {
  std::vector<type> all{type::ptr};
  all.insert(all.end(), results.begin(), results.end());
  return all;
}

// Encodes one function. The functions keep their results and `raises` until all of them are encoded.
class function_encoder {
 public:
  function_encoder(const program& p, function& f, diagnostics& wrong) : p_{p}, f_{f}, wrong_{wrong}, facts_{f} {}

  void run() {
    find_blocks_that_only_return();
    const std::size_t written = f_.blocks.size();  // the blocks that are added have no exceptions
    for (block_id b = 0; b < written; ++b) {
      if (!f_.blocks[b].defined) continue;
      const transfer end = f_.blocks[b].end;
      if (const auto* t = std::get_if<call>(&end.what)) encode_call(b, *t, end.where);
      if (const auto* t = std::get_if<indirect_call>(&end.what)) encode_indirect_call(b, *t, end.where);
      if (const auto* t = std::get_if<spoin>(&end.what)) encode_spoin(b, *t, end.where);
      if (const auto* t = std::get_if<give_back>(&end.what)) encode_return(b, *t, end.where);
      if (const auto* t = std::get_if<raise>(&end.what)) encode_raise(b, *t, end.where);
    }
  }

 private:
  void report(place where, std::string_view rule, std::string message) {
    wrong_.push_back({where, rule, std::move(message)});
  }
  builder at(place where) { return builder{f_, where, &names_}; }
  nesting_id nesting_of(block_id b) const { return facts_.is_reachable(b) ? facts_.nesting_of(b) : 0; }

  void encode_call(block_id b, const call& t, place where) {
    const function& callee = p_.functions[t.what.callee];
    if (!callee.raises) {
      if (t.handler.block != none) report_no_exception(wrong_, t.handler.where);
      f_.blocks[b].end.what = call{t.what, t.then};
    } else {
      const label checked = check(t.then, t.handler, callee.results, nesting_of(b), where, "'" + callee.name + "'");
      f_.blocks[b].end.what = call{t.what, checked};
    }
  }

  void encode_indirect_call(block_id b, const indirect_call& t, place where) {
    if (!t.raises) return;
    const label checked =
        check(t.then, t.handler, types_of_params(f_, t.then.block), nesting_of(b), where, "this call");
    f_.blocks[b].end.what = indirect_call{t.callee, t.args, checked};
  }

  void encode_spoin(block_id b, const spoin& t, place where) {
    const nesting_id inside = nesting_of(b);
    const function* spawned = inside == 0 ? nullptr : &p_.functions[facts_[inside].spawn.callee];
    if (spawned == nullptr || !spawned->raises) {
      if (t.handler.block != none) report_no_exception(wrong_, t.handler.where);
      f_.blocks[b].end.what = spoin{t.unpromoted, t.promoted, t.unstolen};
    } else {
      const label checked = check(t.promoted, t.handler, spawned->results, facts_[inside].outer, where,
                                  "the spawned call of '" + spawned->name + "'");
      f_.blocks[b].end.what = spoin{t.unpromoted, checked, t.unstolen};
    }
  }

  // Returns a block that takes an exception and results. It goes to `then` with the results, or with the exception to
  // the handler, or raises it.
  label check(label then, label handler, const std::vector<type>& results, nesting_id open, place where,
              const std::string& raised_by) {
    if (handler.block == none && open == 0 && f_.raises && only_return_[then.block]) return hand_on(then, where);
    builder make = at(where);
    const block_id returned = make.add_block("returned");
    const atom exception = make.add_param(returned, "exception", type::ptr);
    const std::vector<atom> values = make.add_params(returned, "result", results);
    const block_id good = make.add_block("good"), bad = make.add_block("bad");
    const atom is_good = make.let(returned, "is_good", type::i64, operation::equal, {exception, no_exception});
    make.end(returned, branch{is_good, make.to(good), make.to(bad)});
    make.end(good, jump{then, values});
    if (handler.block == none && !f_.raises) {
      report(where, "raises",
             raised_by + " may raise an exception, and '" + f_.name +
                 "' neither handles nor raises it; write 'else' and a block that takes it, or 'raises' behind the "
                 "results of '" +
                 f_.name + "'");
    }
    make.end(bad, jump{handler.block == none ? way_out(open, where) : handler, {exception}});
    return make.to(returned);
  }

  // A call in tail position: its exception and its results are returned without a test, so that no frame has to stay.
  label hand_on(label then, place where) {
    block& b = f_.blocks[then.block];
    if (!is_handed_on_[then.block]) {
      is_handed_on_[then.block] = true;
      b.params.insert(b.params.begin(), at(where).temp("exception", type::ptr));
      std::vector<atom> all;
      for (const temp_id t : b.params) all.push_back(atom::of(t, where));
      b.end.what = give_back{std::move(all)};
    }
    return then;
  }

  // Finds the blocks that do nothing but return their parameters, and that calls alone lead to.
  void find_blocks_that_only_return() {
    is_handed_on_.assign(f_.blocks.size(), false);
    for (block_id b = 0; b < f_.blocks.size(); ++b) only_return_.push_back(only_returns(f_, b));
    for (const block& b : f_.blocks) {
      const auto* c = std::get_if<call>(&b.end.what);
      const auto* i = std::get_if<indirect_call>(&b.end.what);
      const bool hands_on = (c != nullptr && c->handler.block == none && p_.functions[c->what.callee].raises) ||
                            (i != nullptr && i->raises && i->handler.block == none);
      if (hands_on) continue;
      for (const label& l : successors(b.end)) only_return_[l.block] = false;
    }
  }

  // Returns the block that takes an exception where the sporks of a nesting are open, and raises it: a chain of blocks,
  // one for each spork.
  label way_out(nesting_id open, place where) {
    std::vector<nesting_id> inside;  // newest first
    for (nesting_id n = open; !ways_out_.contains(n); n = facts_[n].outer) {
      inside.push_back(n);
      if (n == 0) break;
    }
    for (; !inside.empty(); inside.pop_back()) {
      const nesting_id n = inside.back();
      ways_out_[n] = n == 0 ? return_exception(where) : close_newest(n, where);
    }
    return {ways_out_[open], where};
  }

  block_id return_exception(place where) {
    builder make = at(where);
    const block_id leaves = make.add_block("raises");
    end_with(leaves, make.add_param(leaves, "exception", type::ptr));
    return leaves;
  }

  void end_with(block_id b, const atom& exception) {
    std::vector<atom> values;
    if (f_.raises) values.push_back(exception);  // else an error has been reported
    for (const type t : f_.results) values.push_back(atom::constant(t, 0));
    f_.blocks[b].end.what = give_back{std::move(values)};
  }

  block_id close_newest(nesting_id n, place where) {
    builder make = at(where);
    const function& spawned = p_.functions[facts_[n].spawn.callee];
    const label outside{ways_out_.at(facts_[n].outer), where};
    const block_id leaves = make.add_block("leaves"), alone = make.add_block("alone"),
                   dropped = make.add_block("dropped");
    const atom exception = make.add_param(leaves, "exception", type::ptr);
    make.add_params(dropped, "unused", spawned.raises ? with_exception(spawned.results) : spawned.results);
    make.end(leaves, spoin{make.to(alone), make.to(dropped), {}});
    for (const block_id b : {alone, dropped}) make.end(b, jump{outside, {exception}});
    return leaves;
  }

  void encode_return(block_id b, const give_back& t, place where) {
    if (!f_.raises || is_handed_on_[b]) return;
    std::vector<type> given;
    for (const atom& a : t.values) given.push_back(f_.type_of(a));
    const auto fits = [](type is, type wanted) { return is == wanted || is == type::unknown; };
    if (!std::ranges::equal(given, f_.results, fits)) {
      report(where, "return-values",
             "the result of '" + f_.name + "' is " + in_words(f_.results) + ", but this gives " + in_words(given) +
                 "; return values of these types");
      return end_with(b, no_exception);
    }
    std::vector<atom> values{no_exception};
    values.insert(values.end(), t.values.begin(), t.values.end());
    f_.blocks[b].end.what = give_back{std::move(values)};
  }

  static std::string in_words(const std::vector<type>& types) {
    std::string text;
    for (const type t : types) text.append(text.empty() ? "(" : ", ").append(name_of(t));
    return text.empty() ? "nothing" : text + ")";
  }

  void encode_raise(block_id b, const raise& t, place where) {
    const type is = f_.type_of(t.raised);
    if (is != type::ptr && is != type::unknown) {
      report(t.raised.where, "type",
             "the exception is " + std::string{name_of(is)} + "; it is a ptr, for example to memory that describes it");
    } else if (t.raised == no_exception) {
      report(t.raised.where, "raises", "null is no exception; raise another ptr, for example the address of data");
    }
    if (!f_.raises) {
      report(where, "raises",
             "'" + f_.name + "' raises an exception, but is not said to; write 'raises' behind its results");
    }
    const atom exception = is == type::ptr ? t.raised : no_exception;
    if (nesting_of(b) == 0) return end_with(b, exception);
    f_.blocks[b].end.what = jump{way_out(nesting_of(b), where), {exception}};
  }

  const program& p_;
  function& f_;
  diagnostics& wrong_;
  attributes facts_;  // of the function as it was written
  names_of_function names_;
  std::map<nesting_id, block_id> ways_out_;
  std::vector<bool> only_return_, is_handed_on_;  // of the blocks as they were written
};

bool has_exceptions(const function& f) {
  return f.raises || std::ranges::any_of(f.blocks, [](const block& b) {
           const auto handles = [](const auto& t) {
             if constexpr (requires { t.handler; }) return t.handler.block != none;
             return false;
           };
           const auto* c = std::get_if<indirect_call>(&b.end.what);
           return std::visit(handles, b.end.what) || std::holds_alternative<raise>(b.end.what) ||
                  (c != nullptr && c->raises);
         });
}

}  // namespace

void report_no_exception(diagnostics& wrong, place where) {
  wrong.push_back({where, "raises", "nothing here raises an exception that this block could handle; remove 'else'"});
}

void encode_exceptions(program& p, diagnostics& wrong) {
  if (std::ranges::none_of(p.functions, has_exceptions)) return;
  for (function& f : p.functions) {
    if (f.defined && !f.in_c && !f.blocks.empty()) function_encoder{p, f, wrong}.run();
  }
  for (function& f : p.functions) {
    if (!std::exchange(f.raises, false)) continue;
    f.results = with_exception(f.results);
    if (f.name != "main") continue;
    f.results[0] = type::unknown;  // so that the verifier reports no consequence
    wrong.push_back(
        {f.where, "main",
         "'main' raises an exception, but nothing outside of the program handles it; handle it with 'else'"});
  }
}

}  // namespace tine::spork
