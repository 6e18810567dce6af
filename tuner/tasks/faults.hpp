// Counts configurations that cannot be used, by verdict.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kernels/core/verdict.hpp"

namespace warpwright::tuner {

class Faults {
 public:
  /// Ignores verdicts that are no fault.
  void add(Verdict verdict);
  void add(const Faults& other);

  int all() const;
  /// Faults of the kernels themselves.
  int wrong() const;
  /// "2 wrong, 1 too slow"; empty without any.
  std::string text() const;
  /// The word of the gravest verdict, as the database stores it; empty if text() is already complete.
  std::string_view gravest() const;

 private:
  std::map<Verdict, int> counts_;
};

}  // namespace warpwright::tuner
