#pragma once
// The InputError that reading a scene throws, and a look for words in it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <talus/core/input_error.hpp>

namespace talus {

template <class Read>
InputError error_of(Read read) {
  try {
    read();
  } catch (const InputError& error) { return error; }
  ADD_FAILURE() << "was accepted";
  return InputError("", 0, "", "accepted");
}

inline testing::AssertionResult says(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in \"" << text << "\"";
}

}  // namespace talus
