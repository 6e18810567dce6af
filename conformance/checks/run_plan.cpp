// Requests of single plan runs.
#include "conformance/checks/run_plan.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernels/model/elements.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/messages/messages.hpp"
#include "kernels/runtime/messages/reply.hpp"

namespace warpwright::conformance {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kCaseLimit{30};

/// The contents of a plan's buffers by name, but for those that it only reads.
std::map<std::string, Bytes> written_by_name(const Plan& plan, const std::vector<Bytes>& buffers) {
  std::map<std::string, Bytes> by_name;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].role != Role::in) by_name[plan.buffers[i].name] = buffers.at(i);
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

json judge_request(const Plan& plan, const CompiledProgram& built, const json& contents, const Device& device) {
  return {{"do", "judge"},           {"plan", plan},
          {"module", built.module},  {"host_functions", built.host_functions},
          {"buffers", contents},     {"schedule_seed", 0},
          {"resident_blocks", 0},    {"device", device},
          {"count_accesses", false}, {"steps", std::numeric_limits<std::uint64_t>::max() / 2}};
}

std::map<std::string, Bytes> run_plan_on_host(worker::Process& process, const Plan& plan, const CompiledProgram& built,
                                              const std::vector<Bytes>& inputs, const Device& device,
                                              std::span<const StrictRule> lenient) {
  json request = judge_request(plan, built, worker::bytes_json(filled(plan, inputs, kPoison)), device);
  request["lenient"] = std::vector<StrictRule>(lenient.begin(), lenient.end());
  const worker::Reply reply = process.call(request, kCaseLimit);
  if (!reply.ok()) throw std::runtime_error(reply.detail);
  if (const json& findings = reply.body.at("findings"); !findings.empty()) {
    const auto text = findings.front().at("text").get<std::string>();
    if (findings.front().at("kind").get<FindingKind>() == FindingKind::no_model) throw NoModel(text);
    throw std::runtime_error(text);
  }
  return written_by_name(plan, worker::bytes_of(reply.body.at("buffers")));
}

std::map<std::string, Bytes> run_plan_on_gpu(worker::Process& process, int gpu, const Plan& plan,
                                             const CompiledProgram& built, const std::vector<Bytes>& inputs) {
  const worker::Reply reply = process.call({{"do", "run"},
                                            {"plan", plan},
                                            {"buffers", worker::bytes_json(filled(plan, inputs, kPoison))},
                                            {"built", built},
                                            {"gpu", gpu}},
                                           kCaseLimit);
  if (!reply.ok()) throw std::runtime_error(reply.detail);
  if (reply.body.at("verdict").get<Verdict>() != Verdict::passed)
    throw std::runtime_error(reply.body.at("detail").get<std::string>());
  return written_by_name(plan, worker::bytes_of(reply.body.at("buffers")));
}

OracleFault::OracleFault(std::string of, std::string on, std::string why)
    : std::runtime_error(fmt::format("the oracle of {} itself failed on {}: {}", of, on, why)),
      pattern(std::move(of)),
      problem(std::move(on)),
      reason(std::move(why)) {}

Expectation reference_answer(const Pattern& pattern, const Problem& problem, const std::vector<Bytes>& inputs,
                             worker::Process& process, worker::Compiler& compiler) {
  const Reference reference = pattern.reference(problem, host_device());
  try {
    const worker::CompiledPlan compiled =
        worker::compile_plan_or_throw(compiler, host_target(), reference.plan, reference.source);
    auto written =
        run_plan_on_host(process, compiled.plan, compiled.program, inputs, host_device(), all_strict_rules());
    Expectation expected;
    for (const Buffer& buffer : observed_buffers(pattern, problem, host_device())) {
      expected.push_back({.buffer = buffer.name, .values = std::move(written.at(buffer.name + ".expected"))});
      if (const auto magnitude = written.find(buffer.name + ".magnitude"); magnitude != written.end())
        expected.back().magnitude = elements_of<double>(magnitude->second);
    }
    return expected;
  } catch (const NoModel& what) {
    throw NoModel(fmt::format("the oracle of {} has no answer: {}", pattern.name, what.what()));
  } catch (const std::runtime_error& error) {
    throw OracleFault(pattern.name, problem_text(problem), error.what());
  }
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
