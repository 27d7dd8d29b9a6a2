// Operations on references, arrays and strings, and functions of C.
#include "ml/lower/function_lowering.hpp"

#include <array>
#include <limits>

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;
using spork::operation;

// --- arrays: [length, elements …] ---

void function_lowering::check_index(atom array, atom index) {
  const atom n = load_cell(spork::type::i64, array, atom::number(0));
  const atom is_inside = whole(operation::unsigned_less, index, n);
  raise_if(whole(operation::bit_xor, is_inside, atom::number(1)), "Subscript");
}

value function_lowering::element(const value& array, atom index, ground_ref t) {
  const shape_ref has = all_.forms.of(t);
  const auto size = static_cast<std::int64_t>(has->cells.size());
  if (size == 0) return {has, {}};
  const atom offset = size == 1 ? index : whole(operation::mul, index, atom::number(size));
  return load(has, op(operation::add, {array.cells[0], offset}, spork::type::ptr), 1);
}

// Stores the same element `count` times.
void function_lowering::fill(atom array, atom count, const value& with) {
  const auto size = static_cast<std::int64_t>(with.cells.size());
  bool is_zero = true;
  for (const atom& a : with.cells) is_zero &= a.is_constant() && a.bits == 0;
  if (is_zero) return;
  const block_id head = add_block("head"), body = add_block("fill"), done = add_block("done");
  end(spork::jump{to(head), {atom::number(0)}});
  const atom i = make_.add_param(head, "i", spork::type::i64);
  here_ = head;
  end(spork::branch{whole(operation::less, i, count), to(body), to(done)});
  here_ = body;
  const atom offset = size == 1 ? i : whole(operation::mul, i, atom::number(size));
  store(op(operation::add, {array, offset}, spork::type::ptr), 1, with.cells);
  end(spork::jump{to(head), {whole(operation::add, i, atom::number(1))}});
  here_ = done;
}

std::optional<value> function_lowering::memory_primitive(std::string_view name, const value& argument,
                                                         ground_ref arrow) {
  if (name == ":=") {
    store(argument.cells[0], 0, part(argument, 1).cells);
    return unit();
  }
  if (name == "!") return load(all_.forms.of(arrow->parts[1]), argument.cells[0], 0);
  if (name == "Array.vector") return argument;
  if (name == "Array.length" || name == "Vector.length")
    return of(load_cell(spork::type::i64, argument.cells[0], atom::number(0)));
  if (name == "Array.sub" || name == "Vector.sub") {
    check_index(argument.cells[0], argument.cells[1]);
    return element(argument, argument.cells[1], arrow->parts[1]);
  }
  if (name == "Array.update") {
    check_index(argument.cells[0], argument.cells[1]);
    const value with = part(argument, 2);
    const auto size = static_cast<std::int64_t>(with.cells.size());
    const atom offset = size == 1 ? argument.cells[1] : whole(operation::mul, argument.cells[1], atom::number(size));
    store(op(operation::add, {argument.cells[0], offset}, spork::type::ptr), 1, with.cells);
    return unit();
  }
  if (name != "Array.array" && name != "Array.alloc") return {};
  const atom count = argument.cells[0];
  const shape_ref has = all_.forms.of(arrow->parts[1]->parts[0]);
  const auto size = static_cast<std::int64_t>(has->cells.size());
  raise_if(whole(operation::unsigned_less, atom::number(std::int64_t{1} << 40), count), "Size");
  const atom cells = size == 1 ? count : whole(operation::mul, count, atom::number(size));
  const atom array = allocate(whole(operation::add, cells, atom::number(1)), has->cells);
  store(array, 0, {count});
  if (name == "Array.array") fill(array, count, part(argument, 1));
  return of(array);
}

// --- strings: [length in bytes, bytes …], with a zero byte behind them ---

std::optional<value> function_lowering::text_primitive(std::string_view name, const value& argument) {
  if (argument.cells.empty()) return {};
  const atom a = argument.cells[0];
  const auto position = [&](atom index) { return whole(operation::add, index, atom::number(8)); };
  if (name == "String.size") return of(load_cell(spork::type::i64, a, atom::number(0)));
  if (name == "String.alloc") {
    raise_if(whole(operation::unsigned_less, atom::number(std::int64_t{1} << 40), a), "Size");
    const atom cells = whole(operation::add, whole(operation::shift_right, a, atom::number(3)), atom::number(2));
    const atom made = allocate(cells, {spork::type::i64});
    store(made, 0, {a});
    return of(made);
  }
  if (name == "String.sub" || name == "String.get") {
    if (name == "String.sub") check_index(a, argument.cells[1]);
    return of(op(operation::load_byte, {a, position(argument.cells[1])}, spork::type::i64));
  }
  if (name == "String.set") {
    effect(operation::store_byte, {a, position(argument.cells[1]), argument.cells[2]});
    return unit();
  }
  if (name == "String.copy") {  // to, its first byte, from, its first byte, bytes
    call_helper("ml.copy",
                {a, position(argument.cells[1]), argument.cells[2], position(argument.cells[3]), argument.cells[4]});
    return unit();
  }
  if (name == "Real.parse") {  // whether it is a number, and the number
    const atom cell = allocate(atom::number(1), {spork::type::f64});
    const atom is_number = call_c("tine_ml_real_of_string", {a, cell}, {spork::type::i64})[0];
    const atom number = load_cell(spork::type::f64, cell, atom::number(0));
    return value{all_.forms.tuple({this->cell(spork::type::i64), this->cell(spork::type::f64)}), {is_number, number}};
  }
  if (name == "exnName") {
    const atom identity = load_cell(spork::type::ptr, a, atom::number(0));
    return of(load_cell(spork::type::ptr, identity, atom::number(0)));
  }
  return {};
}

// --- functions of C ---

namespace {

struct foreign {
  std::string_view operation, function;
};

constexpr std::array foreign_functions{
    foreign{"print", "tine_ml_print"},
    foreign{"Math.sin", "sin"},
    foreign{"Math.cos", "cos"},
    foreign{"Math.tan", "tan"},
    foreign{"Math.asin", "asin"},
    foreign{"Math.acos", "acos"},
    foreign{"Math.atan", "atan"},
    foreign{"Math.atan2", "atan2"},
    foreign{"Math.exp", "exp"},
    foreign{"Math.pow", "pow"},
    foreign{"Math.ln", "log"},
    foreign{"Math.log10", "log10"},
    foreign{"Math.sinh", "sinh"},
    foreign{"Math.cosh", "cosh"},
    foreign{"Math.tanh", "tanh"},
    foreign{"Word.toString", "tine_ml_word_to_string"},
    foreign{"Word8.toString", "tine_ml_word_to_string"},
    foreign{"Real.format", "tine_ml_real_to_text"},
    foreign{"Real.rem", "fmod"},
    foreign{"Real.copySign", "copysign"},
    foreign{"Real.nextAfter", "nextafter"},
    foreign{"Char.toString", "tine_ml_char_to_string"},
    foreign{"String.toString", "tine_ml_string_to_string"},
    foreign{"IO.openIn", "tine_ml_open_in"},
    foreign{"IO.openOut", "tine_ml_open_out"},
    foreign{"IO.openAppend", "tine_ml_open_append"},
    foreign{"IO.close", "tine_ml_close"},
    foreign{"IO.inputLine", "tine_ml_input_line"},
    foreign{"IO.inputAll", "tine_ml_input_all"},
    foreign{"IO.inputByte", "tine_ml_input_byte"},
    foreign{"IO.endOfStream", "tine_ml_end_of_stream"},
    foreign{"IO.output", "tine_ml_output"},
    foreign{"IO.flush", "tine_ml_flush"},
    foreign{"CommandLine.count", "tine_ml_argument_count"},
    foreign{"CommandLine.argument", "tine_ml_argument"},
    foreign{"CommandLine.name", "tine_ml_program_name"},
    foreign{"Time.now", "tine_ml_time_ns"},
    foreign{"exit", "tine_ml_exit"},
};

}  // namespace

std::optional<value> function_lowering::foreign_primitive(std::string_view name, const value& argument,
                                                          ground_ref arrow) {
  for (const foreign& each : foreign_functions) {
    if (each.operation != name) continue;
    const shape_ref has = all_.forms.of(arrow->parts[1]);
    const bool ends = name == "exit";
    std::vector<atom> made = call_c(each.function, argument.cells, ends ? std::vector<spork::type>{} : has->cells);
    if (ends) return zeros(has);
    return value{has, std::move(made)};
  }
  return {};
}

}  // namespace tine::ml::lower
