// Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon, ICSE 2015): a mutant that compiles to the same
// code as its kernel behaves like it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/model/program.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {

/// Finds the programs that are the same for the mutant and its kernel. Both sources are compiled in the same batches,
/// so that modules can be compared byte by byte.
class SameCode {
 public:
  SameCode(worker::Compiler& kernel, worker::Compiler& mutant, std::string target)
      : kernel_(kernel), mutant_(mutant), target_(std::move(target)) {}

  /// Compiles and compares the programs that were not compared before.
  void compare(const std::vector<Program>& programs);

  /// Whether all of them were compared and are the same.
  bool are_same(const std::vector<Program>& programs) const;
  /// Whether all programs compared so far are the same; false if there is none.
  bool all_same() const;
  std::size_t compared() const { return known_.size(); }

 private:
  worker::Compiler& kernel_;
  worker::Compiler& mutant_;
  std::string target_;
  std::vector<std::pair<Program, bool>> known_;  ///< each program, and whether it is the same for both
};

}  // namespace warpwright::conformance
