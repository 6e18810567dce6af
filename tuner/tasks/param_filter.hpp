// Restricts params to some values: --set block_size=256,bank_pad=0..2.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::tuner {

class ParamFilter {
 public:
  /// Allows everything.
  ParamFilter() = default;
  /// Texts of the form NAME=VALUE, NAME=LOW..HIGH or NAME=VALUE|VALUE, separated by commas; values as `tune --list`
  /// shows them. Throws std::invalid_argument for other texts.
  explicit ParamFilter(const std::vector<std::string>& texts);

  /// Whether it allows everything.
  bool is_empty() const { return allowed_.empty() && !only_deterministic; }

  bool only_deterministic = false;  ///< only configurations whose kernels declare that their outputs never vary

  /// Whether the point has allowed values on the axes that the kernel has.
  bool allows(const Kernel& kernel, const Point& point) const;

  /// Throws std::invalid_argument for a name that is no axis of any kernel, or if none of its values is allowed.
  void check(const std::vector<const Kernel*>& kernels) const;

 private:
  bool allows(const std::string& name, const std::string& label) const;

  std::map<std::string, std::vector<std::string>> allowed_;  ///< values and ranges, by axis
};

}  // namespace warpwright::tuner
