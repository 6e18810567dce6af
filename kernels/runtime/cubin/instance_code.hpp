// The machine code of the kernels that a configuration launches, and a warning about it.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/cubin/machine_code.hpp"

namespace warpwright::tuner {

/// The instances of a program that was compiled for a GPU.
class InstanceCode {
 public:
  InstanceCode(const CompiledProgram& built, int compute_capability);

  /// The code of an entry; empty if the module cannot be read, or is not for a GPU.
  std::vector<gpu::Instruction> of(const std::string& entry) const;
  /// The most threads that a block may have, by the entry's __launch_bounds__; 0 if it has none or as above.
  int most_threads(const std::string& entry) const;
  /// Which entries compute with doubles although the plan's inputs and outputs are floats or halves, not doubles:
  /// "3 FP64 instructions in ENTRY"; empty if none does.
  std::string fp64_warning(const Plan& plan) const;

 private:
  const CompiledProgram& built_;
  int compute_capability_;
  std::string image_;
};

}  // namespace warpwright::tuner
