// Loads programs that are well-formed, in tests.
#pragma once

#include "ir/load.hpp"

#include <doctest/doctest.h>

#include <string>

inline tine::spork::program load_good(const std::string& text, const std::string& name,
                                      tine::spork::loop_form form = tine::spork::loop_form::single) {
  tine::spork::diagnostics wrong;
  tine::spork::program p = tine::spork::load(text, name, wrong, form);
  REQUIRE_MESSAGE(wrong.empty(), tine::spork::render(wrong, name));
  return p;
}
