// Which values of params a run keeps to: --set block_size=256,bank_pad=0..2.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::tuner {

class ParamFilter {
 public:
  /// Lets everything through.
  ParamFilter() = default;
  /// Texts of NAME=VALUE, NAME=LOW..HIGH or NAME=VALUE|VALUE, several with commas; values as `tune --list` shows them.
  /// Throws std::invalid_argument for any other.
  explicit ParamFilter(const std::vector<std::string>& texts);

  /// Whether it lets everything through.
  bool is_empty() const { return allowed_.empty(); }

  /// Whether the point has allowed values on the axes that the kernel has.
  bool allows(const Kernel& kernel, const Point& point) const;

  /// Throws std::invalid_argument for a name that is no axis of any of the kernels, or of which no value is allowed.
  void check(const std::vector<const Kernel*>& kernels) const;

 private:
  bool allows(const std::string& name, const std::string& label) const;

  std::map<std::string, std::vector<std::string>> allowed_;  ///< values and ranges, by axis
};

}  // namespace warpwright::tuner
