// The machine code of the instances that a configuration launches, and what is odd about it.
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

  /// Of an entry; empty where the module is not there to be read, or is none for a GPU.
  std::vector<gpu::Instruction> of(const std::string& entry) const;

 private:
  const CompiledProgram& built_;
  int compute_capability_;
  std::string image_;
};

/// Which entries of the plan work on doubles though the plan takes and gives floats or halves and no doubles: "3 FP64
/// instructions in ENTRY"; empty where none does.
std::string fp64_warning(const Plan& plan, const CompiledProgram& built, int compute_capability);

}  // namespace warpwright::tuner
