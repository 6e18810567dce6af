// Single runs of plans, in the simulator or on a GPU.
#include "conformance/checks/run_plan.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <stdexcept>

#include "kernels/model/elements.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {
namespace {

constexpr std::chrono::seconds kCaseLimit = time_factor * std::chrono::seconds(30);

/// The contents of a plan's buffers by name, except those that it only reads.
std::map<std::string, Bytes> written_by_name(const Plan& plan, std::vector<Bytes> buffers) {
  std::map<std::string, Bytes> by_name;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].role != Role::in) by_name[plan.buffers[i].name] = std::move(buffers.at(i));
  return by_name;
}

}  // namespace

std::vector<Bytes> filled(const Plan& plan, const std::vector<Bytes>& inputs, std::uint8_t poison) {
  std::vector<Bytes> contents;
  std::size_t next = 0;
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.is_input()) {
      contents.push_back(inputs.at(next++));
    } else {
      const std::byte fill = buffer.self_restoring ? std::byte{0} : std::byte{poison};
      contents.emplace_back(static_cast<std::size_t>(buffer.bytes()), fill);
    }
  }
  return contents;
}

worker::Simulate simulation_of(const Plan& plan, const CompiledProgram& built, std::vector<Bytes> contents,
                               const Device& device) {
  constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max() / 4;
  return {.plan = plan,
          .module = built.module,
          .host_functions = built.host_functions,
          .buffers = std::move(contents),
          .options = {.device = device, .schedule = {}, .limits = {.steps = unlimited, .blocks = unlimited}}};
}

std::map<std::string, Bytes> run_plan_on_host(worker::Process& process, const Plan& plan, const CompiledProgram& built,
                                              const std::vector<Bytes>& inputs, const Device& device,
                                              std::span<const StrictRule> lenient, std::uint8_t poison) {
  worker::Simulate request = simulation_of(plan, built, filled(plan, inputs, poison), device);
  request.options.lenient.assign(lenient.begin(), lenient.end());
  // Each of these runs starts anew, so nothing comes from an earlier one.
  request.options.keeps_state = true;
  if (poison != kPoison) request.options.poison = poison;
  auto answered = process.call(std::move(request), kCaseLimit);
  if (!answered.ok()) throw std::runtime_error(answered.detail);
  const simulator::Execution& execution = answered.reply.execution;
  if (!execution.clean()) {
    const std::string text = describe(execution.findings.front());
    if (execution.findings.front().kind == FindingKind::no_model) throw NoModel(text);
    throw std::runtime_error(text);
  }
  return written_by_name(plan, std::move(answered.reply.buffers));
}

std::map<std::string, Bytes> run_plan_on_gpu(worker::Process& process, int gpu, const Plan& plan,
                                             const CompiledProgram& built, const std::vector<Bytes>& inputs) {
  auto answered = process.call(
      worker::RunPlan{.gpu = gpu, .plan = plan, .program = built, .buffers = filled(plan, inputs, kPoison)},
      kCaseLimit);
  if (!answered.ok()) throw std::runtime_error(answered.detail);
  if (answered.reply.verdict != Verdict::passed) throw std::runtime_error(answered.reply.detail);
  return written_by_name(plan, std::move(answered.reply.buffers));
}

std::vector<Bytes> given_to(const Observation& observation, const std::vector<Buffer>& buffers,
                            const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs, std::uint8_t poison) {
  std::map<std::string, Bytes> known{{kPoisonBuffer, {std::byte{poison}}}};
  std::size_t next_input = 0;
  std::size_t next_output = 0;
  for (const Buffer& buffer : buffers) {
    if (buffer.is_input()) known[buffer.name] = inputs.at(next_input++);
    if (buffer.is_output()) known[buffer.name] = outputs.at(next_output++);
  }
  std::vector<Bytes> given;
  for (const Buffer& buffer : observation.plan.buffers)
    if (buffer.is_input()) given.push_back(known.at(buffer.name));
  return given;
}

std::vector<Bytes> observed_by(const Observation& observation, std::map<std::string, Bytes> written) {
  std::vector<Bytes> observed;
  for (const Buffer& buffer : observation.plan.buffers)
    if (buffer.is_output()) observed.push_back(std::move(written.at(buffer.name)));
  return observed;
}

}  // namespace warpwright::conformance
