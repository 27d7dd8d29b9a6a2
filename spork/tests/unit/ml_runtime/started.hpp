// Starts the collector before any test makes a pool, tells which objects it has freed, and makes strings of Parallel
// ML.
#pragma once

#include "ml/runtime/collector.hpp"
#include "ml/runtime/ml.h"

#include <tine/detail/base/object_at.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <gc/gc.h>

namespace tine::test {

/// To be defined as a variable in each file of tests.
struct started {
  started() {
    const char* const child = std::getenv("TINE_TEST_CHILD");
    if (child == nullptr || std::strcmp(child, "starts_late") != 0) tine_ml_start();
  }
};

/// Knows of many objects whether the collector has freed them, without keeping them.
class witnesses {
 public:
  static constexpr int most = 4096;

  witnesses() {
    links_ = static_cast<void**>(std::calloc(most, sizeof(void*)));  // the collector does not look there
  }
  ~witnesses() {
    for (int i = 0; i < count_; ++i) GC_unregister_disappearing_link(&links_[i]);
    std::free(links_);
  }
  witnesses(const witnesses&) = delete;
  witnesses& operator=(const witnesses&) = delete;

  /// Watches an object. To be called by one thread at a time.
  void watch(void* object) {
    links_[count_] = object;
    GC_general_register_disappearing_link(&links_[count_++], object);
  }
  bool has_freed(int i) const { return links_[i] == nullptr; }
  int freed() const {
    int n = 0;
    for (int i = 0; i < count_; ++i) n += links_[i] == nullptr ? 1 : 0;
    return n;
  }

 private:
  void** links_;
  int count_ = 0;
};

/// Returns a string of Parallel ML with these bytes.
inline void* ml(std::string_view text) {
  const std::size_t cells = text.size() / 8 + 2;
  auto* const s = static_cast<std::int64_t*>(tine_ml_allocate_numbers(static_cast<std::int64_t>(cells)));
  s[0] = static_cast<std::int64_t>(text.size());
  std::memcpy(s + 1, text.data(), text.size());
  return s;
}

/// Returns the bytes of a string of Parallel ML, and checks that zeros follow them.
inline std::string text(const void* s) {
  std::int64_t length = 0;
  std::memcpy(&length, s, 8);
  const char* const bytes = static_cast<const char*>(s) + 8;
  const auto n = static_cast<std::size_t>(length);
  for (std::size_t i = n; i < (n / 8 + 1) * 8; ++i) CHECK(bytes[i] == '\0');
  return {bytes, n};
}

}  // namespace tine::test
