// One line of the tables from which a debugger learns where members lie and which numbers enumerators have. The tables
// are constants that the compiler makes, so they are right for the build that contains them; tine-gdb.py needs no debug
// information of tine.
#pragma once

#include <cstdint>

namespace tine::base {

struct layout_entry {
  char name[40];  ///< empty in the last entry of a table
  std::uint64_t value;
};

}  // namespace tine::base

/// An entry for the offset of a member.
#define TINE_OFFSET_OF(type, member) {#type "." #member, offsetof(type, member)}
/// An entry for a constant or an enumerator.
#define TINE_VALUE_OF(name) {#name, static_cast<std::uint64_t>(name)}
