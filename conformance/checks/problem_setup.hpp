// The session that a problem of any size is verified in on a GPU: its data, its reference and what bounds ask of it.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::conformance {

/// What a session needs beside the configurations.
struct ProblemPrograms {
  Program fills, reference;
  std::vector<Program> observations;
};
ProblemPrograms problem_programs(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                 const Device& device);

/// The types of all buffers of the problem and of what is observed of it.
std::vector<ElementType> problem_types(const Pattern& pattern, const Problem& problem, const Device& device);

/// Compiles for the device. Throws std::runtime_error when the pattern's own device code does not compile.
gpu::ProblemSetup problem_setup(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                const Device& device, worker::Compiler& compiler);

/// What the problem's data take on their way over a slow bus (8 GB/s), microseconds: its reference has them on the
/// device.
double slow_bus_us(const Work& work);

/// Per input and observed output; `observation` as a callable names it.
std::vector<std::vector<Bound>> problem_bounds(const Pattern& pattern, const Problem& problem, const Device& device,
                                               const std::vector<Input>& inputs, double depth,
                                               const std::string& observation = {});

/// The program; throws std::runtime_error with the compiler's words about `what`.
CompiledProgram compiled_or_throw(worker::Compiler& compiler, const Device& device, const Program& program,
                                  const std::string& what);

}  // namespace warpwright::conformance
