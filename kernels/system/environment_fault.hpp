// The error of a machine that cannot do its part.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace warpwright {

/// Something of the machine is missing, full, refused or was stopped from outside: what is wrong, and what to do. No
/// verdict on a kernel follows from it and nothing is stored or cached; programs exit with 3. It is no
/// std::runtime_error, so that nothing that takes an error for a kernel's own takes this one too.
class EnvironmentFault : public std::exception {
 public:
  explicit EnvironmentFault(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace warpwright
