// Joins programs. Functions are renamed by the number of their part; functions of C keep their names, and are declared
// once.
#include "ir/join.hpp"

#include "ir/builder.hpp"
#include "ir/passes/substitution.hpp"

#include <utility>

namespace tine::spork {
namespace {

/// The numbers of a part's functions in the whole, and of the first of its data and sources.
struct numbers {
  std::vector<function_id> functions;
  data_id first_data = 0;
  std::size_t first_source = 0;

  function_id operator[](function_id f) const { return functions[f]; }
  void renumber(place& at) const {
    if (at.source != 0) at = place::at(at.line, at.column, first_source + at.source);
  }
  void renumber(atom& a) const {
    renumber(a.where);
    if (!a.is_address()) return;
    a.bits = is_of_function(a.bits) ? address_of_function(functions[function_at(a.bits)])
                                    : address_of_data(first_data + data_at(a.bits));
  }
};

void renumber(function& f, const numbers& now) {
  for_each_atom_of(f, [&](atom& a) { now.renumber(a); });
  for_each_invocation(f, [&](invocation& i) { now.renumber(i.where); });
  now.renumber(f.where);
  for (inlined_call& each : f.inlined) now.renumber(each.begin), now.renumber(each.where);
  for (block& b : f.blocks) {
    now.renumber(b.where), now.renumber(b.end.where);
    for_each_label(b.end, [&](label& l) { now.renumber(l.where); });
    for (statement& s : b.statements) {
      now.renumber(s.where);
      if (s.what == operation::call_c) s.callee = now[s.callee];
    }
    if (auto* c = std::get_if<call>(&b.end.what)) c->what.callee = now[c->what.callee];
    if (auto* s = std::get_if<spork>(&b.end.what)) s->spawn.callee = now[s->spawn.callee];
  }
}

numbers add(program& whole, const program& part, const std::string& prefix) {
  numbers now{{}, static_cast<data_id>(whole.data.size()), whole.sources.size()};
  whole.sources.insert(whole.sources.end(), part.sources.begin(), part.sources.end());
  for (const function& f : part.functions) {
    const function_id known = f.in_c ? whole.find(f.name) : none;
    now.functions.push_back(known != none ? known : static_cast<function_id>(whole.functions.size()));
    if (known != none) continue;
    whole.functions.push_back(f);
    if (!f.in_c) whole.functions.back().name = prefix + f.name;
  }
  for (const function_id f : now.functions) {
    if (!whole.functions[f].in_c) renumber(whole.functions[f], now);
  }
  for (datum d : part.data) {
    d.name = prefix + d.name;
    for (atom& word : d.words) now.renumber(word);
    whole.data.push_back(std::move(d));
  }
  return now;
}

}  // namespace

program join(std::span<const program> parts) {
  program whole;
  whole.name = std::to_string(parts.size()) + " programs";
  function main = builder::begin("main", {}, {});
  builder make{main};
  block_id here = make.add_block("entry");
  std::vector<atom> results;
  for (const program& part : parts) {
    const std::string prefix = "p" + std::to_string(&part - parts.data()) + ".";
    const function_id begin = add(whole, part, prefix)[part.find("main")];
    const std::vector<type>& types = whole.functions[begin].results;
    main.results.insert(main.results.end(), types.begin(), types.end());
    const block_id next = make.add_block("next");
    make.end(here, call{make.invoke(begin, {}), make.to(next)});
    for (const atom& each : make.add_params(next, "given", types)) results.push_back(each);
    here = next;
  }
  make.end(here, give_back{std::move(results)});
  whole.functions.push_back(std::move(main));
  return whole;
}

}  // namespace tine::spork
