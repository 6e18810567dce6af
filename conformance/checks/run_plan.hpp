// Runs a plan once, in the simulator or on a GPU, outside of any case; and the inputs and outputs of observations.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/cases/comparison.hpp"
#include "kernels/core/target.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/client/process.hpp"

namespace warpwright::conformance {

/// Contents of all buffers of a plan before it runs; `inputs` are the in and inout buffers.
std::vector<Bytes> filled(const Plan& plan, const std::vector<Bytes>& inputs, std::uint8_t poison);

/// A run in the simulator with the limits of `device`, in natural order and without a limit on steps.
worker::Simulate simulation_of(const Plan& plan, const CompiledProgram& built, std::vector<Bytes> contents,
                               const Device& device = host_device());

/// A plan outside of any case reached an operation that the simulator does not model.
class NoModel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs a plan in the simulator once and returns its buffers but inputs by name. Throws NoModel, or std::runtime_error
/// for any finding that is not tolerated.
std::map<std::string, Bytes> run_plan_on_host(worker::Process& process, const Plan& plan, const CompiledProgram& built,
                                              const std::vector<Bytes>& inputs, const Device& device = host_device(),
                                              std::span<const StrictRule> lenient = {}, std::uint8_t poison = kPoison);

/// The same on a GPU of the worker's machine.
std::map<std::string, Bytes> run_plan_on_gpu(worker::Process& process, int gpu, const Plan& plan,
                                             const CompiledProgram& built, const std::vector<Bytes>& inputs);

/// The contents of the in buffers of an observation: the problem's inputs, and its outputs as a run left them.
std::vector<Bytes> given_to(const Observation& observation, const std::vector<Buffer>& buffers,
                            const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs, std::uint8_t poison);

/// The out buffers of an observation, in order, from all buffers that its plan wrote.
std::vector<Bytes> observed_by(const Observation& observation, std::map<std::string, Bytes> written);

}  // namespace warpwright::conformance
