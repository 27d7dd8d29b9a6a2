// For the few tests that need what an emulator of the processor cannot do: ./dev cross runs the tests of another
// architecture in one.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace tine::test {

/// Returns true if an emulator runs this program.
inline bool is_emulated() { return std::getenv("TINE_TEST_EMULATED") != nullptr; }

/// Returns true, and prints the reason, if an emulator runs this program. The test is then to return.
/// docs/reference/platforms.md lists all reasons.
inline bool skips_emulated(const char* reason) {
  if (!is_emulated()) return false;
  std::fprintf(stderr, "skipped under emulation: %s\n", reason);
  return true;
}

}  // namespace tine::test
