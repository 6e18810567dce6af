// Translates numbers in host code (a grid, a block, an argument) to expressions of a job.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/job/expression.hpp"
#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

/// The type in the draft for a template parameter that is a type.
inline constexpr const char* kOpenType = "float";

/// Translates expressions in and before one launch. Variables that the surrounding function has set are replaced by
/// their values. Casts are dropped. Calls of functions that divide and round up, whatever their names, become ceil_div.
class HostWords {
 public:
  HostWords(const DeviceText& text, const HostLaunch& launch) : text_(text), launch_(launch) {}

  /// From now on, the name `host` in the host code is translated to `name`.
  void call(const std::string& host, const std::string& name) { names_[host] = name; }
  bool is_called(const std::string& host) const { return names_.contains(host); }

  /// The translated expression; empty if it has no translation (if it calls a function, say).
  std::optional<std::string> expression(const std::string& spelt) const;

  /// The one to three numbers of a grid or block, from `dim3(a, b)`, the name of such a variable, or one number.
  std::optional<std::vector<std::string>> extent(const std::string& spelt) const;
  /// The same, not translated. Empty for more than three.
  std::optional<std::vector<std::string>> parts_of_extent(const std::string& spelt) const;

  /// The expression's value if it is a constant, such as 1e-05 for "1e-5f"; empty otherwise. A parameter of the
  /// function around the launch has the value of the literal that a caller passes.
  std::optional<Value> value(const std::string& spelt) const;
  /// The same for integers.
  std::optional<std::int64_t> number(const std::string& spelt) const;

  /// The expression's value. Names have their values in `known`, or else those of the source's macros and
  /// constants, or else `otherwise`. Empty if there is no value.
  std::optional<Value> value_of(const Expression& expression, Names known,
                                std::optional<Value> otherwise = std::nullopt) const;

  /// Whether an expression in the host code depends on the device: on its number of multiprocessors, on an occupancy.
  bool is_of_machine(const std::string& spelt, int depth = 0) const;

  /// Names in the expression for which no value is known.
  std::set<std::string> unknown(const std::string& expression) const;

 private:
  const DeviceText& text_;
  const HostLaunch& launch_;
  std::map<std::string, std::string> names_;
};

/// The value of a text that is an integer without names.
std::optional<std::int64_t> whole_number(const std::string& text);

}  // namespace warpwright::job
