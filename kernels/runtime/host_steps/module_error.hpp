// The error for a file that is no module of compiled code.
#pragma once

#include <stdexcept>

namespace warpwright::simulator {

/// The file is no module, or one that was built against another version of the device headers.
class ModuleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpwright::simulator
