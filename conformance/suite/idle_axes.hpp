// Finds params that change nothing, neither the machine code of a kernel nor its launches; and kernels that have
// configurations in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/target.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {

/// A configuration on a problem, compiled for an architecture and launched on its default board.
struct Execution {
  const Kernel* kernel = nullptr;
  Point params = {};
  Problem problem = {};
  int architecture = default_architecture;
};

/// What a GPU does in each of these: its plan, with the hash of the machine code in place of the name of each kernel.
/// Two executions with the same text are one and the same. Empty for one that is refused or does not compile.
std::vector<std::string> executed(worker::Compiler& compiler, const std::vector<Execution>& executions);

/// An axis, or two neighbouring values of one, that changed nothing in any pair of configurations that was compared.
struct IdleAxis {
  std::string axis;
  std::vector<std::string> values = {};  ///< the two values; empty: all of the axis
  int pairs = 0;                         ///< of configurations that were compared; 0: there was none
};

struct IdleAxesOptions {
  int rounds = 24;      ///< pairs for each axis before it is called idle
  bool values = false;  ///< compare each two neighbouring values, not only some two of an axis
  std::uint64_t seed = 1;
};

/// The axes of the kernel that are idle. A pair differs in that axis alone. The first one contains the default
/// configuration; others are drawn, with other problems and architectures too. So an axis that changes something is
/// usually found with two compiled configurations.
std::vector<IdleAxis> idle_axes(const Catalogue& catalogue, worker::Compiler& compiler, const Kernel& kernel,
                                const IdleAxesOptions& options = {});

/// Configurations of two kernels of a pattern that are one and the same execution.
struct KernelCopy {
  Execution one, other;
};

/// Kernels of the pattern that have configurations in common, one example of each two kernels. Of each kernel at most
/// `points` configurations are looked at, on the problems that are tuned. Only those with equal launches are compiled.
std::vector<KernelCopy> kernel_copies(const Catalogue& catalogue, worker::Compiler& compiler,
                                      const std::string& pattern, std::size_t points = 2000);

}  // namespace warpwright::conformance
