// Maps names to numbers.
#include "ir/parser.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

namespace tine::spork {
namespace {

std::string at(place p) { return "line " + std::to_string(p.line); }

}  // namespace

std::uint32_t token_stream::ordinal(std::string_view of_what, std::uint32_t most) {
  const token& t = peek();
  std::uint32_t number = 0;
  const char* const end = t.text.data() + t.text.size();
  const auto [read, error] = std::from_chars(t.text.data(), end, number);
  if (t.what != token::kind::whole || read != end || error != std::errc{} || number == 0 || number > most)
    fail("the number of " + std::string{of_what} + ", from 1 to " + std::to_string(most) + ",");
  take();
  return number;
}

temp_id function_scope::mention(const token& name) {
  const auto [found, is_new] = temps_.try_emplace(name.text, static_cast<temp_id>(f_.temporaries.size()));
  if (is_new) f_.temporaries.push_back({std::string{name.text}, name.where, false, type::unknown});
  return found->second;
}

block_id function_scope::mention_block(const token& name) {
  const auto [found, is_new] = blocks_.try_emplace(name.text, static_cast<block_id>(f_.blocks.size()));
  if (is_new) {
    f_.blocks.emplace_back();
    f_.blocks.back().name = name.text;
    f_.blocks.back().where = name.where;
  }
  return found->second;
}

temp_id function_scope::define(const token& name, type t) {
  const temp_id id = mention(name);
  temporary& defined = f_.temporaries[id];
  if (defined.defined) {
    in_.report(
        name.where,
        "'" + defined.name + "' is assigned a second time, after " + at(defined.where) + "; give this one another name",
        "single-assignment");
    return anonymous(name.where);
  }
  defined.defined = true;
  defined.where = name.where;
  defined.of_type = t;
  return id;
}

block_id function_scope::define_block(const token& name) {
  block_id id = mention_block(name);
  if (f_.blocks[id].defined) {
    in_.report(name.where,
               "block '" + f_.blocks[id].name + "' is written a second time, after " + at(f_.blocks[id].where) +
                   "; give this one another name",
               "single-definition");
    id = static_cast<block_id>(f_.blocks.size());  // its contents are still read, to report other errors in it
    f_.blocks.emplace_back();
    f_.blocks[id].name = name.text;
  }
  f_.blocks[id].defined = true;
  f_.blocks[id].where = name.where;
  return id;
}

temp_id function_scope::anonymous(place where) {
  f_.temporaries.push_back({"", where, true, type::unknown});
  return static_cast<temp_id>(f_.temporaries.size() - 1);
}

void function_scope::name_anonymous() {
  unsigned next = 1;
  for (temporary& t : f_.temporaries) {
    if (!t.name.empty()) continue;
    do {
      t.name = "t." + std::to_string(next++);
    } while (temps_.contains(t.name));
  }
}

function_id program_scope::mention(const token& name) {
  const auto [found, is_new] = functions_.try_emplace(name.text, static_cast<function_id>(p_.functions.size()));
  if (is_new) {
    p_.functions.emplace_back();
    p_.functions.back().name = name.text;
    p_.functions.back().where = name.where;
  }
  return found->second;
}

void program_scope::add_data(const token& name) {
  const auto [found, is_new] = data_.try_emplace(name.text, static_cast<data_id>(p_.data.size()));
  if (is_new) p_.data.push_back({std::string{name.text}, name.where, true, {}});
}

data_id program_scope::find_data(const token& name) const {
  const auto found = data_.find(name.text);
  return found == data_.end() ? none : found->second;
}

atom program_scope::address_of(const token& name) {
  const data_id found = find_data(name);
  return atom::constant(type::ptr, found != none ? address_of_data(found) : address_of_function(mention(name)),
                        name.where);
}

}  // namespace tine::spork
