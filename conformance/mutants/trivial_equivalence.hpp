// Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon, ICSE 2015): a mutant that compiles to the program
// that its kernel compiles to behaves as that does.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/model/program.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {

/// Of which programs a mutant's are the kernel's own. Each is compiled from both sources, beside the same others, so
/// that modules can be compared byte by byte.
class SameCode {
 public:
  SameCode(worker::Compiler& kernel, worker::Compiler& mutant, std::string target)
      : kernel_(kernel), mutant_(mutant), target_(std::move(target)) {}

  /// Compiles and compares those that were not looked at before.
  void look_at(const std::vector<Program>& programs);

  /// Whether they all were looked at and are the same.
  bool are_same(const std::vector<Program>& programs) const;
  /// Whether none that was looked at differs; no where there is none.
  bool all_same() const;
  std::size_t looked_at() const { return known_.size(); }

 private:
  worker::Compiler& kernel_;
  worker::Compiler& mutant_;
  std::string target_;
  std::vector<std::pair<Program, bool>> known_;  ///< and whether it is the same
};

}  // namespace warpwright::conformance
