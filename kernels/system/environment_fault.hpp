// The error for faults of the environment: the machine, its files or its GPUs.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace warpwright {

/// Something in the environment is missing, full, refused or was stopped from outside. The text says what is wrong and
/// what to do. It is no verdict on a kernel: nothing is stored or cached, and programs exit with 3. It is not a
/// std::runtime_error, so that no code mistakes it for an error of a kernel.
class EnvironmentFault : public std::exception {
 public:
  explicit EnvironmentFault(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace warpwright
