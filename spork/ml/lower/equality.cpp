// Equality of values, by their types.
#include "ml/lower/function_lowering.hpp"

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;

namespace {

// The values of these types are addresses, and equal if the addresses are.
bool is_identity(const type_store& types, ground_ref t) { return t->head == types.reference || t->head == types.array; }

}  // namespace

atom function_lowering::equal(const value& a, const value& b, ground_ref t) {
  const type_store& types = all_.source.types;
  if (all_.forms.inside(t)->is == ground::kind::record) {
    const block_id unequal = add_block("unequal"), done = add_block("done");
    const atom answer = make_.add_param(done, "eq", spork::type::i64);
    compare_parts(a, b, t, unequal, nullptr);
    end(spork::jump{to(done), {atom::number(1)}});
    here_ = unequal;
    end(spork::jump{to(done), {atom::number(0)}});
    here_ = done;
    return answer;
  }
  if (t->is == ground::kind::arrow) return atom::number(0);
  if (!a.has->is_cell(spork::type::ptr) || is_identity(types, t))
    return op(spork::operation::equal, {a.cells[0], b.cells[0]}, spork::type::i64);
  if (t->head == types.string->head) return call_helper("ml.string_equal", {a.cells[0], b.cells[0]});
  if (!t->head->constructors.empty() && all_.forms.layout_of(t) == layout::transparent)
    return equal(a, b, all_.types.argument(*t->head->constructors[0], t));
  const spork::function_id callee = all_.equality_of(t);
  const block_id then = add_block("returned");
  const atom answer = make_.add_param(then, "eq", spork::type::i64);
  end(spork::call{{callee, {a.cells[0], b.cells[0]}, at_}, to(then)});
  here_ = then;
  return answer;
}

// Goes to `unequal` if the parts of two tuples differ. The last part of type `self`, if that is not null, is left for
// the caller's loop, which finds the parts as arguments of the block `again_`.
void function_lowering::compare_parts(const value& a, const value& b, ground_ref t, block_id unequal, ground_ref self) {
  const bool is_tuple = all_.forms.inside(t)->is == ground::kind::record;
  const std::vector<ground_ref> types = is_tuple ? all_.forms.parts_of(t) : std::vector<ground_ref>{t};
  const value whole_a = opened(a, t), whole_b = opened(b, t);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const value left = is_tuple ? part(whole_a, i) : a, right = is_tuple ? part(whole_b, i) : b;
    if (self != nullptr && i + 1 == types.size() && types[i] == self) {
      end(spork::jump{to(again_), {left.cells[0], right.cells[0]}});
      here_ = add_block("dead");
      return;
    }
    const block_id next = add_block("next");
    end(spork::branch{equal(left, right, types[i]), to(next), to(unequal)});
    here_ = next;
  }
}

// Compares two vectors: a loop that ends at `unequal` or at `same`.
void function_lowering::compare_elements(const value& left, const value& right, ground_ref element_type, block_id same,
                                         block_id unequal) {
  const block_id head = add_block("head"), body = add_block("body"), equal_length = add_block("equal.length");
  const atom n = load_cell(spork::type::i64, left.cells[0], atom::number(0));
  end(spork::branch{
      op(spork::operation::equal, {n, load_cell(spork::type::i64, right.cells[0], atom::number(0))}, spork::type::i64),
      to(equal_length), to(unequal)});
  end(equal_length, spork::jump{to(head), {atom::number(0)}});
  const atom i = make_.add_param(head, "i", spork::type::i64);
  here_ = head;
  end(spork::branch{whole(spork::operation::less, i, n), to(body), to(same)});
  here_ = body;
  const block_id next = add_block("next");
  end(spork::branch{equal(element(left, i, element_type), element(right, i, element_type), element_type), to(next),
                    to(unequal)});
  here_ = next;
  end(spork::jump{to(head), {whole(spork::operation::add, i, atom::number(1))}});
}

// A function (a, b) -> (i64) for values that have an address. Equal addresses are equal values.
void function_lowering::compile_equality(ground_ref t) {
  f_->results = {spork::type::i64};
  const atom first_a = make_.param("a", spork::type::ptr), first_b = make_.param("b", spork::type::ptr);
  again_ = add_block("again");
  end(spork::jump{to(again_), {first_a, first_b}});
  const atom a = make_.add_param(again_, "a", spork::type::ptr), b = make_.add_param(again_, "b", spork::type::ptr);
  here_ = again_;
  const block_id same = add_block("same"), unequal = add_block("unequal"), look = add_block("look");
  end(spork::branch{op(spork::operation::equal, {a, b}, spork::type::i64), to(same), to(look)});
  end(same, spork::give_back{{atom::number(1)}});
  end(unequal, spork::give_back{{atom::number(0)}});
  here_ = look;
  const value left = of(a), right = of(b);
  if (t->head == all_.source.types.vector) {
    compare_elements(left, right, t->parts[0], same, unequal);
    return finish_plain();
  }
  const layout l = all_.forms.layout_of(t);
  if (l == layout::nullable) {
    for (const atom& each : {a, b}) {
      const block_id built = add_block("built");
      end(spork::branch{op(spork::operation::equal, {each, atom::constant(spork::type::ptr, 0)}, spork::type::i64),
                        to(unequal), to(built)});
      here_ = built;
    }
  }
  const auto compare_arguments = [&](const constructor& c) {
    const ground_ref argument = all_.types.argument(c, t);
    compare_parts(argument_of(left, c, t), argument_of(right, c, t), argument, unequal, t);
    end(spork::jump{to(same), {}});
  };
  if (l != layout::tagged) {
    for (const constructor* c : t->head->constructors) {
      if (c->argument != nullptr) compare_arguments(*c);
    }
    return finish_plain();
  }
  const atom tag = tag_of(left, t);
  const block_id same_tag = add_block("same.tag");
  end(spork::branch{op(spork::operation::equal, {tag, tag_of(right, t)}, spork::type::i64), to(same_tag), to(unequal)});
  spork::switch_on on{tag, {}, to(same)};
  std::vector<std::pair<block_id, const constructor*>> ways;
  for (const constructor* c : t->head->constructors) {
    if (c->argument == nullptr) continue;
    ways.emplace_back(add_block("way"), c);
    on.ways.push_back({c->index, to(ways.back().first)});
  }
  end(same_tag, std::move(on));
  for (const auto& [begin, c] : ways) {
    here_ = begin;
    compare_arguments(*c);
  }
  finish_plain();
}

}  // namespace tine::ml::lower
