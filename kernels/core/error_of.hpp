// For tests: the message of the exception that bad input causes.
#pragma once

#include <stdexcept>
#include <string>

namespace warpwright {

/// The text of the std::invalid_argument that the call throws, or "no error".
std::string error_of(auto&& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace warpwright
