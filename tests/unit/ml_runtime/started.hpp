// Starts the collector before any test makes a pool, and holds objects that a test can miss.
#pragma once

#include "ml/runtime/collector.hpp"
#include "ml/runtime/ml.h"

#include <tine/detail/base/object_at.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

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
  int watched() const { return count_; }
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

}  // namespace tine::test
