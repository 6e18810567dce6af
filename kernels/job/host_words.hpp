// Numbers of the host code as expressions of a job: a grid, a block, an argument, as a launch has them.
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

/// What is drafted for a type that a template is told.
inline constexpr const char* kOpenType = "float";

/// Reads what host code says before and in one launch. Variables that the function around it has set are replaced by
/// what they were set to; casts go; calls that divide and round up, whatever they are called, become ceil_div.
class HostWords {
 public:
  HostWords(const DeviceText& text, const HostLaunch& launch) : text_(text), launch_(launch) {}

  /// From now on that name of the host code is called so in the job.
  void call(const std::string& host, const std::string& name) { names_[host] = name; }

  /// Nothing where it is no such expression, as where it calls a function.
  std::optional<std::string> expression(const std::string& spelt) const;

  /// The one to three numbers of a grid or block: `dim3(a, b)`, the name of such a variable, or one number.
  std::optional<std::vector<std::string>> extent(const std::string& spelt) const;

  /// The number that it is, whatever the job's names stand for, e.g. 1e-05 for "1e-5f"; nothing for what is none.
  std::optional<Value> value(const std::string& spelt) const;
  /// The same of whole ones.
  std::optional<std::int64_t> number(const std::string& spelt) const;

  /// The expression's value where its names stand for `known`, else for what the text's macros do, else for
  /// `otherwise`; nothing where that is none.
  std::optional<Value> value_of(const Expression& expression, Names known,
                                std::optional<Value> otherwise = std::nullopt) const;

  /// Names that it needs and that nothing gives a value.
  std::set<std::string> unknown(const std::string& expression) const;

 private:
  const DeviceText& text_;
  const HostLaunch& launch_;
  std::map<std::string, std::string> names_;
};

/// The whole number that a text without names is.
std::optional<std::int64_t> whole_number(const std::string& text);

}  // namespace warpwright::job
