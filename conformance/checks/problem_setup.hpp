// The session that a problem of any size is verified in on a GPU: its data, its reference and what bounds ask of it.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/messages/gpu.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {

/// What a session needs beside the configurations.
struct SessionPrograms {
  Program fills, reference;
  std::vector<Program> observations;
};
SessionPrograms session_programs(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                 const Device& device);

/// The types of all buffers of the problem and of what is observed of it.
std::vector<ElementType> session_types(const Pattern& pattern, const Problem& problem, const Device& device);

/// Compiles for the device. Throws std::runtime_error when the pattern's own device code does not compile.
gpu::SessionSetup session_setup(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                const Device& device, worker::Compiler& compiler);

/// What the problem's data take on their way over a slow bus (8 GB/s), microseconds: its reference has them on the
/// device.
double slow_bus_us(const Work& work);

/// Per input and observed output; `observation` as a callable names it.
std::vector<std::vector<Bound>> session_bounds(const Pattern& pattern, const Problem& problem, const Device& device,
                                               const std::vector<Input>& inputs, double depth,
                                               const std::string& observation = {});

/// The program; throws std::runtime_error with the compiler's words about `what`.
Built compiled_or_throw(worker::Compiler& compiler, const Device& device, const Program& program,
                        const std::string& what);

}  // namespace warpwright::conformance
