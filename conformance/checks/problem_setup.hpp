// The setup of a problem of any size on a GPU: its data, its reference and the bounds.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::conformance {

/// The programs that a setup needs in addition to the configurations.
struct ProblemPrograms {
  Program fills, reference;
  std::vector<Program> observations;
};
ProblemPrograms problem_programs(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                 const Device& device);

/// The types of all buffers of the problem and of its observed outputs.
std::vector<ElementType> problem_types(const Pattern& pattern, const Problem& problem, const Device& device);

/// Compiles for the device. Throws std::runtime_error if the pattern's own device code does not compile.
gpu::ProblemSetup problem_setup(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                const Device& device, worker::Compiler& compiler);

/// The time of copying the problem's data over a slow bus (8 GB/s), in microseconds. (The reference has them on the
/// device.)
double slow_bus_us(const Work& work);

/// Per input and observed output; `observation` is the name that a callable gives.
std::vector<std::vector<Bound>> problem_bounds(const Pattern& pattern, const Problem& problem, const Device& device,
                                               const std::vector<Input>& inputs, double depth,
                                               const std::string& observation = {});

/// The program; throws std::runtime_error with the compiler's message about `what`.
CompiledProgram compiled_or_throw(worker::Compiler& compiler, const Device& device, const Program& program,
                                  const std::string& what);

}  // namespace warpwright::conformance
