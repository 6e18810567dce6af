// Restricts params to some values: --set block_size=256,bank_pad=0..2.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::tuner {

class ParamFilter {
 public:
  /// Allows everything.
  ParamFilter() = default;
  /// Texts of the form NAME=VALUE, NAME=LOW..HIGH or NAME=VALUE|VALUE, separated by commas; values as `tune --list`
  /// shows them. @FILE allows only the configurations of a file: a line for each, as `tunedb trials` shows KERNEL and
  /// PARAMS, such as "reduce/grid_stride block_size=256,loads_in_flight=4". Throws std::invalid_argument for other
  /// texts, and if a file cannot be read.
  explicit ParamFilter(const std::vector<std::string>& texts);

  /// Whether it allows everything.
  bool is_empty() const { return allowed_.empty() && !listed_ && !only_deterministic; }

  bool only_deterministic = false;  ///< only configurations whose kernels declare that their outputs never vary

  /// Whether the point is listed, if there is a list, and has allowed values on the axes that the kernel has.
  bool allows(const Kernel& kernel, const Point& point) const;

  /// Throws std::invalid_argument for a name that is no axis of any kernel, or if none of its values is allowed; and if
  /// no kernel is listed.
  void check(const std::vector<const Kernel*>& kernels) const;

 private:
  bool allows(const std::string& name, const std::string& label) const;
  void read_list(const std::string& file);

  std::map<std::string, std::vector<std::string>> allowed_;             ///< values and ranges, by axis
  std::optional<std::map<std::string, std::set<std::string>>> listed_;  ///< params in the form of --set, by kernel
};

}  // namespace warpwright::tuner
